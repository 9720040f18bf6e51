// What may be asked of the objects: their methods, as callers see them and as the classes implement them. The
// platform's own stub types turn a free hash into `never`; these say what the methods say. Types only.
import type { AccessMail } from "../domain/access-mail.ts";
import type { Alert, AskingPage } from "../domain/alert.ts";
import type { Traces } from "../domain/anonymize.ts";
import type { AlertDraft, By, Command, ContentChanges, RemovedMember } from "../domain/commands.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import type { PageMessage, PageReport, ReleaseMessage } from "../domain/page.ts";
import type { Refusal } from "../domain/refusal.ts";
import type { Welcome } from "../domain/welcome.ts";
import type { Gate } from "../integrations/gate.ts";

// ── Alerts ──

/** Whether the caller waits until readers can see what it did: an API call does, a webhook's drain does not. */
export type Waiting = "for_readers" | "for_nothing";

/** `countedSequence`: the highest of the source's sequence numbers that it has counted. */
export type CreateResult =
  | {
      readonly kind: "created" | "counted";
      readonly alert: Alert;
      readonly countedSequence: number;
    }
  /** It has ended: an event of the same `Id` makes another alert. */
  | { readonly kind: "finished"; readonly countedSequence: number }
  | Refusal;

export type CommandResult = { readonly kind: "done"; readonly alert: Alert } | Refusal;

/** What callers may ask for beside a create. */
export type CallerCommand =
  | { readonly type: "acknowledge" | "resolve" | "delete"; readonly by: By }
  | { readonly type: "reject"; readonly by: By & { readonly accountUserId: string } }
  | { readonly type: "change"; readonly changes: ContentChanges; readonly by: By }
  | Extract<Command, { type: "handoff" }>;

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

// ── People, schedules, teams, broadcasts ──

/** What a person's object keeps until its instant (`at`, epoch ms), and then hands to the queue. */
export type Timer = { readonly at: number; readonly message: PageMessage | ReleaseMessage };

export type PersonStub = {
  expect(timers: readonly Timer[]): Promise<void>;
  done(keys: readonly string[]): Promise<void>;
};

export type WatchedSchedule = { readonly id: string; readonly accountId: string };

export type ScheduleStub = {
  watch(schedule: WatchedSchedule): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

export type WatchedTeam = { readonly id: string; readonly accountId: string };

export type TeamStub = {
  look(team: WatchedTeam): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

export type WatchedBroadcast = { readonly id: string; readonly accountId: string };

export type BroadcastStub = {
  expect(broadcast: WatchedBroadcast): Promise<void>;
  look(): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

// ── Integrations ──

/** A request as the worker hands it over. */
export type Delivery = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The body, unpacked; or why it could not be read. */
  readonly body: Uint8Array | Refusal;
  readonly remoteIp: string | null;
  /** What stands in for the integration's token; none = the token is asked for. */
  readonly proof?: Proof;
  /** The type to read it by, where that is not the integration's own: a drop-in endpoint's. */
  readonly readAs?: string;
};

/** A key that a sender has instead of the URL, or a caller of the API who may. */
type Proof = { readonly intakeKey: string } | "caller";

/** The inbox's answer, with what the worker may know of the integration's credentials from now on. */
export type Received = (
  | { readonly kind: "accepted"; readonly logId: string }
  | { readonly kind: "unknown" }
  | Refusal
) & { readonly gate?: Gate };

export type RequestOutcome = {
  /** As the request's log has it. */
  readonly message: string;
  /** Epoch ms. */
  readonly settledAt: number;
  /** The request as its log has it, JSON; null when only its log still knows. */
  readonly request: string | null;
  readonly alertId: string | null;
  readonly thirdpartyId: string | null;
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

/** What an `OutgoingObject` answers. */
export type OutgoingStub = { look(): Promise<void> };

// ── Mails ──

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

// ── Erasure ──

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
