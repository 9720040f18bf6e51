// Applies the queue consumer's reports that people could not be reached: adds them to the timeline
// and, when no channel is left for a person who is asked, notifies the team's drop recipients
// (contract 6, Channels). Pure.

import type { PageReport } from "../notifications/page.ts";
import { counted } from "../shared/counted.ts";
import type { Alert } from "./alert.ts";
import { addLogEntry, addPage, type Draft, finishDraft, startDraft } from "./alert-draft.ts";
import type { CommandContext, Outcome } from "./commands.ts";

/** Adds every reported line once. */
export function recordUnreached(
  alert: Alert,
  reports: readonly PageReport[],
  context: CommandContext,
): Outcome {
  const draft = startDraft(alert, context);
  const known = new Set(alert.unreachedEffects);
  for (const report of reports) {
    for (const { key, level, message } of report.lines) {
      if (known.has(key)) continue;
      known.add(key);
      addLogEntry(draft, message, level);
    }
    const isRemoved = alert.removedIds?.includes(report.page.accountUserId) ?? false;
    if (report.unreached && !isRemoved) notifyDropRecipients(draft, report, known);
  }
  if (known.size === alert.unreachedEffects.length)
    return { kind: "unchanged", result: "nothing_due" };
  draft.alert = { ...draft.alert, unreachedEffects: [...known] };
  return finishDraft(draft);
}

/** Notifies the drop recipients, once per unreachable person. */
function notifyDropRecipients(
  draft: Draft,
  { page: asked, lines }: PageReport,
  known: Set<string>,
): void {
  const key = `unreached:${asked.accountUserId}`;
  const workflow = draft.alert.workflows.find(({ id }) => id === asked.workflowId);
  if (asked.event !== "alert.open" || workflow === undefined || known.has(key)) return;
  known.add(key);
  const recipients = workflow.dropRecipientIds.filter((id) => id !== asked.accountUserId);
  if (recipients.length === 0) {
    addLogEntry(
      draft,
      `${workflow.destinationName} has nobody to tell that a person was not reached`,
      "warn",
    );
    return;
  }
  addLogEntry(
    draft,
    `Telling ${counted(recipients.length, "person", "people")} that a person was not reached`,
  );
  const detail = lines.at(-1)?.message ?? null;
  for (const id of recipients) addPage(draft, "alert.unreached", id, null, detail);
}
