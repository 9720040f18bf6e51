// The parameters of a maintenance window, and the interval they make of what it was.
import * as z from "zod";
import type { FieldError } from "../domain/refusal.ts";
import { parseWallClock } from "../domain/time.ts";
import { isKnownZone, listedTimeZone } from "../domain/time-zones.ts";
import * as field from "../http/fields.ts";

const NOT_A_TIME = "must be an ISO 8601 date-time, or YYYY-MM-DD HH:mm in time_zone";

/** The form of a time; what instant it is depends on the zone. */
const time = field
  .requiredText(64)
  .transform((text) => text.trim())
  .refine((text) => text === "" || parseWallClock(text, "UTC") !== null, NOT_A_TIME);

const timeZone = field
  .requiredText(64)
  .transform((text) => listedTimeZone(text.trim()) ?? text.trim())
  .refine(
    (name) => name === "" || isKnownZone(name),
    "must be a name that GET /events/time_zones lists, or an IANA zone",
  );

const integrationIds = z.preprocess(
  (value) => value ?? [],
  field.identifiers.refine((ids) => ids.length > 0, "must name at least one integration"),
);

const windowParameters = z.object({
  name: field.requiredText(255),
  description: field.optionalText(10_000),
  start_datetime: time,
  end_datetime: time,
  time_zone: timeZone,
  integration_ids: integrationIds,
  meta: field.hash.optional(),
});

/** `start_time` and `end_time` are other names of `start_datetime` and `end_datetime`. */
const readTwins = (parameters: unknown) => {
  const { start_time, end_time, ...rest } = parameters as Record<string, unknown>;
  return {
    ...(start_time !== undefined && { start_datetime: start_time }),
    ...(end_time !== undefined && { end_datetime: end_time }),
    ...rest,
  };
};

export const createWindow = z.preprocess(readTwins, windowParameters);
export const updateWindow = z.preprocess(
  readTwins,
  windowParameters.partial().extend({ integration_ids: integrationIds.optional() }),
);
export type WindowParameters = z.output<typeof updateWindow>;

/** Half-open, [startAt, endAt) (epoch ms), and the zone it was written in. */
export type Interval = {
  readonly startAt: number;
  readonly endAt: number;
  readonly timeZone: string;
};

/**
 * The window's interval as the parameters make it of the one held, if any. A zone without a time changes the zone
 * alone: the instants stay.
 */
export function intervalOf(
  body: WindowParameters,
  held: Interval | null,
): { readonly interval: Interval; readonly errors: readonly FieldError[] } {
  const timeZone = body.time_zone ?? held?.timeZone ?? "UTC";
  const errors: FieldError[] = [];
  const read = (name: "start_datetime" | "end_datetime", otherwise: number) => {
    const text = body[name];
    const at = text === undefined ? otherwise : parseWallClock(text, timeZone);
    if (at === null) errors.push({ field: name, message: `${name} ${NOT_A_TIME}` });
    return at ?? 0;
  };
  const startAt = read("start_datetime", held?.startAt ?? 0);
  const endAt = read("end_datetime", held?.endAt ?? 0);
  if (errors.length === 0 && endAt <= startAt) {
    errors.push({ field: "end_datetime", message: "end_datetime must be after start_datetime" });
  }
  return { interval: { startAt, endAt, timeZone }, errors };
}
