// Alert workflows: the escalation of an alert at one destination, read only (contract 2, Alert
// workflows).
import {
  boolean,
  hash,
  instant,
  number,
  reference,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import { prefixIdFrom } from "../../../kernel/db/prefix-id.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { alerts } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";

const prefixId = prefixIdFrom("alert_workflow", alertWorkflows.id);

export const workflowRecords: Records<"AlertWorkflow"> = {
  kind: "alert_workflow",
  shows: "AlertWorkflow",
  from: alertWorkflows,
  accountId: alertWorkflows.accountId,
  id: alertWorkflows.id,
  prefixId,
  attributes: {
    id: string(alertWorkflows.id),
    prefix_id: string(prefixId),
    account_id: string(alertWorkflows.accountId),
    created_at: instant(alertWorkflows.createdAt),
    updated_at: instant(alertWorkflows.updatedAt),
    meta: hash(alertWorkflows.meta),
    alert_id: reference(alertWorkflows.alertId, alertWorkflows.accountId, alerts),
    destination_type: string(alertWorkflows.destinationType),
    destination_id: reference(
      alertWorkflows.destinationId,
      alertWorkflows.accountId,
      teams,
      accountUsers,
    ),
    state: string(alertWorkflows.state),
    requested: boolean(alertWorkflows.isRequested),
    layer: number(alertWorkflows.layer),
    pass: number(alertWorkflows.pass),
    account_user_ids: references(
      alertWorkflows.accountUserIds,
      alertWorkflows.accountId,
      accountUsers,
    ),
    next_step_at: instant(alertWorkflows.nextStepAt),
  },
  search: [],
};
