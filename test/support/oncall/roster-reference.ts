/**
 * A reference of roster changes, slow and simple: walks all occurrences and changes in the order of
 * time and remembers who is on call. Shares no code with the implementation under test. Each person
 * has at most one position.
 */

export type Line = readonly (readonly string[])[];

export type ReferenceOccurrence = {
  readonly startAt: number;
  readonly endAt: number;
  readonly turn: number;
  readonly isRemoved: boolean;
};

export type ReferenceRoster = { readonly rotates: boolean; readonly line: Line };

export type ReferenceChange = ReferenceRoster & {
  readonly at: number;
  /** Whether it was made for an instant inside an occurrence that was removed later: that does not change the turns. */
  readonly isInside?: boolean;
  /** Whether it was made for an instant between occurrences, one of which is longer since. */
  readonly isBetween?: boolean;
};

export type ReferenceShift = {
  startAt: number;
  endAt: number;
  who: string;
  /** From when which positions follow in the order of turns, the own one last; none without rotation. */
  others: readonly Following[];
  readonly turn: number;
};

export type Following = { readonly from: number; readonly line: Line };

type Running = ReferenceShift & { readonly until: number };

/** Where the walk stands: the roster, the position on turn and the turn itself. */
export type Standing = ReferenceRoster & {
  readonly position: number;
  readonly turn: number | null;
};

/** Before the first turn. */
const unbegun = (roster: ReferenceRoster): Standing => ({
  ...roster,
  position: 0,
  turn: null,
});

const nameOf = (people: readonly string[]) => people.toSorted().join("");
const everyone = (line: Line) => nameOf([...new Set(line.flat())]);
const wrap = (value: number, length: number) =>
  length === 0 ? 0 : ((value % length) + length) % length;

/** The index in `line` with these people, or else with most of them; -1: with none. */
function indexIn(line: Line, people: readonly string[]): number {
  const exact = line.findIndex((other) => nameOf(other) === nameOf(people));
  if (exact >= 0) return exact;
  const counts = line.map((other) => other.filter((it) => people.includes(it)).length);
  const most = Math.max(0, ...counts);
  return most === 0 ? -1 : counts.indexOf(most);
}

/** Who takes over from the people of a position: themselves, or the next ones who are left. */
function successor(old: Line, position: number, line: Line): { index: number; isSame: boolean } {
  for (let step = 0; step < old.length; step++) {
    const people = old[wrap(position + step, old.length)] ?? [];
    if (step > 0 && people.length === 0) continue;
    const index = indexIn(line, people);
    if (index >= 0) return { index, isSame: step === 0 };
  }
  return { index: 0, isSame: false };
}

/** Who follows in a shift that goes on: as before, without those who left, and those who joined come last. */
function joinLine(before: Line, now: Line): Line {
  const people = now.flat();
  const kept = before.map((it) => it.filter((person) => people.includes(person)));
  const joined = people.filter((it) => !before.flat().includes(it));
  return [...kept.filter((it) => it.length > 0), ...(joined.length > 0 ? [joined] : [])];
}

/**
 * Walks to the end, or until an instant (exclusive).
 *
 * @param first the roster; a `Standing` if the occurrences continue those of another series
 */
export function walk(
  first: ReferenceRoster | Standing,
  occurrences: readonly ReferenceOccurrence[],
  changes: readonly ReferenceChange[],
  until = Number.POSITIVE_INFINITY,
): { readonly shifts: readonly ReferenceShift[]; readonly standing: Standing } {
  let { rotates, line, position, turn } = { ...unbegun(first), ...first };
  const othersThan = (held: number) =>
    rotates ? [...line.slice(held + 1), ...line.slice(0, held + 1)] : [];
  const shifts: Running[] = [];
  const onTurn = () => (rotates ? nameOf(line[position] ?? []) : everyone(line));
  const apply = (change: ReferenceChange, following: ReferenceOccurrence | undefined) => {
    const old = { rotates, line, position };
    ({ rotates, line } = change);
    position = 0;
    if (turn === null) return;
    const running = change.isBetween
      ? []
      : shifts.filter((it) => it.until > change.at && it.endAt === it.until);
    if (rotates && line.length > 0) {
      const next = old.rotates
        ? successor(old.line, old.position, line)
        : { index: 0, isSame: false };
      const isInTurn = running.length > 0 || change.isInside || following?.turn === turn;
      const goesOn = next.isSame || isInTurn;
      const ahead = goesOn ? 0 : (following?.turn ?? turn + 1) - turn;
      position = wrap(next.index - ahead, line.length);
    }
    const latest = Math.max(...running.map((it) => it.turn));
    for (const shift of running) {
      const held = old.line.findIndex((people) => nameOf(people) === shift.who);
      const isOwn = !rotates || shift.turn === latest;
      const own = old.rotates ? successor(old.line, Math.max(0, held), line).index : 0;
      const who = isOwn ? onTurn() : nameOf(line[own] ?? []);
      const following = othersThan(isOwn ? position : own);
      if (who === shift.who) {
        const before = shift.others.at(-1)?.line ?? [];
        shift.others = [...shift.others, { from: change.at, line: joinLine(before, following) }];
        continue;
      }
      const others = [{ from: change.at, line: following }];
      shifts.push({ ...shift, startAt: change.at, who, others });
      shift.endAt = change.at;
    }
  };
  const left = [...changes];
  for (const occurrence of occurrences) {
    if (occurrence.startAt >= until) break;
    for (let change = left[0]; change && change.at <= occurrence.startAt; change = left[0]) {
      apply(change, occurrence);
      left.shift();
    }
    const { startAt, endAt } = occurrence;
    position = wrap(
      position + (turn === null ? occurrence.turn : occurrence.turn - turn),
      line.length,
    );
    ({ turn } = occurrence);
    if (occurrence.isRemoved) continue;
    const others = [{ from: startAt, line: othersThan(position) }];
    shifts.push({ startAt, endAt, until: endAt, who: onTurn(), others, turn });
  }
  for (const change of left) {
    const following = occurrences.find(({ startAt }) => startAt >= change.at);
    if (change.at < until) apply(change, following);
  }
  return { shifts, standing: { rotates, line, position, turn } };
}
