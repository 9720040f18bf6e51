// Small additions to forms: line numbers of the editor, buttons that copy a URL, and files as texts.

const EXTRA_LINES = 4;

function syncLineNumbers(editor: HTMLElement): void {
  const area = editor.querySelector("textarea");
  const numbers = editor.querySelector<HTMLElement>(".line-numbers");
  if (!area || !numbers) return;
  area.addEventListener("input", () => {
    const rows = area.value.split("\n").length + EXTRA_LINES;
    area.rows = rows;
    numbers.textContent = Array.from({ length: rows }, (_, at) => at + 1).join("\n");
  });
}

function copyOnClick(button: HTMLButtonElement): void {
  const from = button.parentElement?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    "[data-copy-from]",
  );
  if (!from || !navigator.clipboard) return;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(from.value);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  });
}

/** Offers to fill a text area with the content of a file. */
function readFileInto(label: HTMLLabelElement): void {
  const area = document.querySelector<HTMLTextAreaElement>(`#${label.dataset.fileFor}`);
  const input = label.querySelector<HTMLInputElement>("input[type=file]");
  if (!area || !input) return;
  label.hidden = false;
  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    if (file) area.value = await file.text();
  });
}

/** Moves the focus to the first field with a fault, or into it, once all fields are drawn. */
export function focusFirstFault(): void {
  const faulty = document.querySelector<HTMLElement>('main [aria-invalid="true"]:not([hidden])');
  const inside = "input:not([type=hidden]), select:not([hidden]), textarea";
  const field = faulty?.matches("fieldset") ? faulty.querySelector<HTMLElement>(inside) : faulty;
  field?.focus();
}

export function helpWithForms(): void {
  for (const editor of document.querySelectorAll<HTMLElement>("[data-editor]"))
    syncLineNumbers(editor);
  for (const it of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) copyOnClick(it);
  for (const it of document.querySelectorAll<HTMLLabelElement>("[data-file-for]")) readFileInto(it);
}
