// Whose object a page came from, and so waits for its confirmation.
import { PREFIXES } from "../domain/identifiers.ts";
import { type AlertStub, alertObject, scheduleObject } from "../objects/stubs.ts";

/** The object that sent a page: an alert's or a schedule's, as its `prefix_id` tells. */
export function pageSender(env: Cloudflare.Env, prefixId: string): Pick<AlertStub, "confirm"> {
  return prefixId.startsWith(`${PREFIXES.schedule}_`)
    ? scheduleObject(env, prefixId)
    : alertObject(env, prefixId);
}
