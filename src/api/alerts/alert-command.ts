// Shared by the routes that send a command to an alert's object: the caller, the destinations and
// the call.
import type { destinationsParameters } from "../../contract/alerts/alert-parameters.ts";
import { presentAlert } from "../../db/alerts/alert-rows.ts";
import type { CommandAuthor, RequestedDestinations } from "../../domain/alerts/commands.ts";
import { objectNameOf } from "../../domain/shared/identifiers.ts";
import { type FieldError, isRefusal } from "../../domain/shared/refusal.ts";
import { type Answer, found } from "../../http/answers.ts";
import type { FurtherChecks } from "../../http/parameters/valid-part.ts";
import { pathIdentifier } from "../../http/records.ts";
import type { ApiRequest } from "../../http/route.ts";
import type { CallerCommand } from "../../objects/shared/rpc.ts";
import { alertObject } from "../../objects/shared/stubs.ts";

type DestinationsBody = {
  readonly [Name in keyof typeof destinationsParameters]?: readonly string[] | undefined;
};

/** The destinations in a body; requires at least one unless `others` is true. */
export function destinationsOf(
  body: DestinationsBody,
  others = false,
):
  | { readonly ok: true; readonly given: RequestedDestinations }
  | { readonly ok: false; readonly errors: readonly FieldError[] } {
  const given = {
    teamIds: body.destination_team_ids ?? [],
    routerIds: body.destination_router_ids ?? [],
    accountUserIds: body.destination_account_user_ids ?? [],
  };
  if (others || Object.values(given).some((ids) => ids.length > 0)) return { ok: true, given };
  const message = "destination_team_ids needs a destination: a team, a router or an account user";
  return { ok: false, errors: [{ field: "destination_team_ids", message }] };
}

/** Checks of destinations beyond the form of their parameters. */
export const destinationChecks = (body: DestinationsBody, others = false): FurtherChecks => {
  const destinations = destinationsOf(body, others);
  return {
    faults: destinations.ok ? [] : destinations.errors,
    references: [
      { field: "destination_team_ids", kind: "team", ids: body.destination_team_ids ?? [] },
      { field: "destination_router_ids", kind: "router", ids: body.destination_router_ids ?? [] },
      {
        field: "destination_account_user_ids",
        kind: "account_user",
        ids: body.destination_account_user_ids ?? [],
      },
    ],
  };
};

export const callerOf = ({
  actor,
}: ApiRequest<unknown>): CommandAuthor & { readonly accountUserId: string } => ({
  accountUserId: actor.accountUserId,
  name: actor.name,
});

/** Sends a command to the alert in the path, and responds with the resulting alert. */
export async function commandAlert(
  request: ApiRequest<unknown>,
  command: CallerCommand,
  answer: (record: unknown) => Answer = found,
): Promise<Answer> {
  const identifier = pathIdentifier(request, "alert");
  if (isRefusal(identifier)) return identifier;
  const object = alertObject(request.env, objectNameOf("alert", identifier));
  const result = await object.command(request.actor.accountId, command, "for_readers");
  return isRefusal(result) ? result : answer(presentAlert(result.alert));
}
