// Warns of template tags that always render empty: names that no alert, request or integration has.
// A warning, not a fault: the rest of the template works, and existing templates must remain
// savable.

import { plain } from "../routing/conditions/located.ts";
import { parseRules } from "../routing/rules/parse.ts";
import { objectOf } from "../shared/json.ts";
import { INTEGRATION_FACTS } from "./integration-facts.ts";

/** The names available to a template: `any` has arbitrary fields, null has none. */
type Names = { readonly [name: string]: Names | "any" | null };

const INTEGRATION = Object.fromEntries(INTEGRATION_FACTS.map((name) => [name, null]));

/** Available in the title and description templates of integrations. */
export const EVENT_NAMES: Names = {
  title: null,
  description: null,
  id: null,
  urgency: null,
  tags: "any",
  meta: "any",
  data: "any",
  params: "any",
  integration: INTEGRATION,
};

/** Available in router templates. */
const ROUTER_NAMES: Names = {
  alert: {
    id: null,
    title: null,
    description: null,
    urgency: null,
    source_id: null,
    source_type: null,
    thirdparty_id: null,
    dedup_count: null,
    incident: null,
    incident_severity: null,
    incident_message: null,
    tags: "any",
    tag_list: "any",
    dedup_keys: "any",
    meta: "any",
    additional_data: "any",
    destination_team_ids: "any",
    destination_router_ids: "any",
    destination_account_user_ids: "any",
  },
  log: { data: "any", headers: "any" },
  integration: INTEGRATION,
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
export function findEmptyTags(template: string, names: Names): string[] {
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

function isAvailable(path: readonly string[], names: Names): boolean {
  const [first = "", ...rest] = path;
  if (first === "" || first === "this") return true;
  const entry = Object.hasOwn(names, first) ? names[first] : undefined;
  if (entry === undefined) return false;
  if (entry === "any" || rest.length === 0) return true;
  return entry !== null && isAvailable(rest, entry);
}

/** The warning for one template; null if there is none. */
export function templateWarning(template: string, names: Names): string | null {
  const empty = findEmptyTags(template, names);
  if (empty.length === 0) return null;
  const known = Object.entries(names).map(([name, entry]) => (entry === null ? name : `${name}.…`));
  const verb = empty.length === 1 ? "is" : "are";
  return `${empty.slice(0, 5).join(", ")} ${verb} always empty; a template may use ${known.join(", ")}`;
}

/** The warnings for a router's document; empty if it cannot be parsed. */
export function routerWarnings(text: string): string[] {
  if (!text.includes("{{")) return [];
  const { root } = parseRules(text);
  const document = root && plain(root);
  const rules = listAt(document, "rules");
  const actions = rules.flatMap((rule) => listAt(rule, "actions"));
  return actions.flatMap((action) => {
    const { type, map, severity, message, handlebars } = objectOf(action);
    const { title, description, urgency, tags } = objectOf(map);
    const texts = [title, description, urgency, tags, severity, message].flat();
    const templates = texts
      .filter((it) => typeof it === "string")
      .filter((it) => it.includes("{{"));
    if (handlebars !== true && handlebars !== "true" && templates.length > 0) {
      return [`${type}: ${templates[0]?.slice(0, 80)} is used as it is; write handlebars: true`];
    }
    const warnings = templates.map((template) => templateWarning(template, ROUTER_NAMES));
    return warnings.filter((it) => it !== null).map((warning) => `${type}: ${warning}`);
  });
}

const listAt = (value: unknown, name: string): readonly unknown[] => {
  const entry = objectOf(value)[name];
  return Array.isArray(entry) ? entry : [];
};
