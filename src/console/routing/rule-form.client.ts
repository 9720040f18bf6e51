// The form of one rule: its conditions and actions, or its text where it cannot be shown.
import type {
  Action,
  BuilderRule,
  Condition,
  Join,
  ShownRule,
} from "../../domain/routing/builder/model.ts";
import type { BuilderData } from "../../domain/routing/builder/offers.ts";
import { element } from "../client/element.client.ts";
import { actionForm, newAction } from "./action-form.client.ts";
import { conditionForm, newCondition } from "./condition-form.client.ts";
import { boxes, button, labelled, type Option, select } from "./elements.client.ts";
import { EVENTS } from "./words.client.ts";

export type RulePart = {
  readonly at: number;
  readonly count: number;
  readonly data: BuilderData;
  /** The rule as it is in the text at the time. */
  readonly current: () => ShownRule;
  readonly change: (rule: ShownRule, isRedrawn: boolean) => void;
  readonly move: (to: number) => void;
  readonly remove: () => void;
};

const JOINS: readonly Option[] = [
  ["all", "all conditions match"],
  ["any", "any condition matches"],
];

export function ruleForm(rule: BuilderRule, part: RulePart): HTMLElement {
  const { at, count, move, remove } = part;
  const title = `Rule ${at + 1}`;
  const id = `rules.${at}`;
  const heading = element("h2");
  heading.textContent = title;
  const head = element(
    "div",
    { class: "rule-head" },
    heading,
    button(`${id}.up`, "↑", `${title}: move up`, () => move(at - 1), at === 0),
    button(`${id}.down`, "↓", `${title}: move down`, () => move(at + 1), at === count - 1),
    button(`${id}.remove`, "✕", `${title}: remove`, remove),
  );
  const body = rule.kind === "shown" ? shownParts(rule, part, title, id) : [textPart(rule.text)];
  return element("section", { class: "rule", "aria-label": title }, head, ...body);
}

/** Only the first line has no indentation, because the text starts at its dash. */
function textPart(text: string): HTMLElement {
  const code = element("pre", { class: "code" });
  const lines = text.split(/\r?\n/);
  const indent = Math.min(
    ...lines
      .slice(1)
      .filter((it) => it.trim())
      .map((it) => it.search(/\S/)),
  );
  const shift = Number.isFinite(indent) ? Math.max(0, indent - 2) : 0;
  code.textContent = lines.map((it, i) => (i === 0 ? it : it.slice(shift))).join("\n");
  const help = element("p", { class: "help" });
  help.textContent = "This rule can be edited as YAML only.";
  return element("div", { class: "rule-text" }, code, help);
}

function shownParts(rule: ShownRule, part: RulePart, title: string, id: string): HTMLElement[] {
  const { data, current, change } = part;
  const join = select(
    `${id}.join`,
    `${title}: when`,
    [{ label: "", options: JOINS }],
    rule.join,
    (value) => change({ ...current(), join: value as Join }, true),
  );
  const setConditions = (conditions: readonly Condition[], isRedrawn: boolean) =>
    change({ ...current(), conditions }, isRedrawn);
  const setActions = (actions: readonly Action[], isRedrawn: boolean) =>
    change({ ...current(), actions }, isRedrawn);
  const conditions = rule.conditions.map((condition, i) =>
    row(
      conditionForm(condition, {
        ...{ id: `${id}.conditions.${i}`, label: `${title}, condition ${i + 1}`, data },
        change: (value, isRedrawn) => setConditions(current().conditions.with(i, value), isRedrawn),
      }),
      button(
        `${id}.conditions.${i}.remove`,
        "✕",
        `${title}, condition ${i + 1}: remove`,
        () => setConditions(current().conditions.toSpliced(i, 1), true),
        rule.conditions.length === 1,
      ),
    ),
  );
  const actions = rule.actions.map((action, i) =>
    row(
      actionForm(action, {
        ...{ id: `${id}.actions.${i}`, label: `${title}, action ${i + 1}`, data },
        change: (value, isRedrawn) => setActions(current().actions.with(i, value), isRedrawn),
      }),
      button(
        `${id}.actions.${i}.remove`,
        "✕",
        `${title}, action ${i + 1}: remove`,
        () => setActions(current().actions.toSpliced(i, 1), true),
        rule.actions.length === 1,
      ),
    ),
  );
  return [
    ...(data.kind === "notification_rule" ? [eventsPart(rule, part, title, id)] : []),
    labelled("When", join),
    ...conditions,
    button(`${id}.add-condition`, "Add condition", `${title}: add condition`, () =>
      setConditions([...current().conditions, newCondition(current().conditions)], true),
    ),
    heading("Then"),
    ...actions,
    button(`${id}.add-action`, "Add action", `${title}: add action`, () =>
      setActions(withAction(current().actions, data), true),
    ),
  ];
}

/** A new action stands before one that ends the rule of a router, since it would never run after it. */
function withAction(actions: readonly Action[], data: BuilderData): readonly Action[] {
  if (data.kind === "notification_rule") return [...actions, newAction("notify", data)];
  const end = actions.findIndex(({ type }) => ["assign", "aggregate", "ignore"].includes(type));
  return end < 0
    ? [...actions, newAction("assign", data)]
    : actions.toSpliced(end, 0, newAction("setval", data));
}

function eventsPart(rule: ShownRule, { current, change }: RulePart, title: string, id: string) {
  const chosen = rule.types ?? ["alert.open"];
  const events = boxes(`${id}.types`, `${title}: events`, EVENTS, chosen, (types) =>
    change({ ...current(), types: types.length === 0 ? null : types }, false),
  );
  const summary = element("summary");
  summary.textContent = `Events: ${chosen.map((it) => EVENTS.find(([event]) => event === it)?.[1] ?? it).join(", ")}`;
  return element("details", {}, summary, events);
}

const heading = (text: string) => {
  const made = element("p", { class: "then" });
  made.textContent = text;
  return made;
};

const row = (content: HTMLElement, remove: HTMLElement) =>
  element("div", { class: "rule-row" }, content, remove);
