// Calendars whose shifts are imported into schedules: the forms of an import, and its actions.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { CalendarImport } from "../../../features/oncall/calendar-imports/contract.ts";
import { CreateCalendarImport } from "../../../features/oncall/calendar-imports/parameters.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import { changedParameters } from "../../../kernel/console/changed.ts";
import { type DeclaredForm, declareForm } from "../../../kernel/console/declared-form.ts";
import { SelectField } from "../../../kernel/console/form.tsx";
import type { Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { mayChangeAssigned } from "../../access/reach.ts";
import { allByName, type ReadBy } from "../../api.ts";
import type { Api } from "../../api-client.ts";
import { choicesOf } from "../../choices.ts";
import { readNames } from "../../names.ts";
import type { ConsolePage, Visit } from "../../page.ts";
import { recordPages, type ShownForm, type Write } from "../../record-pages.tsx";
import { confirmChanges, confirmsChanges } from "../events/confirm-changes.tsx";
import { previewWrite, questionOf, readingResult, readNow, withSource } from "./reading.ts";

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
const ScheduleField = ({
  record,
  visit,
  around,
  values,
  refusal,
}: ShownForm<CalendarImport, ImportFormData>) =>
  record ? null : (
    <SelectField
      {...{ name: "schedule_id", label: "Schedule", source: "schedules", refusal }}
      choices={choicesOf(importable(visit, around))}
      value={textOf(values, "schedule_id")}
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
      label: "Layer",
      otherwise: "1",
      help: "People are found by their e-mail addresses: of the attendees, or in the title. The shifts of a Tocsin feed keep their layers.",
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
    ...{ path: PATH, listedAt: LIST, section: "on-call" },
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
