// Teams: what a record shows (contract 2, Teams).

import { sql } from "drizzle-orm";
import type { TeamRelation } from "../../../domain/oncall/audiences.ts";
import { nested, reference, references } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { escalationPolicies, schedules, teamPeople, teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { RESTORED_FIELDS } from "./parameters.ts";

const people = (relation: TeamRelation) =>
  references(
    sql<
      readonly string[]
    >`(select json_group_array(account_user_id order by position) from ${teamPeople}
    where ${teamPeople.teamId} = ${teams.id} and ${teamPeople.relation} = ${relation})`,
    teams.accountId,
    accountUsers,
  );

export const teamRecords: Records<"Team"> = {
  kind: "team",
  shows: "Team",
  from: teams,
  accountId: teams.accountId,
  id: teams.id,
  prefixId: teams.prefixId,
  attributes: {
    ...plainAttributes("Team", teams, []),
    escalation_policy_id: reference(teams.escalationPolicyId, teams.accountId, escalationPolicies),
    schedule_id: reference(teams.scheduleId, teams.accountId, schedules),
    member_account_user_ids: people("member"),
    admin_account_user_ids: people("admin"),
    drop_notification_account_user_ids: people("drop"),
    handoff_notification_account_user_ids: people("handoff"),
    gap_notification_account_user_ids: people("gap"),
    attachments: nested(teams.attachments),
  },
  restored: RESTORED_FIELDS,
  search: [teams.name],
  total: "teams",
};
