// Alert workflows: the escalation of an alert at one destination, read only (contract 2, Alert
// workflows).
import {
  commonAttributes,
  instant,
  number,
  reference,
  references,
  string,
} from "../../records/attributes.ts";
import type { Records } from "../../records/records.ts";
import { alerts, alertWorkflows } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

export const workflowRecords: Records<"AlertWorkflow"> = {
  kind: "alert_workflow",
  shows: "AlertWorkflow",
  from: alertWorkflows,
  accountId: alertWorkflows.accountId,
  id: alertWorkflows.id,
  prefixId: alertWorkflows.prefixId,
  attributes: {
    ...commonAttributes(alertWorkflows),
    alert_id: reference(alertWorkflows.alertId, alertWorkflows.accountId, alerts),
    destination_type: string(alertWorkflows.destinationType),
    destination_id: reference(
      alertWorkflows.destinationId,
      alertWorkflows.accountId,
      teams,
      accountUsers,
    ),
    state: string(alertWorkflows.state),
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
  total: "alert_workflows",
};
