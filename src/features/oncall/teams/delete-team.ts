import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import type { Context } from "../../change/context.ts";
import {
  deleteRecord,
  dropReassignments,
  selectReferencesToReceiver,
} from "../../change/delete-record.ts";
import { teams } from "../../schema/oncall.ts";
import { teamRecords } from "./team-records.ts";

/**
 * Deletes a team; its schedule and policy stay: other teams may use them.
 *
 * @returns null; 404; 409 while it is in use
 */
export function deleteTeam(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const reasons = selectReferencesToReceiver(accountId);
  const deletes = (id: string) => [
    dropReassignments(accountId, id),
    build.delete(teams).where(eq(teams.id, id)),
  ];
  return deleteRecord(context, teamRecords, identifier, { reasons, deletes });
}
