// What comes next for an alert that nobody has answered: who is asked when, as policy and schedule stand now. Both are
// read again when the step is taken, so this is what would happen, not a promise.
import { isRefusal, type Refusal } from "../domain/refusal.ts";
import { formatInstant } from "../domain/time.ts";
import type { Api } from "./api.ts";
import type { Names } from "./names.ts";
import type { Policy, Turn, Workflow } from "./records.ts";

export type Next = {
  readonly destination: string;
  /** Who is asked now. */
  readonly asked: readonly string[];
  readonly layer: number;
  /** ISO; when those asked have had their time. */
  readonly at: string;
  /** Who is asked then; null where nobody is left on a further layer. */
  readonly after: { readonly layer: number; readonly names: readonly string[] } | null;
  /** Another pass from the first layer follows the last one. */
  readonly repeats: boolean;
  readonly reassigned: readonly string[];
};

/** Who is on call at an instant, by layer. */
async function turnsAt(api: Api, scheduleId: string, at: number) {
  return api.get<readonly Turn[]>(`/schedules/${scheduleId}/window_events`, {
    start: formatInstant(at),
    end: formatInstant(at + 1000),
  });
}

function laterLayer(turns: readonly Turn[], policy: Policy, layer: number, names: Names) {
  const layers = policy.escalation_layers.map((it) => it.layer).toSorted((a, b) => a - b);
  for (const candidate of layers.filter((it) => it > layer)) {
    const people = turns
      .filter((turn) => turn.layer === candidate)
      .flatMap(({ attendees }) => attendees.map(({ attendee_id }) => names.of(attendee_id)));
    if (people.length > 0) return { layer: candidate, names: [...new Set(people)] };
  }
  return null;
}

async function nextOf(
  api: Api,
  workflow: Workflow,
  names: Names,
  policies: readonly Policy[],
): Promise<Next | null | Refusal> {
  const at = workflow.next_step_at;
  if (workflow.state !== "open" || at === null) return null;
  const team = names.teams.find(({ id }) => id === workflow.destination_id);
  const policy = policies.find(({ id }) => id === team?.escalation_policy_id);
  const shared = {
    destination: names.of(workflow.destination_id),
    asked: workflow.account_user_ids.map(names.of),
    layer: workflow.layer,
    at,
  };
  if (!policy || !team?.schedule_id) {
    return { ...shared, after: null, repeats: false, reassigned: [] };
  }
  const turns = await turnsAt(api, team.schedule_id, Date.parse(at));
  if (isRefusal(turns)) return turns;
  const reassigned = [...policy.reassign_team_ids, ...policy.reassign_account_user_ids];
  return {
    ...shared,
    after: laterLayer(turns, policy, workflow.layer, names),
    repeats: workflow.pass <= policy.repeat,
    reassigned: reassigned.map(names.of),
  };
}

/** One for each destination that is still waiting for an answer. */
export async function nextSteps(
  api: Api,
  workflows: readonly Workflow[],
  names: Names,
  policies: readonly Policy[],
): Promise<readonly Next[] | Refusal> {
  const all = await Promise.all(workflows.map((it) => nextOf(api, it, names, policies)));
  return all.find(isRefusal) ?? all.filter((it): it is Next => it !== null && !isRefusal(it));
}
