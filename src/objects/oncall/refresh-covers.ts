// Decides the covers of an account anew after its schedules have changed, so that hours that come
// into being are covered too.
import {
  COVER_ATTEMPTS,
  selectCoverState,
  selectCovers,
  toCoverState,
} from "../../db/oncall/covers/cover-state.ts";
import { isEmptyPlan, planStored, writePlan } from "../../db/oncall/covers/cover-writes.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import { all, batch } from "../../db/shared/select.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";

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
    // Most accounts have no covers: their events are not read.
    if ((await all(env.DB, selectCovers(scope))).length === 0) return false;
    const [stored, events] = await batch(env.DB, selectCoverState(scope));
    const state = toCoverState(scope, stored, events);
    const plan = planStored(state, now);
    if (isEmptyPlan(plan)) return false;
    await batch(env.DB, [...state.unchanged, ...writePlan(accountId, plan, now)]);
    return true;
  }, COVER_ATTEMPTS);
  if (isRefusal(refreshed)) throw new Error("the schedules of the covers keep changing");
  return refreshed;
}
