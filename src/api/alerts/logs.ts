// The routes of logs: inbound requests with their outcome, and the timeline of each alert (contract
// 2, Logs).
import { logRecords } from "../../db/alerts/log-records.ts";
import { readRoutes } from "../../http/records.ts";

export const logRoutes = readRoutes("/logs", "Log", logRecords);
