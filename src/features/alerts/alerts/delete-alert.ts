import type { PersonActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import { commandAlert } from "./command-alert.ts";

/** Deletes an alert with its workflows and comments; its timeline stays. Null, 404, or 503. */
export async function deleteAlert(
  context: Context<PersonActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const result = await commandAlert(context, identifier, { type: "delete" });
  return isRefusal(result) ? result : null;
}
