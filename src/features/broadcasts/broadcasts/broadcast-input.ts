// The parameters of a broadcast, validated together with the stored broadcast (contract 5).
import type { FieldError } from "../../../domain/shared/refusal.ts";
import type { Reference, Resolved } from "../../../kernel/db/references.ts";
import { changeOptions, type OptionChanges } from "../responses/response-option-changes.ts";
import type { UpdateBroadcast } from "./parameters.ts";
import type { StoredBroadcast } from "./rows.ts";

export type Destinations = Pick<StoredBroadcast, "teamIds" | "accountUserIds">;

const TEAMS = "destination_team_ids";
const PEOPLE = "destination_account_user_ids";

/** What a broadcast has before it is created. */
export const NOTHING_STORED = { teamIds: [], accountUserIds: [], responseRequested: false };

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
  stored: Destinations & Pick<StoredBroadcast, "responseRequested">,
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

/** Errors for what a new broadcast would lack. */
export function faultsOfNew(body: UpdateBroadcast): FieldError[] {
  const entries = body.broadcast_response_options_attributes ?? [];
  return faultsOf(
    body,
    NOTHING_STORED,
    changeOptions([], entries, () => ""),
  );
}
