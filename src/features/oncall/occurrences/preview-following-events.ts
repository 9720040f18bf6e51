import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import type { ChangeFollowingEvents } from "../events/parameters.ts";
import { readAndDecide } from "./decide-following.ts";
import type { FollowingPreview } from "./following-contract.ts";
import { showEffects } from "./show-effects.ts";

/**
 * What `changeFollowingEvents` would do with the same parameters. Writes nothing.
 *
 * @param id the ULID that the continuing event would get
 * @returns the effects; 404; 422 as the change itself
 */
export async function previewFollowingEvents(
  context: Context,
  identifier: Identifier,
  id: string,
  body: ChangeFollowingEvents,
): Promise<FollowingPreview | Refusal> {
  const decided = await readAndDecide(context, identifier, id, body);
  if (isRefusal(decided)) return decided;
  return { unchanged: decided.change === null, ...showEffects(decided.change) };
}
