// Whose object a page came from, and so waits for its confirmation.
import { PREFIXES } from "../domain/identifiers.ts";
import type { AlertStub } from "../objects/rpc.ts";
import { alertObject, broadcastObject, scheduleObject, teamObject } from "../objects/stubs.ts";

/** The object that sent a page: an alert's, a team's or a broadcast's, as its `prefix_id` tells. */
export function pageSender(env: Cloudflare.Env, prefixId: string): Pick<AlertStub, "confirm"> {
  if (prefixId.startsWith(`${PREFIXES.team}_`)) return teamObject(env, prefixId);
  if (prefixId.startsWith(`${PREFIXES.schedule}_`)) return scheduleObject(env, prefixId);
  if (prefixId.startsWith(`${PREFIXES.broadcast}_`)) return broadcastObject(env, prefixId);
  return alertObject(env, prefixId);
}
