// Computes the interval of a maintenance window from its parameters and the stored interval.

import { parseWallClock } from "../../../domain/shared/parse-time.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { NOT_A_TIME, type UpdateMaintenanceWindow } from "./parameters.ts";

/** [startAt, endAt) in epoch ms, and the time zone it was written in. */
export type WindowInterval = {
  readonly startAt: number;
  readonly endAt: number;
  readonly timeZone: string;
};

/**
 * The window's interval after the parameters are applied. A new zone without new times keeps the
 * instants.
 */
export function intervalOf(
  body: UpdateMaintenanceWindow,
  stored: WindowInterval | null,
): { readonly interval: WindowInterval; readonly errors: readonly FieldError[] } {
  const timeZone = body.time_zone ?? stored?.timeZone ?? "UTC";
  const errors: FieldError[] = [];
  const read = (name: "start_datetime" | "end_datetime", otherwise: number) => {
    const text = body[name];
    const at = text === undefined ? otherwise : parseWallClock(text, timeZone);
    if (at === null) errors.push({ field: name, message: `${name} ${NOT_A_TIME}` });
    return at ?? 0;
  };
  const startAt = read("start_datetime", stored?.startAt ?? 0);
  const endAt = read("end_datetime", stored?.endAt ?? 0);
  if (errors.length === 0 && endAt <= startAt) {
    errors.push({ field: "end_datetime", message: "end_datetime must be after start_datetime" });
  }
  return { interval: { startAt, endAt, timeZone }, errors };
}
