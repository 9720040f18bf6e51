// One audit: reads D1, asks inboxes and teams, and judges the invariants. Each part has a timeout, so
// that an audit ends within a minute whatever does not answer.

import { sql } from "drizzle-orm";
import { isCanaryMissing } from "../../../domain/operations/canary.ts";
import {
  type Breach,
  CLOCK_TOLERANCE_MS,
  findBreaches,
  INVARIANT_NAMES,
  keepSnapshots,
  LATE_MS,
  nextLasting,
  RECENT_MS,
  recentGrowth,
  withSince,
} from "../../../domain/operations/invariants.ts";
import { hasArrivedInTime, roundTripOf } from "../../../domain/operations/probe.ts";
import {
  type ChannelProviders,
  findProviderFaults,
  isUndelivered,
  nextHealths,
  nextUndelivering,
  type ProviderHealths,
  providerKey,
  type Receipts,
} from "../../../domain/operations/provider-health.ts";
import { unprovenProviders } from "../../../domain/operations/sms-proof.ts";
import { phoneProvidersOf } from "../../../domain/people/phone-provider.ts";
import { isOnFreePlan } from "../../../domain/shared/daily-limits.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { ProviderAnswers } from "../../../domain/shared/metrics/provider-answers.ts";
import { growth, measure, type SeriesValues } from "../../../domain/shared/metrics/series.ts";
import { MINUTE, SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { batch, first, select } from "../../../kernel/db/select.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { findUncovered } from "../../oncall/notices/find-uncovered.ts";
import { integrationInbox } from "../../stubs.ts";
import { roomProof } from "../retention/size-rows.ts";
import type { AuditState } from "./operations-state.ts";
import { ageOf, type DatabaseAudit, readAudit } from "./read-audit.ts";

/** A database that takes longer to answer (ms) does not answer in time. */
const ANSWER_MS = 5 * SECOND;
/** Timeouts of what is read (ms). */
const READ_MS = 15 * SECOND;
const ASK_MS = 5 * SECOND;

/** Inboxes known to be late, or to refuse, that are asked again in one audit. */
const MAX_KNOWN_INBOXES = 50;

/** What an audit changes. */
export type Audited = Pick<
  AuditState,
  | "auditedAt"
  | "clockSetBack"
  | "breaches"
  | "measured"
  | "snapshots"
  | "providers"
  | "undelivering"
  | "lasting"
  | "cursors"
  | "lateInboxes"
  | "refusingInboxes"
  | "emptyTeams"
>;

/** The state, the counters, and what providers answered since the last audit. */
type Reported = {
  readonly audit: AuditState;
  readonly counts: SeriesValues;
  readonly answers: ProviderAnswers;
};

/** An audit sends a message and writes rows: on the free plan, there are few of them (ms). */
export const auditInterval = (env: Cloudflare.Env): number => (isOnFreePlan(env) ? 5 : 1) * MINUTE;

/**
 * Audits the deployment. Never throws.
 *
 * @param current what reports change while the audit waits
 * @param now epoch ms
 */
export async function audit(
  env: Cloudflare.Env,
  current: () => Reported,
  now: number,
): Promise<Audited> {
  const before = current().audit;
  const roundTrip = await measureDatabase(env);
  const read = roundTrip === null ? null : await readDatabase(env, before, now);
  const next = (read?.integrations ?? []).map(({ name }) => name);
  const inbox = (name: string) => integrationInbox(env, name);
  const [late, refusing, emptyTeams, hasRoom] = await Promise.all([
    // An inbox that does not answer is late, and refuses what it was known to.
    askInboxes(before.lateInboxes, next, (name) => inbox(name).oldestUndelivered(), now),
    askInboxes(before.refusingInboxes, next, (name) => inbox(name).refusedSince(), null),
    askTeams(env, before, read?.accounts ?? [], now),
    before.lasting.isDatabaseFull ? hasRoomIn(env, now) : true,
  ]);
  // Nothing is awaited from here on.
  const { audit: state, counts, answers } = current();
  const lateInboxes = withReported(late, before.lateInboxes, state.lateInboxes);
  const refusingInboxes = withReported(refusing, before.refusingInboxes, state.refusingInboxes);
  // Since the last audit.
  const latest = growth(state.snapshots.at(-1)?.values ?? counts, counts);
  const providers = nextHealths(state.providers, state.channels, answers, new Map(), now);
  const channels = state.channels ?? [];
  const receipts = read?.receipts ?? [];
  const undelivering = nextUndelivering(state.undelivering, channels, latest, receipts);
  const clockSetBack = clockSetBackBy(state, now);
  const snapshots = keepSnapshots(state.snapshots, { at: now, values: { ...counts } });
  const lateNames = Object.entries(lateInboxes)
    .filter(([, at]) => now - at > LATE_MS.event)
    .map(([name]) => name);
  const recent = recentGrowth(snapshots, counts);
  const lasting = nextLasting(state.lasting, recent, latest, hasRoom);
  const found = findBreaches({
    database: read,
    queueDelivers: hasArrivedInTime(state.probe, now),
    lateInboxes: lateNames,
    refusingInboxes: Object.keys(refusingInboxes),
    emptyTeams: Object.values(emptyTeams).flat(),
    recent,
    providers: findProviderFaults(providers, undelivering, channels),
    lasting,
    canaryLost: isCanaryMissing(state.canary, now),
    unprovenProviders: env.SMS_PROOF_NUMBER
      ? unprovenProviders(state.smsProofs, phoneProvidersOf(env, "sms"), now)
      : [],
    clockSetBack: clockSetBack !== null,
  });
  const breaches = withSince(found, state.breaches, now);
  return {
    auditedAt: now,
    clockSetBack,
    breaches,
    snapshots,
    providers,
    undelivering,
    lasting,
    lateInboxes,
    refusingInboxes,
    emptyTeams,
    cursors: read?.next ?? state.cursors,
    measured: {
      // What the database did not answer keeps its last value.
      ...(read?.values ?? state.measured),
      ...providerValues(providers, receipts, channels),
      ...inboxValues(lateNames.length, lateInboxes, now),
      ...measure("tocsin_shifts_without_anybody", {}, Object.values(emptyTeams).flat().length),
      ...measure("tocsin_database_round_trip_seconds", {}, (roundTrip ?? ANSWER_MS) / SECOND),
      ...measure("tocsin_queue_round_trip_seconds", {}, roundTripOf(state.probe, now) / SECOND),
      ...measure("tocsin_clock_set_back_seconds", {}, (clockSetBack?.by ?? 0) / SECOND),
      ...measure("tocsin_audit_timestamp_seconds", {}, now / SECOND),
      ...measure("tocsin_audit_due_timestamp_seconds", {}, (now + auditInterval(env)) / SECOND),
      ...invariantValues(breaches),
    },
  };
}

/** Whether the database takes a write that needs room. */
async function hasRoomIn(env: Cloudflare.Env, now: number): Promise<boolean> {
  try {
    await withTimeout(ANSWER_MS, batch(env.DB, roomProof(now)));
    return true;
  } catch (error) {
    logFault("the database takes no write that needs room", error);
    return false;
  }
}

/** How long the database takes to answer (ms); null if it does not in time. */
export async function measureDatabase(env: Cloudflare.Env): Promise<number | null> {
  const startedAt = Date.now();
  try {
    await withTimeout(ANSWER_MS, first(env.DB, select({ one: sql<number>`1` }, sql``)));
    return Math.max(0, Date.now() - startedAt);
  } catch (error) {
    logFault("the database does not answer", error);
    return null;
  }
}

async function readDatabase(
  env: Cloudflare.Env,
  { cursors }: AuditState,
  now: number,
): Promise<DatabaseAudit | null> {
  try {
    return await withTimeout(READ_MS, readAudit(env, cursors, now));
  } catch (error) {
    logFault("an audit could not read the database", error);
    return null;
  }
}

/**
 * Asks the next inboxes, and those that were known, for an instant.
 *
 * @param unanswered the instant of one that does not answer and was not known
 */
async function askInboxes(
  known: Readonly<Record<string, number>>,
  next: readonly string[],
  ask: (name: string) => Promise<number | null>,
  unanswered: number | null,
): Promise<Record<string, number>> {
  const names = [...new Set([...Object.keys(known).slice(0, MAX_KNOWN_INBOXES), ...next])];
  const answers = await Promise.allSettled(names.map((name) => withTimeout(ASK_MS, ask(name))));
  const entries = names.flatMap((name, i): [string, number][] => {
    const answer = answers[i];
    const at = answer?.status === "fulfilled" ? answer.value : (known[name] ?? unanswered);
    return at === null ? [] : [[name, at]];
  });
  const unasked = Object.entries(known).slice(MAX_KNOWN_INBOXES);
  return Object.fromEntries([...entries, ...unasked]);
}

/** The inboxes that were asked, and those that were reported while they were asked. */
function withReported(
  asked: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  const reported = Object.entries(after).filter(([name]) => before[name] === undefined);
  return { ...Object.fromEntries(reported), ...asked };
}

/** Finds the teams with nobody on call, of the next accounts. */
async function askTeams(
  env: Cloudflare.Env,
  { emptyTeams }: AuditState,
  next: DatabaseAudit["accounts"],
  now: number,
): Promise<Record<string, readonly string[]>> {
  const found = await Promise.allSettled(
    next.map(async ({ id }) => {
      const { uncovered } = await withTimeout(ASK_MS, findUncovered(env.DB, id, now));
      const empty = uncovered.filter(({ layer, startAt }) => layer === 1 && startAt <= now);
      return [id, empty.map(({ teamId }) => prefixIdOf("team", teamId))] as const;
    }),
  );
  const asked = found.flatMap((it) => (it.status === "fulfilled" ? [it.value] : []));
  const all = { ...emptyTeams, ...Object.fromEntries(asked) };
  return Object.fromEntries(Object.entries(all).filter(([, teams]) => teams.length > 0));
}

/** Whether the clock was set back since the last audit, or some minutes ago. */
function clockSetBackBy(
  { auditedAt, clockSetBack: known }: AuditState,
  now: number,
): AuditState["clockSetBack"] {
  const by = (auditedAt ?? now) - now;
  if (by > CLOCK_TOLERANCE_MS) return { at: now, by };
  return known !== null && now - known.at < RECENT_MS ? known : null;
}

function inboxValues(
  late: number,
  inboxes: Readonly<Record<string, number>>,
  now: number,
): SeriesValues {
  const ages = Object.values(inboxes).map((at) => ageOf(at, now));
  return {
    ...measure("tocsin_undelivered_inboxes", {}, late),
    ...measure("tocsin_oldest_undelivered_seconds", { stage: "event" }, Math.max(0, ...ages)),
  };
}

/** A value for each configured provider and each channel with reports, so that a rule sees 0 and not nothing. */
function providerValues(
  providers: ProviderHealths,
  receipts: readonly Receipts[],
  channels: readonly ChannelProviders[],
): SeriesValues {
  const values = channels.flatMap(({ channel, providers: names, reporting }) => {
    const silent = receipts.filter((it) => it.channel === channel && isUndelivered(it));
    const total = silent
      .filter(({ provider }) => reporting.includes(provider))
      .reduce((sum, it) => sum + it.total, 0);
    return [
      ...names.map((provider) => {
        const isBroken = providers[providerKey(channel, provider)]?.broken != null;
        return measure("tocsin_provider_broken", { channel, provider }, Number(isBroken));
      }),
      ...(reporting.length > 0
        ? [measure("tocsin_messages_without_receipt", { channel }, total)]
        : []),
    ];
  });
  return Object.assign({}, ...values);
}

const invariantValues = (breaches: readonly Breach[]): SeriesValues =>
  INVARIANT_NAMES.reduce<SeriesValues>((values, invariant) => {
    const isBroken = breaches.some((it) => it.invariant === invariant);
    return Object.assign(
      values,
      measure("tocsin_invariant_broken", { invariant }, Number(isBroken)),
    );
  }, {});
