// The problems of accepting a request for cover, as messages.
import type { RequestedHours } from "../../../db/schema/calendars/cover-requests.ts";
import { MOST_COVER_PARTS } from "../../../domain/oncall/covers/cover.ts";
import type { PlacedEvents } from "../../../domain/oncall/covers/cover-parts.ts";
import type { ServedSegment } from "../../../domain/oncall/covers/served-segments.ts";
import type { AcceptanceProblem } from "../../../domain/oncall/requests/acceptance.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { formatInstant } from "../../../domain/shared/time.ts";

/**
 * A problem as a message.
 *
 * @param name the name of the person whom it is about
 */
export function problemMessage(problem: AcceptanceProblem, name: string): string {
  switch (problem.kind) {
    case "covered": {
      const { id, startAt, endAt } = problem.cover;
      const hours = `from ${formatInstant(startAt)} to ${formatInstant(endAt)}`;
      return `${name} is already covered ${hours} by ${prefixIdOf("cover", id)}`;
    }
    case "no_shifts":
      return `${name} is not on call in these hours`;
    case "too_many_shifts":
      return `${name} has over ${MOST_COVER_PARTS} shifts in this time: ask for less at once`;
  }
}

/** Hours on call as a request stores them for its notices. */
export const requestedHours = (
  segments: readonly ServedSegment[],
  { schedulesOf }: PlacedEvents,
): readonly RequestedHours[] =>
  segments.map(({ event, startAt, endAt }) => ({
    ...{ startAt, endAt, layer: event.layer },
    scheduleIds: schedulesOf.get(event.id) ?? [],
  }));
