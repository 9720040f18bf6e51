// Keyboard shortcuts: j and k move through a list, Enter opens, x selects. Elements with
// `aria-keyshortcuts` are clicked by their key; in a list, the buttons of the current row. Ctrl+K and
// ⌘K search everything, from anywhere; so does / on a page without a list to search.
import { Combobox, fetchChoices } from "./combobox.client.ts";
import { element } from "./element.client.ts";

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["j, k", "Next or previous entry of a list"],
  ["Enter", "Open the entry"],
  ["x", "Select the entry"],
  ["a", "Acknowledge the entry, or the alert of the page"],
  ["e", "Resolve it"],
  ["p", "Escalate the alert of the page"],
  ["r", "Pass on the alert of the page"],
  ["/", "Search the list, or everything on a page without one"],
  ["Ctrl+K, ⌘K", "Search everything"],
  ["?", "Show this list"],
];

function makeDialog(): HTMLDialogElement {
  const rows = KEYS.map(([keys, what]) =>
    element("tr", {}, element("th", {}, element("kbd", {}, keys)), element("td", {}, what)),
  );
  const id = "key-help-title";
  const dialog = element(
    "dialog",
    { class: "key-help", "aria-labelledby": id },
    element("h2", { id }, "Keyboard shortcuts"),
    element("table", {}, element("tbody", {}, ...rows)),
    element("form", { method: "dialog" }, element("button", { class: "button plain" }, "Close")),
  );
  document.body.append(dialog);
  return dialog;
}

/** Shows the list of keyboard shortcuts. Escape or its button closes it. */
export function showKeyHelp(): void {
  const dialog = document.querySelector<HTMLDialogElement>("dialog.key-help") ?? makeDialog();
  if (!dialog.open) dialog.showModal();
}

/** The button that opens the list; the styles hide it without scripts. */
export function offerKeyHelp(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-key-help]");
  if (button === null) return;
  button.addEventListener("click", showKeyHelp);
}

const isTyping = (element: EventTarget | null) =>
  element instanceof HTMLElement &&
  (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName));

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-rows] .alert:not([hidden])")];
const currentRow = () => document.querySelector<HTMLElement>(".alert[data-chosen]");

function setCurrentRow(row: HTMLElement | undefined): void {
  if (!row) return;
  for (const other of rows()) delete other.dataset.chosen;
  row.dataset.chosen = "yes";
  row.scrollIntoView({ block: "nearest" });
  row.querySelector<HTMLElement>(".alert-title")?.focus({ preventScroll: true });
}

function moveCurrentRow(by: number): void {
  const all = rows();
  const row = currentRow();
  const at = row ? all.indexOf(row) : by > 0 ? -1 : all.length;
  setCurrentRow(all[Math.max(0, Math.min(all.length - 1, at + by))]);
}

/** The ends of the paths to which the buttons of a row submit, by their keys. */
const ROW_STEPS: Readonly<Record<string, string>> = { a: "/acknowledge", e: "/resolve" };

/** The element that a key clicks: in the current row, or on the page if it has no list. */
function target(key: string): HTMLElement | null {
  if (rows().length === 0 || key === "/") {
    return document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
  }
  const step = ROW_STEPS[key];
  return step === undefined
    ? null
    : (currentRow()?.querySelector<HTMLElement>(`[formaction$="${step}"]`) ?? null);
}

const findField = () => document.querySelector<HTMLInputElement>(".find input");

/** The field above every page lists what it finds while somebody types. */
export function openFind(): void {
  const field = findField();
  if (field === null) return;
  // Without anything marked, Enter leads to the page with all that is found. Before the list's own keys.
  field.addEventListener("keydown", (event) => {
    const isMarked = field.hasAttribute("aria-activedescendant");
    if (event.key === "Enter" && !isMarked) event.stopImmediatePropagation();
  });
  new Combobox(
    field,
    (text) => fetchChoices("/search?", text),
    ({ value }) => location.assign(value),
  );
}

function handleKey(event: KeyboardEvent): void {
  // Under a dialog, the page is inert.
  if (document.querySelector("dialog[open]") !== null) return;
  const { key } = event;
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "k") {
    event.preventDefault();
    const field = findField();
    field?.focus();
    field?.select();
    field?.click();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (key === "j" || key === "k") moveCurrentRow(key === "j" ? 1 : -1);
  else if (key === "?") showKeyHelp();
  else if (key === "x")
    currentRow()?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
  else {
    const found = target(key) ?? (key === "/" ? findField() : null);
    if (!found) return;
    event.preventDefault();
    if (found instanceof HTMLInputElement) found.focus();
    else found.click();
  }
}

export function listenForKeys(): void {
  document.addEventListener("keydown", handleKey);
}
