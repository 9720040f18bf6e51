/**
 * What a reader of iCalendar text yields: each occurrence in a window as one entry, with recurrence
 * rules already expanded.
 */

/** [from, to) in epoch ms. */
export type CalendarWindow = { readonly from: number; readonly to: number };

export type CalendarEntry = {
  /** UID, with the occurrence's recurrence id: the same in every reading of the calendar. */
  readonly key: string;
  /** [startAt, endAt) in epoch ms. */
  readonly startAt: number;
  readonly endAt: number;
  /** The IANA zone of the start. */
  readonly timeZone: string;
  /** Whether it leaves those whom it names free, by the calendar: they are neither busy nor away. */
  readonly isFree: boolean;
  readonly summary: string;
  /** Addresses in lower case, in the calendar's order. */
  readonly attendees: readonly string[];
  readonly organizer: string | null;
  readonly inSummary: readonly string[];
  readonly inDescription: readonly string[];
  /** What only Tocsin's own feeds state: the people's `prefix_id`s and the layer. */
  readonly onCall: { readonly people: readonly string[]; readonly layer: number } | null;
};

export type CalendarReading = {
  /** By start, then key. */
  readonly entries: readonly CalendarEntry[];
  /** Summaries of calendar events that could not be read. */
  readonly unreadable: readonly string[];
};
