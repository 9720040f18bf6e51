// A person's hands in a browser, which count what they do: a click, or a field that is filled in.
import type { Locator, Page } from "playwright-core";

/** Counts what a person does on a page. */
export class Hands {
  interactions = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.interactions += 1;
    await target.click();
  }

  link(name: string, within: Page | Locator = this.#page): Promise<void> {
    return this.click(within.getByRole("link", { name, exact: true }).first());
  }

  radio(name: RegExp): Promise<void> {
    return this.click(this.#page.getByRole("radio", { name }));
  }

  button(name: string, within: Page | Locator = this.#page): Promise<void> {
    return this.click(within.getByRole("button", { name, exact: true }).first());
  }

  async fill(label: string, value: string, within: Page | Locator = this.#page): Promise<void> {
    this.interactions += 1;
    await within.getByLabel(label, { exact: true }).fill(value);
  }

  async select(label: string, value: string, within: Page | Locator = this.#page): Promise<void> {
    this.interactions += 1;
    await within.getByLabel(label, { exact: true }).selectOption(value);
  }

  /** Adds people to a part of the form by typing their names. */
  async addPeople(names: readonly string[], part: Locator): Promise<void> {
    for (const name of names) {
      await this.fill("Add person", name, part);
      await part.getByLabel("Add person").press("Enter");
      await part.locator("[data-list]").getByText(name).waitFor();
    }
  }
}
