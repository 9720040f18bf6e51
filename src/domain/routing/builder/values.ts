// Values as somebody types them: a text as it is, or in quotes where it would read as something
// else. Each value has one text, and the text reads back as the value.
import type { Scalar } from "./model.ts";

const isBare = (text: string, inList: boolean): boolean =>
  !(inList && text === "") &&
  text === text.trim() &&
  !text.startsWith('"') &&
  !(inList && /[",]/.test(text)) &&
  typeof wordValue(text) === "string";

/** A number, true, false or null in its usual form; else the text. */
function wordValue(text: string): Scalar {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) && String(Number(text)) === text
    ? Number(text)
    : text;
}

/** The text of a value in a field; in a list, commas separate. */
export function valueText(value: Scalar, inList = false): string {
  if (typeof value !== "string") return String(value);
  return isBare(value, inList) ? value : JSON.stringify(value);
}

/** Reads a value as typed. */
export function readValue(text: string): Scalar {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"')) return wordValue(trimmed);
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === "string" ? value : trimmed;
  } catch {
    return trimmed;
  }
}

/** The text of a list of values. */
export const listText = (values: readonly Scalar[]): string =>
  values.map((value) => valueText(value, true)).join(", ");

/** Reads a list as typed: values separated by commas; a comma in quotes is part of the value. */
export function readList(text: string): readonly Scalar[] {
  const items = text.match(/\s*(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [];
  return items
    .map((it) => it.trim())
    .filter((it) => it !== "")
    .map(readValue);
}
