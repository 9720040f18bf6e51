/** Series as they were before they changed. Pure. */

import type { OnCallEvent } from "../on-call-event.ts";
import type { Interval } from "../override-precedence.ts";

/** A series and its overrides, which are one family, in hours [startAt, endAt) (epoch ms). */
export type PastFamily = Interval & {
  readonly id: string;
  /** The series. */
  readonly rootId: string;
  /** As they were, with what matters in these hours; none: they had nobody on call. */
  readonly events: readonly OnCallEvent[];
};

/** The event at the root of each event's chain, by its id; one that is not among them is its own. */
export function rootsOf(events: readonly OnCallEvent[]): (id: string) => string {
  const parents = new Map(events.map(({ id, parentId }) => [id, parentId]));
  const rootOf = (id: string): string => {
    const parent = parents.get(id);
    return parent ? rootOf(parent) : id;
  };
  return rootOf;
}
