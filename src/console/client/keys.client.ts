// Keyboard shortcuts: j and k move through a list, Enter opens, x selects. Elements with
// `aria-keyshortcuts` are clicked by their key; in a list, the buttons of the current row.
import { showKeyHelp } from "./key-help.client.ts";

const isTyping = (element: EventTarget | null) =>
  element instanceof HTMLElement &&
  (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName));

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-rows] .alert")];
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

function handleKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const { key } = event;
  // Under a dialog, the page is inert.
  if (document.querySelector("dialog[open]") !== null) return;
  if (key === "j" || key === "k") moveCurrentRow(key === "j" ? 1 : -1);
  else if (key === "?") showKeyHelp();
  else if (key === "x")
    currentRow()?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
  else {
    const found = target(key);
    if (!found) return;
    event.preventDefault();
    if (found instanceof HTMLInputElement) found.focus();
    else found.click();
  }
}

export function listenForKeys(): void {
  document.addEventListener("keydown", handleKey);
}
