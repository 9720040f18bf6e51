// Calendars from which a person's absences are read: the forms of one, and its actions.
import type { AbsenceCalendar } from "../../../features/oncall/absence-calendars/contract.ts";
import { CreateAbsenceCalendar } from "../../../features/oncall/absence-calendars/parameters.ts";
import { changedParameters } from "../../../kernel/console/changed.ts";
import { type DeclaredForm, declareForm } from "../../../kernel/console/declared-form.ts";
import { SelectField } from "../../../kernel/console/form.tsx";
import type { Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { allByName, type ReadBy } from "../../api.ts";
import type { Api } from "../../api-client.ts";
import { peopleChoices, regionChoices } from "../../choices.ts";
import { readNames } from "../../names.ts";
import type { ConsolePage, Visit } from "../../page.ts";
import { recordPages, type ShownForm, type Write } from "../../record-pages.tsx";
import { isAdmin } from "../../resource-pages.tsx";
import { askBeforeChanges } from "../events/confirm-changes.tsx";
import { previewWrite, questionOf, readingResult, readNow, withSource } from "./reading.ts";

const LIST = { to: "/calendars#absences", label: "Calendars" };
const PATH = "/calendars/absences";

const readAround = async (api: Api) =>
  allByName({ names: readNames(api), regions: api.get("/holidays/regions") });
type AbsenceCalendarFormData = ReadBy<typeof readAround>;

/** The person of a new calendar, the viewer or for an admin anyone; it cannot be changed. */
const PersonField = ({
  record,
  visit,
  around,
  values,
  refusal,
}: ShownForm<AbsenceCalendar, AbsenceCalendarFormData>) => {
  const own = visit.session.actor.accountUserId;
  const people = peopleChoices(around.names);
  return record ? null : (
    <SelectField
      {...{ name: "account_user_id", label: "Person", source: "people", refusal }}
      choices={isAdmin(visit) ? people : people.filter(({ value }) => value === own)}
      value={textOf(values, "account_user_id")}
    />
  );
};

const FORM: DeclaredForm<ShownForm<AbsenceCalendar, AbsenceCalendarFormData>> = declareForm(
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

async function ask(visit: Visit, write: Write): Promise<Reply | null> {
  const preview = await previewWrite(visit, "/absence_calendars", write);
  const lead = write.body === null ? "Its absences are removed." : undefined;
  const texts = { ...questionOf(write, "absence calendar", LIST), lead };
  return preview && askBeforeChanges(visit, preview, texts);
}

const mayChange = (visit: Visit, record: AbsenceCalendar | null): boolean =>
  !record || isAdmin(visit) || record.account_user_id === visit.session.actor.accountUserId;

export const absenceCalendarPages: readonly ConsolePage[] = [
  ...recordPages<AbsenceCalendar, AbsenceCalendarFormData>({
    ...{ path: PATH, listedAt: LIST, section: "on-call" },
    calls: (api) => api.records("/absence_calendars"),
    title: "Absence calendars",
    one: "absence calendar",
    read: readAround,
    form: FORM,
    blank: ({ session }) => ({ account_user_id: session.actor.accountUserId }),
    changesOf: (body, record) =>
      withSource(changedParameters(body, record), body, ["url", "region", "company_holidays"]),
    mayChange,
    mayDelete: mayChange,
    ask,
    deleting: "Delete this calendar and the absences that were read from it?",
    after: readingResult(LIST.to),
  }),
  readNow("/absence_calendars", PATH, LIST.to),
];
