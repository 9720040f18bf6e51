// Warns of template tags that always render empty: names that no alert, request or integration has.
// A warning, not a fault: the rest of the template works, and existing templates must remain
// savable.

import { INTEGRATION_FACTS } from "./integration-facts.ts";

/** The names available to a template: `any` has arbitrary fields, null has none. */
export type VariableNames = { readonly [name: string]: VariableNames | "any" | null };

export const INTEGRATION_NAMES = Object.fromEntries(INTEGRATION_FACTS.map((name) => [name, null]));

/** Available in the title and description templates of integrations. */
export const EVENT_NAMES: VariableNames = {
  title: null,
  description: null,
  id: null,
  urgency: null,
  tags: "any",
  meta: "any",
  data: "any",
  params: "any",
  integration: INTEGRATION_NAMES,
};

/** A single character class between the braces keeps matching linear. */
const TAG = /\{\{\{?([^{}]*)\}\}/g;

/** Parses `#if alert.title` into sign, helper and path. */
function readTag(inner: string) {
  const text = inner.trim();
  const sign = /^[#^/&!]/.test(text) ? (text[0] as string) : "";
  const [first = "", second] = text.slice(sign.length).trim().split(/\s+/, 2);
  const helper = ["if", "unless", "each"].includes(first) && second ? first : null;
  return { sign, helper, path: helper ? (second as string) : first };
}

/** The tags that always render empty. Tags in a section over another element are not checked. */
export function findEmptyTags(template: string, names: VariableNames): string[] {
  const empty: string[] = [];
  /** For each open section, whether its names refer to an element. */
  const open: boolean[] = [];
  for (const [, inner = ""] of template.matchAll(TAG)) {
    const { sign, helper, path } = readTag(inner);
    if (sign === "!" || path === "else" || (sign === "^" && path === "")) continue;
    if (sign === "/") {
      open.pop();
      continue;
    }
    const isKnown = open.includes(true) || isAvailable(path.split("."), names);
    if (!isKnown) empty.push(`{{${path}}}`);
    if (sign === "#" || sign === "^") open.push(helper !== "if" && helper !== "unless");
  }
  return [...new Set(empty)];
}

function isAvailable(path: readonly string[], names: VariableNames): boolean {
  const [first = "", ...rest] = path;
  if (first === "" || first === "this") return true;
  const entry = Object.hasOwn(names, first) ? names[first] : undefined;
  if (entry === undefined) return false;
  if (entry === "any" || rest.length === 0) return true;
  return entry !== null && isAvailable(rest, entry);
}

/** The warning for one template; null if there is none. */
export function templateWarning(template: string, names: VariableNames): string | null {
  const empty = findEmptyTags(template, names);
  if (empty.length === 0) return null;
  const known = Object.entries(names).map(([name, entry]) => (entry === null ? name : `${name}.…`));
  const verb = empty.length === 1 ? "is" : "are";
  return `${empty.slice(0, 5).join(", ")} ${verb} always empty; a template may use ${known.join(", ")}`;
}
