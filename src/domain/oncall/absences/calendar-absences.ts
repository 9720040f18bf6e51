/**
 * What a reading of a person's absence calendar changes in their absences. Past absences
 * stay as they are.
 */

/** [startAt, endAt) in epoch ms. */
export type CalendarAbsence = {
  /** The same in every reading. */
  readonly key: string;
  readonly startAt: number;
  readonly endAt: number;
  readonly reason: string | null;
};

export type ImportedAbsence = CalendarAbsence & { readonly id: string };

export type AbsenceChanges = {
  readonly added: readonly CalendarAbsence[];
  readonly changed: readonly ImportedAbsence[];
  /** Ids. */
  readonly removed: readonly string[];
};

const isSame = (one: CalendarAbsence, other: CalendarAbsence) =>
  one.startAt === other.startAt && one.endAt === other.endAt && one.reason === other.reason;

/**
 * Decides what a reading changes.
 *
 * @param stored the calendar's absences that end after `now`
 * @param read the calendar's absences; their keys are distinct
 * @param now epoch ms
 */
export function decideAbsences(
  stored: readonly ImportedAbsence[],
  read: readonly CalendarAbsence[],
  now: number,
): AbsenceChanges {
  const wanted = new Map(read.filter(({ endAt }) => endAt > now).map((it) => [it.key, it]));
  const known = new Set(stored.map(({ key }) => key));
  return {
    added: [...wanted.values()].filter(({ key }) => !known.has(key)),
    changed: stored.flatMap((it) => {
      const absence = wanted.get(it.key);
      return absence && !isSame(it, absence) ? [{ ...absence, id: it.id }] : [];
    }),
    removed: stored.filter(({ key }) => !wanted.has(key)).map(({ id }) => id),
  };
}
