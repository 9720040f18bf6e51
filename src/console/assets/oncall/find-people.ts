// Finds people by name while somebody types, in the editor of a rotation.
import { addRow, changed, one, type Person, personElement } from "./position-list.ts";

const FIND_AFTER_MS = 120;

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

export function findWhileTyping(field: HTMLElement, input: HTMLInputElement): void {
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
