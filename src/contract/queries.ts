// The query parameters, by name, of operations that do not return lists. Those of lists are derived
// from the fields of their records.
import * as configurationQuery from "./configuration/configuration-query.ts";
import * as holidayQuery from "./oncall/holidays/holiday-query.ts";
import * as preview from "./oncall/preview-query.ts";
import * as window from "./oncall/window.ts";
import * as erasure from "./people/erasure.ts";
import * as onCallHoursQuery from "./reports/on-call-hours-query.ts";
import * as reportQuery from "./reports/report-query.ts";

export const QUERIES = {
  ...configurationQuery,
  ...holidayQuery,
  ...preview,
  ...window,
  ...erasure,
  ...onCallHoursQuery,
  ...reportQuery,
};

export type QueryName = keyof typeof QUERIES;
