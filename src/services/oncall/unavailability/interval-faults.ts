// The rules of an unavailability's times.
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";

const LONGEST_DAYS = 732;

/** Errors of an interval (epoch ms). */
export function intervalFaults({
  startAt,
  endAt,
}: {
  readonly startAt: number;
  readonly endAt: number;
}): FieldError[] {
  const fault = (message: string) => [
    { field: "end_datetime", message: `end_datetime ${message}` },
  ];
  if (endAt <= startAt) return fault("must be after start_datetime");
  return endAt - startAt > LONGEST_DAYS * DAY
    ? fault(`must be at most ${LONGEST_DAYS} days after start_datetime`)
    : [];
}
