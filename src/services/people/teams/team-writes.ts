// Shared by the verbs of teams: the columns and statements of a write.
import { type SQLWrapper, sql } from "drizzle-orm";
import type { UpdateTeam } from "../../../contract/people/team-parameters.ts";
import { teamPeople } from "../../../db/schema/oncall.ts";
import type { TeamRelation } from "../../../domain/oncall/audiences.ts";

/** The parameters that list people. */
export const PEOPLE_FIELDS = [
  "member_account_user_ids",
  "admin_account_user_ids",
  "drop_notification_account_user_ids",
  "handoff_notification_account_user_ids",
  "gap_notification_account_user_ids",
] as const;
type PeopleField = (typeof PEOPLE_FIELDS)[number];

/** The relation of a parameter's rows. */
export const RELATIONS: Readonly<Record<PeopleField, TeamRelation>> = {
  member_account_user_ids: "member",
  admin_account_user_ids: "admin",
  drop_notification_account_user_ids: "drop",
  handoff_notification_account_user_ids: "handoff",
  gap_notification_account_user_ids: "gap",
};

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
export function columnsOf(body: UpdateTeam) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.notes !== undefined && { notes: body.notes }),
    ...(body.meta !== undefined && { meta: body.meta }),
    ...(body.attachments != null && { attachments: body.attachments }),
    ...(body.drop_notifications != null && { dropNotifications: body.drop_notifications }),
    ...(body.handoff_notifications != null && { handoffNotifications: body.handoff_notifications }),
    ...(body.gap_notifications != null && { gapNotifications: body.gap_notifications }),
  };
}

/** The statement that adds people to a team, in this order. */
export function insertPeople(
  accountId: string,
  teamId: string,
  field: PeopleField,
  ids: readonly string[],
): SQLWrapper {
  return sql`insert into ${teamPeople} (account_id, team_id, relation, account_user_id, position)
    select ${accountId}, ${teamId}, ${RELATIONS[field]}, value, key from json_each(${JSON.stringify(ids)})`;
}
