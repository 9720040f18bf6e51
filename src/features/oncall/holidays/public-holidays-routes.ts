// The routes of public holidays (contract 2, Public holidays).
import { readHolidayQuery } from "../../../domain/oncall/holidays/holiday-query.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { type Answer, whole } from "../../../kernel/http/answers.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { listHolidayRegions } from "./list-holiday-regions.ts";
import { listHolidays } from "./list-holidays.ts";

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
