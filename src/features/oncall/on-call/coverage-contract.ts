// The coverage of a schedule in a window, by layer.
import * as z from "zod";
import {
  flag,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  number,
} from "../../../kernel/contract/fields.ts";

export const CoverageGap = z.object({
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
});
export type CoverageGap = z.output<typeof CoverageGap>;

export const CoverageOverlap = z.object({
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  event_ids: identifiers("event", "The on-call events."),
});
export type CoverageOverlap = z.output<typeof CoverageOverlap>;

export const LayerCoverage = z.object({
  layer: integer("The escalation layer, from 1.", 1),
  share: number("The share of the window in which somebody is on call.", 0.75).min(0).max(1),
  has_shifts: flag(
    "Whether it has shifts that have not ended before the window. A layer above the first that has " +
      "none has no gaps.",
    true,
  ),
  gaps: listOf(
    CoverageGap,
    "The periods without anybody on call: on the first layer from the schedule's first shift on, " +
      "on another one from its own first shift on.",
  ),
  overlaps: listOf(CoverageOverlap, "The periods with several events."),
});
export type LayerCoverage = z.output<typeof LayerCoverage>;

export const PersonCoverage = z.object({
  account_user_id: identifier("account_user", "The person."),
  hours: number("The hours on call.", 42),
});
export type PersonCoverage = z.output<typeof PersonCoverage>;

export const Coverage = z.object({
  schedule_id: identifier("schedule", "A schedule."),
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  layers: listOf(LayerCoverage, "The coverage of each layer."),
  people: listOf(PersonCoverage, "The hours on call of each person."),
});
export type Coverage = z.output<typeof Coverage>;
