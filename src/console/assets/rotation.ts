// The editor of a rotation: does the operations on its list of people without a request, finds
// people by name, and draws again what the form would do while somebody types. Every operation is
// also a button of the form, which works without this script.
import "./styles/rotation.css";

type Person = { readonly id: string; readonly name: string };

const NOBODY = "nobody";
const DRAW_AFTER_MS = 300;
const FIND_AFTER_MS = 120;

const form = document.querySelector<HTMLFormElement>("form#editor");

const all = (root: ParentNode, selector: string) => [
  ...root.querySelectorAll<HTMLElement>(selector),
];
const one = (root: ParentNode, selector: string) => root.querySelector<HTMLElement>(selector);

// ── The list of people ──

const rowsOf = (field: HTMLElement) => all(field, "[data-list] > [data-position]");
const peopleOf = (row: HTMLElement) => all(row, "[data-people] > [data-person]");
const idOf = (person: HTMLElement) => person.dataset.person ?? "";

function personElement({ id, name }: Person): HTMLElement {
  const element = document.createElement("span");
  element.dataset.person = id;
  const who = document.createElement("span");
  who.className = "who";
  const swatch = document.createElement("span");
  swatch.className = "swatch";
  swatch.setAttribute("aria-hidden", "true");
  who.append(swatch, name);
  element.append(who);
  return element;
}

/** Puts people into a row, and says in its field who they are. */
function setPeople(row: HTMLElement, people: readonly HTMLElement[]): void {
  const input = row.querySelector("input");
  const place = one(row, "[data-people]");
  if (!input || !place) return;
  input.value = people.map(idOf).join(" ") || NOBODY;
  if (people.length > 0) {
    place.replaceChildren(...people);
    return;
  }
  const nobody = document.createElement("span");
  nobody.className = "soft";
  nobody.textContent = "Nobody (empty turn)";
  place.replaceChildren(nobody);
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

/** Names the buttons of every row after its position and its people. */
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
  } else if (name === "empty") addRow(field, []);
  else if (row) editRow(field, row, name);
  else return false;
  changed(field);
  if (button.isConnected) button.focus();
  return true;
}

function changed(field: HTMLElement): void {
  nameButtons(field);
  announce(field);
  drawSoon();
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

// ── Finding people ──

async function findPeople(field: HTMLElement, text: string): Promise<readonly Person[]> {
  if (text.trim() === "") return [];
  const response = await fetch(`${field.dataset.search}?${new URLSearchParams({ q: text })}`, {
    headers: { Accept: "application/json" },
  });
  const found: unknown = response.ok ? await response.json() : [];
  return Array.isArray(found) ? (found as Person[]) : [];
}

/** Shows who was found as buttons like those of the offered people. */
function showFound(field: HTMLElement, people: readonly Person[], text: string): void {
  const place = one(field, "[data-found]");
  const part = field.dataset.positions;
  place?.replaceChildren(
    ...people.map((person) => {
      const button = document.createElement("button");
      button.type = "submit";
      button.className = "offer";
      button.name = "edit";
      button.value = `${part} add ${person.id}`;
      const add = document.createElement("span");
      add.className = "sr-only";
      add.textContent = "Add ";
      button.append(add, ...personElement(person).childNodes);
      return button;
    }),
    ...(people.length === 0 && text.trim() !== "" ? ["No person found."] : []),
  );
}

function findWhileTyping(field: HTMLElement, input: HTMLInputElement): void {
  let latest: { text: string; people: Promise<readonly Person[]> } | null = null;
  let timer = 0;
  const find = (text: string) => {
    latest = latest?.text === text ? latest : { text, people: findPeople(field, text) };
    return latest.people;
  };
  const show = async () => {
    const text = input.value;
    const people = await find(text).catch(() => []);
    if (text === input.value) showFound(field, people, text);
  };
  input.addEventListener("input", (event) => {
    event.stopPropagation();
    clearTimeout(timer);
    timer = window.setTimeout(show, FIND_AFTER_MS);
  });
  input.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const [first] = await find(input.value).catch(() => []);
    if (!first) return show();
    addRow(field, [personElement(first)]);
    input.value = "";
    showFound(field, [], "");
    changed(field);
  });
}

// ── Drawing ──

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

if (form) {
  form.dataset.live = "yes";
  for (const field of all(form, "[data-positions]")) {
    nameButtons(field);
    dragRows(field);
    const input = field.querySelector<HTMLInputElement>("input[data-find]");
    if (input) findWhileTyping(field, input);
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
