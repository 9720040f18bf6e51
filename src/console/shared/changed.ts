// What somebody changed in a form. Saving a form that nobody touched writes nothing, and a field that nobody touched is
// not sent: what it shows can be less than what is stored.

type Values = Readonly<Record<string, unknown>>;

/** A value as a form's field sends it: line ends, blanks, numbers and flags do not tell two apart. */
function sentForm(value: unknown): unknown {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.replaceAll("\r\n", "\n");
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(sentForm);
  const entries = Object.entries(value).map(([name, part]) => [name, sentForm(part)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Lists of ids are chosen from a list that has an order of its own: theirs does not count. */
const unordered = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value.toSorted()
    : value;

const textOf = (value: unknown) => JSON.stringify(unordered(sentForm(value)));

/** A field of one line shows no line ends. */
const onOneLine = (value: unknown) =>
  typeof value === "string" ? value.replaceAll(/[\r\n]/g, "") : value;

/**
 * The parameters of a sent form that are not as they were shown.
 *
 * @param shown the record, or what its form was filled in with, by the names of the parameters
 */
export const changedParameters = (body: Values, shown: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => {
      const sent = textOf(value);
      return sent !== textOf(shown[name]) && sent !== textOf(onOneLine(shown[name]));
    }),
  );

export const NOTHING_CHANGED = "No changes to save.";
