// Stubs of the objects, by name. Imports no object's code: the platform types its stubs from the
// classes, and the classes implement the types of `rpc.ts`.
import type {
  AccessMailStub,
  AlertStub,
  AnonymizableKind,
  AnonymizingStub,
  BroadcastStub,
  CalendarImportStub,
  CalendarReaderStub,
  CoverRequestStub,
  DedupKeyStub,
  InboxStub,
  LiveStub,
  OutgoingStub,
  PersonStub,
  ScheduleStub,
  SecurityMailStub,
  TeamStub,
  Watcher,
  WelcomeStub,
} from "./rpc.ts";

/** The object of the alert with this `prefix_id`. */
export function alertObject(env: Cloudflare.Env, prefixId: string): AlertStub {
  return env.ALERT.getByName(prefixId);
}

/** The object that sends an account's changes to its open consoles. */
export function liveObject(env: Cloudflare.Env, accountId: string): LiveStub {
  return env.LIVE.getByName(accountId);
}

/** The header in which the live object gets the `Watcher`, as JSON. */
export const WATCHER_HEADER = "X-Watcher";

/** Opens a console's WebSocket at that object. */
export function openLiveSocket(env: Cloudflare.Env, watcher: Watcher): Promise<Response> {
  const headers = { Upgrade: "websocket", [WATCHER_HEADER]: JSON.stringify(watcher) };
  return env.LIVE.getByName(watcher.accountId).fetch("https://live/", { headers });
}

/** The object of the team with this `prefix_id`, which sends its notices of handoffs and gaps. */
export function teamObject(env: Cloudflare.Env, prefixId: string): TeamStub {
  return env.TEAM.getByName(prefixId);
}

/** The object of the schedule with this `prefix_id`, which sends its reminders and notices. */
export function scheduleObject(env: Cloudflare.Env, prefixId: string): ScheduleStub {
  return env.SCHEDULE.getByName(prefixId);
}

/** The object of the calendar import with this `prefix_id`, which reads its calendar. */
export function calendarImportObject(env: Cloudflare.Env, prefixId: string): CalendarImportStub {
  return env.CALENDAR_IMPORT.getByName(prefixId);
}

/** The object of the absence calendar with this `prefix_id`, which reads it. */
export function absenceCalendarObject(env: Cloudflare.Env, prefixId: string): CalendarReaderStub {
  return env.ABSENCE_CALENDAR.getByName(prefixId);
}

/** The object of the account user with this `prefix_id`, for their digest and later notifications. */
export function personObject(env: Cloudflare.Env, prefixId: string): PersonStub {
  return env.PERSON.getByName(prefixId);
}

/** The object of the broadcast with this `prefix_id`. */
export function broadcastObject(env: Cloudflare.Env, prefixId: string): BroadcastStub {
  return env.BROADCAST.getByName(prefixId);
}

/** The object of the request for cover with this `prefix_id`, which sends its notices. */
export function coverRequestObject(env: Cloudflare.Env, prefixId: string): CoverRequestStub {
  return env.COVER_REQUEST.getByName(prefixId);
}

/** The inbox of the integration with this `prefix_id`. */
export function integrationInbox(env: Cloudflare.Env, prefixId: string): InboxStub {
  return env.INTEGRATION_INBOX.getByName(prefixId);
}

/** The object of a dedup key. `name`: the account's id and the key's hash. */
export function dedupKeyObject(env: Cloudflare.Env, name: string): DedupKeyStub {
  return env.DEDUP_KEY.getByName(name);
}

/** The object of a new member's welcome mail, by the membership's `prefix_id`. */
export function welcomeObject(env: Cloudflare.Env, prefixId: string): WelcomeStub {
  return env.WELCOME.getByName(prefixId);
}

/** The object of an access mail, by the address's `prefix_id` or by `passwordMailName`. */
export function accessMailObject(env: Cloudflare.Env, name: string): AccessMailStub {
  return env.ACCESS_MAIL.getByName(name);
}

/** The object of a person's security mail, by the person's id. */
export function securityMailObject(env: Cloudflare.Env, userId: string): SecurityMailStub {
  return env.SECURITY_MAIL.getByName(userId);
}

/** The object of the outgoing integration with this `prefix_id`. */
export function outgoingObject(env: Cloudflare.Env, prefixId: string): OutgoingStub {
  return env.OUTGOING.getByName(prefixId);
}

/** An object of any kind, to anonymize what it stores. */
export function anonymizingObject(
  env: Cloudflare.Env,
  kind: AnonymizableKind,
  name: string,
): AnonymizingStub {
  const namespaces = {
    alert: env.ALERT,
    schedule: env.SCHEDULE,
    team: env.TEAM,
    person: env.PERSON,
    broadcast: env.BROADCAST,
    cover_request: env.COVER_REQUEST,
    inbox: env.INTEGRATION_INBOX,
    outgoing: env.OUTGOING,
    welcome: env.WELCOME,
    access_mail: env.ACCESS_MAIL,
  };
  return namespaces[kind].getByName(name);
}
