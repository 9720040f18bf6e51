// What a change does in all schedules, shown before it is confirmed: who is on call instead of whom.
import { counted } from "../../../domain/shared/counted.ts";
import type { CalendarReading } from "../../../features/oncall/calendar-imports/reading-contract.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import { Notice } from "../../../kernel/console/panel.tsx";
import type { WithNames } from "../../reads.ts";
import { AbsenceWarnings } from "../absences/absence-warnings.tsx";
import { Unmatched } from "../calendars/calendar-tables.tsx";
import { OnCallChanges } from "./on-call-changes.tsx";
import { previewedText } from "./previewed-text.ts";

/** What a calendar has that is to be imported. */
const ReadCalendar = ({ reading }: { readonly reading: CalendarReading }) => {
  const { error, shift_count: count, unmatched } = reading;
  if (error !== null) {
    return <Notice tone="warn">The calendar could not be read: {error}. No shift changes.</Notice>;
  }
  return (
    <>
      <p>The calendar has {counted(count, "shift")} of people of this account.</p>
      <Unmatched titles={unmatched} />
    </>
  );
};

/** The changes as text: a confirmation is valid only for those that were shown. */
export const previewedChangesText = (preview: OnCallPreview, now: number): string =>
  previewedText(preview, now, [
    preview.warnings?.map(({ reason }) => reason),
    preview.calendar && { ...preview.calendar, imported_until: null },
  ]);

type PreviewedChangesProps = WithNames<{ preview: OnCallPreview; schedules: readonly Schedule[] }>;

export const PreviewedChanges = ({ preview, schedules, names }: PreviewedChangesProps) => {
  const nameOf = (id: string) => schedules.find((it) => it.id === id)?.name ?? "Schedule";
  const changed = preview.schedules.filter(({ changes }) => changes.length > 0);
  return (
    <>
      <AbsenceWarnings warnings={preview.warnings} />
      {preview.calendar ? <ReadCalendar reading={preview.calendar} /> : null}
      {changed.length === 0 ? <p>Nobody is on call differently.</p> : null}
      {changed.map(({ schedule_id, changes }) => (
        <>
          <h2>{nameOf(schedule_id)}</h2>
          <OnCallChanges label={`Changes in ${nameOf(schedule_id)}`} {...{ changes, names }} />
        </>
      ))}
    </>
  );
};
