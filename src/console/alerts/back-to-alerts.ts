// Where a form of the list of alerts returns to.

import { textOf } from "../../kernel/console/values.ts";
import type { Visit } from "../page.ts";

/** The path of the list with its query string; any other path yields `otherwise`. */
export const backToAlerts = (form: Visit["form"], otherwise: string): string => {
  const back = textOf(form, "back");
  return /^\/alerts(\?|$)/.test(back) ? back : otherwise;
};
