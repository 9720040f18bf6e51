// The problems of accepting an absence, as messages.
import type { ServedHours } from "../../../domain/oncall/absences/absent-hours.ts";
import type { AcceptanceProblem } from "../../../domain/oncall/absences/acceptance.ts";
import type { RequestedHours } from "../../schema/absences.ts";
import { overlapText } from "./absence-change.ts";

/**
 * A problem as a message.
 *
 * @param name the name of the person whom it is about
 */
export function problemMessage(problem: AcceptanceProblem, name: string): string {
  switch (problem.kind) {
    case "decided":
      return `${name} already has an absence that says who is on call instead, ${overlapText(problem.absence)}`;
    case "no_shifts":
      return `${name} is not on call in these hours`;
  }
}

/** Hours on call as an absence stores them for its notices. */
export const requestedHours = (hours: readonly ServedHours[]): readonly RequestedHours[] =>
  hours.map(({ startAt, endAt, layer, scheduleIds }) => ({ startAt, endAt, layer, scheduleIds }));
