// When an alert's object may forget everything, and what refers to the alert until then.
import { type Alert, nextStepAt } from "../../../domain/alerts/alert.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { alertObject, integrationInbox } from "../../stubs.ts";
import { releaseKeys } from "../alerts/shared-keys.ts";

/**
 * When an alert has ended for good (epoch ms), so that only a command from outside can change it;
 * null if it is running, or a timer is left: a dropped alert may resolve automatically. A resolved
 * one may still be opened again by its sender.
 */
export function emptiesAt(alert: Alert): number | null {
  if (alert.deletedAt !== null) return 0;
  const hasEnded = ["resolved", "dropped", "suppressed"].includes(alert.status);
  return hasEnded && nextStepAt(alert) === null ? (alert.reopenUntil ?? 0) : null;
}

/** Whether an alert is resolved or deleted, and so is the alert that it was merged into. */
export async function hasEnded(
  env: Cloudflare.Env,
  { accountId, deletedAt, status, mergedIntoId }: Alert,
): Promise<boolean> {
  if (deletedAt !== null || status !== "resolved") return deletedAt !== null;
  if (mergedIntoId == null) return true;
  const leader = alertObject(env, prefixIdOf("alert", mergedIntoId));
  return (await leader.hasEnded(accountId)) ?? true;
}

/**
 * Whether an ended alert keeps its `Id` and dedup keys: the next event opens a dropped one again, and
 * that of a merged one is its leader's.
 */
export const keepsIdentifiers = ({ status, mergedIntoId, deletedAt }: Alert): boolean =>
  deletedAt === null && (status === "dropped" || mergedIntoId != null);

/**
 * Releases the alert's dedup keys and its ordering key in the inbox: the next event is new.
 *
 * @returns false if the inbox still has events of the alert: to be tried again
 */
export async function releaseAlert(env: Cloudflare.Env, alert: Alert): Promise<boolean> {
  const { id, accountId, source, dedupKeys, thirdpartyId } = alert;
  if (source.type === "Integration") {
    const inbox = integrationInbox(env, prefixIdOf("integration", source.id));
    if (!(await inbox.forgetAlert(id, thirdpartyId ?? ""))) return false;
  }
  // After the inbox, whose stored events find the alert by its keys.
  await releaseKeys(env, accountId, id, dedupKeys);
  return true;
}
