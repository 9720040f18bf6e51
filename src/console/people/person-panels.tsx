// People in a list: each has one colour, always together with the name. It is the same on every page,
// unless somebody else on the page has it.
import { PEOPLE_COLOURS } from "../../domain/shared/palette.ts";
import type { Names, WithNames } from "../reads.ts";

export const colourAt = (place: number): string => `who-${place % COLOURS}`;

export const COLOURS = PEOPLE_COLOURS.length;

const ALL = Array.from({ length: COLOURS }, (_, colour) => colour);

/**
 * The colours of people who are seen together. Nobody has the colour of another one of a group while
 * the group is no larger than the number of colours; in a larger one each colour is used as rarely as
 * possible. Of two people with the same colour, the older one keeps it.
 *
 * @param ownOf a person's own colour, below `COLOURS`
 * @param groups account user ids, which are ULIDs; a person may be in several groups
 */
export function tellApart(
  ownOf: (id: string) => number,
  groups: readonly (readonly string[])[],
): ReadonlyMap<string, number> {
  const others = new Map<string, Set<string>>();
  for (const group of groups) {
    for (const id of group) {
      const known = others.get(id) ?? new Set();
      for (const other of group) known.add(other);
      others.set(id, known);
    }
  }
  const colours = new Map<string, number>();
  for (const id of [...others.keys()].sort()) {
    const uses = new Map<number, number>();
    for (const other of others.get(id) ?? []) {
      const colour = colours.get(other);
      if (colour !== undefined) uses.set(colour, (uses.get(colour) ?? 0) + 1);
    }
    const fewest = Math.min(...ALL.map((colour) => uses.get(colour) ?? 0));
    const isFree = (colour: number) => (uses.get(colour) ?? 0) === fewest;
    const own = ownOf(id);
    colours.set(id, isFree(own) ? own : (ALL.find(isFree) ?? own));
  }
  return colours;
}

/**
 * Who is to have different colours on the pages of a schedule: everybody together, or, if there are
 * more people than colours, those of each rotation.
 *
 * @param rotations the account user ids of each event or position list
 */
export function seenTogether(
  rotations: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const everybody = [...new Set(rotations.flat())];
  return everybody.length <= COLOURS ? [everybody] : rotations;
}

/** A person's own colour: by their position among the account's people, oldest first. */
const ownColour = ({ people }: Names, id: string): number =>
  people.filter((person) => person.id < id).length % COLOURS;

export const colourOf = (names: Names, id: string): string =>
  colourAt(names.colours?.get(id) ?? ownColour(names, id));

/**
 * The names for a page on which people are seen together: no two of them have the same colour.
 *
 * @param rotations the account user ids of each rotation that the page shows
 */
export const withColours = (names: Names, rotations: readonly (readonly string[])[]): Names => ({
  ...names,
  colours: tellApart((id) => ownColour(names, id), seenTogether(rotations)),
});

export const Who = ({ names, id }: { readonly names: Names; readonly id: string }) => (
  <span class="who">
    <span class={`swatch ${colourOf(names, id)}`} aria-hidden="true"></span>
    {names.of(id)}
  </span>
);

/** Several names with their colours; null is a position without a person. */
export const Everybody = ({ names, ids }: WithNames<{ ids: readonly (string | null)[] }>) => (
  <span class="everybody">
    {ids.map((id) =>
      id === null ? <span class="soft">nobody</span> : <Who names={names} id={id} />,
    )}
  </span>
);
