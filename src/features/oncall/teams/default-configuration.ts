// The schedule and the escalation policy of a new team that names none (contract 2, Teams).
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { escalationLayers, escalationPolicies, schedules } from "../../schema/oncall.ts";

/** The timeouts of the default policy's layers. */
const LAYER_MINUTES = [5, 10, 15];

/** Builds the default schedule and policy, and the statements that insert them. */
export function buildDefaults(teamName: string, accountId: string, now: number) {
  const schedule = { ...newIdentity("schedule", now), accountId, name: `${teamName} Schedule` };
  const policy = {
    ...newIdentity("escalation_policy", now),
    accountId,
    name: `${teamName} Escalation Policy`,
  };
  const layers = LAYER_MINUTES.map((timeout, i) => ({
    ...newIdentity("escalation_layer", now),
    accountId,
    escalationPolicyId: policy.id,
    layer: i + 1,
    timeout,
    timeoutUnit: "minutes" as const,
  }));
  return {
    scheduleId: schedule.id,
    policyId: policy.id,
    insertSchedule: [build.insert(schedules).values(schedule)],
    insertPolicy: [
      build.insert(escalationPolicies).values(policy),
      build.insert(escalationLayers).values(layers),
    ],
  };
}
