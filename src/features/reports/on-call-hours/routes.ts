// The routes of hours on call by rate class, as JSON and as CSV (contract 2, Hours on call).
import { readHoursQuery } from "../../../domain/reports/hours-query.ts";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { type Answer, csvFile, found } from "../../../kernel/http/answers.ts";
import { route } from "../../../kernel/http/route.ts";
import { csv, exactly } from "../../../kernel/http/shown.ts";
import { exportOnCallHours } from "./export-on-call-hours.ts";
import { reportOnCallHours } from "./report-on-call-hours.ts";

export const onCallHoursRoutes = [
  route({
    method: "GET",
    path: "/reports/on_call_hours",
    operation: "reportOnCallHours",
    allow: "everyone",
    summary: "Report hours on call by rate class",
    shows: exactly("OnCallHours"),
    query: "OnCallHoursQuery",
    handle: async (request): Promise<Answer> => {
      const query = readHoursQuery(request.query);
      return isRefusal(query) ? query : found(await reportOnCallHours(request, query));
    },
  }),
  route({
    method: "GET",
    path: "/reports/on_call_hours.csv",
    operation: "exportOnCallHours",
    allow: "everyone",
    summary: "Export hours on call by rate class as CSV",
    shows: csv,
    query: "OnCallHoursFileQuery",
    handle: async (request): Promise<Answer> => {
      const query = readHoursQuery(request.query);
      if (isRefusal(query)) return query;
      const by = request.query.get("by") || "person";
      if (by !== "person" && by !== "layer") {
        return refuse("invalid", "by must be person or layer", "by");
      }
      return csvFile("on-call-hours", await exportOnCallHours(request, query, by));
    },
  }),
];
