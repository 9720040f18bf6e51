// Notifies other alerts of a step: the leaders that this alert was aggregated into, and the alerts
// that were merged into this one.
import type { Alert } from "../../../domain/alerts/alert.ts";
import type { CommandAuthor } from "../../../domain/alerts/commands.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { alertObject } from "../../stubs.ts";

/** A leader that does not exist this long after this alert was never created (ms). */
const MAX_CREATION_MS = 600_000;

/** A leader, which must count this alert. */
export type LeaderJoin = { readonly id: string };

/** An alert that must end as a part of this one. */
export type Merge = { readonly id: string; readonly by: CommandAuthor };

/** Whether the leader has counted the alert or never will. */
export async function joinLeader(
  env: Cloudflare.Env,
  alert: Alert,
  { id: leaderId }: LeaderJoin,
): Promise<boolean> {
  const { id, title, accountId, createdAt } = alert;
  const leader = alertObject(env, prefixIdOf("alert", leaderId));
  const result = await leader.join(accountId, { id, title });
  return result !== "not_made" || Date.now() - createdAt > MAX_CREATION_MS;
}

/** Ends a merged alert. Always true: the call throws if it could not be decided. */
export async function endMerged(
  env: Cloudflare.Env,
  { id: leaderId, accountId }: Alert,
  { id, by }: Merge,
): Promise<boolean> {
  await alertObject(env, prefixIdOf("alert", id)).mergeInto(accountId, leaderId, by);
  return true;
}
