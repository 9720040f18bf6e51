// Stubs of the objects, by name. Imports no object's code: the platform types its stubs from the
// classes, and the classes implement the types of `rpc.ts`.
import type { BackupObjectKind } from "../domain/operations/backup/backup-format.ts";
import { logMinorFault } from "../kernel/db/log-fault.ts";
import { OPERATIONS } from "../kernel/metrics/report-counts.ts";
import type { BackedUpStub } from "../kernel/objects/backed-up-object.ts";
import { objectNamed } from "../kernel/objects/object-named.ts";
import type { WatchedAlert } from "./alerts/object/watched-account-rows.ts";
import type {
  AbsenceCalendarStub,
  AbsenceStub,
  AccessMailStub,
  AlertStub,
  AnonymizableKind,
  AnonymizingStub,
  BroadcastStub,
  BulkOperationStub,
  CalendarImportStub,
  DedupKeyStub,
  InboxStub,
  LiveStub,
  OperationsStub,
  OutgoingStub,
  PersonStub,
  ScheduleStub,
  SecurityMailStub,
  StandbyStub,
  TeamStub,
  Watcher,
  WelcomeStub,
} from "./rpc.ts";

/** The object of the alert with this `prefix_id`. */
export function alertObject(env: Cloudflare.Env, prefixId: string): AlertStub {
  return objectNamed(env, env.ALERT, prefixId);
}

/** The object that sends an account's changes to its open consoles. */
export function liveObject(env: Cloudflare.Env, accountId: string): LiveStub {
  return objectNamed(env, env.LIVE, accountId);
}

/** The header in which the live object gets the `Watcher`, as JSON. */
export const WATCHER_HEADER = "X-Watcher";

/** Opens a console's WebSocket at that object. */
export function openLiveSocket(env: Cloudflare.Env, watcher: Watcher): Promise<Response> {
  const headers = { Upgrade: "websocket", [WATCHER_HEADER]: JSON.stringify(watcher) };
  return objectNamed(env, env.LIVE, watcher.accountId).fetch("https://live/", { headers });
}

/**
 * Notifies open consoles of what belongs to an alert and is no step of it: comments, and what became
 * of notifications. Never throws, and is not retried: consoles refresh in any case, later.
 */
export async function notifyWatchers(
  env: Cloudflare.Env,
  watched: readonly WatchedAlert[],
): Promise<void> {
  if (watched.length === 0) return;
  const { yieldsToPages } = await import("../kernel/db/daily-use.ts");
  if (await yieldsToPages(env, "live")) return;
  await Promise.all(
    watched.map(({ accountId, alertId }) =>
      liveObject(env, accountId)
        .changed({ id: alertId, version: null })
        .catch((error: unknown) => {
          logMinorFault("open consoles could not be notified", error);
        }),
    ),
  );
}

/** The object of the team with this `prefix_id`, which sends its notices of handoffs and gaps. */
export function teamObject(env: Cloudflare.Env, prefixId: string): TeamStub {
  return objectNamed(env, env.TEAM, prefixId);
}

/** The object of the schedule with this `prefix_id`, which sends its reminders and notices. */
export function scheduleObject(env: Cloudflare.Env, prefixId: string): ScheduleStub {
  return objectNamed(env, env.SCHEDULE, prefixId);
}

/** The object of the calendar import with this `prefix_id`, which reads its calendar. */
export function calendarImportObject(env: Cloudflare.Env, prefixId: string): CalendarImportStub {
  return objectNamed(env, env.CALENDAR_IMPORT, prefixId);
}

/** The object of the absence calendar with this `prefix_id`, which reads it. */
export function absenceCalendarObject(env: Cloudflare.Env, prefixId: string): AbsenceCalendarStub {
  return objectNamed(env, env.ABSENCE_CALENDAR, prefixId);
}

/** The object of the account user with this `prefix_id`, for their digest and later notifications. */
export function personObject(env: Cloudflare.Env, prefixId: string): PersonStub {
  return objectNamed(env, env.PERSON, prefixId);
}

/** The object of the broadcast with this `prefix_id`. */
export function broadcastObject(env: Cloudflare.Env, prefixId: string): BroadcastStub {
  return objectNamed(env, env.BROADCAST, prefixId);
}

/** The object of the bulk operation with this `prefix_id`. */
export function bulkOperationObject(env: Cloudflare.Env, prefixId: string): BulkOperationStub {
  return objectNamed(env, env.BULK_OPERATION, prefixId);
}

/** The name of an absence's object: those of requests for cover of former versions are still found. */
const absenceObjectName = (prefixId: string) => `crq_${prefixId.slice(4)}`;

/** The object of the absence with this `prefix_id`, which notifies whom it asks. */
export function absenceObject(env: Cloudflare.Env, prefixId: string): AbsenceStub {
  return objectNamed(env, env.COVER_REQUEST, absenceObjectName(prefixId));
}

/** The inbox of the integration with this `prefix_id`, created in its region if it has one. */
export function integrationInbox(
  env: Cloudflare.Env,
  prefixId: string,
  region: string | null = null,
): InboxStub {
  return objectNamed(env, env.INTEGRATION_INBOX, prefixId, region);
}

/** The one object that stores the metrics of the deployment and audits it. */
export function operationsObject(env: Cloudflare.Env): OperationsStub {
  return objectNamed(env, env.OPERATIONS, OPERATIONS);
}

/** The one object of a standby, or of a primary that has one. */
export function standbyObject(env: Cloudflare.Env): StandbyStub {
  return objectNamed(env, env.STANDBY, "standby");
}

/** The object of a dedup key. `name`: the account's id and the key's hash. */
export function dedupKeyObject(env: Cloudflare.Env, name: string): DedupKeyStub {
  return objectNamed(env, env.DEDUP_KEY, name);
}

/** The object of a new member's welcome mail, by the membership's `prefix_id`. */
export function welcomeObject(env: Cloudflare.Env, prefixId: string): WelcomeStub {
  return objectNamed(env, env.WELCOME, prefixId);
}

/** The object of an access mail, by the address's `prefix_id` or by `passwordMailName`. */
export function accessMailObject(env: Cloudflare.Env, name: string): AccessMailStub {
  return objectNamed(env, env.ACCESS_MAIL, name);
}

/** The object of a person's security mail, by the person's id. */
export function securityMailObject(env: Cloudflare.Env, userId: string): SecurityMailStub {
  return objectNamed(env, env.SECURITY_MAIL, userId);
}

/** The object of the outgoing integration with this `prefix_id`. */
export function outgoingObject(env: Cloudflare.Env, prefixId: string): OutgoingStub {
  return objectNamed(env, env.OUTGOING, prefixId);
}

/** An object of any kind, to anonymize what it stores. */
export function anonymizingObject(
  env: Cloudflare.Env,
  kind: AnonymizableKind,
  name: string,
): AnonymizingStub {
  const stubs = {
    alert: () => objectNamed(env, env.ALERT, name),
    schedule: () => objectNamed(env, env.SCHEDULE, name),
    team: () => objectNamed(env, env.TEAM, name),
    person: () => objectNamed(env, env.PERSON, name),
    broadcast: () => objectNamed(env, env.BROADCAST, name),
    bulk_operation: () => objectNamed(env, env.BULK_OPERATION, name),
    absence: () => objectNamed(env, env.COVER_REQUEST, absenceObjectName(name)),
    inbox: () => objectNamed(env, env.INTEGRATION_INBOX, name),
    outgoing: () => objectNamed(env, env.OUTGOING, name),
    welcome: () => objectNamed(env, env.WELCOME, name),
    access_mail: () => objectNamed(env, env.ACCESS_MAIL, name),
  };
  return stubs[kind]();
}

/** An object of any kind that is backed up, to read or restore what it stores. */
export function backedUpObject(
  env: Cloudflare.Env,
  kind: BackupObjectKind,
  name: string,
): BackedUpStub {
  const stubs = {
    alert: () => objectNamed(env, env.ALERT, name),
    inbox: () => objectNamed(env, env.INTEGRATION_INBOX, name),
    person: () => objectNamed(env, env.PERSON, name),
    schedule: () => objectNamed(env, env.SCHEDULE, name),
    team: () => objectNamed(env, env.TEAM, name),
    broadcast: () => objectNamed(env, env.BROADCAST, name),
    absence: () => objectNamed(env, env.COVER_REQUEST, absenceObjectName(name)),
    bulk_operation: () => objectNamed(env, env.BULK_OPERATION, name),
    calendar_import: () => objectNamed(env, env.CALENDAR_IMPORT, name),
    absence_calendar: () => objectNamed(env, env.ABSENCE_CALENDAR, name),
  };
  return stubs[kind]();
}
