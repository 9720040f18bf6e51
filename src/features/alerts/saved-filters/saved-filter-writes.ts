// Shared by the verbs of saved filters: their references, and the stored form of a filter.
import type { SavedFilterValues } from "../../../domain/alerts/saved-filter.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import type { Reference, Resolved } from "../../../kernel/db/references.ts";
import type { CreateSavedFilter, UpdateSavedFilter } from "./parameters.ts";

const TEAM = "filter.team_id";

export const filterReferences = ({ filter }: UpdateSavedFilter): readonly Reference[] =>
  filter?.team_id ? [{ field: TEAM, kind: "team", ids: [filter.team_id] }] : [];

/** The filter as it is stored: without what is not set, the team by its id. */
export function storedFilter(
  { status, urgency, tag, q, incident, sort, group }: CreateSavedFilter["filter"],
  resolved: Extract<Resolved, { ok: true }>,
): SavedFilterValues {
  const [teamId] = resolved.idsOf(TEAM);
  return {
    ...(status && { status }),
    ...(urgency && { urgency }),
    ...(teamId && { team_id: teamId }),
    ...(tag && { tag }),
    ...(q && { q }),
    ...(incident && { incident }),
    ...(sort && { sort }),
    ...(group && { group }),
  };
}

/** The refusal of a name that another filter of the person has. */
export const NAME_TAKEN: Refusal = refuse(
  "invalid",
  "name is that of another filter of yours",
  "name",
);
