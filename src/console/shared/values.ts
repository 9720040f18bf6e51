// Reading a form's values, be they a record's attributes or fields as they were sent.
import type { Values } from "./resource-pages.tsx";

/** As text: empty where there is none. */
export function fieldText(values: Values, name: string): string {
  const value = values[name];
  return value === null || value === undefined || typeof value === "object" ? "" : String(value);
}

/** Whether it is ticked. */
export const isTicked = (values: Values, name: string): boolean =>
  values[name] === true || values[name] === "true";

/** As a list of texts, blanks left out. */
export function listOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.filter((item): item is string => typeof item === "string" && item !== "");
}
