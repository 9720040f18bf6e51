// What people who were asked are told of an alert because a rule of theirs wants to know: that it was rejected,
// resolved, handed off, that their layer's time was over. Whether the rule's conditions hold is found out when they
// are told. Pure.
import type { PageEvent, Workflow } from "./alert.ts";
import { type Draft, page } from "./alert-draft.ts";
import type { OnCallPerson } from "./escalation.ts";

/** Told only to those whose rule names them. */
export const ON_REQUEST = [
  "alert.rejected",
  "alert.resolved",
  "alert.timeout",
  "alert.handoff",
] as const satisfies readonly PageEvent[];
export type RequestedEvent = (typeof ON_REQUEST)[number];

/** By account user id, what else those who were asked want to be told of. */
export type Wants = Readonly<Record<string, readonly string[]>>;

/** What is known with those who are asked now. */
export function wantsOf(known: Wants | undefined, people: readonly OnCallPerson[]): Wants {
  const now = people.map(({ accountUserId, wants = [] }) => [accountUserId, wants] as const);
  const all = { ...known, ...Object.fromEntries(now) };
  return Object.fromEntries(Object.entries(all).filter(([, wants]) => wants.length > 0));
}

/**
 * Tells those of some workflows who want to know, once each.
 *
 * @param idsOf whom of a workflow's people it concerns
 * @param by who did it: they know
 */
export function tellWhoWants(
  draft: Draft,
  event: RequestedEvent,
  workflows: readonly Workflow[],
  idsOf: (workflow: Workflow) => readonly string[],
  by: string | null,
  detail: string | null,
): void {
  if (draft.alert.urgency === "silent") return;
  const wanting = workflows.flatMap((workflow) =>
    idsOf(workflow).filter((id) => workflow.wants?.[id]?.includes(event)),
  );
  for (const id of new Set(wanting)) if (id !== by) page(draft, event, id, null, detail);
}
