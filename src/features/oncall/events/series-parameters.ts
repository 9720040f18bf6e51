// The parameters of a whole series: its versions, each with its rule and its people, and its
// overrides. A configuration file has the same, with keys and e-mail addresses as identifiers.
import * as z from "zod";
import { CONTINUED_TURNS } from "../../../domain/oncall/on-call-event.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { eventRule, positions } from "./parameters.ts";

const MOST_VERSIONS = 100;
const MOST_OVERRIDES = 500;

/** A map without other fields. */
const strict = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" && "keys" in issue
        ? `has no field ${String(issue.keys)}; there are ${Object.keys(shape).join(", ")}`
        : "must be a map",
  });

const roster = strict({
  from: field.optionalInstant,
  rotation: field.optionalFlag,
  positions,
  /** What occurrences that run at `from` go on with; null: they end with the people of before. */
  splits: field
    .recordList(strict({ turn: field.integer(0, 1e9), position: field.integer(0, 1000) }), 1000)
    .nullish(),
});

const rosters = field
  .recordList(roster, 200)
  .refine((list) => list.length > 0, "must have at least one")
  .refine(
    (list) => list.every(({ from }, at) => at === 0 || from != null),
    "must say from when each but the first serves",
  )
  .refine(
    (list) => list.every(({ from }, at) => at < 2 || (from ?? 0) > (list[at - 1]?.from ?? 0)),
    "must be in the order in which they serve",
  );

/** What the versions and overrides of a series have in common. */
const placed = {
  rosters,
  schedules: field.identifiers.optional(),
  meta: field.hash.optional(),
};

const version = strict({
  from: field.optionalInstant,
  until: field.optionalInstant,
  turns: field.optionalChoice(CONTINUED_TURNS),
  ...eventRule.shape,
  exceptions: z.array(field.instant, "must be a list of date-times").max(1000).optional(),
  ...placed,
});

const { start_datetime, end_datetime, layer, time_zone } = eventRule.shape;

const override = strict({
  start_datetime,
  end_datetime,
  layer,
  time_zone,
  made_at: field.optionalInstant,
  leaves_empty: field.optionalFlag,
  ...placed,
});

export const WriteSeries = z.object({
  schedules: field.identifiers.optional(),
  versions: field
    .recordList(version, MOST_VERSIONS)
    .refine((list) => list.length > 0, "must have at least one"),
  overrides: field.recordList(override, MOST_OVERRIDES).optional(),
  meta: field.hash.optional(),
});
export type WriteSeries = z.output<typeof WriteSeries>;
