// The positions of a rotation in a form: who takes each turn, in order. A field has the people of
// one position, separated by blanks, or says that it is nobody's turn.
import { listOf, type Values } from "../../../kernel/console/values.ts";

/** The ids of the people who take each turn together; none: nobody's turn. */
export type Positions = readonly (readonly string[])[];

/** The value of a position without a person. */
const NOBODY = "nobody";

/** The field with the positions of a part of the form; the form of one event has only part 0. */
export const positionsField = (part: number): string => `positions_${part}`;

export const positionText = (people: readonly string[]): string => people.join(" ") || NOBODY;

const positionOf = (text: string): readonly string[] =>
  text === NOBODY ? [] : [...new Set(text.split(" ").filter((id) => id !== ""))];

export const positionsIn = (values: Values, part: number): Positions =>
  listOf(values, positionsField(part)).map(positionOf);

/** Operations on the position at an index; `add` appends one, and `each` one for each person. */
const POSITION_EDITS = [
  "up",
  "down",
  "join",
  "split",
  "repeat",
  "remove",
  "add",
  "each",
  "empty",
] as const;
type PositionEdit = (typeof POSITION_EDITS)[number];

const swap = (positions: Positions, one: number, other: number): Positions => {
  const [first, second] = [positions[one], positions[other]];
  return first && second ? positions.with(one, second).with(other, first) : positions;
};

function editAt(positions: Positions, edit: PositionEdit, argument: string): Positions {
  const at = Number(argument);
  const here = positions[at] ?? [];
  const before = positions[at - 1];
  switch (edit) {
    case "up":
      return swap(positions, at, at - 1);
    case "down":
      return swap(positions, at, at + 1);
    case "join":
      return before
        ? positions.with(at - 1, [...new Set([...before, ...here])]).toSpliced(at, 1)
        : positions;
    case "split":
      return here.length > 1 ? positions.toSpliced(at, 1, ...here.map((id) => [id])) : positions;
    case "repeat":
      return [...positions, here];
    case "remove":
      return positions.toSpliced(at, 1);
    case "add":
      return [...positions, positionOf(argument)];
    case "each":
      return [...positions, ...positionOf(argument).map((id) => [id])];
    case "empty":
      return [...positions, []];
  }
}

/**
 * The form after a button of the list of people was pressed.
 *
 * @param pressed the value of the button: part, operation, and the position's index or the ids of
 *   people, as in `0 up 2`
 */
export function withPositionEdit(values: Values, pressed: string): Values {
  const [part = "", name = "", ...further] = pressed.split(" ");
  const edit = POSITION_EDITS.find((it) => it === name);
  if (edit === undefined || !/^\d$/.test(part)) return values;
  const edited = editAt(positionsIn(values, Number(part)), edit, further.join(" "));
  return { ...values, [positionsField(Number(part))]: edited.map(positionText) };
}
