// When an alert's object may forget everything, and what refers to the alert until then.
import { type Alert, nextStepAt } from "../../domain/alerts/alert.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { integrationInbox } from "../shared/stubs.ts";
import { releaseKeys } from "./shared-keys.ts";

/**
 * When an alert has ended for good (epoch ms), so that only a command from outside can change it;
 * null if it is running, or a timer is left: a dropped alert may resolve automatically. A suppressed
 * one still counts repetitions in its maintenance window.
 */
export function emptiesAt(alert: Alert): number | null {
  if (alert.deletedAt !== null) return 0;
  const hasEnded = ["resolved", "dropped", "suppressed"].includes(alert.status);
  return hasEnded && nextStepAt(alert) === null ? (alert.suppressedUntil ?? 0) : null;
}

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
