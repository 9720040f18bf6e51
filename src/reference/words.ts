// What the reference says of each attribute and parameter.
import type { Words } from "./word.ts";
import { ALERT_WORDS } from "./words/alerts.ts";
import { COMMON_WORDS } from "./words/common.ts";
import { INTEGRATION_WORDS } from "./words/integrations.ts";
import { ON_CALL_WORDS } from "./words/on-call.ts";
import { PEOPLE_WORDS } from "./words/people.ts";
import { REPORT_WORDS } from "./words/reports.ts";

export const WORDS: Words = {
  ...COMMON_WORDS,
  ...PEOPLE_WORDS,
  ...ON_CALL_WORDS,
  ...ALERT_WORDS,
  ...INTEGRATION_WORDS,
  ...REPORT_WORDS,
};
