// The RPC methods of the objects, as callers see them and as the classes implement them. The
// platform's own stub types turn a free hash into `never`; these types preserve it. Types only.
//
// While a version is deployed, callers and objects of both versions run side by side. The names of
// methods, the order of their parameters and the values in them are therefore a format: one that is
// renamed is refused by the other version until the last instance has changed. A better name is added
// beside the old one, called from the next release on, and the old one removed in the release after.
// A parameter's own name is not sent.

import type { AccessMail } from "../domain/access/access-mail.ts";
import type { Alert, PageAssignment } from "../domain/alerts/alert.ts";
import type { BulkCommand } from "../domain/alerts/bulk-operation.ts";
import type {
  AlertDraft,
  Command,
  CommandAuthor,
  ContentChanges,
  RemovedMember,
} from "../domain/alerts/commands.ts";
import type { IntegrationConfiguration } from "../domain/integrations/integration-configuration.ts";
import type { PageMessage, PageReport, ReleaseMessage } from "../domain/notifications/page.ts";
import type { RepeatCallMessage } from "../domain/notifications/repeat-call.ts";
import type { AuditedDeployment } from "../domain/operations/audited-deployment.ts";
import type { ProbeResult } from "../domain/operations/probe.ts";
import type {
  ChannelProviders,
  Proof as ProviderProof,
} from "../domain/operations/provider-health.ts";
import type { StandbyQuestion, StandbyState } from "../domain/operations/standby.ts";
import type {
  DrilledAccount,
  DrillRequest,
  DueDrill,
  KnownStandby,
  StandbyCard,
  StandbyDeed,
  StandbyDrill,
} from "../domain/operations/standby-drill.ts";
import type { PhoneProviderName } from "../domain/people/phone-provider.ts";
import type { Welcome } from "../domain/people/welcome.ts";
import type { PersonTraces } from "../domain/shared/anonymize.ts";
import type { ProviderAnswers } from "../domain/shared/metrics/provider-answers.ts";
import type { SeriesValues } from "../domain/shared/metrics/series.ts";
import type { Refusal } from "../domain/shared/refusal.ts";
import type { CredentialHashes } from "../products/credential-hashes.ts";
import type { TestEvent } from "../products/test-event.ts";
import type { PasswordCost } from "./access/sessions/passwords.ts";
import type { AbsencesRead, HolidaySource } from "./oncall/absence-calendars/holiday-absences.ts";
import type { DecidedReading } from "./oncall/calendar-imports/decide-reading.ts";

// ── Alerts ──

/**
 * Whether the reply waits until D1 has the change (`for_readers`: API calls need that) or not (inboxes
 * do not).
 */
export type WaitFor = "for_readers" | "for_nothing";

/** `mergedIntoId`: the alert that receives its events; null if none does. */
type FinishedAlert = {
  readonly kind: "finished";
  readonly countedSequence: number;
  readonly mergedIntoId: string | null;
};

/** `countedSequence`: the highest sequence number of its source that the alert has counted. */
export type CreateResult =
  | {
      readonly kind: "created" | "counted";
      readonly alert: Alert;
      readonly countedSequence: number;
    }
  /** The alert has ended: an event of the same `Id` creates another one. */
  | FinishedAlert
  | Refusal;

export type CommandResult = { readonly kind: "done"; readonly alert: Alert } | Refusal;

/** The commands that callers may send, apart from the create. */
export type CallerCommand =
  | { readonly type: "acknowledge" | "unacknowledge" | "delete"; readonly by: CommandAuthor }
  | Extract<Command, { type: "resolve" }>
  | { readonly type: "reject"; readonly by: CommandAuthor & { readonly accountUserId: string } }
  | { readonly type: "change"; readonly changes: ContentChanges; readonly by: CommandAuthor }
  | Extract<Command, { type: "handoff" | "snooze" | "escalate" | "request_responders" | "merge" }>
  | Omit<Extract<Command, { type: "reopen" }>, "retiredBefore">
  | Omit<Extract<Command, { type: "undo" }>, "areOthersNotified">;

export type AlertStub = {
  create(
    draft: AlertDraft,
    sequences: readonly number[],
    waiting: WaitFor,
    isNew?: boolean,
  ): Promise<CreateResult>;
  command(accountId: string, command: CallerCommand, waiting: WaitFor): Promise<CommandResult>;
  show(accountId: string): Promise<boolean | null>;
  isRunning(accountId: string): Promise<boolean | null>;
  hasEnded(accountId: string): Promise<boolean | null>;
  mergeInto(accountId: string, leaderId: string, by: CommandAuthor): Promise<void>;
  join(
    accountId: string,
    member: { readonly id: string; readonly title: string },
  ): Promise<"done" | "gone" | "not_made">;
  confirm(reports: readonly PageReport[], accountId: string): Promise<void>;
  removeMembers(accountId: string, members: readonly RemovedMember[]): Promise<void>;
  asks(page: PageAssignment): Promise<boolean>;
  poke(): Promise<void>;
  retire(accountId: string, before: number, holdsKeys: boolean): Promise<boolean>;
};

/** A step of an alert, for open consoles; `version` is null if only its comments or notifications changed. */
export type ChangedAlert = { readonly id: string; readonly version: number | null };

/** A console that watches the account's alerts. */
export type Watcher = {
  readonly accountId: string;
  /** Of its session's token. */
  readonly tokenHash: string;
  /** When the page that it shows was rendered (epoch ms). */
  readonly shownAt: number;
};

/** RPC methods of `LiveObject`. */
export type LiveStub = {
  changed(alert: ChangedAlert): Promise<void>;
  sessionsEnded(): Promise<void>;
};

// ── People, schedules, teams, broadcasts ──

/** A message that a person's object sends to the queue at `at` (epoch ms). */
export type Timer = {
  readonly at: number;
  readonly message: PageMessage | ReleaseMessage | RepeatCallMessage;
};

export type WatchedPerson = { readonly id: string; readonly accountId: string };

/** A person whose next digest is known. */
export type DigestWatch = WatchedPerson & {
  /** When the next digest is due (epoch ms). */
  readonly at: number;
};

export type PersonStub = {
  expect(timers: readonly Timer[]): Promise<void>;
  done(keys: readonly string[]): Promise<void>;
  watch(person: WatchedPerson): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

export type WatchedSchedule = { readonly id: string; readonly accountId: string };

export type ScheduleStub = {
  /** `actors`: who changed the schedule since the last call; empty: nobody. */
  watch(schedule: WatchedSchedule, actors: readonly string[]): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

export type WatchedTeam = { readonly id: string; readonly accountId: string };

export type TeamStub = {
  refresh(team: WatchedTeam): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

/** A calendar that an object reads: of an import, or of a person's absences. */
export type WatchedCalendar = { readonly id: string; readonly accountId: string };

export type CalendarReaderStub = {
  expect(calendar: WatchedCalendar): Promise<void>;
  refresh(calendar: WatchedCalendar): Promise<void>;
};

/** An import as it would be read; one that is not made yet has no shifts. */
export type PreviewedImport = WatchedCalendar & {
  readonly layer: number;
  readonly url: string | null;
  readonly ical: string | null;
};

export type CalendarImportStub = CalendarReaderStub & {
  preview(source: PreviewedImport): Promise<DecidedReading | { readonly reason: string }>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

/** An absence calendar as it would be read. */
export type PreviewedAbsences = HolidaySource & {
  /** Empty for holidays. */
  readonly url: string;
};

export type AbsenceCalendarStub = CalendarReaderStub & {
  preview(source: PreviewedAbsences): Promise<AbsencesRead>;
};

export type WatchedBroadcast = { readonly id: string; readonly accountId: string };

export type BroadcastStub = {
  expect(broadcast: WatchedBroadcast): Promise<void>;
  refresh(): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

/** A bulk operation, with the ids of its alerts in order. */
export type WatchedBulkOperation = {
  readonly id: string;
  readonly accountId: string;
  /** The version before the one with parameters wrote the names of these two. */
  readonly action: BulkCommand | "acknowledge" | "resolve";
  readonly by: CommandAuthor & { readonly accountUserId: string };
  /** The API key with which it was started; null if it was started in the console. */
  readonly apiKeyId: string | null;
  readonly alertIds: readonly string[];
};

/** RPC methods of `BulkOperationObject`. */
export type BulkOperationStub = {
  expect(operation: WatchedBulkOperation): Promise<void>;
  start(): Promise<void>;
};

export type WatchedAbsence = { readonly id: string; readonly accountId: string };

/** RPC methods of `CoverRequestObject`. */
export type AbsenceStub = {
  refresh(absence: WatchedAbsence): Promise<void>;
  confirm(reports: readonly PageReport[]): Promise<void>;
};

// ── Integrations ──

/** A sender's request, as the worker forwards it to an inbox. */
export type ForwardedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The body, decompressed; or why it could not be read. */
  readonly body: Uint8Array | Refusal;
  readonly remoteIp: string | null;
  /** Replaces the integration's token; absent = the token is required. */
  readonly proof?: Proof;
  /**
   * The version of the address that was called; null: only the integration's id. Absent for what
   * came another way.
   */
  readonly addressVersion?: number | null;
  /** The type that interprets it, if not the integration's own: a drop-in endpoint's. */
  readonly readAs?: string;
  /**
   * A test event of an authorized API caller (`proof`). No sender can set it: what comes from
   * outside is forwarded field by field.
   */
  readonly test?: TestEvent;
};

/** The sender's intake key, or an authorized API caller. */
type Proof = { readonly intakeKey: string } | "caller";

/** A request that a standby holds. `at`: when it was accepted, epoch ms. */
export type HeldEvent = {
  readonly id: number;
  /** Of the inbox. */
  readonly name: string;
  readonly at: number;
  /** Whether the primary did not answer at that time. */
  readonly missed: boolean;
  readonly request: ForwardedRequest;
};

/** The inbox's reply. `gate` lets the worker itself reject wrong credentials of later requests. */
export type ReceiveResult = (
  | { readonly kind: "accepted"; readonly logId: string }
  | { readonly kind: "unknown" }
  | Refusal
) & { readonly gate?: CredentialHashes };

export type RequestOutcome = {
  /** As logged. */
  readonly message: string;
  /** Epoch ms. */
  readonly settledAt: number;
  /** The request as logged, JSON; null if only the log has it. */
  readonly request: string | null;
  readonly alertId: string | null;
  readonly thirdpartyId: string | null;
};

export type InboxStub = {
  receive(delivery: ForwardedRequest): Promise<ReceiveResult>;
  settle(held: readonly HeldEvent[]): Promise<number[]>;
  configure(configuration: IntegrationConfiguration, isSeen?: boolean): Promise<void>;
  forgetAlert(alertId: string, orderingKey: string): Promise<boolean>;
  claimAlert(alertId: string, orderingKey: string, inPlaceOf: string | null): Promise<string>;
  outcome(logId: string): Promise<RequestOutcome | null>;
  oldestUndelivered(): Promise<number | null>;
  refusedSince(): Promise<number | null>;
};

/** RPC methods of `DedupKeyObject`. */
export type DedupKeyStub = {
  look(): Promise<string | null>;
  age(): Promise<number>;
  claim(alertId: string, inPlaceOf: string | null, milliseconds: number | null): Promise<string>;
  release(alertId: string): Promise<void>;
};

/** RPC method of `OutgoingObject`. */
export type OutgoingStub = { refresh(): Promise<void> };

// ── Operations ──

/** RPC methods of `OperationsObject`. */
export type OperationsStub = {
  record(values: SeriesValues, answers?: ProviderAnswers): Promise<void>;
  read(): Promise<SeriesValues>;
  breaches(): Promise<AuditedDeployment["breaches"]>;
  audited(): Promise<AuditedDeployment>;
  ready(): Promise<ProbeResult>;
  wake(): Promise<void>;
  probeArrived(id: string, channels?: readonly ChannelProviders[]): Promise<void>;
  providersProven(proofs: ReadonlyMap<string, ProviderProof>): Promise<void>;
  reportLateInbox(name: string, since: number): Promise<void>;
  reportRefusingInbox(name: string, since: number): Promise<void>;
  canaryArrived(id: string): Promise<void>;
  smsProofArrived(text: string): Promise<void>;
  smsProofRefused(provider: PhoneProviderName, code: string): Promise<void>;
  consume(bodies: string): Promise<void>;
};

/** What a standby is and knows. Instants in epoch ms; null: never. */
export type StandbyReport = Omit<StandbyState, "misses" | "answers" | "unseen"> & {
  /** How many events it holds that the primary has not confirmed. */
  readonly held: number;
  /** A standby's: the last drill of each account, and its last deeds. */
  readonly drills: readonly StandbyDrill[];
  readonly deeds: readonly StandbyDeed[];
  /** A primary's. */
  readonly standbys: readonly KnownStandby[];
  readonly requests: readonly DrillRequest[];
};

/** RPC methods of `StandbyObject`. */
export type StandbyStub = {
  wake(): Promise<boolean>;
  hold(name: string, delivery: ForwardedRequest): Promise<ReceiveResult>;
  report(): Promise<StandbyReport>;
  pulled(
    card: StandbyCard,
    accounts: readonly DrilledAccount[],
    at: number,
  ): Promise<readonly DueDrill[]>;
  seen(card: StandbyCard, at: number): Promise<void>;
  askDrill(accountId: string, byId: string, at: number): Promise<string | null>;
  command(role: StandbyState["role"]): Promise<string | null>;
  question(id: string): Promise<StandbyQuestion | null>;
  answer(id: string, by: Omit<StandbyDeed, "at" | "order">): Promise<boolean>;
};

// ── Mails ──

/** RPC methods of `WelcomeObject`. */
export type WelcomeStub = {
  expect(welcome: Welcome): Promise<void>;
  done(found: "over" | "none"): Promise<void>;
};

/** RPC methods of `AccessMailObject`. */
export type AccessMailStub = {
  expect(mail: AccessMail): Promise<void>;
  take(): Promise<AccessMail | null>;
  done(at: number, found: "over" | "waits"): Promise<void>;
  derivePassword(password: string, salt: string, cost: PasswordCost): Promise<string>;
};

/** RPC methods of `SecurityMailObject`. */
export type SecurityMailStub = {
  expect(): Promise<void>;
  take(): Promise<number | null>;
  done(version: number, found: "sent" | "none" | "waits"): Promise<void>;
};

// ── Erasure ──

/** The kinds of object that may store data of a person. */
export type AnonymizableKind =
  | "alert"
  | "schedule"
  | "team"
  | "person"
  | "broadcast"
  | "bulk_operation"
  | "absence"
  | "inbox"
  | "outgoing"
  | "welcome"
  | "access_mail";

export type AnonymizingStub = { anonymize(traces: PersonTraces): Promise<number> };
