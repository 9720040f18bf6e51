// Alert workflows: one destination's way through its escalation policy, read only (`contract.md` 2).
import { commonAttributes, instant, list, number, string } from "../db/attributes.ts";
import type { Records } from "../db/records.ts";
import { alertWorkflows } from "../db/schema/alerts.ts";

// ── Rows ──

export const workflowRecords: Records = {
  kind: "alert_workflow",
  from: alertWorkflows,
  accountId: alertWorkflows.accountId,
  id: alertWorkflows.id,
  prefixId: alertWorkflows.prefixId,
  attributes: {
    ...commonAttributes(alertWorkflows),
    alert_id: string(alertWorkflows.alertId),
    destination_type: string(alertWorkflows.destinationType),
    destination_id: string(alertWorkflows.destinationId),
    state: string(alertWorkflows.state),
    layer: number(alertWorkflows.layer),
    pass: number(alertWorkflows.pass),
    account_user_ids: list(alertWorkflows.accountUserIds),
    next_step_at: instant(alertWorkflows.nextStepAt),
  },
  search: [],
  total: "alert_workflows",
};
