// A page while the consumer works on it: its rows so far, and how each of them stands.
import type { PlannedNotification } from "../db/notification-rows.ts";
import type { Bundle } from "../domain/page.ts";
import type { PlannedPage } from "./plan-notifications.ts";

/** How a row stands. `dueAt`: put aside until then (epoch ms). */
export type RowOutcome = {
  readonly status: string;
  readonly reason: string | null;
  readonly claimedUntil: number | null;
  readonly dueAt: number | null;
  readonly bundle: Bundle["kind"] | null;
};

/** A page being worked on. */
export type Work = PlannedPage & {
  /** The stage it has come to. */
  stage: number;
  /** All its rows so far, and how they stand. */
  readonly rows: Map<string, PlannedNotification>;
  readonly outcomes: Map<string, RowOutcome>;
  /** `unreached`: no way has worked, and none is left. */
  state: "working" | "waiting" | "done" | "unreached";
};
