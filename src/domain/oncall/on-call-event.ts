/**
 * An event of a schedule, as the calculation of who is on call reads it.
 */

export type OnCallAttendee = {
  readonly id: string;
  readonly attendeeId: string;
  readonly attendeeType: "AccountUser";
  readonly position: number;
};

/** The units of a series' frequency. */
export const FREQUENCY_UNITS = ["hourly", "daily", "weekly", "monthly", "yearly"] as const;
export type FrequencyUnit = (typeof FREQUENCY_UNITS)[number];

export type OnCallEvent = {
  readonly id: string;
  /** Epoch ms. Of overrides for the same hours, the newest applies. */
  readonly createdAt: number;
  /**
   * If set, this event overrides that one. An override is a single interval; it does not repeat.
   */
  readonly parentId: string | null;
  /** For an override: the start (epoch ms) of the parent's occurrence that it replaces. */
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
  /** Exclusive: occurrences that start at or after it do not take place. */
  readonly cutAt: number | null;
  /**
   * Occurrences that start before it do not take place: the series continues another one. The rule
   * still counts from `startAt`. Null or absent: from the start.
   */
  readonly beginsAt?: number | null;
  readonly rotation: boolean;
  /** Added to each occurrence's turn; absent: 0. */
  readonly turnOffset?: number;
  /** Rotation positions without a person; absent: none. */
  readonly emptyPositions?: readonly number[];
  readonly attendees: readonly OnCallAttendee[];
  readonly exceptions: readonly { readonly id: string; readonly startAt: number }[];
};
