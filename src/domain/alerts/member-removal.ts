// Applies a person's removal from the account to a running alert (contract 2, Account users): their part in
// open workflows ends as a rejection does, and they can no longer answer. Pure.

import { refuse, refused } from "../shared/refusal.ts";
import type { Alert, Workflow } from "./alert.ts";
import { addLogEntry, finishDraft, startDraft } from "./alert-draft.ts";
import type { CommandContext, Outcome, RemovedMember } from "./commands.ts";
import { advanceWorkflow, putWorkflow, updateStatus } from "./workflow.ts";

/** People who are currently asked and have not rejected: their removal affects the alert. */
export function unansweredMemberIds({ workflows, deletedAt }: Alert): string[] {
  if (deletedAt !== null) return [];
  const open = workflows.filter((it) => it.state === "open");
  return [
    ...new Set(
      open.flatMap((it) => it.accountUserIds.filter((id) => !it.rejectedIds.includes(id))),
    ),
  ];
}

/** Removes people from open workflows. Idempotent. */
export function removeMembers(
  alert: Alert,
  members: readonly RemovedMember[],
  context: CommandContext,
): Outcome {
  const asked = unansweredMemberIds(alert);
  const removed = members.filter(({ accountUserId }) => asked.includes(accountUserId));
  if (removed.length === 0) return { kind: "unchanged", result: "nothing_due" };
  const ids = removed.map(({ accountUserId }) => accountUserId);
  const removedIds = [...new Set([...(alert.removedIds ?? []), ...ids])];
  const draft = startDraft({ ...alert, removedIds }, context);
  for (const workflow of alert.workflows.filter((it) => it.state === "open")) {
    const removedHere = removed.filter(({ accountUserId }) => isAsked(workflow, accountUserId));
    if (removedHere.length === 0) continue;
    const names = removedHere.map(({ name }) => name).join(", ");
    addLogEntry(
      draft,
      `${workflow.destinationName}: ${names} left the account, no longer notified`,
      "warn",
    );
    const after = putWorkflow(draft, withoutPeople(workflow, ids));
    if (after.accountUserIds.every((id) => after.rejectedIds.includes(id)))
      advanceWorkflow(draft, after);
  }
  updateStatus(draft);
  return finishDraft(draft);
}

const isAsked = ({ accountUserIds, rejectedIds }: Workflow, id: string) =>
  accountUserIds.includes(id) && !rejectedIds.includes(id);

function withoutPeople(workflow: Workflow, ids: readonly string[]): Workflow {
  const { askedIds, memberIds, dropRecipientIds, rejectedIds } = workflow;
  const remains = (id: string) => !ids.includes(id);
  return {
    ...workflow,
    memberIds: memberIds.filter(remains),
    dropRecipientIds: dropRecipientIds.filter(remains),
    rejectedIds: [...new Set([...rejectedIds, ...askedIds.filter((id) => ids.includes(id))])],
  };
}

/** Refuses an answer by a person removed while the alert asked them; null if they may answer. */
export function refuseRemoved(alert: Alert, accountUserId: string | null) {
  const isRemoved = accountUserId !== null && alert.removedIds?.includes(accountUserId);
  return isRemoved ? refused(refuse("forbidden", "you are no longer in the account")) : null;
}
