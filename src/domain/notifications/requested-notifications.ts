// Notifications that people who were asked receive only if their rule requests the event: rejected,
// resolved, handed off, layer timed out. The rule's conditions are evaluated when the notification
// is sent. Pure.
import type { PageEvent, Workflow } from "../alerts/alert.ts";
import { addPage, type Draft } from "../alerts/alert-draft.ts";
import type { OnCallPerson } from "../alerts/escalation.ts";

/** Events sent only to people whose rule lists them. */
export const REQUESTED_EVENTS = [
  "alert.rejected",
  "alert.resolved",
  "alert.timeout",
  "alert.handoff",
] as const satisfies readonly PageEvent[];
export type RequestedEvent = (typeof REQUESTED_EVENTS)[number];

/** Requested events by account user id. */
export type RequestedEvents = Readonly<Record<string, readonly string[]>>;

/** Merges the requested events of the people asked now. */
export function mergeRequestedEvents(
  known: RequestedEvents | undefined,
  people: readonly OnCallPerson[],
): RequestedEvents {
  const now = people.map(({ accountUserId, wants = [] }) => [accountUserId, wants] as const);
  const all = { ...known, ...Object.fromEntries(now) };
  return Object.fromEntries(Object.entries(all).filter(([, wants]) => wants.length > 0));
}

/**
 * Notifies the people of some workflows who request the event, once each.
 *
 * @param idsOf the people of a workflow whom it concerns
 * @param by the actor, who is not notified
 */
export function notifyRequesters(
  draft: Draft,
  event: RequestedEvent,
  workflows: readonly Workflow[],
  idsOf: (workflow: Workflow) => readonly string[],
  by: string | null,
  detail: string | null,
): void {
  if (draft.alert.urgency === "silent") return;
  for (const id of requestersOf(event, workflows, idsOf, by))
    addPage(draft, event, id, null, detail);
}

/** The people of some workflows, without the actor, who request the event. */
export function requestersOf(
  event: RequestedEvent,
  workflows: readonly Workflow[],
  idsOf: (workflow: Workflow) => readonly string[],
  by: string | null,
): readonly string[] {
  const ids = workflows.flatMap((workflow) =>
    idsOf(workflow).filter((id) => workflow.wants?.[id]?.includes(event)),
  );
  return [...new Set(ids)].filter((id) => id !== by);
}
