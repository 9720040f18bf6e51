// The form that imports a calendar into a schedule, and the actions of imports.
import { CreateCalendarImport } from "../../../contract/calendars/calendar-import-parameters.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { declareForm } from "../../forms/declared-form.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { formPage } from "../../forms/form-page.tsx";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../page.ts";
import { Button } from "../../parts/shared/form.tsx";
import { done, notDone, redisplayForm } from "../../shared/replies.ts";

const FORM = declareForm(CreateCalendarImport, [
  { name: "name", label: "Name", help: "For example the name of the rota in the other tool." },
  {
    name: "url",
    label: "iCal URL",
    help: "An https or webcal address. It is read every hour. Treat it like a password.",
    autocomplete: "off",
  },
  {
    name: "ical",
    label: "or iCal text",
    rows: 5,
    help: (
      <>
        The content of an .ics file, instead of a URL.{" "}
        <label data-file-for="field-ical" hidden>
          Choose a file: <input type="file" accept=".ics,text/calendar" />
        </label>
      </>
    ),
  },
  {
    name: "layer",
    label: "Layer",
    otherwise: "1",
    help: "The shifts of a Tocsin feed keep their layers.",
  },
]);

const pathOf = ({ params }: Visit) => `/schedules/${encodeURIComponent(params.id ?? "")}`;

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const schedule = await visit.api.get("/schedules/:id", { id: idOf(visit) });
  if (isRefusal(schedule)) return schedule;
  return formPage({
    section: "schedules",
    title: "Import calendar",
    lead: "People are found by their e-mail addresses: of the attendees, or in the title.",
    back: { to: pathOf(visit), label: schedule.name },
    refusal,
    form: (
      <FieldsForm
        to={`${pathOf(visit)}/imports`}
        session={visit.session}
        form={FORM}
        state={{ values: visit.form, refusal }}
      >
        <Button>Import calendar</Button>
      </FieldsForm>
    ),
  });
}

async function create(visit: Visit): Promise<Reply> {
  const body = { ...FORM.bodyOf(visit.form), schedule_id: idOf(visit) };
  const created = await visit.api.post("/calendar_imports", body);
  if (isRefusal(created)) return redisplayForm(created, (refusal) => show(visit, refusal));
  const to = `${pathOf(visit)}#imports`;
  const { last_error: error, shift_count: count } = created;
  if (error === null) {
    return done(to, `Calendar imported: ${count} ${count === 1 ? "shift" : "shifts"}.`);
  }
  const text = `Import created, but the calendar could not be read: ${error}.`;
  return { kind: "goto", to, flash: { tone: "bad", text } };
}

const importOf = ({ params }: Visit) => params.import ?? "";

async function refresh(visit: Visit): Promise<Reply> {
  const to = `${pathOf(visit)}#imports`;
  const read = await visit.api.post("/calendar_imports/:id/refresh", { id: importOf(visit) });
  if (isRefusal(read)) return notDone(to, read);
  const { last_error: error } = read;
  if (error === null) return done(to, "Calendar read.");
  const text = `The calendar could not be read: ${error}.`;
  return { kind: "goto", to, flash: { tone: "bad", text } };
}

async function remove(visit: Visit): Promise<Reply> {
  const to = `${pathOf(visit)}#imports`;
  const removed = await visit.api.delete("/calendar_imports/:id", { id: importOf(visit) });
  return isRefusal(removed) ? notDone(to, removed) : done(to, "Import removed.");
}

export const calendarImportPages: readonly ConsolePage[] = [
  page("/schedules/:id/imports/new", (visit) => show(visit)),
  action("/schedules/:id/imports", create),
  action("/schedules/:id/imports/:import/refresh", refresh),
  action("/schedules/:id/imports/:import/remove", remove),
];
