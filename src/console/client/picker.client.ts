// Fields that pick from many records: the search of the form becomes one that finds while somebody
// types. Without this script it is a field with a button, which shows the form again.
import { findByName } from "../../domain/shared/name-search.ts";
import {
  Combobox,
  type ComboboxChoice,
  type FoundChoices,
  fetchChoices,
  searchedOf,
} from "./combobox.client.ts";
import { element } from "./element.client.ts";

const fromOf = (field: HTMLElement) => field.dataset.from ?? "";

/** Several: what is picked becomes a ticked checkbox. */
function pickMany(field: HTMLElement): void {
  const input = field.querySelector<HTMLInputElement>("input[type=search]");
  const boxes = field.querySelector<HTMLElement>(".choices");
  if (!input || !boxes) return;
  input.removeAttribute("name");
  field.querySelector(".picker button")?.remove();
  const add = ({ value, label }: ComboboxChoice) => {
    input.value = "";
    field.querySelector("[data-none]")?.remove();
    const known = boxes.querySelector<HTMLInputElement>(`input[value="${CSS.escape(value)}"]`);
    if (known) {
      known.checked = true;
      return;
    }
    const { name = "" } = field.dataset;
    const box = element("input", { type: "checkbox", name, value, checked: true });
    boxes.append(element("label", {}, box, ` ${label}`));
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const isChosen = ({ value }: ComboboxChoice) =>
    boxes.querySelector(`input[value="${CSS.escape(value)}"]:checked`) !== null;
  new Combobox(input, (text) => fetchChoices(fromOf(field), text), add, isChosen);
}

/** All choices of a selection, without what only says that something must be chosen. */
const listed = (select: HTMLSelectElement, mustChoose: boolean): readonly ComboboxChoice[] =>
  [...select.options]
    .filter(({ value }) => value !== "" || !mustChoose)
    .map(({ value, text: label }) => ({ value, label }));

/** One: the selection stays the field of the form, and is hidden behind the search. */
function pickOne(field: HTMLElement): void {
  const select = field.querySelector("select");
  const input = document.createElement("input");
  if (!select) return;
  for (const name of ["aria-describedby", "aria-invalid", "aria-label"]) {
    const value = select.getAttribute(name);
    if (value !== null) input.setAttribute(name, value);
  }
  input.id = select.id;
  input.required = select.required;
  if (select.getAttribute("form")) input.setAttribute("form", select.getAttribute("form") ?? "");
  select.removeAttribute("id");
  select.required = false;
  select.hidden = true;
  field.querySelector("input[type=search]")?.remove();
  field.querySelector("button")?.remove();
  select.after(input);
  const blank = [...select.options].find(({ value }) => value === "");
  input.placeholder = blank?.text ?? "Search by name";
  const restore = () => {
    const [chosen] = select.selectedOptions;
    input.value = chosen && chosen.value !== "" ? chosen.text : "";
  };
  const choose = ({ value, label }: ComboboxChoice) => {
    if (![...select.options].some((option) => option.value === value)) {
      select.add(new Option(label, value));
    }
    select.value = value;
    restore();
    select.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const search = async (text: string): Promise<FoundChoices> => {
    const [chosen] = select.selectedOptions;
    const own = listed(select, input.required);
    if (own.length > 0 && (text === "" || text === chosen?.text))
      return { choices: own, more: false };
    const { choices, more } = await fetchChoices(fromOf(field), text);
    // The selection may have choices that the search does not offer, such as a stored one.
    const values = new Set(["", ...choices.map(({ value }) => value)]);
    const others = own.filter(({ value }) => !values.has(value));
    return { choices: [...choices, ...findByName(others, text, searchedOf)], more };
  };
  new Combobox(input, search, choose);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", () => {
    if (input.value.trim() === "" && blank) choose({ value: "", label: blank.text });
    restore();
  });
  restore();
}

/** Turns every field of the page that picks from many records into a search. */
export function openPickers(): void {
  for (const field of document.querySelectorAll<HTMLElement>("[data-picker]")) {
    if (field.dataset.picker === "many") pickMany(field);
    else pickOne(field);
    field.dataset.ready = "yes";
  }
}
