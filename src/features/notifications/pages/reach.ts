// Notifies the people of pages: runs each plan stage by stage until one succeeds, schedules later
// steps with the person's object, and confirms the page to its sender. Safe to repeat and to run
// concurrently.

import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { messageKey, type PageMessage } from "../../../domain/notifications/page.ts";
import { all, batch } from "../../../kernel/db/select.ts";
import type { RecordedAttempt } from "../../people/channels/attempt-rows.ts";
import {
  claimPlanned,
  keyOf,
  type PlannedNotification,
  selectStatuses,
  skip,
} from "../notifications/rows.ts";
import { attempt, type ClaimedMessage, record } from "./attempt.ts";
import { confirmPages } from "./confirm-pages.ts";
import { NO_LONGER_NEEDED, planPages, rowsAt } from "./plan-notifications.ts";
import { scheduleTimers } from "./schedule-timers.ts";
import { type WatchedAttempt, watchDeliveries } from "./watch-deliveries.ts";
import type { PageInProgress, RowOutcome } from "./work.ts";

/** Notifies the people of pages. Returns the retry delay in seconds, by message key. */
export async function reach(
  messages: readonly PageMessage[],
  env: Cloudflare.Env,
): Promise<Map<string, number>> {
  const planned = await planPages(messages, env);
  const pages = planned.map(
    (page): PageInProgress => ({
      ...page,
      stage: page.message.stage,
      rows: new Map(),
      outcomes: new Map(),
      state: "working",
    }),
  );
  for (;;) {
    const working = pages.filter(({ state }) => state === "working");
    if (working.length === 0) break;
    await runStages(working, env);
  }
  await scheduleTimers(pages, env);
  await confirmPages(pages, env);
  return unfinished(pages);
}

/** Delays of unfinished pages: until the next attempt, or until the other consumer's lease ends. */
function unfinished(all: readonly PageInProgress[]): Map<string, number> {
  const delays = new Map<string, number>();
  for (const { message, state, outcomes } of all) {
    if (state !== "waiting") continue;
    const times = [...outcomes.values()].filter(isWaiting).map((it) => it.claimedUntil ?? 0);
    const seconds = Math.ceil((Math.min(...times) - Date.now()) / 1000);
    delays.set(messageKey(message), Math.max(1, seconds));
  }
  return delays;
}

const isWaiting = ({ status, dueAt }: RowOutcome) => status === "queued" && dueAt === null;

/** Runs the current stage of each page: one read, one claim and one record for all of them. */
async function runStages(working: readonly PageInProgress[], env: Cloudflare.Env): Promise<void> {
  await findSpared(working, env);
  const planned = working.flatMap((work) => {
    const rows = rowsAt(work, work.stage);
    for (const row of rows) work.rows.set(row.id, row);
    return rows.map((row) => ({ row, work }));
  });
  const rows = planned.map(({ row }) => row);
  const claimed =
    rows.length > 0 ? await claimRows(rows, earlierKeys(working), env) : NOTHING_CLAIMED;
  const results = await Promise.all(
    planned.flatMap(({ row, work }) => {
      const attempts = claimed.attemptsById.get(row.id);
      if (attempts === undefined || row.channel === "none") return [];
      const contact = { channel: row.channel, to: row.to ?? "" };
      const message = { ...row.message, bundle: null };
      const isLast = !hasMore(work);
      const claimedMessage = { id: row.id, contact, message, attempts, isLast };
      return [attemptOnce(row, claimedMessage, env)];
    }),
  );
  if (results.length > 0) await recordOnce(results, env);
  await watchDeliveries(watchedOf(rows, results), env);
  const now = Date.now();
  const outcomes = new Map([
    ...claimed.outcomes,
    ...results.map((it) => [it.id, outcomeOf(it, now)] as const),
  ]);
  for (const work of working) updateState(work, outcomes);
}

/** How many results are kept while D1 takes none. */
const MOST_UNRECORDED = 1_000;

/**
 * What was sent and could not be recorded, by the notification's id, as long as the isolate lives: repeated, the message is
 * recorded instead of sent again. A bundle is no such message: repeated, it may have more in it.
 */
const unrecorded = new Map<string, RecordedAttempt>();

const attemptOnce = async (
  row: PlannedNotification,
  claimed: ClaimedMessage,
  env: Cloudflare.Env,
): Promise<RecordedAttempt> =>
  unrecorded.get(row.id) ?? { ...keyOf(row), ...(await attempt(claimed, env)) };

async function recordOnce(results: readonly RecordedAttempt[], env: Cloudflare.Env): Promise<void> {
  try {
    await record(results, env);
    for (const { id } of results) unrecorded.delete(id);
  } catch (error) {
    for (const it of results) {
      if (it.status === "sent") unrecorded.set(it.id, it);
    }
    // The oldest may be of messages that nobody repeats, since their alerts were acknowledged.
    const oldest = [...unrecorded.keys()].slice(0, Math.max(0, unrecorded.size - MOST_UNRECORDED));
    for (const id of oldest) unrecorded.delete(id);
    throw error;
  }
}

/** Finds the pages whose current stage nobody needs, by one read; most pages have no such stage. */
async function findSpared(working: readonly PageInProgress[], env: Cloudflare.Env): Promise<void> {
  const conditional = working.flatMap((work) => {
    const { plan, stage } = work;
    const since = plan.kind === "stages" && plan.stages[stage]?.unlessDelivered?.since;
    if (typeof since !== "number") return [];
    const before = Array.from({ length: stage - since }, (_, i) => rowsAt(work, since + i));
    return [{ work, keys: before.flat().map(keyOf) }];
  });
  const keys = conditional.flatMap((it) => it.keys);
  if (keys.length === 0) return;
  const statuses = await all(env.DB, selectStatuses(keys));
  const delivered = new Set(
    statuses.filter(({ status }) => status === "delivered").map(({ id }) => id),
  );
  for (const { work, keys: own } of conditional) {
    if (own.some(({ id }) => delivered.has(id))) work.spared.add(work.stage);
  }
}

const outcomeOf = (result: RecordedAttempt, now: number): RowOutcome => ({
  ...result,
  dueAt: null,
  bundle: null,
  sentAt: result.status === "sent" ? now : null,
});

function watchedOf(
  rows: readonly PlannedNotification[],
  results: readonly RecordedAttempt[],
): WatchedAttempt[] {
  const byId = new Map(results.map((it) => [it.id, it]));
  return rows.flatMap((row) => {
    const result = byId.get(row.id);
    if (result === undefined || row.channel === "none") return [];
    return [{ channel: row.channel, event: row.message.page.event, keys: [keyOf(row)], result }];
  });
}

/** Row keys of the stages before the message's first one: their results decide about fallbacks. */
const earlierKeys = (working: readonly PageInProgress[]) =>
  working.flatMap((work) =>
    [...Array(work.message.stage).keys()].flatMap((stage) => rowsAt(work, stage).map(keyOf)),
  );

const NOTHING_CLAIMED: Claimed = { attemptsById: new Map(), outcomes: new Map() };

type Claimed = {
  readonly attemptsById: ReadonlyMap<string, number>;
  readonly outcomes: ReadonlyMap<string, RowOutcome>;
};

/** Inserts and claims the rows to be sent, and reads all states, in one round trip. */
async function claimRows(
  planned: readonly PlannedNotification[],
  alsoRead: readonly NotificationKey[],
  env: Cloudflare.Env,
): Promise<Claimed> {
  const now = Date.now();
  const skipped = planned.filter((row) => row.reason === NO_LONGER_NEEDED).map(keyOf);
  const [written, , statuses] = await batch(env.DB, [
    claimPlanned(planned, Number(env.PAGES_AT_ONCE) || 0, now),
    skipped.length > 0 ? skip(skipped, NO_LONGER_NEEDED, now) : null,
    selectStatuses([...planned.map(keyOf), ...alsoRead]),
  ]);
  const claimed = written.filter((it) => it.isClaimed);
  return {
    attemptsById: new Map(claimed.map(({ id, attempts }) => [id, attempts])),
    outcomes: new Map(statuses.map(({ id, ...outcome }) => [id, outcome])),
  };
}

const WORKED = new Set(["sent", "delivered", "queued"]);

/** Sets the page's next state from its rows: waiting, done, unreached, or the next stage. */
function updateState(work: PageInProgress, outcomes: ReadonlyMap<string, RowOutcome>): void {
  for (const id of [...earlierKeys([work]).map((key) => key.id), ...work.rows.keys()]) {
    const outcome = outcomes.get(id);
    if (outcome !== undefined) work.outcomes.set(id, outcome);
  }
  const own = [...work.rows.values()].filter((row) => row.stage === work.stage);
  const current = own.map((row) => work.outcomes.get(row.id)).filter((it) => it !== undefined);
  if (current.some(isWaiting)) work.state = "waiting";
  else if (current.length === 0 || current.some(({ status }) => status !== "failed"))
    work.state = "done";
  else if (hasMore(work)) work.stage += 1;
  else work.state = hasWorked(work) ? "done" : "unreached";
}

const hasWorked = ({ outcomes }: PageInProgress) =>
  [...outcomes.values()].some(({ status }) => WORKED.has(status));

/** Whether another stage follows at once: a fallback (`reserve`) only if nothing succeeded. */
function hasMore(work: PageInProgress): boolean {
  if (work.plan.kind !== "stages") return false;
  const next = work.plan.stages[work.stage + 1];
  if (next === undefined) return false;
  return next.kind === "reserve" ? !hasWorked(work) : true;
}
