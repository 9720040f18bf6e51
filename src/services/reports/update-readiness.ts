import type { Readiness } from "../../contract/reports/readiness.ts";
import type { UpdateReadiness } from "../../contract/reports/readiness-parameters.ts";
import { setReadinessDigest } from "../../db/reports/readiness-rows.ts";
import { statement } from "../../db/shared/database.ts";
import { notifyChanges } from "../../objects/shared/notify-changes.ts";
import type { Context } from "../shared/context.ts";
import { readReadiness } from "./read-readiness.ts";

/** Changes whether the account's admins get the weekly digest. Each admin may opt out. */
export async function updateReadiness(
  context: Context,
  { weekly_digest }: UpdateReadiness,
): Promise<Readiness> {
  const { db, env, actor, now, waitUntil } = context;
  if (weekly_digest !== undefined) {
    await statement(db, setReadinessDigest(actor.accountId, weekly_digest, now)).run();
    waitUntil(notifyChanges(env, actor.accountId));
  }
  return readReadiness(context);
}
