// The net below every alarm: alerts that D1 says are overdue are poked. Deployed it runs every minute; the promises
// hold without it.
import { sql } from "drizzle-orm";
import { statement } from "../db/database.ts";
import { alerts } from "../db/schema/alerts.ts";
import { alertObject } from "../objects/stubs.ts";

/** An alarm is late when its step is this long overdue (ms). */
const OVERDUE_MS = 30_000;
/** Alerts poked in one run; what is left is the next run's. */
const MOST = 200;

/** Pokes the objects of overdue alerts. `now` in epoch ms. */
export async function sweep(env: Cloudflare.Env, now: number): Promise<void> {
  const query = sql`select ${alerts.prefixId} as name from ${alerts}
    where ${alerts.nextStepAt} < ${now - OVERDUE_MS} order by ${alerts.nextStepAt} limit ${MOST}`;
  const { results } = await statement(env.DB, query).all<{ name: string }>();
  const poked = await Promise.allSettled(results.map(({ name }) => alertObject(env, name).poke()));
  const failed = poked.filter((it) => it.status === "rejected").length;
  if (results.length > 0)
    console.warn({ message: "overdue alerts", poked: results.length, failed });
}
