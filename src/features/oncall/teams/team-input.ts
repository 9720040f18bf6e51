// Checks of a team's parameters, beyond the form of each (contract 2, Teams).
import type { FieldError } from "../../../domain/shared/refusal.ts";
import type { Reference } from "../../../kernel/db/references.ts";
import type { UpdateTeam } from "./parameters.ts";
import { PEOPLE_FIELDS } from "./team-writes.ts";

/** The records that the parameters name. */
export function referencesOf(body: UpdateTeam): Reference[] {
  return [
    ...PEOPLE_FIELDS.map((name) => ({
      field: name,
      kind: "account_user" as const,
      ids: body[name] ?? [],
    })),
    { field: "schedule_id", kind: "schedule", ids: body.schedule_id ? [body.schedule_id] : [] },
    {
      field: "escalation_policy_id",
      kind: "escalation_policy",
      ids: body.escalation_policy_id ? [body.escalation_policy_id] : [],
    },
  ];
}

/** Requires at least one member and one admin. */
export function findMissingPeople(body: UpdateTeam, creating: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["member_account_user_ids", "admin_account_user_ids"] as const) {
    const ids = body[name];
    if (ids === undefined ? creating : ids.length === 0) {
      errors.push({ field: name, message: `${name} must name at least one account user` });
    }
  }
  return errors;
}
