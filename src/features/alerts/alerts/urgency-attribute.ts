// The attribute `urgency`: sorted by its rank, not by the alphabet.
import { type Column, type SQLWrapper, sql } from "drizzle-orm";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import { type Attribute, type Selected, string } from "../../../kernel/db/attributes.ts";

/** A column of urgencies; ascending is from `silent` to `critical`. */
export const urgency = <Source extends Column & SQLWrapper>(
  source: Source,
): Attribute<Selected<Source>> => ({
  ...string(source),
  sortedBy: sql`instr(${ALERT_URGENCIES.join(" ")}, ${source})`,
});
