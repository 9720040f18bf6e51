// The routes of logs: inbound requests with their outcome, and the timeline of each alert (contract
// 2, Logs).
import { readRoutes } from "../../../kernel/http/records.ts";
import { logRecords } from "./log-records.ts";

export const logRoutes = readRoutes("/logs", "Log", logRecords);
