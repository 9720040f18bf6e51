/**
 * What a reading of a calendar changes in the imported shifts. Who was on call before `now` never
 * changes: a past shift stays although the calendar no longer has it, and a running one whose people
 * change ends now.
 */

/** A shift as the calendar has it. [startAt, endAt) in epoch ms. */
export type FeedShift = {
  /** The same in every reading. */
  readonly key: string;
  readonly startAt: number;
  readonly endAt: number;
  /** An IANA name. */
  readonly timeZone: string;
  readonly layer: number;
  /** Account user ids, each once; at least one. */
  readonly attendeeIds: readonly string[];
};

/** An imported shift as it is stored. */
export type ImportedShift = Omit<FeedShift, "timeZone"> & { readonly eventId: string };

/** A change of a stored shift; `peopleChanged`: its attendees differ from the stored ones. */
export type ImportedShiftChange = {
  readonly eventId: string;
  readonly shift: Omit<FeedShift, "timeZone">;
  readonly peopleChanged: boolean;
};

/** A shift that ends now; `continuedBy`: the added shift that follows, if any. */
export type EndedShift = { readonly eventId: string; readonly continuedBy: FeedShift | null };

export type ImportChanges = {
  readonly added: readonly FeedShift[];
  readonly changed: readonly ImportedShiftChange[];
  /** Ids of events that have not begun and are not in the calendar any more. */
  readonly removed: readonly string[];
  /** Events that have begun and end now. */
  readonly ended: readonly EndedShift[];
};

const peopleKey = (attendeeIds: readonly string[]) => attendeeIds.toSorted().join();

const isSameDuty = (
  one: Pick<FeedShift, "layer" | "attendeeIds">,
  other: Pick<FeedShift, "layer" | "attendeeIds">,
) => one.layer === other.layer && peopleKey(one.attendeeIds) === peopleKey(other.attendeeIds);

/** Identifies a shift by what it is, for calendars whose keys differ from one reading to the next. */
const contentKey = (shift: Omit<FeedShift, "key" | "timeZone">, now: number) =>
  [
    shift.startAt <= now ? "running" : shift.startAt,
    shift.endAt,
    shift.layer,
    peopleKey(shift.attendeeIds),
  ].join(" ");

/** Pairs stored shifts with those of the calendar: by key, and what is left by content. */
function pair(
  stored: readonly ImportedShift[],
  wanted: readonly FeedShift[],
  now: number,
): ReadonlyMap<ImportedShift, FeedShift> {
  const pairs = new Map<ImportedShift, FeedShift>();
  const left = new Map(wanted.map((it) => [it.key, it]));
  for (const shift of stored) {
    const same = left.get(shift.key);
    if (same === undefined) continue;
    pairs.set(shift, same);
    left.delete(shift.key);
  }
  const byContent = Map.groupBy(left.values(), (it) => contentKey(it, now));
  for (const shift of stored) {
    if (pairs.has(shift)) continue;
    const same = byContent.get(contentKey(shift, now))?.shift();
    if (same) pairs.set(shift, same);
  }
  return pairs;
}

/**
 * Decides what a reading changes.
 *
 * @param stored the imported shifts that end after `now`
 * @param feed the calendar's shifts; their keys are distinct
 * @param now epoch ms
 */
export function decideImport(
  stored: readonly ImportedShift[],
  feed: readonly FeedShift[],
  now: number,
): ImportChanges {
  const wanted = feed
    .filter(({ endAt }) => endAt > now)
    .map((it) => ({ ...it, startAt: Math.max(it.startAt, now) }));
  const pairs = pair(stored, wanted, now);
  const changes = { added: [], changed: [], removed: [], ended: [] } as {
    added: FeedShift[];
    changed: ImportedShiftChange[];
    removed: string[];
    ended: EndedShift[];
  };
  for (const shift of stored) {
    const found = pairs.get(shift);
    const hasBegun = shift.startAt < now;
    if (!found) {
      if (hasBegun) changes.ended.push({ eventId: shift.eventId, continuedBy: null });
      else changes.removed.push(shift.eventId);
    } else if (hasBegun && (found.startAt > now || !isSameDuty(shift, found))) {
      changes.ended.push({ eventId: shift.eventId, continuedBy: found });
      changes.added.push(found);
    } else {
      const { timeZone: _, ...shown } = found;
      const after = { ...shown, startAt: hasBegun ? shift.startAt : found.startAt };
      const change = changeOf(shift, after);
      if (change) changes.changed.push(change);
    }
  }
  const paired = new Set(pairs.values());
  changes.added.push(...wanted.filter((it) => !paired.has(it)));
  return changes;
}

/** The change that makes a stored shift the other; null if it is the same already. */
function changeOf(
  stored: ImportedShift,
  shift: Omit<FeedShift, "timeZone">,
): ImportedShiftChange | null {
  const peopleChanged = peopleKey(stored.attendeeIds) !== peopleKey(shift.attendeeIds);
  const isSame =
    !peopleChanged &&
    stored.key === shift.key &&
    stored.startAt === shift.startAt &&
    stored.endAt === shift.endAt &&
    stored.layer === shift.layer;
  return isSame ? null : { eventId: stored.eventId, shift, peopleChanged };
}
