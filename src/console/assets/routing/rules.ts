// The builder of rules beside their text: draws the text's rules as a form, and writes the form's
// changes into the text, which is what the page submits. Without this script the text is edited.
import type {
  BuilderDocument,
  BuilderRule,
  Change,
  ShownRule,
} from "../../../domain/routing/builder/model.ts";
import type { BuilderData } from "../../../domain/routing/builder/offers.ts";
import { applyChange, readBuilder } from "../../../domain/routing/builder/rules-text.ts";
import { newAction } from "./action-form.ts";
import { NEW_CONDITION } from "./condition-form.ts";
import { button, element, select } from "./elements.ts";
import { ruleForm } from "./rule-form.ts";

const DRAW_AFTER_MS = 200;

const place = document.querySelector<HTMLElement>("[data-builder]");
const area = document.querySelector<HTMLTextAreaElement>("textarea[name=rules]");

function start(root: HTMLElement, text: HTMLTextAreaElement): void {
  const data = JSON.parse(root.dataset.builder ?? "") as BuilderData;
  let document = readBuilder(text.value, data.kind);
  let isOwn = false;

  const shownAt = (at: number): ShownRule => {
    const rule = document.kind === "rules" ? document.rules[at] : undefined;
    if (rule?.kind !== "shown") throw new Error(`rule ${at + 1} is not shown`);
    return rule;
  };

  const apply = (change: Change, isRedrawn: boolean) => {
    const changed = applyChange(text.value, change);
    if (changed === null) return;
    text.value = changed;
    document = readBuilder(changed, data.kind);
    isOwn = true;
    text.dispatchEvent(new Event("input", { bubbles: true }));
    isOwn = false;
    if (isRedrawn) draw();
  };

  const countOf = (shown: BuilderDocument) => (shown.kind === "rules" ? shown.rules.length : 0);

  /** A rule that always matches stays the last one. */
  const add = (rules: readonly ShownRule[]) => {
    for (const rule of rules) {
      const last = document.kind === "rules" ? document.rules.at(-1) : undefined;
      const endsWithAlways = isAlways(last) && !isAlways(rule);
      apply({ kind: "add", at: countOf(document) - (endsWithAlways ? 1 : 0), rule }, false);
    }
    draw();
  };

  const draw = () => {
    const focused = root.ownerDocument.activeElement?.getAttribute("data-id") ?? null;
    root.replaceChildren(...parts());
    const again = focused && root.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`);
    if (again) again.focus();
  };

  const parts = (): readonly HTMLElement[] => {
    if (document.kind === "text") {
      const notice = element("p", { class: "help" });
      notice.textContent = `The rules can be edited as text only. ${document.reason}`;
      return [notice];
    }
    const { rules } = document;
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

  let timer = 0;
  text.addEventListener("input", () => {
    if (isOwn) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      document = readBuilder(text.value, data.kind);
      draw();
    }, DRAW_AFTER_MS);
  });
  root.addEventListener("settle", draw);
  draw();
}

const isAlways = (rule: BuilderRule | undefined): boolean =>
  rule?.kind === "shown" && rule.conditions.some((it) => it.kind === "always" && it.value);

function addPart(data: BuilderData, add: (rules: readonly ShownRule[]) => void): HTMLElement {
  const type = data.kind === "router" ? "assign" : "notify";
  const blank: ShownRule = {
    ...{ kind: "shown", join: "all", conditions: [NEW_CONDITION] },
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

if (place && area) start(place, area);
