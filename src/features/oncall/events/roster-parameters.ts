// The parameters of who serves an event, in which order and hours, and from when (contract 4,
// Rosters).
import * as z from "zod";
import type { Restriction } from "../../../domain/oncall/on-call-event.ts";
import { EFFECTIVE_WORDS, type EffectiveAt } from "../../../domain/oncall/rosters/effective-at.ts";
import { parseInstant } from "../../../domain/shared/time.ts";
import * as field from "../../../kernel/contract/parameters.ts";

const listOf = (value: unknown) =>
  value == null || value === "" ? [] : Array.isArray(value) ? value : [value];

const attendeesThat = (isEnough: (ids: readonly (string | null)[]) => boolean) =>
  z.preprocess(
    (value) => listOf(value).filter((item) => item !== ""),
    z
      .array(z.string("must be an identifier").nullable(), "must be a list of identifiers")
      .max(1000, "is too long")
      .refine(isEnough, "must name at least one account user"),
  );

/** People in order. A rotation may list a person several times; null is an empty position. */
export const attendees = attendeesThat((ids) => ids.length > 0);

/** The people of an override: without any it would replace nobody. */
export const substitutes = attendeesThat((ids) => ids.some((id) => id !== null));

const position = z.preprocess(
  listOf,
  z
    .array(z.string("must be an identifier"), "must be a list of identifiers")
    .max(100, "has a position with over 100 people"),
);

/** The positions of a rotation: people of one position take their turn together. */
export const positions = z
  .array(position, "must be a list of lists")
  .max(1000, "is too long")
  .meta({
    description:
      "The positions of a rotation, in order; the people of one position take their turn together, " +
      "and an empty list is nobody's turn. In place of `account_user_ids`.",
    example: [["acu_R2hK9aLq7TzV1x"], ["acu_R2hK9aLq7TzV1y", "acu_R2hK9aLq7TzV1z"]],
  });

/**
 * The people, whichever of the two parameters names them. An event with precedence may have nobody:
 * then its only position is empty.
 */
export function readPositions(parameters: unknown): unknown {
  const body = parameters as Record<string, unknown>;
  const { positions: byPosition, account_user_ids: sent } = body;
  const people = Array.isArray(byPosition) && sent === undefined ? flatten(byPosition) : sent;
  const isNobody = people !== undefined && listOf(people).length === 0;
  return { ...body, account_user_ids: isNobody && isPositive(body.priority) ? [null] : people };
}

/** Of anything: what has no number may not even be a text. */
const isPositive = (value: unknown): boolean =>
  (typeof value === "number" || typeof value === "string") && Number(value) > 0;

const flatten = (byPosition: readonly unknown[]): unknown[] =>
  byPosition.flatMap((it) => (Array.isArray(it) && it.length === 0 ? [null] : it));

const CLOCK = /^([01]\d|2[0-4]):([0-5]\d)$/;

const clock = (example: string, description: string) =>
  z
    .string("must be HH:mm")
    .transform((text, context) => {
      const [, hours, minutes] = CLOCK.exec(text.trim()) ?? [];
      const minute = Number(hours) * 60 + Number(minutes);
      if (hours !== undefined && minute <= 1440) return minute;
      context.addIssue({ code: "custom", message: "must be HH:mm" });
      return z.NEVER;
    })
    .meta({ pattern: CLOCK.source, description, example });

export const daysOfWeek = z.preprocess(
  listOf,
  z
    .array(field.integer(0, 6), "must be a list of numbers")
    .max(100, "has more than 100 elements")
    .transform((days) => [...new Set(days)].sort()),
);

const restriction = z
  .object({
    days_of_week: daysOfWeek.optional().meta({
      description: "The days on which the hours start; Sunday is 0. Empty: every day.",
      example: [1, 2, 3, 4, 5],
    }),
    start_time: clock("09:00", "When the hours start on the wall clock of the event's zone."),
    end_time: clock("17:00", "When they end, on the next day unless it is after `start_time`."),
  })
  .transform(
    ({ days_of_week, start_time, end_time }): Restriction => ({
      daysOfWeek: days_of_week ?? [],
      startMinute: start_time,
      endMinute: end_time,
    }),
  );

/** The hours of the week to which the occurrences are restricted. */
export const restrictions = field.recordList(restriction, 50).meta({
  description:
    "The hours of the week in which the occurrences are served; empty: all of them. Turns stay as " +
    "long as the event repeats: a weekly rotation may have business hours only.",
});

/** When a change of the people takes effect. */
export const effectiveAt = z
  .string("must be a date-time, now, next_handoff or after_full_rotation")
  .transform((text, context): EffectiveAt => {
    const word = EFFECTIVE_WORDS.find((it) => it === text.trim());
    const at = word ?? parseInstant(text);
    if (at !== null) return at;
    const words = EFFECTIVE_WORDS.join(", ");
    const message = `must be an ISO 8601 date-time with an offset, or one of ${words}`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .nullish()
  .meta({
    description:
      "When a change of the people takes effect: an instant that is not past, `now`, " +
      "`next_handoff` (the default of a rotation) or `after_full_rotation`. Who was on call before " +
      "does not change.",
    example: "next_handoff",
  });
