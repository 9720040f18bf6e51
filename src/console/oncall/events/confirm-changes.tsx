// The page that shows who would be on call instead of whom after a change, in all schedules, and asks
// for a confirmation.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import type { ButtonTone } from "../../../kernel/console/form.tsx";
import type { Reply } from "../../../kernel/console/reply.ts";
import type { Visit } from "../../page.ts";
import { allOf, readNames } from "../../reads.ts";
import { confirmationPage, isConfirmed } from "./confirmation.tsx";
import { PreviewedChanges, previewedChangesText } from "./previewed-changes.tsx";

export type Confirmation = {
  readonly title: string;
  readonly back: { readonly to: string; readonly label: string };
  readonly button: string;
  readonly tone?: ButtonTone;
  /** What the change does besides. */
  readonly lead?: string;
};

/** Whether the form confirms exactly the changes of this preview. */
export const confirmsChanges = (visit: Visit, preview: OnCallPreview): boolean =>
  isConfirmed(visit, previewedChangesText(preview, visit.now));

export async function confirmChanges(
  visit: Visit,
  preview: OnCallPreview,
  { lead, ...texts }: Confirmation,
): Promise<Reply> {
  const { api, session, now } = visit;
  const read = await allOf(readNames(api), api.every("/schedules"));
  if (isRefusal(read)) return read;
  const [names, schedules] = read;
  const times = `All times in ${session.timeZone}`;
  return confirmationPage(visit, {
    ...texts,
    lead: lead === undefined ? times : `${lead} ${times}.`,
    confirmed: previewedChangesText(preview, now),
    children: <PreviewedChanges {...{ preview, schedules, names }} />,
  });
}

/**
 * The page that asks for a confirmation if a change takes anybody on or off call that the form does
 * not confirm; null: nothing is to be asked.
 */
export async function askBeforeChanges(
  visit: Visit,
  preview: OnCallPreview,
  confirmation: Confirmation,
): Promise<Reply | null> {
  const { calendar: _, ...changes } = preview;
  if (preview.unchanged || confirmsChanges(visit, changes)) return null;
  return confirmChanges(visit, changes, confirmation);
}
