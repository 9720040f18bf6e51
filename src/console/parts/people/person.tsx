// People where several stand side by side: each has one colour, the same on every page. The name is always there too.
import type { Names } from "../../shared/names.ts";

/** As many as the stylesheet has (`who-0` …). */
const COLOURS = 12;

/** A colour for the one at a place of a list, again after a dozen. */
export const colourAt = (place: number): string => `who-${place % COLOURS}`;

/** The class that colours somebody: by their place among the account's people, oldest first. */
export function colourOf(names: Names, id: string): string {
  const older = names.people.filter((person) => person.id < id).length;
  return colourAt(older);
}

/** A name with its colour beside it. */
export const Who = ({ names, id }: { readonly names: Names; readonly id: string }) => (
  <span class="who">
    <span class={`swatch ${colourOf(names, id)}`} aria-hidden="true"></span>
    {names.of(id)}
  </span>
);

/** Several names, each with its colour; null is nobody’s turn. */
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
