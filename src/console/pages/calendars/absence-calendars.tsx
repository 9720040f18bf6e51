// An absence calendar: the form that changes it, and its actions.
import type { AbsenceCalendar } from "../../../contract/calendars/absence-calendar.ts";
import { UpdateAbsenceCalendar } from "../../../contract/calendars/absence-calendar-parameters.ts";
import type { HolidayRegion } from "../../../contract/oncall/holidays/holiday.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { regionChoices } from "../../forms/choices.ts";
import {
  type DeclaredForm,
  declareForm,
  type Field,
  type FormState,
} from "../../forms/declared-form.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { formPage } from "../../forms/form-page.tsx";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../page.ts";
import { Button } from "../../parts/shared/form.tsx";
import { allOf } from "../../shared/api.ts";
import { changedParameters, NOTHING_CHANGED } from "../../shared/changed.ts";
import { readNames } from "../../shared/names.ts";
import { done, notDone, redisplayForm } from "../../shared/replies.ts";
import { askBeforeChanges } from "../oncall/changes/confirm-changes.tsx";

export type SourceState = FormState & { readonly regions: readonly HolidayRegion[] };

/** The name and the source of an absence calendar. */
export const SOURCE_FIELDS = [
  { name: "name", label: "Name" },
  {
    name: "url",
    label: "iCal URL",
    help: "An https or webcal address. It is read every day. Treat it like a password.",
    autocomplete: "off",
  },
  {
    name: "region",
    label: "or public holidays of",
    help: "Instead of a URL. A holiday is a whole day in the person's time zone.",
    choices: ({ regions }) => [{ value: "", label: "No region" }, ...regionChoices(regions)],
    source: "regions",
  },
  {
    name: "company_holidays",
    label: "Company holidays",
    help: "Instead of a URL, with or without public holidays.",
  },
] as const satisfies readonly Field<string, SourceState>[];

const FORM: DeclaredForm<SourceState> = declareForm(UpdateAbsenceCalendar, SOURCE_FIELDS);

const LIST = "/absences#calendars";

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api } = visit;
  const read = await allOf(
    api.get("/absence_calendars/:id", { id: idOf(visit) }),
    api.get("/holidays/regions"),
    readNames(api),
  );
  if (isRefusal(read)) return read;
  const [calendar, { data: regions }, { people }] = read;
  const person = people.find(({ id }) => id === calendar.account_user_id)?.user.name;
  return formPage({
    section: "on-call",
    title: calendar.name,
    lead: person ? `Absences of ${person}` : "An absence calendar",
    back: { to: LIST, label: "Absences" },
    refusal,
    form: (
      <FieldsForm
        to={`/absences/calendars/${calendar.prefix_id}`}
        session={visit.session}
        form={FORM}
        state={{ values: refusal ? visit.form : calendar, refusal, regions }}
      >
        <Button>Save changes</Button>
      </FieldsForm>
    ),
  });
}

async function update(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const id = idOf(visit);
  const calendar = await api.get("/absence_calendars/:id", { id });
  if (isRefusal(calendar)) return calendar;
  const body = FORM.bodyOf(form);
  const changes = changedParameters(body, calendar);
  if (Object.keys(changes).length === 0) return done(LIST, NOTHING_CHANGED);
  // Of the source all fields or none: a URL replaces holidays and vice versa.
  const { url, region, company_holidays } = body;
  const isMoved = ["url", "region", "company_holidays"].some((name) => name in changes);
  const source = isMoved ? { url, region, company_holidays } : {};
  const changed = { id, ...changes, ...source };
  const preview = await api.preview("PUT", "/absence_calendars/:id", changed);
  if (isRefusal(preview)) return redisplayForm(preview, (refusal) => show(visit, refusal));
  const question = await askBeforeChanges(visit, preview, {
    title: "Confirm changes",
    back: { to: `/absences/calendars/${calendar.prefix_id}`, label: calendar.name },
    button: "Save changes",
  });
  if (question) return question;
  const updated = await api.put("/absence_calendars/:id", changed);
  if (isRefusal(updated)) return redisplayForm(updated, (refusal) => show(visit, refusal));
  return readingResult("Changes saved.", updated);
}

/** What a reading ended with. */
export function readingResult(text: string, calendar: AbsenceCalendar): Reply {
  const { last_error: error, failing_since: failingSince } = calendar;
  if (error === null) return done(LIST, text);
  const failed =
    failingSince === null ? `${text} But ${error}.` : `The calendar could not be read: ${error}.`;
  return { kind: "goto", to: LIST, flash: { tone: "bad", text: failed } };
}

async function refresh(visit: Visit): Promise<Reply> {
  const read = await visit.api.post("/absence_calendars/:id/refresh", { id: idOf(visit) });
  return isRefusal(read) ? notDone(LIST, read) : readingResult("Calendar read.", read);
}

async function remove(visit: Visit): Promise<Reply> {
  const id = idOf(visit);
  const preview = await visit.api.preview("DELETE", "/absence_calendars/:id", { id });
  if (isRefusal(preview)) return notDone(LIST, preview);
  const question = await askBeforeChanges(visit, preview, {
    title: "Remove absence calendar",
    lead: "Its absences are removed.",
    back: { to: LIST, label: "Absences" },
    button: "Remove calendar",
    tone: "danger",
  });
  if (question) return question;
  const removed = await visit.api.delete("/absence_calendars/:id", { id });
  return isRefusal(removed) ? notDone(LIST, removed) : done(LIST, "Calendar removed.");
}

export const absenceCalendarPages: readonly ConsolePage[] = [
  page("/absences/calendars/:id", (visit) => show(visit)),
  action("/absences/calendars/:id", update),
  action("/absences/calendars/:id/refresh", refresh),
  action("/absences/calendars/:id/remove", remove),
];
