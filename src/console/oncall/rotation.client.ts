// The editor of a rotation: draws again what the form would do while somebody types, and helps with
// its list of people. Everything is also a button of the form, which works without this script.
import { Combobox, fetchChoices } from "../client/combobox.client.ts";
import { element } from "../client/element.client.ts";
import { fieldsOf } from "../client/retry.client.ts";

// The list of people in the editor of a rotation: does the operations of its buttons without a
// request, and lets rows be dragged.

type Person = { readonly id: string; readonly name: string };

const NOBODY = "nobody";

const all = (root: ParentNode, selector: string) => [
  ...root.querySelectorAll<HTMLElement>(selector),
];
const one = (root: ParentNode, selector: string) => root.querySelector<HTMLElement>(selector);

const rowsOf = (field: HTMLElement) => all(field, "[data-list] > [data-position]");
const peopleOf = (row: HTMLElement) => all(row, "[data-people] > [data-person]");
const idOf = (person: HTMLElement) => person.dataset.person ?? "";

function personElement({ id, name }: Person): HTMLElement {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  return element("span", { "data-person": id }, element("span", { class: "who" }, swatch, name));
}

/** Puts people into a row, and says in its field who they are. */
function setPeople(row: HTMLElement, people: readonly HTMLElement[]): void {
  const input = row.querySelector("input");
  const place = one(row, "[data-people]");
  if (!input || !place) return;
  input.value = people.map(idOf).join(" ") || NOBODY;
  const nobody = element("span", { class: "soft" }, "Nobody (empty turn)");
  place.replaceChildren(...(people.length > 0 ? people : [nobody]));
}

function newRow(field: HTMLElement, people: readonly HTMLElement[]): HTMLElement | null {
  const template = document.querySelector<HTMLTemplateElement>("template#position");
  const row = template?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined;
  const input = row?.querySelector("input");
  if (!row || !input) return null;
  input.name = `positions_${field.dataset.positions}[]`;
  setPeople(row, people);
  return row;
}

function nameButtons(field: HTMLElement): void {
  for (const [at, row] of rowsOf(field).entries()) {
    const who =
      peopleOf(row)
        .map((it) => it.textContent)
        .join(" and ") || "nobody";
    for (const button of row.querySelectorAll("button")) {
      const [, edit] = button.value.split(" ");
      button.value = `${field.dataset.positions} ${edit} ${at}`;
      const label = `${button.title.split(":")[0]}: ${who}`;
      button.title = label;
      button.setAttribute("aria-label", label);
      if (edit === "join") button.hidden = at === 0;
      if (edit === "split") button.hidden = peopleOf(row).length < 2;
    }
  }
}

const clones = (people: readonly HTMLElement[]) =>
  people.map((it) => it.cloneNode(true) as HTMLElement);

function editRow(field: HTMLElement, row: HTMLElement, edit: string): void {
  const people = peopleOf(row);
  const before = row.previousElementSibling as HTMLElement | null;
  switch (edit) {
    case "up":
      before?.before(row);
      break;
    case "down":
      row.nextElementSibling?.after(row);
      break;
    case "join": {
      if (!before) return;
      const joined = new Map([...peopleOf(before), ...people].map((it) => [idOf(it), it]));
      setPeople(before, [...joined.values()]);
      row.remove();
      break;
    }
    case "split":
      row.replaceWith(...people.flatMap((it) => newRow(field, [it]) ?? []));
      break;
    case "repeat":
      addRow(field, clones(people));
      break;
    case "remove":
      row.remove();
  }
}

function addRow(field: HTMLElement, people: readonly HTMLElement[]): void {
  const row = newRow(field, people);
  if (row) one(field, "[data-list]")?.append(row);
}

function announce(field: HTMLElement): void {
  const status = one(field, "[data-status]");
  const names = rowsOf(field).map((row) => one(row, "[data-people]")?.textContent?.trim());
  if (status) status.textContent = `Order: ${names.join(", ")}`;
}

/** Does what a button of the list says; false if it is not one of the list's. */
function edit(field: HTMLElement, button: HTMLButtonElement): boolean {
  const [, name = "", argument = ""] = button.value.split(" ");
  const row = button.closest<HTMLElement>("[data-position]");
  if (name === "add") {
    addRow(field, [personElement({ id: argument, name: one(button, ".who")?.textContent ?? "" })]);
  } else if (name === "each") {
    const people = JSON.parse(button.dataset.people ?? "[]") as readonly Person[];
    for (const person of people) addRow(field, [personElement(person)]);
  } else if (name === "empty") addRow(field, []);
  else if (row) editRow(field, row, name);
  else return false;
  changed(field);
  if (button.isConnected) button.focus();
  return true;
}

/** Announces a change of the list; the form hears of it as if somebody had typed. */
function changed(field: HTMLElement): void {
  nameButtons(field);
  announce(field);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Rows are dragged by their grip; the list is reordered while the pointer moves. */
function dragRows(field: HTMLElement): void {
  field.addEventListener("pointerdown", (event) => {
    const row = (event.target as HTMLElement).closest("[data-grip]")?.closest("[data-position]");
    if (!(row instanceof HTMLElement)) return;
    event.preventDefault();
    row.classList.add("dragged");
    const move = ({ clientY }: PointerEvent) => {
      for (const other of rowsOf(field)) {
        if (other === row) continue;
        const { top, height } = other.getBoundingClientRect();
        const isAbove = row.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING;
        if (isAbove && clientY < top + height / 2) return other.before(row);
        if (!isAbove && clientY > top + height / 2 && clientY < top + height) other.after(row);
      }
    };
    const drop = () => {
      document.removeEventListener("pointermove", move);
      row.classList.remove("dragged");
      changed(field);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", drop, { once: true });
    document.addEventListener("pointercancel", drop, { once: true });
  });
}

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
  const response = await fetch(path, {
    method: "POST",
    headers: { "HX-Request": "true" },
    body: fieldsOf(editor),
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
