/**
 * Who is on call in the entries of a calendar: the account's people, by their addresses.
 */
import type { CalendarEntry } from "./calendar-entry.ts";
import type { FeedShift } from "./import-decision.ts";

/** The people of the account among those that a calendar names, by account user id. */
export type KnownPeople = {
  /** By address, in lower case. */
  readonly byAddress: ReadonlyMap<string, string>;
  /** By `prefix_id`. */
  readonly byPrefixId: ReadonlyMap<string, string>;
};

export type MatchedShifts = {
  readonly shifts: readonly FeedShift[];
  /** Summaries of entries that name nobody of the account, or an attendee who is not of it. */
  readonly unmatched: readonly string[];
};

/** What a person's record shows of the unmatched entries. */
const MAX_UNMATCHED = 50;

/** Every address and `prefix_id` that entries name, to be looked up. */
export function namesIn(entries: readonly CalendarEntry[]) {
  const addresses = entries.flatMap((it) => [
    ...it.attendees,
    ...(it.organizer === null ? [] : [it.organizer]),
    ...it.inSummary,
    ...it.inDescription,
  ]);
  const prefixIds = entries.flatMap((it) => it.onCall?.people ?? []);
  return { addresses: [...new Set(addresses)], prefixIds: [...new Set(prefixIds)] };
}

/**
 * The account's people in an entry: its attendees; if none of them is known, its organizer, then
 * the addresses in its summary, then those in its description.
 */
function peopleOf(entry: CalendarEntry, known: KnownPeople): readonly string[] {
  const { attendees, organizer, inSummary, inDescription, onCall } = entry;
  const find = (names: readonly string[], by: ReadonlyMap<string, string>) => [
    ...new Set(names.map((name) => by.get(name)).filter((id) => id !== undefined)),
  ];
  if (onCall) return find(onCall.people, known.byPrefixId);
  const sources = [attendees, organizer === null ? [] : [organizer], inSummary, inDescription];
  for (const addresses of sources) {
    const people = find(addresses, known.byAddress);
    if (people.length > 0) return people;
  }
  return [];
}

/** Whether the entry names somebody who is on call by the calendar, but is not of the account. */
const namesOthers = ({ attendees, onCall }: CalendarEntry, known: KnownPeople) =>
  onCall
    ? onCall.people.some((it) => !known.byPrefixId.has(it))
    : attendees.some((it) => !known.byAddress.has(it));

/**
 * The shifts of entries.
 *
 * @param layer the layer of entries that state none
 */
export function matchPeople(
  entries: readonly CalendarEntry[],
  known: KnownPeople,
  layer: number,
): MatchedShifts {
  const shifts: FeedShift[] = [];
  const unmatched = new Set<string>();
  for (const entry of entries) {
    const attendeeIds = peopleOf(entry, known);
    if (attendeeIds.length === 0 || namesOthers(entry, known)) unmatched.add(entry.summary);
    if (attendeeIds.length === 0) continue;
    const { key, startAt, endAt, timeZone } = entry;
    shifts.push({
      key,
      startAt,
      endAt,
      timeZone,
      layer: entry.onCall?.layer ?? layer,
      attendeeIds,
    });
  }
  return { shifts, unmatched: [...unmatched].slice(0, MAX_UNMATCHED) };
}
