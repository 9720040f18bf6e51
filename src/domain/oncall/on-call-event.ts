/**
 * An event of a schedule, as the calculation of who is on call reads it.
 */

export type OnCallAttendee = {
  readonly id: string;
  readonly attendeeId: string;
  readonly attendeeType: "AccountUser";
  readonly position: number;
};

/**
 * Who serves a series, in order. People with the same position take one turn together; a position
 * may be empty.
 */
export type Roster = {
  /** Whether the positions take turns instead of all being on call together. */
  readonly rotation: boolean;
  /** Added to each occurrence's turn; absent: 0. */
  readonly turnOffset?: number;
  readonly attendees: readonly OnCallAttendee[];
  /** Rotation positions without a person; absent: none. */
  readonly emptyPositions?: readonly number[];
};

/** A former roster of a series, or the present one if a change is planned. */
export type EarlierRoster = Required<Roster> & {
  /** Epoch ms: occurrences that start from then on are served by the next roster. */
  readonly untilAt: number;
  /**
   * Who serves the rest of occurrences that are running at `untilAt`. Null: this roster serves them
   * to their end. A list: they are cut then, and go to the named position of the next roster; a turn
   * that is not in the list goes to the position whose turn it is.
   */
  readonly cuts: readonly TurnPosition[] | null;
};

export type TurnPosition = { readonly turn: number; readonly position: number };

/**
 * Hours of a week, on the wall clock of the event's zone, to which a series is restricted. The end
 * is on the next day unless it is after the start.
 */
export type Restriction = {
  /** The days on which the hours start, Sunday = 0; empty means every day. */
  readonly daysOfWeek: readonly number[];
  /** Minutes after midnight. */
  readonly startMinute: number;
  readonly endMinute: number;
};

/**
 * How the first occurrence of a series goes on with the turns of another one: with the turn after the
 * other's last, or within a turn that the other began.
 */
export const CONTINUED_TURNS = ["next_turn", "same_turn"] as const;
export type ContinuedTurn = (typeof CONTINUED_TURNS)[number];

/** The units of a series' frequency. */
export const FREQUENCY_UNITS = ["hourly", "daily", "weekly", "monthly", "yearly"] as const;
export type FrequencyUnit = (typeof FREQUENCY_UNITS)[number];

export type OnCallEvent = Roster & {
  readonly id: string;
  /** Epoch ms. Of overrides for the same hours, the newest applies. */
  readonly createdAt: number;
  /**
   * The series that it belongs to: the id of the event that the series began with, which may be gone.
   * An event that goes on with another one is a version of the same series.
   */
  readonly seriesId: string;
  /**
   * If set, this event is an override, made by that event's id. In its hours its people replace those
   * of the series, whatever the series' versions are. It is a single interval and does not repeat.
   */
  readonly parentId: string | null;
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
   * Occurrences that start before it do not take place. The rule still counts from `startAt`. Null or
   * absent: from the start. Also a series that continues another one may count from its own start.
   */
  readonly beginsAt?: number | null;
  /** Whether, and how, the rotation goes on with another series; null or absent: it begins anew. */
  readonly continues?: ContinuedTurn | null;
  /** The rosters before the event's own, ordered by `untilAt`; absent: none. */
  readonly earlierRosters?: readonly EarlierRoster[];
  /** The hours in which the occurrences are served; absent or empty: all of them. */
  readonly restrictions?: readonly Restriction[];
  /**
   * In the hours of a series, those of lower priority on its layer do not count. An override has the
   * priority of its series. Absent: 0.
   */
  readonly priority?: number;
  /**
   * For an override: whether its hours stay empty without people. Otherwise they return to those whom
   * it replaced. Absent: false.
   */
  readonly leavesEmpty?: boolean;
  /**
   * Ascending, epoch ms: when a rotation began, ceased, began again ... to give the hours of people who
   * are unavailable to the next in line. Absent or empty: it never has.
   */
  readonly skipChanges?: readonly number[];
  readonly exceptions: readonly { readonly id: string; readonly startAt: number }[];
};

/** The rule of a single shift: the same people throughout, once. */
export const SINGLE_SHIFT = {
  repeat: false,
  frequency: null,
  frequencyUnit: null,
  daysOfWeek: [],
  repeatEndAt: null,
  cutAt: null,
  beginsAt: null,
  continues: null,
  rotation: false,
  turnOffset: 0,
  emptyPositions: [],
  earlierRosters: [],
  restrictions: [],
} as const satisfies Partial<OnCallEvent>;
