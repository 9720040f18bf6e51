// Warns of what a router's templates name although it is always empty.
import {
  INTEGRATION_NAMES,
  templateWarning,
  type VariableNames,
} from "../../integrations/template-warnings.ts";
import { objectOf } from "../../shared/json.ts";
import { plain } from "../conditions/located.ts";
import { parseRules } from "./parse.ts";

/** Available in router templates. */
const ROUTER_NAMES: VariableNames = {
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
  integration: INTEGRATION_NAMES,
};

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
