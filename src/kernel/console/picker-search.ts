// A search in a field that picks from many records, without scripts: a button of the form submits
// it, nothing is written, and the form is shown again with what was entered and what was found.
import { findByName } from "../../domain/shared/name-search.ts";
import type { Refusal } from "../../domain/shared/refusal.ts";
import type { Choice } from "./choice.ts";
import { textOf, type Values } from "./values.ts";

/** The name of the button that searches; its value is the name of the field. */
export const SEARCH_BUTTON = "find";

/** The name of the buttons that add, remove and move rows of a form; the form is shown again. */
export const ROW_BUTTON = "row";

/** The field with the text to search for. */
export const searchField = (name: string): string => `find_${name}`;

/**
 * Whether a form was submitted to search in one of its fields, or to change its rows. The search button may also be what
 * the Enter key presses: without a text to search for, the form is submitted as usual.
 */
export const isPickerSearch = (form: Values): boolean => {
  if (textOf(form, ROW_BUTTON) !== "") return true;
  const name = textOf(form, SEARCH_BUTTON);
  return name !== "" && textOf(form, searchField(name)).trim() !== "";
};

/** The refusal of every write while somebody searches or changes rows: the form is shown again, without faults. */
export const SEARCHING: Refusal = { kind: "refusal", reason: "invalid", errors: [] };

/** The most choices that a search finds; further letters find the others. */
const MOST_FOUND = 20;

/** The choices that match a text, those first that begin so; none for an empty text. */
export function findChoices(choices: readonly Choice[], text: string): readonly Choice[] {
  const offered = choices.filter(({ value }) => value !== "");
  return findByName(offered, text, ({ label }) => ({ name: label })).slice(0, MOST_FOUND);
}

/** Up to this many checkboxes are all listed. */
export const FEW_CHOICES = 24;
/** Up to this many choices are an ordinary selection. */
export const FEW_OPTIONS = 40;

/** Of the choices of a selection without scripts: the found ones, the chosen one, and the first. */
export function listedChoices(
  choices: readonly Choice[],
  chosen: string,
  text: string,
): readonly Choice[] {
  const found = findChoices(choices, text);
  const [first] = choices;
  const current = choices.filter(({ value }) => value === chosen);
  const leading = first?.value === "" ? [first] : [];
  const others = found.length > 0 ? [] : choices.slice(0, FEW_CHOICES);
  return [...new Set([...leading, ...found, ...current, ...others])];
}
