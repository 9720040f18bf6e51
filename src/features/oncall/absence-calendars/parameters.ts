// The parameters of an absence calendar (contract 2, Absence calendars).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

const url = field.calendarUrl(field.optionalText(2_048));
const region = field.optionalText(32);

export const CreateAbsenceCalendar = z
  .object({
    account_user_id: field.identifier,
    name: field.requiredText(255),
    url,
    region,
    company_holidays: field.optionalFlag,
    meta: field.hash.optional(),
  })
  .meta({
    inExample: ["account_user_id", "url"],
    needsOneOf: ["url", "region", "company_holidays"],
  });
export type CreateAbsenceCalendar = z.output<typeof CreateAbsenceCalendar>;

export const UpdateAbsenceCalendar = z
  .object({
    name: field.requiredText(255),
    url,
    region,
    company_holidays: field.optionalFlag,
    meta: field.hash,
  })
  .partial()
  .meta({ inExample: ["name"] });
export type UpdateAbsenceCalendar = z.output<typeof UpdateAbsenceCalendar>;
