// What the reference says of each attribute and parameter, by its name, or by `Record.name` where a record means
// something of its own by it: a description, then an example where the schema suggests no telling one. A name with an
// example stands in the examples of requests, unless it is `shown only`.
import { ALERT_WORDS } from "./words/alerts.ts";
import { COMMON_WORDS } from "./words/common.ts";
import { INTEGRATION_WORDS } from "./words/integrations.ts";
import { ON_CALL_WORDS } from "./words/on-call.ts";
import { PEOPLE_WORDS } from "./words/people.ts";
import { REPORT_WORDS } from "./words/reports.ts";

export type Word = readonly [description: string, example?: unknown, where?: "shown only"];
export type Words = Readonly<Record<string, Word>>;

export const WORDS: Words = {
  ...COMMON_WORDS,
  ...PEOPLE_WORDS,
  ...ON_CALL_WORDS,
  ...ALERT_WORDS,
  ...INTEGRATION_WORDS,
  ...REPORT_WORDS,
};
