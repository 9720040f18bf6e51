// The parameters of a calendar import (contract 2, Calendar imports).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

/** What a stored secret reads back as; sent back, it changes nothing. */
export const HIDDEN = "***";

const url = field.calendarUrl(field.optionalText(2_048));
const ical = field.optionalText(1_048_576);

export const CreateCalendarImport = z
  .object({
    schedule_id: field.requiredText(64),
    name: field.requiredText(255),
    url,
    ical,
    layer: field.integer(1, 100).optional(),
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["url"], needsOneOf: ["url", "ical"] });
export type CreateCalendarImport = z.output<typeof CreateCalendarImport>;

export const UpdateCalendarImport = z
  .object({
    name: field.requiredText(255),
    url,
    ical,
    layer: field.integer(1, 100),
    meta: field.hash,
  })
  .partial()
  .meta({ inExample: ["name"] });
export type UpdateCalendarImport = z.output<typeof UpdateCalendarImport>;
