// A saved filter of the list of alerts: the values by parameter of the console's list.

import type { Alert } from "./alert.ts";

/** The statuses that the list can be limited to; `active`: all but resolved ones. */
export const LISTED_STATUSES = [
  "active",
  "open",
  "acknowledged",
  "dropped",
  "suppressed",
  "resolved",
  "all",
] as const;

/** Without one, the list of resolved alerts begins with the newest, any other with the most urgent. */
export const LIST_ORDERS = ["urgency", "newest"] as const;
export const LIST_GROUPINGS = ["team", "source", "title"] as const;

/** Absent: the list is not filtered by it. */
export type SavedFilterValues = {
  readonly status?: (typeof LISTED_STATUSES)[number];
  readonly urgency?: Alert["urgency"];
  /** The id of a team. */
  readonly team_id?: string;
  readonly tag?: string;
  readonly q?: string;
  readonly incident?: boolean;
  readonly sort?: (typeof LIST_ORDERS)[number];
  readonly group?: (typeof LIST_GROUPINGS)[number];
};

/** How many filters a person can save. */
export const MAX_SAVED_FILTERS = 50;
