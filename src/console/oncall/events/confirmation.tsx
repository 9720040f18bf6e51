// The page that shows what a change does to who is on call, and asks for a confirmation.

import { createHash } from "node:crypto";
import type { Child } from "hono/jsx";
import { counted } from "../../../domain/shared/counted.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { CalendarReading } from "../../../features/oncall/calendar-imports/reading-contract.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { ChangedOnCall, OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import { Badge } from "../../../kernel/console/badge.tsx";
import { Button, type ButtonTone, Form, HiddenFields } from "../../../kernel/console/form.tsx";
import { formPage } from "../../../kernel/console/form-page.tsx";
import { DayAndClock } from "../../../kernel/console/moment.tsx";
import { LinkButton, Notice } from "../../../kernel/console/panel.tsx";
import type { Reply } from "../../../kernel/console/reply.ts";
import { Table } from "../../../kernel/console/table.tsx";
import { textOf } from "../../../kernel/console/values.ts";
import type { Visit } from "../../page.ts";
import { Everybody } from "../../people/person-panels.tsx";
import { allOf, readNames, type WithNames } from "../../reads.ts";
import { AbsenceWarnings } from "../absences/absence-list.tsx";
import { Unmatched } from "../calendars/calendar-tables.tsx";
import { readPlan } from "../rotation/plan.ts";
import { TitledPlan } from "../rotation/plan-panel.tsx";

export type Confirmation = {
  readonly title: string;
  readonly back: { readonly to: string; readonly label: string };
  readonly button: string;
  readonly tone?: ButtonTone;
  /** What the change does besides. */
  readonly lead?: string;
  /** Below the confirmation: other ways to go on. */
  readonly further?: Child;
};

const isConfirmed = ({ form }: Visit, confirmed: string): boolean =>
  textOf(form, "confirmed") === confirmed;

type ConfirmationPage = Confirmation & {
  /** What is confirmed: it is valid only for this. */
  readonly confirmed: string;
  readonly children: Child;
};

export const confirmationPage = (
  visit: Visit,
  { confirmed, button, tone, further, children, ...page }: ConfirmationPage,
): Reply =>
  formPage({
    ...page,
    form: (
      <>
        {textOf(visit.form, "confirmed") === "" ? null : (
          <p role="status">The schedule has changed meanwhile: this is what happens now.</p>
        )}
        {children}
        <Form to={visit.url.pathname} kind="fields">
          <HiddenFields form={visit.form} />
          <input type="hidden" name="confirmed" value={confirmed} />
          <div class="buttons">
            <Button tone={tone}>{button}</Button>
            <LinkButton to={page.back.to}>Cancel</LinkButton>
          </div>
        </Form>
        {further}
      </>
    ),
  });

type PreviewedEvent = WithNames<{ event: Event; preview: OnCallPreview }>;

/**
 * The page that shows who would be on call on an event's schedule after a change, and asks for a
 * confirmation; null: the form confirms exactly that.
 *
 * @param effects what the change does besides; `above` shows it
 */
export async function askBeforeEventChange(
  visit: Visit,
  { event, preview, names }: PreviewedEvent,
  texts: Confirmation,
  effects: unknown = null,
  above: Child = null,
): Promise<Reply | null> {
  const confirmed = previewedText(preview, visit.now, effects);
  if (isConfirmed(visit, confirmed)) return null;
  const [id] = event.schedule_ids;
  const plan = id === undefined ? null : await readPlan(visit, id, [event.layer], [preview]);
  const children = (
    <>
      {above}
      {plan === null || isRefusal(plan) ? null : (
        <TitledPlan plan={plan} names={names} zone={event.time_zone} />
      )}
    </>
  );
  return confirmationPage(visit, { ...texts, confirmed, children });
}

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

/** A preview is at most this much later than the request (ms). */
const PREVIEW_MS = 60_000;

/**
 * Identifies what a previewed change does. Changes of a running shift begin, and lasting ones end, at
 * a time that depends on when the preview was made, which is another one at the confirmation.
 *
 * @param now when the request came (epoch ms)
 * @param further what the page shows beside who is on call
 */
function previewedText(
  { schedules, window }: OnCallPreview,
  now: number,
  further: unknown = null,
): string {
  const shown = schedules.map(({ schedule_id, changes }) => [
    schedule_id,
    changes.map((it) => [
      Date.parse(it.start_time) <= now + PREVIEW_MS ? "now" : it.start_time,
      Date.parse(it.end_time) >= Date.parse(window.end) ? "on" : it.end_time,
      it.layer,
      it.account_user_ids_before,
      it.account_user_ids_after,
    ]),
  ]);
  return createHash("sha256")
    .update(JSON.stringify([further, shown]))
    .digest("hex");
}

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

/** What a change does in all schedules: who is on call instead of whom. */
const PreviewedChanges = ({ preview, schedules, names }: PreviewedChangesProps) => {
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

const People = ({ names, ids }: WithNames<{ ids: readonly string[] }>) =>
  ids.length === 0 ? <Badge tone="bad">nobody</Badge> : <Everybody names={names} ids={ids} />;

type OnCallChangesProps = WithNames<{ label: string; changes: readonly ChangedOnCall[] }>;

/** Who would be on call instead of whom, window by window. */
export const OnCallChanges = ({ label, changes, names }: OnCallChangesProps) => (
  <Table<ChangedOnCall>
    label={label}
    rows={changes}
    columns={[
      { title: "From", cell: (it) => <DayAndClock at={it.start_time} /> },
      { title: "Until", cell: (it) => <DayAndClock at={it.end_time} /> },
      { title: "Step", cell: ({ layer }) => layer },
      { title: "Now", cell: (it) => <People names={names} ids={it.account_user_ids_before} /> },
      { title: "Then", cell: (it) => <People names={names} ids={it.account_user_ids_after} /> },
    ]}
  />
);
