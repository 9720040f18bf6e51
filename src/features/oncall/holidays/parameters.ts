// The parameters of a company holiday (contract 2, Company holidays).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

export const CreateCompanyHoliday = z
  .object({
    name: field.requiredText(255),
    start_date: field.date,
    end_date: field.optionalDate,
    repeats_yearly: field.optionalFlag,
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["end_date", "repeats_yearly"] });
export type CreateCompanyHoliday = z.output<typeof CreateCompanyHoliday>;

export const UpdateCompanyHoliday = CreateCompanyHoliday.partial().meta({ inExample: ["name"] });
export type UpdateCompanyHoliday = z.output<typeof UpdateCompanyHoliday>;
