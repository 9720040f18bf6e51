// Reads form values.

/** A form's values: a record's attributes, or the submitted fields. */
export type Values = Readonly<Record<string, unknown>>;

/** As text; empty if there is none. */
export function fieldText(values: Values, name: string): string {
  const value = values[name];
  return value === null || value === undefined || typeof value === "object" ? "" : String(value);
}

/** Whether a checkbox is ticked. */
export const isTicked = (values: Values, name: string): boolean =>
  values[name] === true || values[name] === "true";

/** As a list of texts without blanks. */
export function listOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.filter((item): item is string => typeof item === "string" && item !== "");
}
