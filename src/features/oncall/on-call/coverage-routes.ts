// The route of how well a schedule covers a window (contract 2, Schedules).
import { readWindow } from "../../../domain/oncall/window.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { readCoverage } from "./read-coverage.ts";

export const coverageRoutes = [
  route({
    method: "GET",
    path: "/schedules/:id/coverage",
    operation: "getScheduleCoverage",
    allow: "everyone",
    summary: "Get a schedule's coverage of a window",
    shows: exactly("Coverage"),
    query: "WindowQuery",
    handle: onRecord("schedule", async (request, identifier) => {
      const window = readWindow(request.query);
      return isRefusal(window) ? window : found(await readCoverage(request, identifier, window));
    }),
  }),
];
