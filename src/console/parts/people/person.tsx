// People in a list: each has one colour, the same on every page, always together with the name.
import type { Names } from "../../shared/names.ts";

/** The number of colours in the style sheet (`who-0` …). */
const COLOURS = 12;

/** The colour class for an index; repeats after twelve. */
export const colourAt = (place: number): string => `who-${place % COLOURS}`;

/** The class that colours a person: by their position among the account's people, oldest first. */
export function colourOf(names: Names, id: string): string {
  const older = names.people.filter((person) => person.id < id).length;
  return colourAt(older);
}

/** A name with its colour. */
export const Who = ({ names, id }: { readonly names: Names; readonly id: string }) => (
  <span class="who">
    <span class={`swatch ${colourOf(names, id)}`} aria-hidden="true"></span>
    {names.of(id)}
  </span>
);

/** Several names with their colours; null is a position without a person. */
export const Everybody = ({
  names,
  ids,
}: {
  readonly names: Names;
  readonly ids: readonly (string | null)[];
}) => (
  <span class="everybody">
    {ids.map((id) =>
      id === null ? <span class="soft">nobody</span> : <Who names={names} id={id} />,
    )}
  </span>
);
