import type { PersonActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import { commandAlert } from "./command-alert.ts";
import type { Alert } from "./contract.ts";
import type { HandOffAlert } from "./parameters.ts";
import { destinationsOf } from "./requested-destinations.ts";

/**
 * Hands off an alert: running workflows are cancelled, and the named destinations are notified from
 * their first layer (contract 3, Escalation).
 *
 * @returns the alert; 404; 409 unless it is `open`, `acknowledged` or `dropped`; 422 without a
 *   destination or for unknown ones; 503
 */
export async function handOffAlert(
  context: Context<PersonActor>,
  identifier: Identifier,
  body: HandOffAlert,
): Promise<Alert | Refusal> {
  const destinations = destinationsOf(body);
  if (isRefusal(destinations)) return destinations;
  return commandAlert(context, identifier, { type: "handoff", destinations, note: body.note });
}
