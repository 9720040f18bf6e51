// How much of the free plan's day is used, as the cron counts it in `daily_use`, and what the platform has refused since.
// Read where work begins that yields to pages. On the paid plan it reads and stores nothing.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  type DailyLimit,
  type DayLimits,
  decideDay,
  isOnFreePlan,
  parseShares,
  startOfDay,
  type Work,
} from "../../domain/shared/daily-limits.ts";
import { MINUTE } from "../../domain/shared/time.ts";
import { usedUpLimit } from "./outage.ts";
import { batch, first, select } from "./select.ts";
import { dailyUse } from "./tables.ts";

const { id, day, alerts, messages, countedTo, usedUp, told } = dailyUse;

/** The id of the table's only row. */
const ONLY_DAY = 1;

/** What is stored of the day; of an earlier day, nothing counts. */
export const selectDay = () =>
  select(
    { day, alerts, messages, countedTo, usedUp, told },
    sql`from ${dailyUse} where ${id} = ${ONLY_DAY}`,
  );

/** A column as it is if the row is of this day, else its initial value. `today`: its start (epoch ms). */
export const ofDay = (column: SQLiteColumn, today: number, initial: string | number): SQL =>
  sql`iif(${day} = ${today}, ${column}, ${initial})`;

/**
 * The statements that change a day, and begin it if the row is of an earlier one: to be sent as one batch. `today`: its
 * start (epoch ms).
 *
 * @param where what must hold besides
 */
export function changeDay(
  today: number,
  changes: Partial<Record<"alerts" | "messages" | "countedTo" | "usedUp" | "told", SQLWrapper>>,
  where: SQL = sql`true`,
): readonly [first: SQL, change: SQL] {
  const {
    alerts: newAlerts = ofDay(alerts, today, 0),
    messages: newMessages = ofDay(messages, today, 0),
    countedTo: newCountedTo = ofDay(countedTo, today, ""),
    usedUp: newUsedUp = ofDay(usedUp, today, "[]"),
    told: newTold = ofDay(told, today, 0),
  } = changes;
  return [
    sql`insert into ${dailyUse} (id, day) values (${ONLY_DAY}, ${today}) on conflict do nothing`,
    sql`update ${dailyUse} set day = ${today}, alerts = ${newAlerts}, messages = ${newMessages},
      counted_to = ${newCountedTo}, used_up = ${newUsedUp}, told = ${newTold}
      where ${id} = ${ONLY_DAY} and ${where}`,
  ];
}

type StoredDay = NonNullable<Awaited<ReturnType<typeof readDay>>>;
const readDay = (db: D1Database) => first(db, selectDay());

/** How long a decision is used (ms): the cron counts once in a while. */
const CACHE_MS = MINUTE;

let cached: { readonly at: number; readonly stored: StoredDay | null } | null = null;
/** What the platform has refused in this isolate, with the start of that day. */
const refusedHere = new Map<DailyLimit, number>();

async function storedDay(env: Cloudflare.Env, now: number): Promise<StoredDay | null> {
  if (cached !== null && Math.abs(now - cached.at) < CACHE_MS) return cached.stored;
  try {
    cached = { at: now, stored: await readDay(env.DB) };
  } catch (error) {
    const limit = usedUpLimit(error);
    if (limit !== null) refusedHere.set(limit, startOfDay(now));
    cached = { at: now, stored: cached?.stored ?? null };
  }
  return cached.stored;
}

/** The day as it stands; null on the paid plan. `now` in epoch ms. */
export async function readDayLimits(env: Cloudflare.Env, now: number): Promise<DayLimits | null> {
  if (!isOnFreePlan(env)) return null;
  const stored = await storedDay(env, now);
  return decideStored(env, stored, now);
}

/** The decision on what is stored, and on what this isolate has met. */
export function decideStored(
  { FREE_PLAN_SHARES }: Cloudflare.Env,
  stored: StoredDay | null,
  now: number,
): DayLimits {
  const today = startOfDay(now);
  const counts = stored?.day === today ? stored : { alerts: 0, messages: 0, usedUp: [] };
  const here = [...refusedHere].filter(([, at]) => at === today).map(([limit]) => limit);
  const shares = parseShares(FREE_PLAN_SHARES);
  return decideDay(counts, [...new Set([...counts.usedUp, ...here])], shares, now);
}

/** Whether a kind of work yields to pages now. */
export async function yieldsToPages(
  env: Cloudflare.Env,
  work: Work,
  now = Date.now(),
): Promise<boolean> {
  return (await readDayLimits(env, now))?.yielding.includes(work) ?? false;
}

/**
 * Notes that a limit is used up, for this isolate and, once a day, for the others and in the log. Never throws. `now` in
 * epoch ms.
 */
export async function reportUsedUp(
  env: Cloudflare.Env,
  limit: DailyLimit,
  now = Date.now(),
): Promise<void> {
  const today = startOfDay(now);
  const isKnown = refusedHere.get(limit) === today;
  refusedHere.set(limit, today);
  if (isKnown) return;
  console.error({ message: "a day's limit of the free plan is used up", limit });
  const added = sql`json_insert(${ofDay(usedUp, today, "[]")}, '$[#]', ${limit})`;
  // D1 may be what refuses; then every isolate meets it.
  await batch(env.DB, changeDay(today, { usedUp: added })).catch(() => undefined);
  cached = null;
}
