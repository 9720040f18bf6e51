// Reaches the people of pages: stage by stage of each plan, as long as a stage fails as a whole; what is to happen
// later goes to the person's object; then the page's sender is told. May be run again at any point, side by side too.
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
import {
  claim,
  insertPlanned,
  type PlannedNotification,
  putAside,
  selectStatuses,
  skip,
  takeTurns,
} from "../db/notification-rows.ts";
import type { Channel } from "../domain/contact.ts";
import { type Bundle, messageKey, type PageMessage } from "../domain/page.ts";
import { attempt, record } from "./attempt.ts";
import { expectLater } from "./later.ts";
import { OVER, planPages, rowsAt } from "./plan-notifications.ts";
import { confirm } from "./report.ts";
import type { RowOutcome, Work } from "./work.ts";

/** Reaches the people of some pages; returns by message key which to try again, and in how many seconds. */
export async function reach(
  messages: readonly PageMessage[],
  env: Cloudflare.Env,
): Promise<Map<string, number>> {
  const planned = await planPages(messages, env);
  const all = planned.map(
    (page): Work => ({
      ...page,
      stage: page.message.stage,
      rows: new Map(),
      outcomes: new Map(),
      state: "working",
    }),
  );
  for (;;) {
    const working = all.filter(({ state }) => state === "working");
    if (working.length === 0) break;
    await workOn(working, env);
  }
  await expectLater(all, env);
  await confirm(all, env);
  return unfinished(all);
}

/** Pages to be tried again: when the next attempt is due, or when the lease of whoever has them in hand is over. */
function unfinished(all: readonly Work[]): Map<string, number> {
  const again = new Map<string, number>();
  for (const { message, state, outcomes } of all) {
    if (state !== "waiting") continue;
    const times = [...outcomes.values()].filter(isWaiting).map((it) => it.claimedUntil ?? 0);
    const seconds = Math.ceil((Math.min(...times) - Date.now()) / 1000);
    again.set(messageKey(message), Math.max(1, seconds));
  }
  return again;
}

const isWaiting = ({ status, dueAt }: RowOutcome) => status === "queued" && dueAt === null;

/** Takes each page's stage as far as it goes now: usually a read, a claim and a record for all of them. */
async function workOn(working: readonly Work[], env: Cloudflare.Env): Promise<void> {
  const fresh = working.flatMap((work) => {
    const rows = rowsAt(work, work.stage);
    for (const row of rows) work.rows.set(row.id, row);
    return rows.map((row) => ({ row, work }));
  });
  const rows = fresh.map(({ row }) => row);
  const claimed = rows.length > 0 ? await claimRows(rows, earlierIds(working), env) : NONE;
  const results = await Promise.all(
    fresh.flatMap(({ row, work }) => {
      const attempts = claimed.attemptsById.get(row.id);
      if (attempts === undefined) return [];
      const contact = { channel: row.channel as Channel, to: row.to ?? "" };
      const message = { ...row.message, bundle: null };
      const isLast = !hasMore(work);
      const given = { id: row.id, contact, message, attempts, isLast };
      return [attempt(given, env).then((result) => ({ id: row.id, ...result }))];
    }),
  );
  if (results.length > 0) await record(results, env);
  const outcomes = new Map([
    ...claimed.outcomes,
    ...results.map((it) => [it.id, { ...it, dueAt: null, bundle: null }] as const),
  ]);
  for (const work of working) settle(work, outcomes);
}

/** Rows of stages before the one that a message begins with: whether they worked decides about the reserves. */
const earlierIds = (working: readonly Work[]) =>
  working.flatMap((work) =>
    [...Array(work.message.stage).keys()].flatMap((stage) =>
      rowsAt(work, stage).map((row) => row.id),
    ),
  );

const NONE: Claimed = { attemptsById: new Map(), outcomes: new Map() };

type Claimed = {
  readonly attemptsById: ReadonlyMap<string, number>;
  readonly outcomes: ReadonlyMap<string, RowOutcome>;
};

/** Makes the rows, takes in hand those that are to be sent, and tells how all of them stand: one round trip. */
async function claimRows(
  planned: readonly PlannedNotification[],
  alsoAsked: readonly string[],
  env: Cloudflare.Env,
): Promise<Claimed> {
  const now = Date.now();
  const idsOf = (status: PlannedNotification["status"]) =>
    planned.filter((row) => row.status === status).map((row) => row.id);
  const queued = idsOf("queued");
  const most = Number(env.PAGES_AT_ONCE);
  const bundling = most > 0 ? [takeTurns(queued, now), putAside(planned, most, now)] : [];
  const ids = [...planned.map((row) => row.id), ...alsoAsked];
  const results = await env.DB.batch<RawRow>(
    [
      insertPlanned(planned, now),
      skip(idsOf("skipped"), OVER, now),
      ...bundling,
      claim(queued, now),
      selectStatuses(ids),
    ].map((query) => statement(env.DB, query)),
  );
  const [claimed, statuses] = results.slice(-2);
  return {
    attemptsById: new Map(claimed?.results.map((row) => [String(row.id), Number(row.attempts)])),
    outcomes: new Map(statuses?.results.map((row) => [String(row.id), toOutcome(row)])),
  };
}

function toOutcome(row: RawRow): RowOutcome {
  const instant = (value: unknown) => (value === null ? null : Number(value));
  return {
    status: String(row.status),
    reason: row.reason === null ? null : String(row.reason),
    claimedUntil: instant(row.claimed_until),
    dueAt: instant(row.due_at),
    bundle: row.bundle as Bundle["kind"] | null,
  };
}

const WORKED = new Set(["sent", "delivered", "queued"]);

/** What a stage's rows make of its page: it waits, it is done, or it is the next stage's turn. */
function settle(work: Work, outcomes: ReadonlyMap<string, RowOutcome>): void {
  for (const id of [...earlierIds([work]), ...work.rows.keys()]) {
    const outcome = outcomes.get(id);
    if (outcome !== undefined) work.outcomes.set(id, outcome);
  }
  const own = [...work.rows.values()].filter((row) => row.stage === work.stage);
  const stands = own.map((row) => work.outcomes.get(row.id)).filter((it) => it !== undefined);
  if (stands.some(isWaiting)) work.state = "waiting";
  else if (stands.length === 0 || stands.some(({ status }) => status !== "failed"))
    work.state = "done";
  else if (hasMore(work)) work.stage += 1;
  else work.state = hasWorked(work) ? "done" : "unreached";
}

const hasWorked = ({ outcomes }: Work) =>
  [...outcomes.values()].some(({ status }) => WORKED.has(status));

/** Whether another stage follows at once when this one fails: a reserve only where nothing has worked. */
function hasMore(work: Work): boolean {
  if (work.plan.kind !== "stages") return false;
  const next = work.plan.stages[work.stage + 1];
  if (next === undefined) return false;
  return next.kind === "reserve" ? !hasWorked(work) : true;
}
