/** Series as they were before they changed. */

import type { OnCallEvent } from "../on-call-event.ts";
import type { Interval } from "../override-precedence.ts";

/** A series with its overrides, in hours [startAt, endAt) (epoch ms). */
export type PastSeries = Interval & {
  readonly id: string;
  readonly seriesId: string;
  /** As they were, with what matters in these hours; none: they had nobody on call. */
  readonly events: readonly OnCallEvent[];
};
