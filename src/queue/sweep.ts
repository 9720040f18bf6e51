// The net below every alarm: alerts that D1 says are overdue, unpaged or unseen are poked, and integrations that have
// something to tell. Deployed it runs every minute; the promises hold without it.
import { statement } from "../db/database.ts";
import { selectOverdueTellers } from "../db/outgoing-rows.ts";
import { endInterrupted, selectOverdue, selectUnpaged, selectUnseen } from "../db/sweep-rows.ts";
import { alertObject, outgoingObject } from "../objects/stubs.ts";

/** Alerts of each kind that are poked in one run; what is left is the next run's. */
const MOST = 200;

/** Pokes the objects that seem to have missed something. `now` in epoch ms. */
export async function sweep(env: Cloudflare.Env, now: number): Promise<void> {
  await pokeOutgoing(env, now);
  const queries = [selectOverdue, selectUnpaged, selectUnseen, endInterrupted].map((it) =>
    it(now, MOST),
  );
  const results = await env.DB.batch<{ name: string }>(
    queries.map((query) => statement(env.DB, query)),
  );
  const names = new Set(results.flatMap((it) => it.results.map(({ name }) => name)));
  if (names.size === 0) return;
  const poked = await Promise.allSettled([...names].map((name) => alertObject(env, name).poke()));
  const failed = poked.filter((it) => it.status === "rejected").length;
  const [overdue, unpaged, unseen] = results.map((it) => it.results.length);
  console.warn({ message: "alerts missed something", overdue, unpaged, unseen, failed });
}

/** A delivery is overdue when it has waited this long for its turn (ms). */
const OVERDUE_MS = 60_000;

async function pokeOutgoing(env: Cloudflare.Env, now: number): Promise<void> {
  const query = selectOverdueTellers(now - OVERDUE_MS, MOST);
  const { results } = await statement(env.DB, query).all<{ name: string }>();
  const poked = results.map(({ name }) => outgoingObject(env, name).look());
  const failed = (await Promise.allSettled(poked)).filter((it) => it.status === "rejected");
  if (failed.length > 0) console.warn({ message: "deliveries wait", failed: failed.length });
}
