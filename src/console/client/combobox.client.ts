// A text field that searches while somebody types, with the list of what was found: a combobox by
// the pattern of ARIA. The focus stays in the field; the arrow keys move through the list. Enter takes
// what is marked: what somebody moved to, or a choice that the text means without a doubt.
import { certainByName, type Searched } from "../../domain/shared/name-search.ts";
import { element } from "./element.client.ts";

export type ComboboxChoice = {
  readonly value: string;
  readonly label: string;
  readonly note?: string;
};
export type FoundChoices = { readonly choices: readonly ComboboxChoice[]; readonly more: boolean };

const SEARCH_AFTER_MS = 120;

let lists = 0;

/** What the text of a field is compared with. */
export const searchedOf = ({ label, note }: ComboboxChoice): Searched => ({
  name: label,
  ...(note !== undefined && { further: [note] }),
});

/** Searches at a path of the console; the latest of several searches counts. */
export async function fetchChoices(path: string, text: string): Promise<FoundChoices> {
  const response = await fetch(`${path}&${new URLSearchParams({ q: text })}`, {
    headers: { Accept: "application/json" },
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()) as FoundChoices;
}

const optionElement = (id: string, { label, note }: ComboboxChoice): HTMLElement => {
  const notes = note ? [" ", element("span", { class: "soft" }, note)] : [];
  return element("li", { id, role: "option" }, label, ...notes);
};

export class Combobox {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #status = element("p", { class: "unseen", role: "status" });
  readonly #search: (text: string) => Promise<FoundChoices>;
  readonly #choose: (choice: ComboboxChoice) => void;
  readonly #isChosen: (choice: ComboboxChoice) => boolean;
  #choices: readonly ComboboxChoice[] = [];
  #active = -1;
  /** The text that the list is for: what is in the field may be newer. */
  #listedFor = "";
  #timer = 0;
  #run = 0;

  /**
   * @param choose called with the choice that somebody picks
   * @param isChosen whether a choice was picked before, so that it is not offered again
   */
  constructor(
    input: HTMLInputElement,
    search: (text: string) => Promise<FoundChoices>,
    choose: (choice: ComboboxChoice) => void,
    isChosen: (choice: ComboboxChoice) => boolean = () => false,
  ) {
    this.#input = input;
    this.#search = search;
    this.#choose = choose;
    this.#isChosen = isChosen;
    lists += 1;
    this.#list = element("ul", {
      ...{ id: `choices-${lists}`, class: "picker-list", role: "listbox", hidden: true },
      "aria-label": input.getAttribute("aria-label") ?? "Choices",
    });
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-controls", this.#list.id);
    input.autocomplete = "off";
    input.after(this.#list, this.#status);
    input.addEventListener("input", (event) => {
      event.stopPropagation();
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#find(), SEARCH_AFTER_MS);
    });
    input.addEventListener("keydown", (event) => this.#onKey(event));
    input.addEventListener("click", () => this.#list.hidden && this.#find());
    input.addEventListener("blur", () => this.close());
    // The field keeps the focus while somebody picks with the pointer.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = (event.target as HTMLElement).closest<HTMLElement>("[role=option]");
      if (option) this.#pick([...this.#list.children].indexOf(option));
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#run += 1;
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
    this.#active = -1;
  }

  /**
   * Searches for the text of the field, and shows what is found.
   *
   * @param then `pick`: picks what the text means without a doubt; `first`: marks the first choice
   */
  async #find(then: "pick" | "first" | null = null): Promise<void> {
    clearTimeout(this.#timer);
    this.#run += 1;
    const run = this.#run;
    const text = this.#input.value.trim();
    const found = await this.#search(text).catch(() => null);
    if (run !== this.#run) return;
    this.#listedFor = text;
    this.#show(found);
    const certain = certainByName(found?.choices ?? [], text, searchedOf);
    const at = certain === null ? -1 : this.#choices.indexOf(certain);
    const isToFirst = then === "first" && at < 0 && this.#choices.length > 0;
    this.#activate(isToFirst ? 0 : at);
    if (then === "pick" && at >= 0) this.#pick(at);
  }

  #show(found: FoundChoices | null): void {
    this.#choices = (found?.choices ?? []).filter((choice) => !this.#isChosen(choice));
    const options = this.#choices.map((choice, at) =>
      optionElement(`${this.#list.id}-${at}`, choice),
    );
    const text = found === null ? "The search failed. Check the connection." : this.#textFor(found);
    const note = element("li", { class: "soft", role: "presentation" }, text);
    this.#list.replaceChildren(...options, ...(text === "" ? [] : [note]));
    this.#status.textContent = text || `${options.length} found`;
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
  }

  #textFor({ more }: FoundChoices): string {
    if (this.#choices.length === 0) return "Nothing found.";
    return more ? "There are more. Type further letters." : "";
  }

  #activate(at: number): void {
    this.#active = at;
    for (const [place, option] of [...this.#list.querySelectorAll("[role=option]")].entries()) {
      option.setAttribute("aria-selected", String(place === at));
      if (place !== at) continue;
      this.#input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
    if (at < 0) this.#input.removeAttribute("aria-activedescendant");
  }

  #pick(at: number): void {
    const choice = this.#choices[at];
    this.close();
    if (choice) this.#choose(choice);
  }

  #onKey(event: KeyboardEvent): void {
    const isOpen = !this.#list.hidden;
    const text = this.#input.value.trim();
    const isMarked = isOpen && this.#active >= 0 && this.#listedFor === text;
    const last = this.#choices.length - 1;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        event.preventDefault();
        if (!isOpen) this.#find(event.key === "ArrowDown" ? "first" : null);
        else if (event.key === "ArrowDown")
          this.#activate(this.#active < last ? this.#active + 1 : 0);
        else this.#activate(this.#active > 0 ? this.#active - 1 : last);
        break;
      case "Enter":
        // Somebody who types fast presses Enter before the list is there. Enter never submits.
        event.preventDefault();
        if (isMarked) this.#pick(this.#active);
        else if (text !== "") this.#find("pick");
        break;
      case "Tab":
        // Whoever goes on has chosen what is marked, as in a selection.
        if (isMarked && text !== "") this.#pick(this.#active);
        break;
      case "Escape":
        if (!isOpen) return;
        event.preventDefault();
        event.stopPropagation();
        this.close();
    }
  }
}
