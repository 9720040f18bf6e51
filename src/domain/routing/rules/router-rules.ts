// Parses router rules: the actions that decide an alert's receivers and content (contract 2, Rule language).
// Parsed on save and before routing; `../routing.ts` executes the actions.
import { ALERT_URGENCIES, INCIDENT_SEVERITIES, severityOf } from "../../alerts/alert.ts";
import { parseIdentifier } from "../../shared/identifiers.ts";
import {
  allowKeys,
  type Fault,
  fault,
  type Located,
  type LocatedMap,
  plain,
  type SourcePosition,
  shorten,
} from "../conditions/located.ts";
import { partsOf } from "../conditions/values.ts";
import { fieldOf, itemsOf, readDuration, readFlag, readIgnore, readText } from "./action-fields.ts";
import {
  checkReached,
  type Dialect,
  type Rule,
  type RuleResult,
  readRuleList,
} from "./rule-list.ts";
import type { Template } from "./template.ts";

export const RECEIVER_TYPES = ["team", "router", "account_user"] as const;
export type ReceiverType = (typeof RECEIVER_TYPES)[number];

/** A receiver named by a rule, by `id` or `prefix_id`, and its position. */
export type Mention = SourcePosition & { readonly receiver: string };

/** The fields that `setval` sets; absent fields are unchanged. */
export type ValueTemplates = {
  readonly title?: Template;
  readonly description?: Template;
  readonly urgency?: Template;
  readonly tags?: readonly Template[];
};

export type RouterAction =
  | { readonly type: "assign"; readonly receivers: readonly Mention[]; readonly delayMs: number }
  | { readonly type: "ignore" }
  | { readonly type: "setval"; readonly values: ValueTemplates }
  | {
      readonly type: "incident";
      readonly severity: Template | null;
      readonly message: Template | null;
    }
  | {
      readonly type: "aggregate";
      readonly by: readonly string[];
      readonly timeoutMs: number;
      readonly receivers: readonly Mention[];
    };

export type RouterRules = readonly Rule<RouterAction>[];

const MAX_RECEIVERS = 50;
const MAX_PATHS = 10;
const MAX_TAGS = 100;

/** Parses a router's document. Reports all faults at once. */
export function readRouterRules(text: string): RuleResult<RouterRules> {
  return readRuleList(text, DIALECT);
}

/** All receivers that the rules name, in order, with repeats. */
export function mentionsOf(rules: RouterRules): readonly Mention[] {
  return rules.flatMap(({ actions }) =>
    actions.flatMap((action) => ("receivers" in action ? action.receivers : [])),
  );
}

export const ROUTER_ACTIONS = ["assign", "ignore", "setval", "incident", "aggregate"] as const;

const DIALECT: Dialect<RouterAction, object> = {
  actionTypes: ROUTER_ACTIONS,
  readAction: (type, node, faults) => {
    switch (type) {
      case "assign":
        return readAssign(node, faults);
      case "setval":
        return readSetval(node, faults);
      case "incident":
        return readIncident(node, faults);
      case "aggregate":
        return readAggregate(node, faults);
      default:
        return readIgnore(node, faults);
    }
  },
  extraKeys: [],
  readExtra: () => ({}),
  // Otherwise a receiver would silently get no alerts.
  checkActions: (actions, faults) =>
    checkReached(actions, ["assign", "aggregate", "ignore"], "ends the routing", faults),
};

function readAssign(node: LocatedMap, faults: Fault[]): RouterAction {
  allowKeys(node, ["type", "receiver", "delay"], faults);
  const delay = readDuration(node, "delay", { needed: false, zero: true }, faults);
  return { type: "assign", receivers: readReceivers(node, faults), delayMs: delay ?? 0 };
}

/** Reads `receiver`: one, or a list. */
function readReceivers(node: LocatedMap, faults: Fault[]): readonly Mention[] {
  const list = fieldOf(node, "receiver");
  const items = itemsOf(list);
  if (items.length === 0) {
    fault(faults, list ?? node, "needs receiver: a team, router or account user");
  }
  if (items.length > MAX_RECEIVERS) {
    fault(faults, list ?? node, `names more than ${MAX_RECEIVERS} receivers`);
    return [];
  }
  return items.map((item) => readMention(item, faults)).filter((mention) => mention !== null);
}

function readMention(node: Located, faults: Fault[]): Mention | null {
  const text = node.kind === "scalar" ? String(node.value) : "";
  for (const type of RECEIVER_TYPES) {
    const identifier = parseIdentifier(type, text);
    const { line, column, path } = node;
    if (identifier) return { receiver: identifier.value, line, column, path };
  }
  fault(faults, node, `${shorten(text)} is not the id of a team, router or account user`);
  return null;
}

function readSetval(node: LocatedMap, faults: Fault[]): RouterAction | null {
  allowKeys(node, ["type", "map", "handlebars"], faults);
  const isTemplate = readFlag(node, "handlebars", faults);
  const map = fieldOf(node, "map");
  if (map?.kind !== "map" || map.entries.length === 0) {
    fault(faults, map ?? node, "setval needs map, with title, description, tags or urgency");
    return null;
  }
  allowKeys(map, ["title", "description", "tags", "urgency"], faults);
  const values = {
    ...readValue(map, "title", isTemplate, faults),
    ...readValue(map, "description", isTemplate, faults),
    ...readValue(map, "urgency", isTemplate, faults),
    ...readTags(map, isTemplate, faults),
  };
  if (!isTemplate) checkValues(map, faults);
  return { type: "setval", values };
}

function readValue(map: LocatedMap, key: string, isTemplate: boolean, faults: Fault[]) {
  const node = fieldOf(map, key);
  const template = node ? readText(node, isTemplate, faults) : null;
  return template === null ? {} : { [key]: template };
}

function readTags(map: LocatedMap, isTemplate: boolean, faults: Fault[]) {
  const node = fieldOf(map, "tags");
  if (node === undefined) return {};
  const items = itemsOf(node);
  if (items.length > MAX_TAGS) fault(faults, node, `has more than ${MAX_TAGS} tags`);
  const templates = items.slice(0, MAX_TAGS).map((item) => readText(item, isTemplate, faults));
  return { tags: templates.filter((template) => template !== null) };
}

/** Checks literal values on save; template output is checked when rendered. */
function checkValues(map: LocatedMap, faults: Fault[]): void {
  const title = fieldOf(map, "title");
  if (title && String(plain(title)).trim() === "") fault(faults, title, "title can't be blank");
  const urgency = fieldOf(map, "urgency");
  if (urgency && !ALERT_URGENCIES.some((known) => known === plain(urgency))) {
    fault(faults, urgency, `urgency must be one of ${ALERT_URGENCIES.join(", ")}`);
  }
}

function readIncident(node: LocatedMap, faults: Fault[]): RouterAction {
  allowKeys(node, ["type", "severity", "message", "handlebars"], faults);
  const isTemplate = readFlag(node, "handlebars", faults);
  const severity = fieldOf(node, "severity");
  const message = fieldOf(node, "message");
  const known = severity && INCIDENT_SEVERITIES.some((one) => one === severityOf(plain(severity)));
  if (severity && !isTemplate && !known) {
    fault(faults, severity, `severity must be one of ${INCIDENT_SEVERITIES.join(", ")}`);
  }
  return {
    type: "incident",
    severity: severity ? readText(severity, isTemplate, faults) : null,
    message: message ? readText(message, isTemplate, faults) : null,
  };
}

function readAggregate(node: LocatedMap, faults: Fault[]): RouterAction {
  allowKeys(node, ["type", "by", "timeout", "receiver"], faults);
  const timeoutMs = readDuration(node, "timeout", { needed: true, zero: false }, faults) ?? 0;
  return {
    type: "aggregate",
    by: readPaths(node, faults),
    timeoutMs,
    receivers: readReceivers(node, faults),
  };
}

/** Reads `by`: alerts with equal values at these paths are aggregated. */
function readPaths(node: LocatedMap, faults: Fault[]): readonly string[] {
  const list = fieldOf(node, "by");
  const items = itemsOf(list);
  if (items.length === 0 || items.length > MAX_PATHS) {
    fault(faults, list ?? node, `aggregate needs by: 1 to ${MAX_PATHS} paths, as in alert.title`);
    return [];
  }
  const paths = items.map((item) => ({ item, path: String(plain(item)) }));
  for (const { item, path } of paths) {
    const [root, second] = partsOf(path);
    if ((root !== "alert" && root !== "log") || !second || partsOf(path).includes("")) {
      fault(faults, item, `${shorten(path)} is no path: begin with alert. or log.`);
    }
  }
  return paths.map(({ path }) => path);
}
