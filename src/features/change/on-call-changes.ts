// Notifies the objects of schedules, teams, people and absences of changes of who is on
// call and of who is notified. A row is written with each change and deleted after the notification, so that a crash
// delays a notice but loses none.

import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { statement } from "../../kernel/db/database.ts";
import { absenceObject, personObject, scheduleObject, teamObject } from "../stubs.ts";
import {
  actorsOf,
  deleteOnCallChanges,
  type OnCallChange,
  readOnCallChanges,
} from "./on-call-change-rows.ts";

/** Number of changes read at a time. */
const BATCH_SIZE = 50;

/**
 * Notifies objects of an account's changes, or (null) of all accounts'. Throws if any fails.
 */
export async function notifyOnCallChanges(
  env: Cloudflare.Env,
  accountId: string | null,
): Promise<void> {
  for (;;) {
    const changes = await readOnCallChanges(env.DB, accountId, BATCH_SIZE);
    if (changes.length === 0) return;
    const results = await Promise.allSettled(changes.map((change) => notify(env, change)));
    const done = changes.filter((_, i) => results[i]?.status === "fulfilled");
    if (done.length > 0) await statement(env.DB, deleteOnCallChanges(done)).run();
    const failed = results.find((it) => it.status === "rejected");
    if (failed) throw failed.reason;
    if (changes.length < BATCH_SIZE) return;
  }
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
    // Written by the version before.
    case "cover_request":
    case "absence":
      return absenceObject(env, prefixIdOf("absence", id)).refresh({ id, accountId });
    case "schedule": {
      const schedule = scheduleObject(env, prefixIdOf("schedule", id));
      await Promise.all([
        ...teamIds.map(refreshTeam),
        schedule.watch({ id, accountId }, actorsOf(change)),
      ]);
    }
  }
}
