// What an audit finds in D1: the measured values, and the records that break an invariant. One round
// trip; the rows read depend on what is open, not on what is stored.
import { providerOf } from "../../../domain/notifications/provider-id.ts";
import type { FoundRecords } from "../../../domain/operations/invariants.ts";
import type { Receipts } from "../../../domain/operations/provider-health.ts";
import {
  limitOf,
  measuredSize,
  UNKNOWN_SIZE,
  usedShare,
} from "../../../domain/shared/database-size.ts";
import { measure, type SeriesValues } from "../../../domain/shared/metrics/series.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { measuredBatch } from "../../../kernel/db/select.ts";
import { selectSize } from "../retention/size-rows.ts";
import * as rows from "./audit-rows.ts";

/** Where the audits have got to: ids of an integration and of an account. */
export type AuditCursors = { readonly integration: string; readonly account: string };

export type DatabaseAudit = {
  readonly values: SeriesValues;
  readonly usedShare: number;
  readonly found: FoundRecords;
  /** What the reports say of the messages of the last minutes. */
  readonly receipts: readonly Receipts[];
  /** The integrations whose inboxes, and the accounts whose teams, are asked in this audit. */
  readonly integrations: readonly { readonly id: string; readonly name: string }[];
  readonly accounts: readonly { readonly id: string }[];
  /** Where the next audit goes on. */
  readonly next: AuditCursors;
};

const STATUSES = ["queued", "open", "acknowledged", "dropped", "suppressed"] as const;

/** The statements of an audit. `now` in epoch ms. */
const queriesOf = (cursors: AuditCursors, now: number) =>
  [
    selectSize(),
    rows.selectAlertTotals(),
    rows.selectEndedTotals(),
    rows.selectTimerless(),
    rows.selectLateSteps(now),
    rows.selectOldestPage(),
    rows.selectUntriedPages(now),
    rows.selectRepeatedPages(),
    rows.selectUnnotifying(now),
    rows.selectMissing(now),
    rows.selectLateBroadcasts(now),
    rows.selectOverdueDeliveries(now),
    rows.selectWaitingDeliveries(),
    rows.selectReceipts(now),
    rows.selectInboxes(cursors.integration),
    rows.selectNextAccounts(cursors.account),
  ] as const;

/**
 * Reads what an audit needs.
 *
 * @param now epoch ms
 */
export async function readAudit(
  env: Cloudflare.Env,
  cursors: AuditCursors,
  now: number,
): Promise<DatabaseAudit> {
  const measured = await measuredBatch(env.DB, queriesOf(cursors, now));
  const [[stored = UNKNOWN_SIZE], living, ended, timerless, lateSteps, [page], ...rest] =
    measured.rows;
  const [untried, repeated, unnotifying, missing, broadcasts, overdue, ...last] = rest;
  const [[waiting], receipts, integrations, accounts] = last;
  const limit = limitOf(env.DATABASE_LIMIT_MB);
  const size = measured.bytes === null ? stored : measuredSize(stored, measured.bytes, 0, limit);
  // What is stored moves by steps; what is shown is exact.
  const exact = { ...size, bytes: measured.bytes ?? size.bytes };
  return {
    usedShare: usedShare(exact, limit),
    receipts: receipts.map(({ marker, ...totals }) => {
      const provider = providerOf(totals.channel, `${marker}id`) ?? totals.channel;
      return { ...totals, provider };
    }),
    found: {
      open_alert_has_timer: namesOf(timerless),
      timer_runs: namesOf(lateSteps),
      page_is_attempted: namesOf(untried),
      nobody_notified_twice: namesOf(repeated),
      open_alert_notifies: namesOf(unnotifying),
      alert_is_readable: namesOf(missing),
      broadcast_is_sent: namesOf(broadcasts),
      delivery_is_attempted: namesOf(overdue),
    },
    values: {
      ...alertValues([...living, ...ended]),
      ...measure("tocsin_open_alerts_without_timer", {}, timerless.length),
      ...measure("tocsin_oldest_undelivered_seconds", { stage: "page" }, ageOf(page?.at, now)),
      ...measure("tocsin_deliveries_waiting", {}, waiting?.total ?? 0),
      ...measure("tocsin_database_bytes", {}, exact.bytes),
      ...measure("tocsin_database_used_ratio", {}, usedShare(exact, limit)),
      ...measure("tocsin_audit_rows_read", {}, measured.rowsRead),
    },
    integrations,
    accounts,
    next: {
      integration: nextAfter(integrations, rows.MAX_INTEGRATIONS),
      account: nextAfter(accounts, rows.MAX_ACCOUNTS),
    },
  };
}

/** The position after what was selected; from the start if that were the last ones. */
const nextAfter = (selected: readonly { readonly id: string }[], most: number): string =>
  selected.length < most ? "" : (selected.at(-1)?.id ?? "");

const namesOf = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name);

/** The age of something since an instant (epoch ms), in seconds; 0 if there is none. */
export const ageOf = (at: number | null | undefined, now: number): number =>
  at == null ? 0 : Math.max(0, now - at) / SECOND;

function alertValues(totals: readonly { readonly status: string; readonly total: number }[]) {
  return STATUSES.reduce<SeriesValues>((values, status) => {
    const total = totals.find((it) => it.status === status)?.total ?? 0;
    return Object.assign(values, measure("tocsin_alerts", { status }, total));
  }, {});
}
