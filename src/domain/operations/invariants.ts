// What must be true of a deployment at any time, and what an audit found to be broken. Pure.

import { growth, metricOf, type SeriesValues, seriesName } from "../shared/metrics/series.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { ProviderFaults } from "./provider-health.ts";

/** Each invariant, as the sentence that holds. */
export const INVARIANTS = {
  database_answers: "The database can be read in time.",
  database_has_room: "The database is less than 90 % full.",
  queue_delivers: "A message sent to the queue arrives within half a minute.",
  open_alert_has_timer: "Every open alert has a next step, at an exact time.",
  timer_runs: "No step of an alert is more than a minute late.",
  open_alert_notifies: "Everyone whom an open alert is to notify now has a notification.",
  page_is_attempted: "No notification of an open alert waits for more than a minute untried.",
  nobody_notified_twice: "Nobody was sent two messages on one address for one effect.",
  events_are_accepted:
    "No event of an integration was refused, unless one was accepted or somebody has changed it since.",
  event_is_delivered: "No accepted event waits for more than a minute for its alert.",
  alert_is_readable: "Every alert that an accepted event created is in the database.",
  broadcast_is_sent: "No broadcast waits to be sent, or is open after its deadline, for a minute.",
  delivery_is_attempted: "No delivery of an outgoing integration is five minutes overdue.",
  shift_has_somebody: "Every team has somebody on call.",
  provider_accepts: "Each channel has a provider that accepts messages.",
  receipts_arrive: "Each channel whose providers report deliveries delivers messages.",
  every_provider_accepts: "Each provider of a channel works, not only one of several.",
  messages_are_consumed:
    "Since a queue message failed for good, or its consumer repeatedly, messages have been sent.",
  objects_work: "Objects' alarms and deliveries do not fail repeatedly.",
  canary_arrives: "The latest canary event arrived in time.",
  sms_arrives: "Each provider's latest SMS to our own second number arrived in time.",
  clock_advances: "The clock was not set back within the last minutes.",
} as const;

export type Invariant = keyof typeof INVARIANTS;

/** Invariants that a user's configuration breaks: they stop the heartbeat only if asked to. */
const OF_CONFIGURATION: ReadonlySet<Invariant> = new Set<Invariant>(["shift_has_somebody"]);

/** What warns and does not stop the heartbeat: messages are delivered all the same. */
const WARNINGS: ReadonlySet<Invariant> = new Set<Invariant>(["every_provider_accepts"]);

/** The kind of the records that break an invariant, where examples are records. */
export const RECORDS_OF: Readonly<
  Partial<Record<Invariant, "alert" | "integration" | "broadcast" | "team">>
> = {
  open_alert_has_timer: "alert",
  timer_runs: "alert",
  open_alert_notifies: "alert",
  page_is_attempted: "alert",
  nobody_notified_twice: "alert",
  alert_is_readable: "alert",
  events_are_accepted: "integration",
  event_is_delivered: "integration",
  delivery_is_attempted: "integration",
  broadcast_is_sent: "broadcast",
  shift_has_somebody: "team",
};

/** Invariants whose examples say what is at fault: providers, channels, kinds of objects. */
export const NAMES_CAUSE: ReadonlySet<Invariant> = new Set<Invariant>([
  "provider_accepts",
  "receipts_arrive",
  "every_provider_accepts",
  "sms_arrives",
  "messages_are_consumed",
  "objects_work",
]);

/** Channels of servers that people name themselves: one of them says nothing lasting of the deployment. */
const OF_PEOPLE: ReadonlySet<string> = new Set(["push", "ntfy", "gotify", "matrix", "webhook"]);

/** The counters of this long ago are compared with the present ones (ms). */
export const RECENT_MS = 3 * MINUTE;

/** How long each thing may wait before it counts as late (ms). */
export const LATE_MS = {
  step: MINUTE,
  page: MINUTE,
  event: MINUTE,
  broadcast: MINUTE,
  delivery: 5 * MINUTE,
  probe: 30 * SECOND,
  canary: MINUTE,
  smsProof: 3 * MINUTE,
};

/** Smaller corrections of the clock are normal (ms). */
export const CLOCK_TOLERANCE_MS = 5 * SECOND;

const FULL_SHARE = 0.9;
/** Failures within `RECENT_MS` that count as repeated. */
const REPEATED_FAILURES = 3;
/** Objects fail now and then, when one is moved or D1 is busy: they retry. */
const REPEATED_OBJECT_FAILURES = 10;
/** Of the records of all accounts: an account's admins are shown theirs. */
const MAX_EXAMPLES = 100;

/** Names of the records that break an invariant (limited), by invariant. */
export type FoundRecords = Readonly<Partial<Record<Invariant, readonly string[]>>>;

/** How an attempt to send a message ended. */
export type ProviderOutcomeKind = "sent" | "temporary" | "timeout" | "permanent" | "credentials";

/** What an audit found. */
export type AuditFacts = {
  /** Null if the database did not answer. */
  readonly database: { readonly usedShare: number; readonly found: FoundRecords } | null;
  /** Whether the probe arrived. */
  readonly queueDelivers: boolean;
  /** Inboxes with an event that is late. */
  readonly lateInboxes: readonly string[];
  /** Inboxes that refused an event since they last accepted one. */
  readonly refusingInboxes: readonly string[];
  /** The teams that have nobody on call. */
  readonly emptyTeams: readonly string[];
  /** How much the counters grew within `RECENT_MS`. */
  readonly recent: SeriesValues;
  readonly providers: ProviderFaults;
  readonly lasting: LastingFaults;
  /** Whether the latest canary event was lost. */
  readonly canaryLost: boolean;
  /** The providers whose latest SMS to our own number was lost. */
  readonly unprovenProviders: readonly string[];
  /** Whether the clock was set back within `RECENT_MS`. */
  readonly clockSetBack: boolean;
};

export type Breach = {
  readonly invariant: Invariant;
  readonly count: number;
  /** Identifiers of records, or names of channels and kinds of objects. */
  readonly examples: readonly string[];
  /** When an audit first found it (epoch ms); a version before this one does not say. */
  readonly since?: number;
};

/** Totals of a counter's series, by one of its labels. */
function totalsBy(values: SeriesValues, name: string, label: string): Map<string, number> {
  const totals = new Map<string, number>();
  for (const [series, value] of Object.entries(values)) {
    const [, of] = new RegExp(`\\b${label}="([^"]*)"`).exec(series) ?? [];
    if (metricOf(series) !== name || of === undefined) continue;
    totals.set(of, (totals.get(of) ?? 0) + value);
  }
  return totals;
}

/** The channels of people's own servers on which no attempt of the last minutes succeeded and several failed. */
function failingChannels(recent: SeriesValues): string[] {
  const name = "tocsin_attempts_total";
  return [...totalsBy(recent, name, "channel").keys()].filter((channel) => {
    const outcome = (kind: ProviderOutcomeKind) =>
      recent[seriesName(name, { channel, outcome: kind })] ?? 0;
    const failed = outcome("temporary") + outcome("timeout");
    return OF_PEOPLE.has(channel) && outcome("sent") === 0 && failed >= REPEATED_FAILURES;
  });
}

/** Faults that counters show and that last until the opposite is seen. */
export type LastingFaults = {
  /** Failures of queue messages: until a message has been sent. */
  readonly messages: readonly string[];
  /** Kinds of objects: until none of the kind fails, since objects retry within half a minute. */
  readonly objects: readonly string[];
  /** Whether writes are refused because the database is full: until one that needs room succeeds. */
  readonly isDatabaseFull: boolean;
};

export const NO_FAULTS: LastingFaults = { messages: [], objects: [], isDatabaseFull: false };

/**
 * The lasting faults after an audit.
 *
 * @param recent how much the counters grew within `RECENT_MS`
 * @param latest how much they grew since the last audit
 * @param hasRoom whether a write that needs room succeeded in this audit
 */
export function nextLasting(
  known: LastingFaults,
  recent: SeriesValues,
  latest: SeriesValues,
  hasRoom: boolean,
): LastingFaults {
  const sent = [...totalsBy(latest, "tocsin_attempts_total", "outcome").values()];
  const canaries = totalsBy(latest, "tocsin_canary_total", "outcome").get("arrived") ?? 0;
  const areConsumed = sent.some((n) => n > 0) || canaries > 0;
  const isFailing = failedMessages(latest, 1).length > 0;
  const failed = [...new Set([...known.messages, ...failedMessages(recent, REPEATED_FAILURES)])];
  const objects = totalsBy(recent, "tocsin_object_errors_total", "kind");
  const isRefused = (latest.tocsin_database_full_total ?? 0) > 0;
  return {
    messages: isFailing ? failed : areConsumed ? [] : known.messages,
    objects: [...objects].flatMap(([kind, n]) => {
      const isLasting = n > 0 && known.objects.includes(kind);
      return n >= REPEATED_OBJECT_FAILURES || isLasting ? [kind] : [];
    }),
    isDatabaseFull: isRefused || (known.isDatabaseFull && !hasRoom),
  };
}

function failedMessages(grown: SeriesValues, failures: number): string[] {
  const dead = grown.tocsin_dead_letters_total ?? 0;
  const failed = grown.tocsin_queue_failures_total ?? 0;
  return [...(dead > 0 ? ["dead letters"] : []), ...(failed >= failures ? ["consumer"] : [])];
}

/** Events were refused whose inbox could not be reached or read: it knows nothing of them. */
function unreachedInboxes(recent: SeriesValues): string[] {
  const name = seriesName("tocsin_events_refused_total", { reason: "unavailable" });
  return (recent[name] ?? 0) > 0 ? ["inboxes"] : [];
}

const isFull = ({ database, lasting }: AuditFacts): boolean =>
  (database?.usedShare ?? 0) >= FULL_SHARE || lasting.isDatabaseFull;

/** The broken invariants. What the database did not answer is not judged. */
export function findBreaches(facts: AuditFacts): Breach[] {
  const { database, recent, providers, lasting } = facts;
  const found: FoundRecords = {
    ...database?.found,
    database_answers: database === null ? ["database"] : [],
    database_has_room: isFull(facts) ? ["database"] : [],
    queue_delivers: facts.queueDelivers ? [] : ["queue"],
    events_are_accepted: [...facts.refusingInboxes, ...unreachedInboxes(recent)],
    event_is_delivered: facts.lateInboxes,
    shift_has_somebody: facts.emptyTeams,
    provider_accepts: [...providers.refusing, ...failingChannels(recent)],
    receipts_arrive: providers.undelivering,
    every_provider_accepts: providers.redundancy,
    messages_are_consumed: lasting.messages,
    objects_work: lasting.objects,
    canary_arrives: facts.canaryLost ? ["canary"] : [],
    sms_arrives: facts.unprovenProviders,
    clock_advances: facts.clockSetBack ? ["clock"] : [],
  };
  return INVARIANT_NAMES.flatMap((invariant) => {
    const names = found[invariant] ?? [];
    const examples = names.slice(0, MAX_EXAMPLES);
    return names.length === 0 ? [] : [{ invariant, count: names.length, examples }];
  });
}

/** The breaches with the instants at which they were first found. `known`: those of the audit before; `now`: epoch ms. */
export const withSince = (
  breaches: readonly Breach[],
  known: readonly Breach[],
  now: number,
): Breach[] =>
  breaches.map((breach) => {
    const before = known.find(({ invariant }) => invariant === breach.invariant);
    return { ...breach, since: Math.min(before?.since ?? now, now) };
  });

export const INVARIANT_NAMES = Object.keys(INVARIANTS) as readonly Invariant[];

/** Whether the heartbeat may be called. `gapsCount`: gaps in schedules stop it too. */
export function mayBeat(breaches: readonly Breach[], gapsCount: boolean): boolean {
  return breaches.every(
    ({ invariant }) => WARNINGS.has(invariant) || (!gapsCount && OF_CONFIGURATION.has(invariant)),
  );
}

/** Counters as they were at an instant (epoch ms). */
export type Snapshot = { readonly at: number; readonly values: SeriesValues };

/**
 * The snapshots to keep, the oldest first, with the present one: those of `RECENT_MS`, and the
 * last before.
 */
export function keepSnapshots(snapshots: readonly Snapshot[], latest: Snapshot): Snapshot[] {
  const since = latest.at - RECENT_MS;
  const kept = snapshots.filter(
    ({ at }, i) => at <= latest.at && (at > since || (snapshots[i + 1]?.at ?? latest.at) > since),
  );
  return [...kept, latest];
}

/** How much the counters grew since the oldest snapshot. */
export const recentGrowth = (snapshots: readonly Snapshot[], now: SeriesValues): SeriesValues =>
  growth(snapshots[0]?.values ?? now, now);
