// Notifies the objects of schedules, teams, people and requests for cover of changes of who is on
// call and of who is notified. A row is written with each change and deleted after the notification, so that a crash
// delays a notice but loses none.

import {
  actorsOf,
  deleteOnCallChanges,
  type OnCallChange,
  readOnCallChanges,
} from "../../db/oncall/on-call-change-rows.ts";
import { statement } from "../../db/shared/database.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { coverRequestObject, personObject, scheduleObject, teamObject } from "../shared/stubs.ts";
import { refreshCovers } from "./refresh-covers.ts";

/** Number of changes read at a time. */
const BATCH_SIZE = 50;

/** How often covers are refreshed before a batch is notified as it is: each may change more. */
const MAX_REFRESHES = 5;

/**
 * Notifies objects of an account's changes, or (null) of all accounts'. The covers follow the changes
 * that were read before these are notified, and what the covers change is notified together with
 * them. Throws if any fails.
 */
export async function notifyOnCallChanges(
  env: Cloudflare.Env,
  accountId: string | null,
): Promise<void> {
  let refreshes = 0;
  for (;;) {
    const changes = await readOnCallChanges(env.DB, accountId, BATCH_SIZE);
    if (changes.length === 0) return;
    const covers = await refreshCoversOf(env, changes);
    // Another change may have been recorded meanwhile, so the covers are refreshed after each read.
    refreshes += 1;
    if (covers.isChanged && refreshes < MAX_REFRESHES) continue;
    const results = await Promise.allSettled(changes.map((change) => notify(env, change)));
    const done = changes.filter(
      (it, i) => results[i]?.status === "fulfilled" && !covers.failed.has(it.accountId),
    );
    if (done.length > 0) await statement(env.DB, deleteOnCallChanges(done)).run();
    const failed = results.find((it) => it.status === "rejected");
    if (failed) throw failed.reason;
    if (covers.failed.size > 0) throw new Error("covers could not be refreshed");
    if (changes.length < BATCH_SIZE) return;
    refreshes = 0;
  }
}

type RefreshedCovers = {
  /** Whether covers of any account have changed. */
  readonly isChanged: boolean;
  /** The accounts whose covers could not be refreshed. */
  readonly failed: ReadonlySet<string>;
};

async function refreshCoversOf(
  env: Cloudflare.Env,
  changes: readonly OnCallChange[],
): Promise<RefreshedCovers> {
  const changed = changes.filter(({ kind }) => kind === "schedule");
  const accounts = [...new Set(changed.map(({ accountId }) => accountId))];
  const results = await Promise.allSettled(accounts.map((id) => refreshCovers(env, id)));
  return {
    isChanged: results.some((it) => it.status === "fulfilled" && it.value),
    failed: new Set(accounts.filter((_, i) => results[i]?.status === "rejected")),
  };
}

async function notify(env: Cloudflare.Env, change: OnCallChange): Promise<void> {
  const { id, accountId, kind, teamIds } = change;
  const refreshTeam = (team: string) =>
    teamObject(env, prefixIdOf("team", team)).refresh({ id: team, accountId });
  switch (kind) {
    case "team":
      return refreshTeam(id);
    case "person":
      return personObject(env, prefixIdOf("account_user", id)).watch({ id, accountId });
    case "cover_request":
      return coverRequestObject(env, prefixIdOf("cover_request", id)).refresh({ id, accountId });
    case "schedule": {
      const schedule = scheduleObject(env, prefixIdOf("schedule", id));
      await Promise.all([
        ...teamIds.map(refreshTeam),
        schedule.watch({ id, accountId }, actorsOf(change)),
      ]);
    }
  }
}
