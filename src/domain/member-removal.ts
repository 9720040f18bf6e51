// What the removal of a person from the account makes of a running alert (`contract.md` 2): their part in open workflows
// ends as a rejection does, and they can no longer answer. Pure.
import type { Alert, Workflow } from "./alert.ts";
import { changed, draftOf, note } from "./alert-draft.ts";
import type { Context, Outcome } from "./commands.ts";
import { refuse, refused } from "./refusal.ts";
import { advance, put, settle } from "./workflow.ts";

export type RemovedMember = { readonly accountUserId: string; readonly name: string };

/** Those who are being asked and have not said no: whose removal matters. */
export function askedMembers({ workflows, deletedAt }: Alert): string[] {
  if (deletedAt !== null) return [];
  const open = workflows.filter((it) => it.state === "open");
  return [
    ...new Set(
      open.flatMap((it) => it.accountUserIds.filter((id) => !it.rejectedIds.includes(id))),
    ),
  ];
}

/** May be run again: who has been taken out is not taken out twice. */
export function removeMembers(
  alert: Alert,
  members: readonly RemovedMember[],
  context: Context,
): Outcome {
  const asked = askedMembers(alert);
  const gone = members.filter(({ accountUserId }) => asked.includes(accountUserId));
  if (gone.length === 0) return { kind: "unchanged", result: "nothing_due" };
  const ids = gone.map(({ accountUserId }) => accountUserId);
  const removedIds = [...new Set([...(alert.removedIds ?? []), ...ids])];
  const draft = draftOf({ ...alert, removedIds }, context);
  for (const workflow of alert.workflows.filter((it) => it.state === "open")) {
    const own = gone.filter(({ accountUserId }) => isAsked(workflow, accountUserId));
    if (own.length === 0) continue;
    const names = own.map(({ name }) => name).join(", ");
    note(
      draft,
      `${workflow.destinationName}: ${names} left the account, no longer notified`,
      "warn",
    );
    const after = put(draft, without(workflow, ids));
    if (after.accountUserIds.every((id) => after.rejectedIds.includes(id))) advance(draft, after);
  }
  settle(draft);
  return changed(draft);
}

const isAsked = ({ accountUserIds, rejectedIds }: Workflow, id: string) =>
  accountUserIds.includes(id) && !rejectedIds.includes(id);

function without(workflow: Workflow, ids: readonly string[]): Workflow {
  const { askedIds, memberIds, dropRecipientIds, rejectedIds } = workflow;
  const isLeft = (id: string) => !ids.includes(id);
  return {
    ...workflow,
    memberIds: memberIds.filter(isLeft),
    dropRecipientIds: dropRecipientIds.filter(isLeft),
    rejectedIds: [...new Set([...rejectedIds, ...askedIds.filter((id) => ids.includes(id))])],
  };
}

/** The refusal of an answer by somebody who was removed while the alert asked them; null: they may. */
export function refuseRemoved(alert: Alert, accountUserId: string | null) {
  const isRemoved = accountUserId !== null && alert.removedIds?.includes(accountUserId);
  return isRemoved ? refused(refuse("forbidden", "you are no longer in the account")) : null;
}
