// Gives a resolved alert its `Id` and dedup keys back, so that it may be reopened: its sender's next
// event is then counted on it. Refused while another alert has them and is not resolved.
import type { Alert } from "../../../domain/alerts/alert.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { alertObject, integrationInbox } from "../../stubs.ts";
import { dedupKey } from "../alerts/shared-keys.ts";

/** Limit on holders that end while the alert claims. */
const MAX_HOLDERS = 20;

/** Assigns the key to the alert in place of a holder; answers who holds it then. */
type Claim = (inPlaceOf: string | null) => Promise<string>;

/** Claims the alert's `Id` and dedup keys. Safe to repeat. Returns null, or why it is refused. */
export async function claimIdentifiers(env: Cloudflare.Env, alert: Alert): Promise<Refusal | null> {
  const { id, accountId, source, thirdpartyId, dedupKeys, mergedIntoId } = alert;
  if (mergedIntoId != null && !(await hasEnded(env, accountId, mergedIntoId, true))) {
    const name = prefixIdOf("alert", mergedIntoId);
    return refuse("conflict", `the alert was merged into ${name}, which is not resolved`);
  }
  if (source.type === "Integration") {
    const inbox = integrationInbox(env, prefixIdOf("integration", source.id));
    const claim: Claim = (inPlaceOf) => inbox.claimAlert(id, thirdpartyId ?? "", inPlaceOf);
    const holder = await claimFrom(env, alert, claim);
    if (holder !== null) return heldBy(holder, "Id");
  }
  for (const key of [...new Set(dedupKeys)].sort()) {
    const object = dedupKey(env, accountId, key);
    const holder = await claimFrom(env, alert, (inPlaceOf) => object.claim(id, inPlaceOf, null));
    if (holder !== null) return heldBy(holder, "dedup key");
  }
  return null;
}

/** Claims in place of holders that have ended. Returns the holder that has not; else null. */
async function claimFrom(
  env: Cloudflare.Env,
  { id, accountId }: Alert,
  claim: Claim,
): Promise<string | null> {
  let inPlaceOf: string | null = null;
  for (let tries = 0; tries < MAX_HOLDERS; tries += 1) {
    const holder: string = await claim(inPlaceOf);
    if (holder === id) return null;
    // An alert that does not exist yet is being created.
    if (!(await hasEnded(env, accountId, holder, false))) return holder;
    inPlaceOf = holder;
  }
  throw new Error("an alert's identifiers change hands all the time");
}

/** Whether an alert is resolved or deleted. `unknown`: the answer for one that does not exist. */
const hasEnded = async (
  env: Cloudflare.Env,
  accountId: string,
  id: string,
  unknown: boolean,
): Promise<boolean> =>
  (await alertObject(env, prefixIdOf("alert", id)).hasEnded(accountId)) ?? unknown;

function heldBy(holder: string, what: string): Refusal {
  const name = prefixIdOf("alert", holder);
  return refuse("conflict", `alert ${name} has the same ${what} and is not resolved`);
}
