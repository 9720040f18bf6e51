// The editor of a rotation: draws again what the form would do while somebody types, and helps with
// its list of people. Everything is also a button of the form, which works without this script.
import { Combobox, fetchChoices } from "../client/combobox.client.ts";
import {
  addRow,
  all,
  changed,
  dragRows,
  edit,
  idOf,
  nameButtons,
  one,
  personElement,
} from "./position-list.client.ts";

const DRAW_AFTER_MS = 300;

const form = document.querySelector<HTMLFormElement>("form#editor");

/** Finds people by name while somebody types; who is picked takes the last turn. */
function searchPeople(field: HTMLElement, input: HTMLInputElement): void {
  new Combobox(
    input,
    (text) => fetchChoices(field.dataset.search ?? "", text),
    ({ value, label }) => {
      addRow(field, [personElement({ id: value, name: label })]);
      input.value = "";
      changed(field);
    },
  );
}

let timer = 0;
let request: AbortController | null = null;

/** The colours are those of the drawing, which knows all people of the account. */
function colourPeople(): void {
  for (const person of all(document, "form#editor [data-person]")) {
    const known = one(document, `#plan [data-person="${CSS.escape(idOf(person))}"] .swatch`);
    const swatch = one(person, ".swatch");
    if (known && swatch) swatch.className = known.className;
  }
}

async function draw(editor: HTMLFormElement): Promise<void> {
  const path = one(editor, "[formaction]")?.getAttribute("formaction");
  if (!path) return;
  request?.abort();
  request = new AbortController();
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(editor)) {
    if (typeof value === "string") fields.append(name, value);
  }
  const response = await fetch(path, {
    method: "POST",
    headers: { "HX-Request": "true" },
    body: fields,
    signal: request.signal,
  });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [drawn, old] = [page.getElementById("plan"), document.getElementById("plan")];
  if (drawn) old?.replaceWith(drawn);
  colourPeople();
}

/** Without a connection the last drawing stays. */
const drawNow = () => {
  if (form) draw(form).catch(() => {});
};

function drawSoon(): void {
  clearTimeout(timer);
  timer = window.setTimeout(drawNow, DRAW_AFTER_MS);
}

/** Starts the editor, on a page that has one. */
export function editRotation(): void {
  if (!form) return;
  form.dataset.live = "yes";
  for (const field of all(form, "[data-positions]")) {
    nameButtons(field);
    dragRows(field);
    const input = field.querySelector<HTMLInputElement>("input[data-find]");
    if (input) searchPeople(field, input);
    field.addEventListener("click", (event) => {
      const button = (event.target as HTMLElement).closest<HTMLButtonElement>("button[name=edit]");
      if (button && edit(field, button)) event.preventDefault();
      else if (button && input) {
        event.preventDefault();
        input.focus();
      }
    });
  }
  form.addEventListener("input", drawSoon);
  drawNow();
}
