// Decides the covers of an account, and whom its rotations skip, anew after its schedules or the
// unavailabilities of people have changed, so that hours that come into being are covered too.
import { sql } from "drizzle-orm";
import {
  COVER_ATTEMPTS,
  selectCoverState,
  selectIsDecided,
  toCoverState,
} from "../../db/oncall/covers/cover-state.ts";
import { isEmptyPlan, planStored, writePlan } from "../../db/oncall/covers/cover-writes.ts";
import { type NewEntry, withEntry } from "../../db/oncall/history/change-entries.ts";
import { newIdOf } from "../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import { batch, first } from "../../db/shared/select.ts";
import type { CoverPlan } from "../../domain/oncall/covers/cover-plan.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";

/** The entry of the history: covers follow what the schedules say. */
function entryOf(accountId: string, { removed, changed, added }: CoverPlan, now: number): NewEntry {
  const events = [...changed, ...added];
  const ids = [...removed, ...events.map(({ id }) => id)];
  return {
    id: newIdOf("change", now),
    now,
    actor: { kind: "system", accountId },
    verb: "follow",
    kind: "cover",
    recordId: events.find(({ coverId }) => coverId)?.coverId ?? "",
    touched: sql`select value from json_each(${JSON.stringify(ids)})`,
  };
}

/**
 * Stores the overrides that the covers of an account need now.
 *
 * @returns whether anything was written
 * @throws if the schedules keep changing at the same time
 */
export async function refreshCovers(env: Cloudflare.Env, accountId: string): Promise<boolean> {
  const refreshed = await retryOnConflict(async () => {
    const now = Date.now();
    const scope = { accountId, now };
    // Most accounts have no covers, and no rotation that skips anybody: their events are not read.
    if (!(await first(env.DB, selectIsDecided(scope)))?.isDecided) return false;
    const [stored, events, away] = await batch(env.DB, selectCoverState(scope));
    const state = toCoverState(scope, stored, events, away);
    const plan = planStored(state, now);
    if (isEmptyPlan(plan)) return false;
    const entry = entryOf(accountId, plan, now);
    const writes = withEntry(accountId, entry, writePlan(accountId, plan, now));
    await batch(env.DB, [...state.unchanged, ...writes]);
    return true;
  }, COVER_ATTEMPTS);
  if (isRefusal(refreshed)) throw new Error("the schedules of the covers keep changing");
  return refreshed;
}
