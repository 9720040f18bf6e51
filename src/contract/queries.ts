// The query parameters of operations that are no lists, by name. Lists take theirs from the fields that they show.
import * as window from "./oncall/window.ts";
import * as erasure from "./people/erasure.ts";
import * as reportQuery from "./reports/report-query.ts";

export const QUERIES = { ...window, ...erasure, ...reportQuery };

export type QueryName = keyof typeof QUERIES;
