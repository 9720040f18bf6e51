// The routes of logs: inbound requests with their outcome, and the timeline of each alert (contract
// 2, Logs).
import { logRecords } from "../../db/alerts/log-records.ts";
import { readRoutes } from "../../http/records.ts";
import type { DeclaredRoute } from "../../http/route.ts";

export const logRoutes: readonly DeclaredRoute[] = readRoutes("/logs", "Log", logRecords);
