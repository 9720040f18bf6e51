import type { PersonActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { type FieldError, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import { commandAlert } from "./command-alert.ts";
import type { Alert } from "./contract.ts";
import type { RequestResponders } from "./parameters.ts";

/** The error of a request that names nobody. */
export function respondersFaults(
  accountUserIds: readonly string[],
  teamIds: readonly string[],
): FieldError[] {
  const field = "account_user_ids";
  const message = `${field} needs a person or a team`;
  return accountUserIds.length + teamIds.length > 0 ? [] : [{ field, message }];
}

/**
 * Notifies further people and teams of an alert, by workflows that do not affect its status.
 *
 * @returns the alert; 404; 409 unless it is `open`, `acknowledged` or `dropped`, or if all of them
 *   are being asked already; 422 without a person or team, or for unknown ones; 503
 */
export async function requestResponders(
  context: Context<PersonActor>,
  identifier: Identifier,
  { account_user_ids: accountUserIds = [], team_ids: teamIds = [], note }: RequestResponders,
): Promise<Alert | Refusal> {
  const faults = respondersFaults(accountUserIds, teamIds);
  if (faults.length > 0) return refuseFields(faults);
  const destinations = { accountUserIds, teamIds };
  return commandAlert(context, identifier, { type: "request_responders", destinations, note });
}
