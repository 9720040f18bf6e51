// The forms that import a calendar into a schedule and that change an import, and the actions of
// imports.
import type { CalendarImport } from "../../../contract/calendars/calendar-import.ts";
import {
  CreateCalendarImport,
  UpdateCalendarImport,
} from "../../../contract/calendars/calendar-import-parameters.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { declareForm, type Field, type FormState } from "../../forms/declared-form.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { formPage } from "../../forms/form-page.tsx";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../page.ts";
import { Button } from "../../parts/shared/form.tsx";
import { allOf } from "../../shared/api.ts";
import { changedParameters, NOTHING_CHANGED } from "../../shared/changed.ts";
import { done, notDone, redisplayForm } from "../../shared/replies.ts";
import { confirmChanges, confirmsChanges } from "../oncall/changes/confirm-changes.tsx";

const FIELDS = [
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
] as const satisfies readonly Field<string, FormState>[];

const FORM = declareForm(CreateCalendarImport, FIELDS);
const EDIT_FORM = declareForm(UpdateCalendarImport, FIELDS);

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
  const preview = await visit.api.preview("POST", "/calendar_imports", body);
  if (isRefusal(preview)) return redisplayForm(preview, (refusal) => show(visit, refusal));
  if (!confirmsChanges(visit, preview)) {
    return confirmChanges(visit, preview, {
      title: "Confirm import",
      section: "schedules",
      back: { to: `${pathOf(visit)}/imports/new`, label: "Import calendar" },
      button: "Import calendar",
    });
  }
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

/** What the form shows of an import. Its text is not shown, only replaced. */
const shownOf = (record: CalendarImport) => ({ ...record, ical: null });

async function showImport(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session, form } = visit;
  const read = await allOf(
    api.get("/calendar_imports/:id", { id: importOf(visit) }),
    api.get("/schedules/:id", { id: idOf(visit) }),
  );
  if (isRefusal(read)) return read;
  const [record, schedule] = read;
  return formPage({
    section: "schedules",
    title: record.name,
    lead:
      record.ical === null ? "Calendar import" : "Calendar import of a text, which is not shown",
    back: { to: `${pathOf(visit)}#imports`, label: schedule.name },
    refusal,
    form: (
      <FieldsForm
        to={`${pathOf(visit)}/imports/${record.prefix_id}`}
        session={session}
        form={EDIT_FORM}
        state={{ values: refusal ? form : shownOf(record), refusal }}
      >
        <Button>Save changes</Button>
      </FieldsForm>
    ),
  });
}

async function update(visit: Visit): Promise<Reply> {
  const to = `${pathOf(visit)}#imports`;
  const id = importOf(visit);
  const record = await visit.api.get("/calendar_imports/:id", { id });
  if (isRefusal(record)) return record;
  const body = EDIT_FORM.bodyOf(visit.form);
  const changes = changedParameters(body, shownOf(record));
  if (Object.keys(changes).length === 0) return done(to, NOTHING_CHANGED);
  // Of the source both fields or none: one replaces the other.
  const source = "url" in changes || "ical" in changes ? { url: body.url, ical: body.ical } : {};
  const changed = { id, ...changes, ...source };
  const preview = await visit.api.preview("PUT", "/calendar_imports/:id", changed);
  if (isRefusal(preview)) return redisplayForm(preview, (refusal) => showImport(visit, refusal));
  if (preview.calendar && !confirmsChanges(visit, preview)) {
    return confirmChanges(visit, preview, {
      title: "Confirm changes",
      section: "schedules",
      back: { to, label: record.name },
      button: "Save changes",
    });
  }
  const updated = await visit.api.put("/calendar_imports/:id", changed);
  if (isRefusal(updated)) return redisplayForm(updated, (refusal) => showImport(visit, refusal));
  return readingResult(to, "Changes saved.", updated);
}

async function refresh(visit: Visit): Promise<Reply> {
  const to = `${pathOf(visit)}#imports`;
  const read = await visit.api.post("/calendar_imports/:id/refresh", { id: importOf(visit) });
  return isRefusal(read) ? notDone(to, read) : readingResult(to, "Calendar read.", read);
}

/** What a reading ended with. */
function readingResult(to: string, text: string, { last_error: error }: CalendarImport): Reply {
  if (error === null) return done(to, text);
  const failed = `The calendar could not be read: ${error}.`;
  return { kind: "goto", to, flash: { tone: "bad", text: failed } };
}

async function remove(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const id = importOf(visit);
  const to = `${pathOf(visit)}#imports`;
  const read = await allOf(
    api.get("/calendar_imports/:id", { id }),
    api.preview("DELETE", "/calendar_imports/:id", { id }),
  );
  if (isRefusal(read)) return notDone(to, read);
  const [{ name }, preview] = read;
  if (!confirmsChanges(visit, preview)) {
    return confirmChanges(visit, preview, {
      title: `Remove ${name}`,
      section: "schedules",
      lead: "Its current shift ends now, and later shifts are removed.",
      back: { to, label: "Schedule" },
      button: "Remove import",
      tone: "danger",
    });
  }
  const removed = await api.delete("/calendar_imports/:id", { id });
  return isRefusal(removed) ? notDone(to, removed) : done(to, "Import removed.");
}

export const calendarImportPages: readonly ConsolePage[] = [
  page("/schedules/:id/imports/new", (visit) => show(visit)),
  action("/schedules/:id/imports", create),
  page("/schedules/:id/imports/:import", (visit) => showImport(visit)),
  action("/schedules/:id/imports/:import", update),
  action("/schedules/:id/imports/:import/refresh", refresh),
  action("/schedules/:id/imports/:import/remove", remove),
];
