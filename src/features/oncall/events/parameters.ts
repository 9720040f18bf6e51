// The parameters of an on-call event, its overrides and amendments (contract 4).
import * as z from "zod";
import { WHEN_AWAY } from "../../../domain/oncall/absences/absence.ts";
import { FREQUENCY_UNITS, type Restriction } from "../../../domain/oncall/on-call-event.ts";
import { EFFECTIVE_WORDS, type EffectiveAt } from "../../../domain/oncall/rosters/effective-at.ts";
import { parseInstant, parseWallClock } from "../../../domain/shared/parse-time.ts";
import { listedTimeZone } from "../../../domain/shared/time-zones.ts";
import * as field from "../../../kernel/contract/parameters.ts";

// The parameters of who serves an event, in which order and hours, and from when (contract 4,
// Rosters).

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
const attendees = attendeesThat((ids) => ids.length > 0);

/** The people of an override: without any it would replace nobody. */
const substitutes = attendeesThat((ids) => ids.some((id) => id !== null));

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
function readPositions(parameters: unknown): unknown {
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

const daysOfWeek = z.preprocess(
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
const restrictions = field.recordList(restriction, 50).meta({
  description:
    "The hours of the week in which the occurrences are served; empty: all of them. Turns stay as " +
    "long as the event repeats: a weekly rotation may have business hours only.",
});

/** When a change of the people takes effect. */
const effectiveAt = z
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

const timeZone = field.requiredText(64).transform((text, context) => {
  const listed = listedTimeZone(text.trim());
  if (listed !== null) return listed;
  context.addIssue({ code: "custom", message: "must be a name that GET /events/time_zones lists" });
  return z.NEVER;
});

const readAliases = (parameters: unknown) => readPositions(field.readTimeAliases(parameters));

const parameters = z.object({
  parent_id: field.identifier,
  start_datetime: field.instant,
  end_datetime: field.instant,
  layer: field.integer(1, 100),
  time_zone: timeZone,
  repeat: field.optionalFlag,
  frequency: field.optionalInteger(1, 10_000),
  frequency_unit: field.optionalChoice(FREQUENCY_UNITS),
  days_of_week: daysOfWeek.optional(),
  repeat_end_datetime: field.optionalInstant,
  rotation: field.optionalFlag,
  positions: positions.optional(),
  restrictions: restrictions.optional(),
  priority: field.integer(0, 100).optional(),
  when_away: field.optionalChoice(WHEN_AWAY),
  effective_at: effectiveAt,
  schedule_ids: field.identifiers.optional(),
  account_user_ids: attendees,
  meta: field.hash.optional(),
});

/** The parameters of a version's rule: its hours, its recurrence, its layer and its zone. */
export const eventRule = parameters.pick({
  start_datetime: true,
  end_datetime: true,
  layer: true,
  time_zone: true,
  repeat: true,
  frequency: true,
  frequency_unit: true,
  days_of_week: true,
  repeat_end_datetime: true,
  restrictions: true,
  priority: true,
  when_away: true,
});

const replacesPlanned = field.optionalFlag.meta({
  description:
    "Whether the people also replace those who are planned for later. Otherwise these change as the " +
    "present people do: who is added, removed or moved now is so then, too.",
});

const RECURRENCE = [
  "repeat",
  "frequency",
  "frequency_unit",
  "days_of_week",
  "repeat_end_datetime",
  "rotation",
];

export const CreateEvent = z.preprocess(readAliases, parameters).meta({ inExample: RECURRENCE });
export type CreateEvent = z.output<typeof CreateEvent>;

export const UpdateEvent = z
  .preprocess(
    readAliases,
    parameters
      .extend({ account_user_ids: attendees.optional() })
      .partial()
      .extend({ replaces_planned: replacesPlanned }),
  )
  .meta({ inExample: ["start_datetime", "end_datetime"] });
export type UpdateEvent = z.output<typeof UpdateEvent>;

const actionTime = (description: string) =>
  field.instant.meta({ description, example: "2026-02-02T09:00:00.000Z" });

const startOfOccurrence = actionTime("The start of the occurrence.");

/** The start of an occurrence, and the parameters to change from there on. */
export const ChangeFollowingEvents = z
  .preprocess(
    readAliases,
    parameters
      .omit({ parent_id: true, schedule_ids: true, effective_at: true })
      .extend({ account_user_ids: attendees.optional() })
      .partial()
      .extend({
        action_time: startOfOccurrence,
        replaces_planned: replacesPlanned,
        extend_previous_shift: field.optionalFlag.meta({
          description:
            "Whether the people of the shift before serve until the first changed shift starts, if that is later than before.",
        }),
      }),
  )
  .meta({
    about: "Event",
    inExample: ["start_datetime", "end_datetime", "layer", "time_zone", ...RECURRENCE],
  });
export type ChangeFollowingEvents = z.output<typeof ChangeFollowingEvents>;

/** The start of the occurrence to remove, alone, in part, or with all that follow. */
export const AmendEvent = z.object({ action_time: startOfOccurrence });
export type AmendEvent = z.output<typeof AmendEvent>;

/** The start of what to take over. */
export const TakeOverShift = z.object({
  action_time: actionTime("The start of the occurrence, or of the part of it."),
  meta: field.hash.optional(),
});
export type TakeOverShift = z.output<typeof TakeOverShift>;

const newTime = (description: string, example: string) =>
  field.instant.meta({ description, example });

/** The start of the part of an occurrence to move, and its new hours. */
export const MoveEventPart = z.preprocess(
  field.readTimeAliases,
  z.object({
    action_time: actionTime("The start of the occurrence, or of the part of it."),
    start_datetime: newTime("The new start.", "2026-02-02T11:00:00.000Z"),
    end_datetime: newTime("The new end.", "2026-02-02T19:00:00.000Z"),
  }),
);
export type MoveEventPart = z.output<typeof MoveEventPart>;

const OUT_OF_TIME = "is not in the years 1970 to 2199";

/** The pattern in the reference: `YYYY-MM-DD HH:mm`, or ISO 8601. */
const LOCAL_TIME =
  "^\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})?$";

/**
 * A local time. It is validated in any zone: the format does not depend on the zone, only the
 * instant does.
 */
const localTime = (description: string, example: string) =>
  field
    .requiredText(64)
    .refine(
      (text) => parseWallClock(text.trim(), "UTC") !== null,
      "must be YYYY-MM-DD HH:mm, or ISO 8601 with an offset",
    )
    .meta({ pattern: LOCAL_TIME, description, example: example });

const readOverrideAliases = (body: unknown) => {
  const { start_datetime, end_datetime, ...rest } = body as Record<string, unknown>;
  return { start_time: start_datetime, end_time: end_datetime, ...rest };
};

const onlyFalse = field.optionalFlag.meta({
  description: "Overrides only accept `false`.",
});

/** An override; its times are local times in its time zone. */
export const OverrideEvent = z.preprocess(
  readOverrideAliases,
  z
    .object({
      start_time: localTime("The start as wall-clock time in `time_zone`.", "2026-02-02 09:00"),
      end_time: localTime("The end as wall-clock time in `time_zone`.", "2026-02-02 11:00"),
      layer: field.integer(1, 100),
      time_zone: timeZone,
      account_user_ids: substitutes.meta({ description: "The people who are on call instead." }),
      action_time: actionTime("The start of the overridden occurrence."),
      repeat: onlyFalse,
      rotation: onlyFalse,
      meta: field.hash.optional(),
    })
    .transform(({ start_time, end_time, ...body }, context) => {
      const read = (name: string, text: string) => {
        const at = parseWallClock(text.trim(), body.time_zone);
        if (at === null) context.addIssue({ code: "custom", path: [name], message: OUT_OF_TIME });
        return at ?? 0;
      };
      return {
        ...body,
        start_datetime: read("start_time", start_time),
        end_datetime: read("end_time", end_time),
      };
    }),
);
export type OverrideEvent = z.output<typeof OverrideEvent>;
