// An alert, its workflows, and the words for their states (specification, States and transitions;
// `contract.md` 3). Data only: what may follow what is decided in `transition.ts`.

export const ALERT_STATUSES = [
  "queued",
  "open",
  "acknowledged",
  "resolved",
  "dropped",
  "suppressed",
] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

export const ALERT_URGENCIES = ["silent", "low", "medium", "high", "critical"] as const;
export type AlertUrgency = (typeof ALERT_URGENCIES)[number];

export const INCIDENT_SEVERITIES = [
  "SEV-1",
  "SEV-2",
  "SEV-3",
  "SEV-4",
  "SEV-5",
  "SEV-UNKNOWN",
] as const;

export const WORKFLOW_STATES = [
  "open",
  "acknowledged",
  "rejected",
  "timed_out",
  "cancelled",
] as const;
export type WorkflowState = (typeof WORKFLOW_STATES)[number];
