// A page in progress in the consumer: its notification rows and their states.
import type { Bundle } from "../../../domain/notifications/page.ts";
import type { PlannedNotification } from "../notifications/rows.ts";
import type { PlannedPage } from "./plan-notifications.ts";

/** The state of a row. `dueAt`: deferred until then (epoch ms). */
export type RowOutcome = {
  readonly status: string;
  readonly reason: string | null;
  readonly claimedUntil: number | null;
  readonly dueAt: number | null;
  /** When its provider accepted it (epoch ms). */
  readonly sentAt: number | null;
  readonly bundle: Bundle["kind"] | null;
};

/** A page in progress. */
export type PageInProgress = PlannedPage & {
  /** The current stage. */
  stage: number;
  /** Its rows so far, with their states. */
  readonly rows: Map<string, PlannedNotification>;
  readonly outcomes: Map<string, RowOutcome>;
  /** `unreached`: every channel failed and none is left. */
  state: "working" | "waiting" | "done" | "unreached";
};
