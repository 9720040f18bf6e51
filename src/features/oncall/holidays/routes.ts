// The routes of company holidays (contract 2, Company holidays).
import { datesFaults } from "../../../domain/oncall/holidays/company-holidays.ts";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { withPreview } from "../on-call/with-preview.ts";
import { companyHolidayRecords } from "./company-holiday-records.ts";
import { createCompanyHoliday } from "./create-company-holiday.ts";
import { deleteCompanyHoliday } from "./delete-company-holiday.ts";
import { CreateCompanyHoliday, UpdateCompanyHoliday } from "./parameters.ts";
import { updateCompanyHoliday } from "./update-company-holiday.ts";

const routes = [
  ...readRoutes("/company_holidays", "CompanyHoliday", companyHolidayRecords),
  route({
    method: "POST",
    path: "/company_holidays",
    operation: "createCompanyHoliday",
    allow: "admin",
    summary: "Create a company holiday",
    shows: made(companyHolidayRecords),
    previews: true,
    body: CreateCompanyHoliday,
    furtherChecks: ({ start_date: startDate, end_date: endDate }) => ({
      faults: startDate && endDate ? datesFaults({ startDate, endDate }) : [],
    }),
    makes: companyHolidayRecords,
    handle: async (request) =>
      created(await createCompanyHoliday(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/company_holidays/:id",
    operation: "updateCompanyHoliday",
    allow: "admin",
    summary: "Update a company holiday",
    shows: one(companyHolidayRecords),
    previews: true,
    body: UpdateCompanyHoliday,
    handle: onRecord("company_holiday", async (request, identifier) =>
      found(await updateCompanyHoliday(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/company_holidays/:id",
    operation: "deleteCompanyHoliday",
    allow: "admin",
    summary: "Delete a company holiday",
    shows: noBody,
    previews: true,
    handle: onRecord("company_holiday", async (request, identifier) =>
      deleted(await deleteCompanyHoliday(request, identifier)),
    ),
  }),
];

export const companyHolidayRoutes = routes.map(withPreview);
