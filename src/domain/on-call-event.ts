/**
 * An event of a schedule, as the calculation of who is on call reads it.
 */

export type OnCallAttendee = {
  readonly id: string;
  readonly attendeeId: string;
  readonly attendeeType: "AccountUser";
  readonly position: number;
};

export type FrequencyUnit = "hourly" | "daily" | "weekly" | "monthly" | "yearly";

export type OnCallEvent = {
  readonly id: string;
  /** Epoch ms. Of overrides that cover the same hours the newer counts. */
  readonly createdAt: number;
  /**
   * Set: this is an override of that event. An override is a single interval; it does not repeat.
   */
  readonly parentId: string | null;
  /** For an override: the start (ms) of the parent's occurrence it was made for. */
  readonly overriddenStartAt: number | null;
  /** First occurrence, epoch ms, [startAt, endAt). */
  readonly startAt: number;
  readonly endAt: number;
  readonly layer: number;
  /** A listed name. */
  readonly timeZone: string;
  readonly repeat: boolean;
  readonly frequency: number | null;
  readonly frequencyUnit: FrequencyUnit | null;
  /** Sunday = 0; empty means every day. */
  readonly daysOfWeek: readonly number[];
  /** Inclusive of the local day it falls on. */
  readonly repeatEndAt: number | null;
  /** Exclusive: occurrences that start at it or later do not happen. */
  readonly cutAt: number | null;
  /**
   * Occurrences that start before it do not happen: the series continues another one from here.
   * The rule still counts from `startAt`. Null or absent: from the start.
   */
  readonly beginsAt?: number | null;
  readonly rotation: boolean;
  /** Added to each occurrence's turn; absent: 0. */
  readonly turnOffset?: number;
  /** The positions of the rotation that are nobody's turn; absent: none. */
  readonly emptyPositions?: readonly number[];
  readonly attendees: readonly OnCallAttendee[];
  readonly exceptions: readonly { readonly id: string; readonly startAt: number }[];
};
