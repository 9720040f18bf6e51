// The routes of who is on call now or in a window, and of the events of a schedule (contract 4, Who
// is on call).
import { readWindow } from "../../../domain/oncall/window.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { bare, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { bareList, exactly, many } from "../../../kernel/http/shown.ts";
import { eventRecords, isInSchedule } from "../events/event-records.ts";
import { scheduleRecords } from "../schedules/rows.ts";
import { readCoverage } from "./read-coverage.ts";
import { readCurrentOnCall, readPersonWindow, readWindowEvents } from "./read-on-call.ts";

export const oncallRoutes = [
  route({
    method: "GET",
    path: "/schedules/:id/current_oncall",
    operation: "getScheduleCurrentOncall",
    allow: "everyone",
    summary: "List who is on call now on a schedule",
    shows: bareList("OnCallEntry"),
    handle: onRecord("schedule", async (request, identifier) =>
      bare(await readCurrentOnCall(request, "schedule", identifier)),
    ),
  }),
  route({
    method: "GET",
    path: "/teams/:id/current_oncall",
    operation: "getTeamCurrentOncall",
    allow: "everyone",
    summary: "List who is on call now for a team",
    shows: bareList("OnCallEntry"),
    handle: onRecord("team", async (request, identifier) =>
      bare(await readCurrentOnCall(request, "team", identifier)),
    ),
  }),
  route({
    method: "GET",
    path: "/schedules/:id/window_events",
    operation: "listScheduleWindowEvents",
    allow: "everyone",
    summary: "List who is on call in a window",
    shows: bareList("OnCallEntry"),
    query: "WindowQuery",
    handle: onRecord("schedule", async (request, identifier) => {
      const window = readWindow(request.query);
      if (isRefusal(window)) return window;
      return bare(await readWindowEvents(request, identifier, window));
    }),
  }),
  route({
    method: "GET",
    path: "/account_users/:id/window_events",
    operation: "listAccountUserWindowEvents",
    allow: "everyone",
    summary: "List when a person is on call in a window",
    shows: bareList("OnCallEntry"),
    query: "WindowQuery",
    handle: onRecord("account_user", async (request, identifier) => {
      const window = readWindow(request.query);
      if (isRefusal(window)) return window;
      return bare(await readPersonWindow(request, identifier, window));
    }),
  }),
  route({
    method: "GET",
    path: "/schedules/:id/events",
    operation: "listScheduleEvents",
    allow: "everyone",
    summary: "List a schedule's events",
    shows: many(eventRecords),
    handle: onRecord("schedule", (request, identifier) =>
      listRecords(request, eventRecords, {
        below: {
          parent: scheduleRecords,
          identifier,
          scope: (scheduleId) => isInSchedule(request.actor.accountId, scheduleId),
        },
      }),
    ),
  }),
];

/** The route of how well a schedule covers a window (contract 2, Schedules). */
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
