// Escalation policies: what a record shows (contract 2, Escalation policies). Teams refer to a
// policy; a policy does not belong to a team.

import { type SQLWrapper, sql } from "drizzle-orm";
import { nested, references } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import {
  escalationLayers,
  escalationPolicies,
  escalationReassignments,
  teams,
} from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { EscalationLayer } from "./contract.ts";

const receivers = (type: "team" | "account_user") =>
  sql<
    readonly string[]
  >`(select json_group_array(receiver_id order by position) from ${escalationReassignments}
    where ${escalationReassignments.escalationPolicyId} = ${escalationPolicies.id}
      and ${escalationReassignments.receiverType} = ${type})`;

const teamsOfPolicy = sql<
  readonly string[]
>`(select json_group_array(${teams.id} order by ${teams.id}) from ${teams}
  where ${teams.accountId} = ${escalationPolicies.accountId}
    and ${teams.escalationPolicyId} = ${escalationPolicies.id})`;

/** The layers of `policyId` as JSON, ordered by number. */
const layersOf = (policyId: SQLWrapper) =>
  sql<
    readonly EscalationLayer[]
  >`(select json_group_array(json_object('account_id', ${escalationLayers.accountId},
      'id', ${escalationLayers.id}, 'prefix_id', ${escalationLayers.prefixId},
      'layer', ${escalationLayers.layer}, 'timeout', ${escalationLayers.timeout},
      'timeout_unit', ${escalationLayers.timeoutUnit}, 'color_hex', ${escalationLayers.colorHex})
      order by ${escalationLayers.layer})
    from ${escalationLayers} where ${escalationLayers.escalationPolicyId} = ${policyId})`;

export const escalationPolicyRecords: Records<"EscalationPolicy"> = {
  kind: "escalation_policy",
  shows: "EscalationPolicy",
  from: escalationPolicies,
  accountId: escalationPolicies.accountId,
  id: escalationPolicies.id,
  prefixId: escalationPolicies.prefixId,
  attributes: {
    ...plainAttributes("EscalationPolicy", escalationPolicies, []),
    reassign_team_ids: references(receivers("team"), escalationPolicies.accountId, teams),
    reassign_account_user_ids: references(
      receivers("account_user"),
      escalationPolicies.accountId,
      accountUsers,
    ),
    team_ids: references(teamsOfPolicy, escalationPolicies.accountId, teams),
    escalation_layers: nested(layersOf(escalationPolicies.id)),
  },
  search: [escalationPolicies.name],
  total: "escalation_policies",
};
