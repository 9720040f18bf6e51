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

/** A form field as text; empty if it is missing or not text. */
export function textOf(form: Values, name: string): string {
  const value = form[name];
  return typeof value === "string" ? value : "";
}

/** A form field as a list of texts: `ids[]`, or a repeated field. */
export function textsOf(form: Values, name: string): string[] {
  const value = form[name];
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  return typeof value === "string" && value !== "" ? [value] : [];
}
