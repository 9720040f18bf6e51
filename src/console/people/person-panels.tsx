// People in a list: each has one colour, always together with the name. It is the same on every page,
// unless somebody else on the page has it.
import type { Names, WithNames } from "../reads.ts";
import { COLOURS, seenTogether, tellApart } from "./colours.ts";

/** The colour class for an index; repeats after the last colour. */
export const colourAt = (place: number): string => `who-${place % COLOURS}`;

/** A person's own colour: by their position among the account's people, oldest first. */
const ownColour = ({ people }: Names, id: string): number =>
  people.filter((person) => person.id < id).length % COLOURS;

/** The class that colours a person. */
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

/** A name with its colour. */
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
