// The builder of rules beside their text: draws the text's rules as a form, and writes the form's
// changes into the text, which is what the page submits. Without this script the text is edited.
import type {
  BuilderDocument,
  BuilderRule,
  Change,
  ShownRule,
} from "../../domain/routing/builder/model.ts";
import type { BuilderData } from "../../domain/routing/builder/offers.ts";
import { element } from "../client/element.client.ts";
import { newAction } from "./action-form.client.ts";
import { FIRST_CONDITION } from "./condition-form.client.ts";
import { button, select } from "./elements.client.ts";
import { ruleForm } from "./rule-form.client.ts";
import type { RulesText } from "./rules-text.client.ts";

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

  const applyNow = ({ applyChange, readBuilder }: RulesText, change: Change) => {
    const area = textArea();
    const changed = applyChange(text, change);
    if (changed === null || area === null) return;
    text = changed;
    shown = readBuilder(text, data.kind);
    area.value = text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const apply = (change: Change, isRedrawn: boolean) =>
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
      const notice = element("p", { class: "help" });
      notice.textContent = `The rules can be edited as text only. ${shown.reason}`;
      return [notice];
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
  const groups = [{ label: "", options: [["", "Insert a template…"] as const, ...options] }];
  const templates = select("template", "Insert a template", groups, "", (value) =>
    add(data.templates[Number(value)]?.rules ?? []),
  );
  return element(
    "div",
    { class: "rule-add" },
    button("add-rule", "Add rule", "Add rule", () => add([blank])),
    templates,
  );
}

/** The tags of recent alerts, offered while somebody types. */
const tagList = ({ tags }: BuilderData) =>
  element("datalist", { id: "rules-tags" }, ...tags.map((value) => element("option", { value })));

/** An element of its own: it draws itself as soon as the parser is there, so that nothing moves. */
class RulesBuilder extends HTMLElement {
  connectedCallback(): void {
    start(this);
  }
}

customElements.define("rules-builder", RulesBuilder);
