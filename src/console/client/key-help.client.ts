// The list of keyboard shortcuts, which `?` and the button in the footer open.
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
