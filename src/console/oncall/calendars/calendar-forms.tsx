// The forms of calendars and their actions: of those whose shifts are imported into schedules, of
// those of absences, and of company holidays.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { AbsenceCalendar } from "../../../features/oncall/absence-calendars/contract.ts";
import { CreateAbsenceCalendar } from "../../../features/oncall/absence-calendars/parameters.ts";
import type { CalendarImport } from "../../../features/oncall/calendar-imports/contract.ts";
import { CreateCalendarImport } from "../../../features/oncall/calendar-imports/parameters.ts";
import type { CompanyHoliday } from "../../../features/oncall/holidays/contract.ts";
import { CreateCompanyHoliday } from "../../../features/oncall/holidays/parameters.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import { changedParameters } from "../../../kernel/console/changed.ts";
import { type DeclaredForm, declareForm } from "../../../kernel/console/declared-form.ts";
import { SelectField } from "../../../kernel/console/form.tsx";
import { done, notDone, type Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { mayChangeAssigned } from "../../access/reach.ts";
import type { Api } from "../../api-client.ts";
import { choicesOf, peopleChoices, regionChoices } from "../../choices.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { allByName, type ReadBy, readNames } from "../../reads.ts";
import { recordPages, type ShownForm, type Write } from "../../record-pages.tsx";
import { isAdmin } from "../../resource-pages.tsx";
import {
  askBeforeChanges,
  type Confirmation,
  confirmChanges,
  confirmsChanges,
} from "../events/confirmation.tsx";

// What the pages of the calendars that are read have in common: asking before a write, reading a
// calendar now, and what a reading ended with.

type CalendarPath = "/calendar_imports" | "/absence_calendars" | "/company_holidays";

/** The preview of a write; null if it is refused: the write is then refused as well, beside its fields. */
async function previewWrite(
  { api }: Visit,
  path: CalendarPath,
  { id, body }: Write,
): Promise<OnCallPreview | null> {
  const preview = await (id === null
    ? api.preview("POST", path, body ?? {})
    : body === null
      ? api.preview("DELETE", `${path}/:id`, { id })
      : api.preview("PUT", `${path}/:id`, { id, ...body }));
  return isRefusal(preview) ? null : preview;
}

/** What the page that asks before a write says. */
const questionOf = ({ body }: Write, one: string, back: Confirmation["back"]): Confirmation =>
  body === null
    ? { title: `Delete ${one}`, button: `Delete ${one}`, tone: "danger", back }
    : { title: `Confirm ${one}`, button: `Save ${one}`, back };

/** The response after a write or a reading, at the list; an error of the reading is added. */
const readingResult =
  (to: string) =>
  (text: string, { last_error: error, failing_since: failingSince }: Reading): Reply => {
    if (error === null) return done(to, text);
    const why = failingSince === null ? error : `the calendar could not be read: ${error}`;
    return { kind: "goto", to, flash: { tone: "bad", text: `${text} But ${why}.` } };
  };

type Reading = Pick<AbsenceCalendar, "last_error" | "failing_since">;

/** The action of a row's button: reads the calendar now. */
const readNow = (
  path: "/calendar_imports" | "/absence_calendars",
  pages: string,
  listedAt: string,
): ConsolePage =>
  action(`${pages}/:id/refresh`, async (visit) => {
    const read = await visit.api.post(`${path}/:id/refresh`, { id: idOf(visit) });
    return isRefusal(read)
      ? notDone(listedAt, read)
      : readingResult(listedAt)("Calendar read.", read);
  });

/** Of a source all its fields or none: each replaces the others. */
function withSource(
  changes: Record<string, unknown>,
  body: Readonly<Record<string, unknown>>,
  source: readonly string[],
): Record<string, unknown> {
  if (!source.some((name) => name in changes)) return changes;
  return { ...changes, ...Object.fromEntries(source.map((name) => [name, body[name]])) };
}

const LIST = { to: "/calendars#imports", label: "Calendars" };
const PATH = "/calendars/imports";

const readAround = (api: Api) =>
  allByName({ names: readNames(api), schedules: api.every("/schedules") });
type ImportFormData = ReadBy<typeof readAround>;

/** The schedules into which the viewer may import. */
export const importable = (
  visit: Visit,
  { names, schedules }: ImportFormData,
): readonly Schedule[] =>
  schedules.filter(({ id }) => mayChangeAssigned(visit, names, "schedule_id", id));

/** The schedule of a new import; it cannot be changed. */
const ScheduleField = (of: ShownForm<CalendarImport, ImportFormData>) =>
  of.record ? null : (
    <SelectField
      {...{ of, name: "schedule_id", label: "Schedule", source: "schedules" }}
      choices={choicesOf(importable(of.visit, of.around))}
    />
  );

const IN_A_FILE = "The content of an .ics file, instead of a URL.";

const FORM: DeclaredForm<ShownForm<CalendarImport, ImportFormData>> = declareForm(
  CreateCalendarImport,
  [
    {
      draw: ScheduleField,
      parameters: ["schedule_id"],
      body: (form) => ("schedule_id" in form ? { schedule_id: textOf(form, "schedule_id") } : {}),
    },
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
      help: ({ record }) => (
        <>
          {record && !record.url ? "The text is not shown, only replaced." : IN_A_FILE}{" "}
          <label data-file-for="field-ical" hidden>
            Choose a file: <input type="file" accept=".ics,text/calendar" />
          </label>
        </>
      ),
    },
    {
      name: "layer",
      label: "Step",
      otherwise: "1",
      help: "People are found by their e-mail addresses: of the attendees, or in the title. The shifts of a Tocsin feed keep their steps.",
    },
  ],
);

/** Shows what is in the calendar, and whom its shifts take on or off call. */
async function ask(visit: Visit, write: Write): Promise<Reply | null> {
  const preview = await previewWrite(visit, "/calendar_imports", write);
  const isRemoval = write.body === null;
  if (preview === null || !(preview.calendar || isRemoval)) return null;
  if (confirmsChanges(visit, preview)) return null;
  const lead = isRemoval && "Its current shift ends now, and later shifts are removed.";
  const texts = questionOf(write, "calendar import", LIST);
  return confirmChanges(visit, preview, { ...texts, ...(lead && { lead }) });
}

export const calendarImportPages: readonly ConsolePage[] = [
  ...recordPages<CalendarImport, ImportFormData>({
    ...{ path: PATH, listedAt: LIST },
    calls: (api) => {
      const calls = api.records("/calendar_imports");
      // The text is not shown, only replaced.
      const read = async (id: string) => {
        const record = await calls.read(id);
        return isRefusal(record) ? record : { ...record, ical: null };
      };
      return { ...calls, read };
    },
    title: "Calendar imports",
    one: "calendar import",
    read: readAround,
    form: FORM,
    blank: ({ query }) => ({ schedule_id: query.get("schedule") ?? "" }),
    changesOf: (body, record) => withSource(changedParameters(body, record), body, ["url", "ical"]),
    mayChange: (visit, record, around) =>
      importable(visit, around).some(({ id }) => !record || id === record.schedule_id),
    mayDelete: (visit, record, around) =>
      importable(visit, around).some(({ id }) => id === record.schedule_id),
    ask,
    after: readingResult(LIST.to),
  }),
  readNow("/calendar_imports", PATH, LIST.to),
];

// Calendars from which a person's absences are read: the forms of one, and its actions.

const ABSENCE_LIST = { to: "/calendars#absences", label: "Calendars" };
const ABSENCE_PATH = "/calendars/absences";

const readAbsenceAround = async (api: Api) =>
  allByName({ names: readNames(api), regions: api.get("/holidays/regions") });
type AbsenceCalendarFormData = ReadBy<typeof readAbsenceAround>;

/** The person of a new calendar, the viewer or for an admin anyone; it cannot be changed. */
const PersonField = (of: ShownForm<AbsenceCalendar, AbsenceCalendarFormData>) => {
  const { record, visit, around } = of;
  const own = visit.session.actor.accountUserId;
  const people = peopleChoices(around.names);
  return record ? null : (
    <SelectField
      {...{ name: "account_user_id", label: "Person", source: "people", of }}
      choices={isAdmin(visit) ? people : people.filter(({ value }) => value === own)}
    />
  );
};

const ABSENCE_FORM: DeclaredForm<ShownForm<AbsenceCalendar, AbsenceCalendarFormData>> = declareForm(
  CreateAbsenceCalendar,
  [
    {
      draw: PersonField,
      parameters: ["account_user_id"],
      body: (form) =>
        "account_user_id" in form ? { account_user_id: textOf(form, "account_user_id") } : {},
    },
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
      choices: ({ around }) => [
        { value: "", label: "No region" },
        ...regionChoices(around.regions.data),
      ],
      source: "regions",
    },
    {
      name: "company_holidays",
      label: "Company holidays",
      help: "Instead of a URL, with or without public holidays.",
    },
  ],
);

async function askAbsence(visit: Visit, write: Write): Promise<Reply | null> {
  const preview = await previewWrite(visit, "/absence_calendars", write);
  const lead = write.body === null ? "Its absences are removed." : undefined;
  const texts = { ...questionOf(write, "absence calendar", ABSENCE_LIST), lead };
  return preview && askBeforeChanges(visit, preview, texts);
}

const mayChange = (visit: Visit, record: AbsenceCalendar | null): boolean =>
  !record || isAdmin(visit) || record.account_user_id === visit.session.actor.accountUserId;

export const absenceCalendarPages: readonly ConsolePage[] = [
  ...recordPages<AbsenceCalendar, AbsenceCalendarFormData>({
    ...{ path: ABSENCE_PATH, listedAt: ABSENCE_LIST },
    calls: (api) => api.records("/absence_calendars"),
    title: "Absence calendars",
    one: "absence calendar",
    read: readAbsenceAround,
    form: ABSENCE_FORM,
    blank: ({ session }) => ({ account_user_id: session.actor.accountUserId }),
    changesOf: (body, record) =>
      withSource(changedParameters(body, record), body, ["url", "region", "company_holidays"]),
    mayChange,
    mayDelete: mayChange,
    ask: askAbsence,
    deleting: "Delete this calendar and the absences that were read from it?",
    after: readingResult(ABSENCE_LIST.to),
  }),
  readNow("/absence_calendars", ABSENCE_PATH, ABSENCE_LIST.to),
];

// Company holidays, days that count as holidays beside the public ones: the forms of one.

const HOLIDAY_LIST = { to: "/calendars#holidays", label: "Calendars" };

const HOLIDAY_FORM: DeclaredForm<ShownForm<CompanyHoliday, null>> = declareForm(
  CreateCompanyHoliday,
  [
    { name: "name", label: "Name" },
    {
      fields: [
        { name: "start_date", label: "First day" },
        { name: "end_date", label: "Last day", help: "Empty for a single day." },
      ],
    },
    {
      name: "repeats_yearly",
      label: "Repeats every year",
      help: "On the same dates of every later year.",
    },
  ],
);

/** Asks before a change makes others take the hours of people who are away on the days. */
async function askHoliday(visit: Visit, write: Write): Promise<Reply | null> {
  const preview = await previewWrite(visit, "/company_holidays", write);
  const lead =
    "People whose absence calendar has the company holidays are away on these days: rotations may give their hours to the next in line.";
  const texts = { ...questionOf(write, "company holiday", HOLIDAY_LIST), lead };
  return preview && askBeforeChanges(visit, preview, texts);
}

export const companyHolidayPages: readonly ConsolePage[] = recordPages<CompanyHoliday, null>({
  ...{ path: "/calendars/holidays", listedAt: HOLIDAY_LIST },
  calls: (api) => api.records("/company_holidays"),
  title: "Company holidays",
  one: "company holiday",
  read: async () => null,
  form: HOLIDAY_FORM,
  mayChange: isAdmin,
  mayDelete: isAdmin,
  ask: askHoliday,
  deleting:
    "Delete this company holiday? Its days no longer count as holidays, in reports of the past as well.",
  after: (text) => done(HOLIDAY_LIST.to, text),
});
