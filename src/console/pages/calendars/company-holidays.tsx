// Company holidays: days that count as holidays beside the public ones.
import type { CompanyHoliday } from "../../../contract/calendars/company-holiday.ts";
import { CreateCompanyHoliday } from "../../../contract/calendars/company-holiday-parameters.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { type DeclaredForm, declareForm } from "../../forms/declared-form.ts";
import type { ConsolePage, Reply, Visit } from "../../page.ts";
import { resourcePages, type Shown, type Write } from "../../shared/resource-pages.tsx";
import { askBeforeChanges } from "../oncall/changes/confirm-changes.tsx";

const FORM: DeclaredForm<Shown<CompanyHoliday, null>> = declareForm(CreateCompanyHoliday, [
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

const datesText = ({ start_date: start, end_date: end }: CompanyHoliday) =>
  start === end ? start : `${start} – ${end}`;

/** Asks before a change takes people of rotations that skip who is unavailable on or off call. */
async function askBeforeHoliday(visit: Visit, { id, body }: Write): Promise<Reply | null> {
  const { api } = visit;
  const preview = await (id === null
    ? api.preview("POST", "/company_holidays", body ?? {})
    : body === null
      ? api.preview("DELETE", "/company_holidays/:id", { id })
      : api.preview("PUT", "/company_holidays/:id", { id, ...body }));
  // The write is refused as the preview is, beside its fields.
  if (isRefusal(preview)) return null;
  return askBeforeChanges(visit, preview, {
    title: body === null ? "Delete company holiday" : "Confirm company holiday",
    section: "configuration",
    lead: "On company holidays, rotations that skip who is away give the hours to the next in line.",
    back: { to: "/company_holidays", label: "Company holidays" },
    button: body === null ? "Delete company holiday" : "Save company holiday",
    ...(body === null && { tone: "danger" }),
  });
}

export const companyHolidayPages: readonly ConsolePage[] = resourcePages<CompanyHoliday, null>({
  path: "/company_holidays",
  calls: (api) => api.records("/company_holidays"),
  title: "Company holidays",
  one: "company holiday",
  lead: "Days that count as holidays in on-call hours, beside the public holidays of a region.",
  read: async () => null,
  columns: () => [
    { title: "Dates", cell: datesText },
    { title: "Repeats", cell: (it) => (it.repeats_yearly ? "every year" : "") },
  ],
  empty:
    "Company holidays count as holidays in the hours to be paid. An absence calendar can make them days on which a person is away.",
  form: FORM,
  ask: askBeforeHoliday,
  deleting:
    "Delete this company holiday? Its days no longer count as holidays, in reports of the past as well.",
});
