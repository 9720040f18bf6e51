// Company holidays: days that count as holidays beside the public ones.
import type { CompanyHoliday } from "../../../contract/calendars/company-holiday.ts";
import { CreateCompanyHoliday } from "../../../contract/calendars/company-holiday-parameters.ts";
import { type DeclaredForm, declareForm } from "../../forms/declared-form.ts";
import type { ConsolePage } from "../../page.ts";
import { resourcePages, type Shown } from "../../shared/resource-pages.tsx";

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
  deleting:
    "Delete this company holiday? Its days no longer count as holidays, in reports of the past as well.",
});
