// Compares a submitted form with what it showed. Unchanged fields are not sent, because a field can
// show less than is stored; an unchanged form writes nothing.
import type { Values } from "./values.ts";

/** Normalises a value to what a form field submits: line ends, blanks, numbers and booleans. */
function normalize(value: unknown): unknown {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.replaceAll("\r\n", "\n");
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(normalize);
  const entries = Object.entries(value).map(([name, part]) => [name, normalize(part)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Lists of ids are sets: their order is ignored. */
const sortIds = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value.toSorted()
    : value;

const textOf = (value: unknown) => JSON.stringify(sortIds(normalize(value)));

/** A single-line field drops line ends. */
const toSingleLine = (value: unknown) =>
  typeof value === "string" ? value.replaceAll(/[\r\n]/g, "") : value;

/**
 * The parameters of a submitted form that differ from those shown.
 *
 * @param shown the record, or the form's initial values, by parameter name
 */
export const changedParameters = (body: Values, shown: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => {
      const sent = textOf(value);
      return sent !== textOf(shown[name]) && sent !== textOf(toSingleLine(shown[name]));
    }),
  );

export const NOTHING_CHANGED = "No changes to save.";
