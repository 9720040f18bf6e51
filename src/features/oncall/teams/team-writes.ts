// Shared by the verbs of teams: the statements of a write.
import { type SQLWrapper, sql } from "drizzle-orm";
import type { TeamRelation } from "../../../domain/oncall/audiences.ts";
import { teamPeople } from "../../schema/oncall.ts";

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
