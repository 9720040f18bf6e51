// The builder of rules beside their text: draws the text's rules as a form, and writes the form's
// changes into the text, which is what the page submits. Without this script the text is edited.
import type {
  Action,
  BuilderDocument,
  BuilderRule,
  ConditionModel,
  Join,
  RulesChange,
  ShownRule,
} from "../../domain/routing/builder/model.ts";
import type { BuilderData } from "../../domain/routing/builder/offers.ts";
import { element } from "../client/element.client.ts";
import { actionForm, newAction } from "./action-form.client.ts";
import {
  conditionForm,
  FIRST_CONDITION,
  type FormPart,
  newCondition,
} from "./condition-form.client.ts";
import { button, fieldsOf, labelled, type Option, select } from "./elements.client.ts";
import { EVENTS } from "./words.client.ts";

type RulesText = typeof import("./rules-text.client.ts");

// The form of one rule: its conditions and actions, or its text where it cannot be shown.

type RulePart = {
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

function ruleForm(rule: BuilderRule, part: RulePart): HTMLElement {
  const { at, count, move, remove } = part;
  const title = `Rule ${at + 1}`;
  const id = `rules.${at}`;
  const head = element(
    "div",
    { class: "rule-head" },
    element("h2", {}, title),
    button(`${id}.up`, "↑", `${title}: move up`, () => move(at - 1), at === 0),
    button(`${id}.down`, "↓", `${title}: move down`, () => move(at + 1), at === count - 1),
    button(`${id}.remove`, "✕", `${title}: remove`, remove),
  );
  const body = rule.kind === "shown" ? shownParts(rule, part, title, id) : [textPart(rule.text)];
  return element("section", { class: "rule", "aria-label": title }, head, ...body);
}

/** Only the first line has no indentation, because the text starts at its dash. */
function textPart(text: string): HTMLElement {
  const lines = text.split(/\r?\n/);
  const indent = Math.min(
    ...lines
      .slice(1)
      .filter((it) => it.trim())
      .map((it) => it.search(/\S/)),
  );
  const shift = Number.isFinite(indent) ? Math.max(0, indent - 2) : 0;
  const shown = lines.map((it, i) => (i === 0 ? it : it.slice(shift))).join("\n");
  const help = element("p", { class: "help" }, "This rule can be edited as YAML only.");
  return element("div", { class: "rule-text" }, element("pre", { class: "code" }, shown), help);
}

function shownParts(rule: ShownRule, part: RulePart, title: string, id: string): HTMLElement[] {
  const { data, current, change } = part;
  const join = fieldsOf(id, title).select("join", "when", JOINS, rule.join, (value) =>
    change({ ...current(), join: value as Join }, true),
  );
  const setConditions = (conditions: readonly ConditionModel[], isRedrawn: boolean) =>
    change({ ...current(), conditions }, isRedrawn);
  const setActions = (actions: readonly Action[], isRedrawn: boolean) =>
    change({ ...current(), actions }, isRedrawn);
  /** A row for each condition or action: its form, and the button that removes it. */
  const rows = <Value>(
    kind: "condition" | "action",
    form: (value: Value, part: FormPart<Value>) => HTMLElement,
    listOf: (rule: ShownRule) => readonly Value[],
    set: (values: readonly Value[], isRedrawn: boolean) => void,
  ) =>
    listOf(rule).map((shown, i, { length }) => {
      const [own, label] = [`${id}.${kind}s.${i}`, `${title}, ${kind} ${i + 1}`];
      const change = (value: Value, isRedrawn: boolean) =>
        set(listOf(current()).with(i, value), isRedrawn);
      const remove = () => set(listOf(current()).toSpliced(i, 1), true);
      return element(
        "div",
        { class: "rule-row" },
        form(shown, { id: own, label, data, change }),
        button(`${own}.remove`, "✕", `${label}: remove`, remove, length === 1),
      );
    });
  return [
    ...(data.kind === "notification_rule" ? [eventsPart(rule, part, title, id)] : []),
    labelled("When", join),
    ...rows("condition", conditionForm, ({ conditions }) => conditions, setConditions),
    button(`${id}.add-condition`, "Add condition", `${title}: add condition`, () =>
      setConditions([...current().conditions, newCondition(current().conditions)], true),
    ),
    element("p", { class: "then" }, "Then"),
    ...rows("action", actionForm, ({ actions }) => actions, setActions),
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
  const events = fieldsOf(id, title).boxes("types", "events", EVENTS, chosen, (types) =>
    change({ ...current(), types: types.length === 0 ? null : types }, false),
  );
  const words = chosen.map((it) => EVENTS.find(([event]) => event === it)?.[1] ?? it).join(", ");
  return element("details", {}, element("summary", {}, `Events: ${words}`), events);
}

const DRAW_AFTER_MS = 200;

const textArea = () => document.querySelector<HTMLTextAreaElement>("textarea[name=rules]");

/** The parser of rules, most of the builder's size: loaded once, and used in the order of the calls. */
function lazyEngine(path: string) {
  let loaded: RulesText | null = null;
  let running: Promise<void> | null = null;
  const load = async (): Promise<RulesText> => {
    loaded ??= (await import(path)) as RulesText;
    return loaded;
  };
  const run = (use: (engine: RulesText) => void): void => {
    if (loaded !== null && running === null) {
      use(loaded);
      return;
    }
    const before = running ?? Promise.resolve();
    const own = before.then(load).then(use);
    running = own;
    own.finally(() => {
      if (running === own) running = null;
    });
  };
  // A form that is submitted while the parser loads waits for the change.
  document.addEventListener(
    "submit",
    (event) => {
      if (running === null) return;
      const { target, submitter } = event as SubmitEvent;
      event.preventDefault();
      event.stopImmediatePropagation();
      running.then(() => (target as HTMLFormElement).requestSubmit(submitter));
    },
    true,
  );
  return { run, load: () => void load() };
}

/** The page's text area does not exist yet when the builder starts. */
function start(root: HTMLElement): void {
  const data = JSON.parse(root.dataset.builder ?? "") as BuilderData;
  // As a text area has it.
  let text = (root.dataset.text ?? "").replace(/\r\n?/g, "\n");
  // As the server read it: the parser of the text is loaded when something changes.
  let shown = JSON.parse(root.dataset.shown ?? "") as BuilderDocument;
  const engine = lazyEngine(root.dataset.engine ?? "");

  const shownAt = (at: number): ShownRule => {
    const rule = shown.kind === "rules" ? shown.rules[at] : undefined;
    if (rule?.kind !== "shown") throw new Error(`rule ${at + 1} is not shown`);
    return rule;
  };

  const applyNow = ({ applyChange, readBuilder }: RulesText, change: RulesChange) => {
    const area = textArea();
    const changed = applyChange(text, change);
    if (changed === null || area === null) return;
    text = changed;
    shown = readBuilder(text, data.kind);
    area.value = text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const apply = (change: RulesChange, isRedrawn: boolean) =>
    engine.run((it) => {
      applyNow(it, change);
      if (isRedrawn) draw();
    });

  const countOf = (read: BuilderDocument) => (read.kind === "rules" ? read.rules.length : 0);

  /** A rule that always matches stays the last one. */
  const add = (rules: readonly ShownRule[]) =>
    engine.run((it) => {
      for (const rule of rules) {
        const last = shown.kind === "rules" ? shown.rules.at(-1) : undefined;
        const endsWithAlways = isAlways(last) && !isAlways(rule);
        applyNow(it, { kind: "add", at: countOf(shown) - (endsWithAlways ? 1 : 0), rule });
      }
      draw();
    });

  const draw = () => {
    const focused = document.activeElement?.getAttribute("data-id") ?? null;
    root.replaceChildren(...parts());
    const again = focused && root.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`);
    if (again) again.focus();
  };

  const parts = (): readonly HTMLElement[] => {
    if (shown.kind === "text") {
      const why = `The rules can be edited as text only. ${shown.reason}`;
      return [element("p", { class: "help" }, why)];
    }
    const { rules } = shown;
    const forms = rules.map((rule, at) =>
      ruleForm(rule, {
        ...{ at, count: rules.length, data, current: () => shownAt(at) },
        change: (changed, isRedrawn) => apply({ kind: "edit", at, rule: changed }, isRedrawn),
        move: (to) => apply({ kind: "move", from: at, to }, true),
        remove: () => apply({ kind: "remove", at }, true),
      }),
    );
    return [...forms, addPart(data, add), tagList(data)];
  };

  /** Draws what was typed into the text area, or what the browser restored there. */
  const readText = () => {
    const area = textArea();
    if (area === null || area.value === text) return;
    text = area.value;
    engine.run(({ readBuilder }) => {
      shown = readBuilder(text, data.kind);
      draw();
    });
  };
  let timer = 0;
  document.addEventListener("input", ({ target }) => {
    if (target !== textArea()) return;
    clearTimeout(timer);
    timer = window.setTimeout(readText, DRAW_AFTER_MS);
  });
  window.addEventListener("pageshow", readText);
  // Whoever points at the builder is about to change it.
  for (const event of ["pointerenter", "focusin"]) root.addEventListener(event, engine.load);
  root.addEventListener("settle", draw);
  draw();
}

const isAlways = (rule: BuilderRule | undefined): boolean =>
  rule?.kind === "shown" && rule.conditions.some((it) => it.kind === "always" && it.value);

function addPart(data: BuilderData, add: (rules: readonly ShownRule[]) => void): HTMLElement {
  const type = data.kind === "router" ? "assign" : "notify";
  const blank: ShownRule = {
    ...{ kind: "shown", join: "all", conditions: [FIRST_CONDITION] },
    ...{ actions: [newAction(type, data)], types: null },
  };
  const options = data.templates.map(({ label }, i) => [String(i), label] as const);
  const choices = [["", "Insert a template…"] as const, ...options];
  const templates = select("template", "Insert a template", choices, "", (value) =>
    add(data.templates[Number(value)]?.rules ?? []),
  );
  return element(
    "div",
    { class: "rule-add" },
    button("add-rule", "Add rule", "Add rule", () => add([blank])),
    templates,
  );
}

const tagList = ({ tags }: BuilderData) =>
  element("datalist", { id: "rules-tags" }, ...tags.map((value) => element("option", { value })));

/** An element of its own: it draws itself as soon as the parser is there, so that nothing moves. */
class RulesBuilder extends HTMLElement {
  connectedCallback(): void {
    start(this);
  }
}

customElements.define("rules-builder", RulesBuilder);
