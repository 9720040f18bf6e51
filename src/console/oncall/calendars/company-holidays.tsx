// Company holidays, days that count as holidays beside the public ones: the forms of one.
import type { CompanyHoliday } from "../../../features/oncall/holidays/contract.ts";
import { CreateCompanyHoliday } from "../../../features/oncall/holidays/parameters.ts";
import { type DeclaredForm, declareForm } from "../../../kernel/console/declared-form.ts";
import { done } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import type { ConsolePage, Visit } from "../../page.ts";
import { recordPages, type ShownForm, type Write } from "../../record-pages.tsx";
import { isAdmin } from "../../resource-pages.tsx";
import { askBeforeChanges } from "../events/confirm-changes.tsx";
import { previewWrite, questionOf } from "./reading.ts";

const LIST = { to: "/calendars#holidays", label: "Calendars" };

const FORM: DeclaredForm<ShownForm<CompanyHoliday, null>> = declareForm(CreateCompanyHoliday, [
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
]);

/** Asks before a change makes others take the hours of people who are away on the days. */
async function ask(visit: Visit, write: Write): Promise<Reply | null> {
  const preview = await previewWrite(visit, "/company_holidays", write);
  const lead =
    "People whose absence calendar has the company holidays are away on these days: rotations may give their hours to the next in line.";
  const texts = { ...questionOf(write, "company holiday", LIST), lead };
  return preview && askBeforeChanges(visit, preview, texts);
}

export const companyHolidayPages: readonly ConsolePage[] = recordPages<CompanyHoliday, null>({
  ...{ path: "/calendars/holidays", listedAt: LIST, section: "on-call" },
  calls: (api) => api.records("/company_holidays"),
  title: "Company holidays",
  one: "company holiday",
  read: async () => null,
  form: FORM,
  mayChange: isAdmin,
  mayDelete: isAdmin,
  ask,
  deleting:
    "Delete this company holiday? Its days no longer count as holidays, in reports of the past as well.",
  after: (text) => done(LIST.to, text),
});
