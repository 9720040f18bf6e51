/** Takes back what a change did to a record's fields, beside what has changed since. Pure. */

type Value = string | readonly string[] | null | undefined;
type Fields = Readonly<Record<string, Value>>;

export type FieldImages = {
  /** The names of the fields that the change changed. */
  readonly changed: readonly string[];
  readonly before: Fields;
  /** Null: not known. Single values are restored all the same. */
  readonly after: Fields | null;
  readonly now: Fields;
};

export type RestoredFields =
  | { readonly ok: true; readonly values: Fields }
  | { readonly ok: false; readonly field: string };

/**
 * Decides the values that undo a change of fields. Of a list only the entries that the change added
 * or removed are taken back. A reference that was cleared since, because its record was deleted,
 * may be set again.
 *
 * @returns the values; or the first single value that something else has changed since
 */
export function restoreFields({ changed, before, after, now }: FieldImages): RestoredFields {
  const values: Record<string, Value> = {};
  for (const name of changed) {
    const [was, became, is] = [before[name], after?.[name], now[name]];
    if (isList(was) && isList(is)) {
      values[name] = restoreList(was, isList(became) ? became : is, is);
    } else if (after !== null && is != null && is !== became) {
      return { ok: false, field: name };
    } else {
      values[name] = was;
    }
  }
  return { ok: true, values };
}

const isList = (value: Value): value is readonly string[] => Array.isArray(value);

/** In the order before the change if the list is as the change left it. */
function restoreList(
  before: readonly string[],
  after: readonly string[],
  now: readonly string[],
): readonly string[] {
  if (now.join() === after.join()) return before;
  const kept = now.filter((id) => before.includes(id) || !after.includes(id));
  const removed = before.filter((id) => !after.includes(id) && !kept.includes(id));
  return [...kept, ...removed];
}
