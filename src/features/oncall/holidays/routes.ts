// The routes of company holidays (contract 2, Company holidays).
import { datesFaults } from "../../../domain/oncall/holidays/company-holidays.ts";
import { readHolidayQuery } from "../../../domain/oncall/holidays/holiday-query.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { type Answer, created, deleted, found, whole } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { exactly, made, noBody, one } from "../../../kernel/http/shown.ts";
import { handleChange } from "../../change/handle-change.ts";
import { companyHolidayRecords } from "./company-holiday-records.ts";
import { listHolidays } from "./list-holidays.ts";
import { CreateCompanyHoliday, UpdateCompanyHoliday } from "./parameters.ts";
import {
  createCompanyHoliday,
  deleteCompanyHoliday,
  listHolidayRegions,
  updateCompanyHoliday,
} from "./verbs.ts";

export const companyHolidayRoutes = [
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
    handle: handleChange(created, (request) =>
      createCompanyHoliday(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/company_holidays/:id",
    operation: "updateCompanyHoliday",
    allow: "admin",
    summary: "Update a company holiday",
    shows: one(companyHolidayRecords),
    previews: true,
    body: UpdateCompanyHoliday,
    handle: onRecord(
      "company_holiday",
      handleChange(found, (request, identifier) =>
        updateCompanyHoliday(request, identifier, request.body),
      ),
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
    handle: onRecord(
      "company_holiday",
      handleChange(deleted, (request, identifier) => deleteCompanyHoliday(request, identifier)),
    ),
  }),
];

/** The routes of public holidays (contract 2, Public holidays). */
export const holidayRoutes = [
  route({
    method: "GET",
    path: "/holidays",
    operation: "listHolidays",
    allow: "everyone",
    summary: "List a region's public holidays",
    shows: exactly("HolidayList"),
    query: "HolidaysQuery",
    handle: async (request): Promise<Answer> => {
      const query = readHolidayQuery(request.query);
      return isRefusal(query) ? query : whole(await listHolidays(request, query));
    },
  }),
  route({
    method: "GET",
    path: "/holidays/regions",
    operation: "listHolidayRegions",
    allow: "everyone",
    summary: "List the regions with public holidays",
    shows: exactly("HolidayRegionList"),
    handle: async (request) => whole(await listHolidayRegions(request)),
  }),
];
