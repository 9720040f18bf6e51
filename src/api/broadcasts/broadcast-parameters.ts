// The parameters of a broadcast, validated together with the stored broadcast (contract 5).
import type { UpdateBroadcast } from "../../contract/broadcasts/broadcast-parameters.ts";
import type { Reference, Resolved } from "../../db/records/references.ts";
import type { FieldError } from "../../domain/shared/refusal.ts";
import type { HeldBroadcast } from "./broadcast-records.ts";
import type { OptionChanges } from "./broadcast-response-options.ts";

export type Destinations = Pick<HeldBroadcast, "teamIds" | "accountUserIds">;

const TEAMS = "destination_team_ids";
const PEOPLE = "destination_account_user_ids";

// ── Rows ──

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
export function columnsOf(body: UpdateBroadcast, destinations: Destinations) {
  const tagList = body.tag_list ?? body.tags;
  return {
    ...(body.title !== undefined && { title: body.title }),
    ...(body.description !== undefined && { description: body.description }),
    ...(tagList !== undefined && { tags: tagList }),
    ...(body.response_requested !== undefined && { responseRequested: body.response_requested }),
    ...(body.response_requested_by !== undefined && {
      responseRequestedBy: body.response_requested_by,
    }),
    ...(body.meta !== undefined && { meta: body.meta }),
    ...(body.status !== undefined && { status: body.status }),
    destinationTeamIds: destinations.teamIds,
    destinationAccountUserIds: destinations.accountUserIds,
  };
}

// ── Rules ──

/** The references of the body, to resolve in the account. */
export const referencesOf = (body: UpdateBroadcast): Reference[] => [
  { field: TEAMS, kind: "team", ids: body[TEAMS] ?? [] },
  { field: PEOPLE, kind: "account_user", ids: body[PEOPLE] ?? [] },
];

/** The destinations after the write: those in the body, else the stored ones. */
export function destinationsOf(
  body: UpdateBroadcast,
  resolved: Extract<Resolved, { ok: true }>,
  stored: Destinations,
): Destinations {
  return {
    teamIds: body[TEAMS] ? resolved.idsOf(TEAMS) : stored.teamIds,
    accountUserIds: body[PEOPLE] ? resolved.idsOf(PEOPLE) : stored.accountUserIds,
  };
}

/** Errors for what the broadcast would lack after the write. */
export function faultsOf(
  body: UpdateBroadcast,
  stored: Destinations & Pick<HeldBroadcast, "responseRequested">,
  options: OptionChanges,
): FieldError[] {
  const errors = [...options.errors];
  const destinations = [
    ...(body[TEAMS] ?? stored.teamIds),
    ...(body[PEOPLE] ?? stored.accountUserIds),
  ];
  if (destinations.length === 0) {
    const message = `${TEAMS} needs a destination: a team or an account user`;
    errors.push({ field: TEAMS, message });
  }
  if ((body.response_requested ?? stored.responseRequested) && options.left === 0) {
    const name = "broadcast_response_options_attributes";
    const message = `${name} must have at least one option when a response is requested`;
    errors.push({ field: name, message });
  }
  return errors;
}
