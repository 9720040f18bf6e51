// The objects as callers see them. The platform's own stub types turn a free hash into `never`; these say what the
// methods say.

import type { AccessMail } from "../domain/access-mail.ts";
import type { AskingPage } from "../domain/alert.ts";
import type { Traces } from "../domain/anonymize.ts";
import type { AlertDraft, RemovedMember } from "../domain/commands.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import type { PageMessage, PageReport, ReleaseMessage } from "../domain/page.ts";
import type { Welcome } from "../domain/welcome.ts";
import type { CallerCommand, CommandResult, CreateResult, Waiting } from "./alert-object.ts";
import type { WatchedBroadcast } from "./broadcast-storage.ts";
import type { Delivery, Received } from "./delivery.ts";
import type { RequestOutcome } from "./request-outcome.ts";
import type { WatchedSchedule } from "./schedule-object.ts";
import type { WatchedTeam } from "./team-storage.ts";

export type AlertStub = {
  create(draft: AlertDraft, sequences: readonly number[], waiting: Waiting): Promise<CreateResult>;
  command(accountId: string, command: CallerCommand, waiting: Waiting): Promise<CommandResult>;
  show(): Promise<boolean | null>;
  isRunning(): Promise<boolean | null>;
  join(
    accountId: string,
    member: { readonly id: string; readonly title: string },
  ): Promise<"done" | "gone" | "not_made">;
  confirm(reports: readonly PageReport[]): Promise<void>;
  removeMembers(accountId: string, members: readonly RemovedMember[]): Promise<void>;
  asks(page: AskingPage): Promise<boolean>;
  poke(): Promise<void>;
  retire(before: number): Promise<boolean>;
};

/** What a person's object keeps until its instant (`at`, epoch ms), and then hands to the queue. */
export type Timer = { readonly at: number; readonly message: PageMessage | ReleaseMessage };

export type PersonStub = {
  expect(timers: readonly Timer[]): Promise<void>;
  done(keys: readonly string[]): Promise<void>;
};

export type ScheduleStub = {
  watch(schedule: WatchedSchedule): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

export type TeamStub = {
  look(team: WatchedTeam): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

export type InboxStub = {
  receive(delivery: Delivery): Promise<Received>;
  configure(configuration: IntegrationConfiguration): Promise<void>;
  forgetAlert(alertId: string): Promise<void>;
  outcome(logId: string): Promise<RequestOutcome | null>;
};

/** What a `DedupKeyObject` answers. */
export type DedupKeyStub = {
  look(): Promise<string | null>;
  age(): Promise<number>;
  claim(alertId: string, inPlaceOf: string | null, milliseconds: number | null): Promise<string>;
  release(alertId: string): Promise<void>;
};

export type BroadcastStub = {
  expect(broadcast: WatchedBroadcast): Promise<void>;
  look(): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

/** What an `OutgoingObject` answers. */
export type OutgoingStub = { look(): Promise<void> };

/** What a `WelcomeObject` answers. */
export type WelcomeStub = {
  expect(welcome: Welcome): Promise<void>;
  done(found: "over" | "none"): Promise<void>;
};

/** What an `AccessMailObject` answers. */
export type AccessMailStub = {
  expect(mail: AccessMail): Promise<void>;
  take(): Promise<AccessMail | null>;
  done(at: number, found: "over" | "waits"): Promise<void>;
};

/** What a `SecurityMailObject` answers. */
export type SecurityMailStub = {
  expect(): Promise<void>;
  take(): Promise<number | null>;
  done(version: number, found: "sent" | "none" | "waits"): Promise<void>;
};

/** The object of the alert with this `prefix_id`. */
export function alertObject(env: Cloudflare.Env, prefixId: string): AlertStub {
  return env.ALERT.getByName(prefixId) as unknown as AlertStub;
}

/** The object of the team with this `prefix_id`: its handoff notices. */
export function teamObject(env: Cloudflare.Env, prefixId: string): TeamStub {
  return env.TEAM.getByName(prefixId) as unknown as TeamStub;
}

/** The object of the schedule with this `prefix_id`: the reminders of its shifts. */
export function scheduleObject(env: Cloudflare.Env, prefixId: string): ScheduleStub {
  return env.SCHEDULE.getByName(prefixId) as unknown as ScheduleStub;
}

/** The object of the account user with this `prefix_id`: what is to reach them later. */
export function personObject(env: Cloudflare.Env, prefixId: string): PersonStub {
  return env.PERSON.getByName(prefixId) as unknown as PersonStub;
}

/** The object of the broadcast with this `prefix_id`. */
export function broadcastObject(env: Cloudflare.Env, prefixId: string): BroadcastStub {
  return env.BROADCAST.getByName(prefixId) as unknown as BroadcastStub;
}

/** The inbox of the integration with this `prefix_id`. */
export function integrationInbox(env: Cloudflare.Env, prefixId: string): InboxStub {
  return env.INTEGRATION_INBOX.getByName(prefixId) as unknown as InboxStub;
}

/** The object of a key, by its name: the account's id and the key's hash. */
export function dedupKeyObject(env: Cloudflare.Env, name: string): DedupKeyStub {
  return env.DEDUP_KEY.getByName(name) as unknown as DedupKeyStub;
}

/** The object of a new member's mail, by the membership's `prefix_id`. */
export function welcomeObject(env: Cloudflare.Env, prefixId: string): WelcomeStub {
  return env.WELCOME.getByName(prefixId) as unknown as WelcomeStub;
}

/** The object of a mail about access: by the address's `prefix_id`, or by what `passwordMailName` makes. */
export function accessMailObject(env: Cloudflare.Env, name: string): AccessMailStub {
  return env.ACCESS_MAIL.getByName(name) as unknown as AccessMailStub;
}

/** The object of a person's security mail, by the person's id. */
export function securityMailObject(env: Cloudflare.Env, userId: string): SecurityMailStub {
  return env.SECURITY_MAIL.getByName(userId) as unknown as SecurityMailStub;
}

/** The object of the outgoing integration with this `prefix_id`. */
export function outgoingObject(env: Cloudflare.Env, prefixId: string): OutgoingStub {
  return env.OUTGOING.getByName(prefixId) as unknown as OutgoingStub;
}

/** The objects that may hold something of a person. */
export type Anonymizing =
  | "alert"
  | "schedule"
  | "team"
  | "person"
  | "broadcast"
  | "inbox"
  | "outgoing"
  | "welcome"
  | "access_mail";

export type AnonymizingStub = { anonymize(traces: Traces): Promise<number> };

/** An object of any kind, to be asked to anonymize what it holds. */
export function anonymizingObject(
  env: Cloudflare.Env,
  kind: Anonymizing,
  name: string,
): AnonymizingStub {
  const namespaces = {
    alert: env.ALERT,
    schedule: env.SCHEDULE,
    team: env.TEAM,
    person: env.PERSON,
    broadcast: env.BROADCAST,
    inbox: env.INTEGRATION_INBOX,
    outgoing: env.OUTGOING,
    welcome: env.WELCOME,
    access_mail: env.ACCESS_MAIL,
  };
  return namespaces[kind].getByName(name) as unknown as AnonymizingStub;
}
