// Reads the state of the deployment: what the operations object knows, with the names of the records that belong to an
// account, of which nothing is read while none is broken.
import type { AuditedDeployment } from "../../../domain/operations/audited-deployment.ts";
import {
  type Breach,
  INVARIANT_NAMES,
  INVARIANTS,
  NAMES_CAUSE,
  RECORDS_OF,
} from "../../../domain/operations/invariants.ts";
import { CAUSES, providerKey } from "../../../domain/operations/provider-health.ts";
import {
  drillRequestedAt,
  type KnownStandby,
  type StandbyDrill,
  standbyProblem,
} from "../../../domain/operations/standby-drill.ts";
import { showDayLimits } from "../../../domain/shared/daily-limits.ts";
import { refusedAtOf } from "../../../domain/shared/metrics/provider-answers.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { readDayLimits } from "../../../kernel/db/daily-use.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import { standbyObject } from "../../stubs.ts";
import { readAudited } from "../audits/read-deployment-notice.ts";
import { hasTakenOver } from "../standby/has-taken-over.ts";
import type { BreakingRecord, Deployment } from "./contract.ts";
import { selectOwn } from "./rows.ts";

/** Records that are shown of each invariant, at most. */
const MAX_SHOWN = 20;

/** The records that break an invariant. */
type RecordsOf = (breach: Breach) => readonly BreakingRecord[];

const instantOf = (at: number | null | undefined) => (at == null ? null : formatInstant(at));

function describeInvariants(audited: AuditedDeployment | null, recordsOf: RecordsOf) {
  return INVARIANT_NAMES.map((invariant) => {
    const breach = audited?.breaches.find((it) => it.invariant === invariant);
    return {
      invariant,
      expected: INVARIANTS[invariant],
      broken_since: instantOf(breach && (breach.since ?? audited?.auditedAt)),
      count: breach && RECORDS_OF[invariant] ? breach.count : 0,
      records: breach ? recordsOf(breach).slice(0, MAX_SHOWN) : [],
      causes: breach && NAMES_CAUSE.has(invariant) ? [...breach.examples] : [],
      runbook: `/docs/runbook/${invariant}`,
    };
  });
}

const describeProviders = ({ channels, providers }: AuditedDeployment) =>
  (channels ?? []).flatMap(({ channel, providers: names }) =>
    names.map((provider) => {
      const health = providers[providerKey(channel, provider)];
      const broken = health?.broken;
      return {
        channel,
        provider,
        broken_since: instantOf(broken?.since),
        cause: broken ? CAUSES[broken.cause] : null,
        accepted_at: instantOf(health?.answers.acceptedAt),
        failed_at: instantOf(health && refusedAtOf(health.answers)),
        asked_at: instantOf(health?.probedAt),
      };
    }),
  );

type Standby = NonNullable<Deployment["standby"]>;

const describeDrill = (
  url: string | null,
  { status, teamId, byId, startedAt, endedAt, acknowledgedById }: StandbyDrill,
): Standby["drills"][number] => ({
  standby_url: url,
  status,
  team_id: teamId,
  started_by_id: byId,
  started_at: formatInstant(startedAt),
  ended_at: instantOf(endedAt),
  acknowledged_by_id: acknowledgedById,
});

/** What a primary's standbys did; who ordered it is named to their own account alone. */
const describeDeeds = (
  standbys: readonly KnownStandby[],
  accountId: string | null,
): Standby["deeds"] =>
  standbys
    .flatMap(({ url, deeds }) => deeds.map((it) => ({ ...it, url })))
    .sort((a, b) => b.at - a.at)
    .map(({ url, at, order, by, ...who }) => ({
      ...{ standby_url: url, at: formatInstant(at), order, by },
      account_user_id: accountId === null || who.accountId === accountId ? who.accountUserId : null,
    }));

/** The drills through a primary's standbys, and what is wrong with them; of an account, or (null) of all. */
function describeDrills(
  standbys: readonly KnownStandby[],
  accountId: string | null,
  now: number,
): Pick<Standby, "drills" | "drill_problem"> {
  const isShown = (it: StandbyDrill) => accountId === null || it.accountId === accountId;
  const drills = standbys.flatMap(({ url, drills: all }) =>
    all.filter(isShown).map((it) => describeDrill(url, it)),
  );
  const accounts =
    accountId === null
      ? standbys.flatMap((it) => it.drills.map((drill) => drill.accountId))
      : [accountId];
  const problems = accounts.map((id) => standbyProblem(standbys, id, now));
  const drill_problem =
    standbys.length === 0 ? "not_drilled" : (problems.find((it) => it !== null) ?? null);
  return { drills, drill_problem };
}

/**
 * What the deployment knows of its standby, or is as one, with an account's drills or (null) all; null if there is
 * none, or its object does not answer. `now` in epoch ms.
 */
export async function readStandby(
  env: Cloudflare.Env,
  accountId: string | null,
  now: number,
): Promise<Deployment["standby"]> {
  if (!env.STANDBY_OF && !env.STANDBY_URL) return null;
  const report = await standbyObject(env)
    .report()
    .catch(() => null);
  if (report === null) return null;
  const { snapshotAt, standbys, requests } = report;
  const known = { snapshot_at: instantOf(snapshotAt), active: hasTakenOver(report) };
  const requestedAt =
    accountId === null ? null : drillRequestedAt(requests, standbys, accountId, now);
  return env.STANDBY_OF
    ? {
        ...{ url: null, ...known, drills: [], deeds: [] },
        ...{ drill_problem: null, drill_requested_at: null },
      }
    : {
        drill_requested_at: instantOf(requestedAt),
        ...{ url: env.STANDBY_URL, ...known, deeds: describeDeeds(standbys, accountId) },
        ...describeDrills(standbys, accountId, now),
      };
}

async function describe(
  env: Cloudflare.Env,
  audited: AuditedDeployment | null,
  recordsOf: RecordsOf,
  accountId: string | null,
  now: number,
): Promise<Deployment> {
  const [limits, standby] = await Promise.all([
    readDayLimits(env, now),
    readStandby(env, accountId, now),
  ]);
  const { sent, failed, withheld } = audited?.heartbeats ?? {};
  const database = audited?.database;
  return {
    audited_at: instantOf(audited?.auditedAt),
    invariants: describeInvariants(audited, recordsOf),
    heartbeat: {
      configured: Boolean(env.HEARTBEAT_URL),
      sent_at: instantOf(sent),
      failed_at: instantOf(failed),
      withheld_at: instantOf(withheld),
    },
    providers: audited ? describeProviders(audited) : [],
    database: database
      ? { bytes: database.bytes, used_percent: Math.floor(database.usedShare * 100) }
      : null,
    daily_limits: limits && showDayLimits(limits),
    standby,
  };
}

/** The state of the deployment as an account's admins see it. `now` in epoch ms. */
export async function readDeployment(
  db: Connection,
  env: Cloudflare.Env,
  accountId: string,
  now: number,
): Promise<Deployment> {
  const audited = await readAudited(env, now);
  const named = (audited?.breaches ?? []).flatMap(({ invariant, examples }) => {
    const kind = RECORDS_OF[invariant];
    return kind ? [{ kind, invariant, select: selectOwn(accountId, kind, examples) }] : [];
  });
  const rows =
    named.length === 0
      ? []
      : await batch(
          db,
          named.map((it) => it.select),
        );
  const own = new Map(
    named.map(({ kind, invariant }, at) => [
      invariant,
      (rows[at] ?? []).map(({ prefixId, name }) => ({ kind, prefix_id: prefixId, name })),
    ]),
  );
  return describe(env, audited, ({ invariant }) => own.get(invariant) ?? [], accountId, now);
}

/** The same as those see it who run the deployment: with the identifiers of all records, without their names. */
export async function readWholeDeployment(env: Cloudflare.Env, now: number): Promise<Deployment> {
  return describe(
    env,
    await readAudited(env, now),
    ({ invariant, examples }) => {
      const kind = RECORDS_OF[invariant];
      return kind ? examples.map((prefixId) => ({ kind, prefix_id: prefixId, name: null })) : [];
    },
    null,
    now,
  );
}
