// The destinations in the parameters of an alert: those of a create, a handoff and a preview.
import type { RequestedDestinations } from "../../../domain/alerts/commands.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import type { Reference } from "../../../kernel/db/references.ts";
import type { destinationsParameters } from "./parameters.ts";

export type DestinationsBody = {
  readonly [Name in keyof typeof destinationsParameters]?: readonly string[] | undefined;
};

/** 422 unless the body names a destination or `others`, such as an unsaved router, are given. */
export function destinationsOf(
  body: DestinationsBody,
  others = false,
): RequestedDestinations | Refusal {
  const given = {
    teamIds: body.destination_team_ids ?? [],
    routerIds: body.destination_router_ids ?? [],
    accountUserIds: body.destination_account_user_ids ?? [],
  };
  if (others || Object.values(given).some((ids) => ids.length > 0)) return given;
  const message = "destination_team_ids needs a destination: a team, a router or an account user";
  return refuse("invalid", message, "destination_team_ids");
}

/** The checks of required destinations beyond the form of their parameters. */
export function checkDestinations(body: DestinationsBody) {
  const destinations = destinationsOf(body);
  const references: Reference[] = [
    { field: "destination_team_ids", kind: "team", ids: body.destination_team_ids ?? [] },
    { field: "destination_router_ids", kind: "router", ids: body.destination_router_ids ?? [] },
    {
      field: "destination_account_user_ids",
      kind: "account_user",
      ids: body.destination_account_user_ids ?? [],
    },
  ];
  return { faults: isRefusal(destinations) ? destinations.errors : [], references };
}
