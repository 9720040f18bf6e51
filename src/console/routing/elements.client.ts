// Elements of the builder's form.
import { element } from "../client/element.client.ts";

/** A button; `id` finds it again after the form was drawn anew. */
export function button(
  id: string,
  text: string,
  label: string,
  run: () => void,
  disabled = false,
): HTMLButtonElement {
  const own = { "data-id": id, "aria-label": label, title: label, disabled };
  const made = element("button", { type: "button", class: "button plain", ...own }, text);
  made.addEventListener("click", run);
  return made;
}

export type Option = readonly [value: string, label: string];
export type OptionGroup = { readonly label: string; readonly options: readonly Option[] };

const optionElement = ([value, label]: Option, chosen: string) => {
  const made = element("option", { value }, label);
  made.selected = value === chosen;
  return made;
};

/** The choices of a field: in groups, or without. */
type Choices = readonly OptionGroup[] | readonly Option[];

const inGroups = (choices: Choices): readonly OptionGroup[] =>
  choices.some((it) => "options" in it)
    ? (choices as readonly OptionGroup[])
    : [{ label: "", options: choices as readonly Option[] }];

/** A list of choices; a value that is none of them is added. */
export function select(
  id: string,
  label: string,
  choices: Choices,
  value: string,
  change: (value: string) => void,
): HTMLSelectElement {
  const groups = inGroups(choices);
  const made = element("select", { "data-id": id, "aria-label": label });
  const isKnown = groups.some(({ options }) => options.some(([it]) => it === value));
  if (!isKnown) made.append(optionElement([value, value || "Choose"], value));
  for (const { label: title, options } of groups) {
    const elements = options.map((it) => optionElement(it, value));
    if (title === "") made.append(...elements);
    else if (options.length > 0) made.append(element("optgroup", { label: title }, ...elements));
  }
  made.addEventListener("change", () => change(made.value));
  return made;
}

/** A field of text; `change` runs at each key. */
function input(
  id: string,
  label: string,
  value: string,
  change: (value: string) => void,
  more: Readonly<Record<string, string | boolean>> = {},
): HTMLInputElement {
  const made = element("input", { type: "text", "data-id": id, "aria-label": label, ...more });
  made.value = value;
  made.addEventListener("input", () => change(made.value));
  return made;
}

/** Boxes to tick, with their values in the order of the choices. */
function boxes(
  id: string,
  label: string,
  options: readonly Option[],
  chosen: readonly string[],
  change: (values: readonly string[]) => void,
): HTMLElement {
  const all = [
    ...options,
    ...chosen
      .filter((it) => !options.some(([value]) => value === it))
      .map((it): Option => [it, it]),
  ];
  const made = element("div", { class: "boxes", role: "group", "aria-label": label });
  for (const [value, text] of all) {
    const box = element("input", { type: "checkbox", value, "data-id": `${id}.${value}` });
    box.checked = chosen.includes(value);
    made.append(element("label", {}, box, ` ${text}`));
  }
  made.addEventListener("change", () => {
    const ticked = [...made.querySelectorAll("input")].filter(({ checked }) => checked);
    change(ticked.map(({ value }) => value));
  });
  return made;
}

/** One box with its label. `name`: what a screen reader says. */
export function check(
  id: string,
  name: string,
  text: string,
  isSet: boolean,
  change: (isSet: boolean) => void,
): HTMLElement {
  const box = element("input", { type: "checkbox", "data-id": id, "aria-label": name });
  box.checked = isSet;
  box.addEventListener("change", () => change(box.checked));
  return element("div", { class: "boxes" }, element("label", {}, box, ` ${text}`));
}

/** The fields of a part of the form, which are found by its id, and named after its label. */
export const fieldsOf = (id: string, label: string) => {
  const within =
    <More extends readonly unknown[], Made>(
      make: (id: string, label: string, ...more: More) => Made,
    ) =>
    (name: string, title: string, ...more: More): Made =>
      make(`${id}.${name}`, `${label}: ${title}`, ...more);
  return { select: within(select), input: within(input), boxes: within(boxes) };
};

/** A field with its label. */
export const labelled = (text: string, field: HTMLElement): HTMLElement =>
  element("div", { class: "part" }, element("span", { "aria-hidden": "true" }, text), field);
