// The net below every alarm: alerts that D1 says are overdue, unpaged or unseen are poked, and integrations that have
// something to tell. Deployed it runs every minute; the promises hold without it.
import { statement } from "../db/database.ts";
import { selectOverdueTellers } from "../db/outgoing-rows.ts";
import {
  endInterrupted,
  selectOverdue,
  selectUnnotified,
  selectUnpaged,
  selectUnseen,
} from "../db/sweep-rows.ts";
import { notifyChanges } from "../objects/notify-changes.ts";
import { alertObject, outgoingObject } from "../objects/stubs.ts";

/** Alerts of each kind that are poked in one run; what is left is the next run's. */
const MOST = 200;

/** A delivery is overdue when it has waited this long for its turn (ms). */
const OVERDUE_MS = 60_000;

type Named = { readonly name: string };

/** Pokes the objects that seem to have missed something; asks D1 once. `now` in epoch ms. */
export async function sweep(env: Cloudflare.Env, now: number): Promise<void> {
  const ofAlerts = [selectOverdue, selectUnpaged, selectUnseen, endInterrupted];
  const queries = [
    selectUnnotified(),
    selectOverdueTellers(now - OVERDUE_MS, MOST),
    ...ofAlerts.map((it) => it(now, MOST)),
  ];
  const results = await env.DB.batch<Named>(queries.map((query) => statement(env.DB, query)));
  const [unnotified = [], tellers = [], ...alerts] = results.map((it) => it.results);
  await Promise.all([
    pokeOutgoing(env, tellers),
    pokeAlerts(env, alerts),
    unnotified.length > 0 ? notifyChanges(env, null) : null,
  ]);
}

/** `found` = those that are overdue, that have paged nobody, and that nobody has seen. */
async function pokeAlerts(
  env: Cloudflare.Env,
  found: readonly (readonly Named[])[],
): Promise<void> {
  const names = new Set(found.flat().map(({ name }) => name));
  if (names.size === 0) return;
  const poked = await Promise.allSettled([...names].map((name) => alertObject(env, name).poke()));
  const failed = poked.filter((it) => it.status === "rejected").length;
  const [overdue, unpaged, unseen] = found.map(({ length }) => length);
  console.warn({ message: "alerts missed something", overdue, unpaged, unseen, failed });
}

async function pokeOutgoing(env: Cloudflare.Env, overdue: readonly Named[]): Promise<void> {
  const poked = overdue.map(({ name }) => outgoingObject(env, name).look());
  const failed = (await Promise.allSettled(poked)).filter((it) => it.status === "rejected");
  if (failed.length > 0) console.warn({ message: "deliveries wait", failed: failed.length });
}
