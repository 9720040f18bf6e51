// Keyboard shortcuts: j and k move through a list, Enter opens, x selects. Elements with
// `aria-keyshortcuts` are clicked by their key; in a list, the buttons of the current row. Ctrl+K and
// ⌘K search everything, from anywhere; so does / on a page without a list to search.
import { Combobox, fetchChoices } from "./combobox.client.ts";
import { showKeyHelp } from "./key-help.client.ts";

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
