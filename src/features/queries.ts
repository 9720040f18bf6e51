// The query parameters, by name, of operations that do not return lists. Those of lists are derived
// from the fields of their records.
import { AlertListQuery } from "./alerts/alerts/alert-scope.ts";
import * as holidayQuery from "./oncall/holidays/holiday-query.ts";
import * as preview from "./oncall/on-call/parameters.ts";
import * as configurationQuery from "./operations/configuration/configuration-query.ts";
import * as erasure from "./operations/removal/contract.ts";
import * as onCallHoursQuery from "./reports/on-call-hours/on-call-hours-query.ts";
import * as reportQuery from "./reports/reports/report-query.ts";

export const QUERIES = {
  AlertListQuery,
  ...configurationQuery,
  ...holidayQuery,
  ...preview,
  ...erasure,
  ...onCallHoursQuery,
  ...reportQuery,
};

type QueriesByName = typeof QUERIES;

declare module "../kernel/contract/answers.ts" {
  interface Queries extends QueriesByName {}
}
