// The problems of accepting a request for cover, as messages.
import type { RequestedHours } from "../../../db/schema/calendars/cover-requests.ts";
import type { ServedHours } from "../../../domain/oncall/absences/absent-hours.ts";
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
  }
}

/** Hours on call as a request stores them for its notices. */
export const requestedHours = (hours: readonly ServedHours[]): readonly RequestedHours[] =>
  hours.map(({ startAt, endAt, layer, scheduleIds }) => ({ startAt, endAt, layer, scheduleIds }));
