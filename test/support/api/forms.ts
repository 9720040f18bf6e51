// Parses the forms of a page as a browser does, with the fields that each would submit.
import { type Attributes, tokensOf } from "./html-tokens.ts";

/** A form of a page and the fields that it submits, in order. */
export type PageForm = {
  readonly action: string;
  readonly id: string | null;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The buttons that submit it. */
  readonly buttons: readonly Button[];
};

type Button = { readonly name: string; readonly value: string; readonly action: string | null };

type Field = { name: string; value: string; form: string | null };
type Choice = Field & { options: { value: string | null; text: string; selected: boolean }[] };
type Open = {
  action: string;
  id: string | null;
  controls: (Field | Choice)[];
  buttons: Button[];
};

/** A field's value after the browser's value sanitization. */
function sanitized(type: string, value: string): string {
  if (type === "datetime-local") {
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value) ? value : "";
  }
  if (type === "date") return /^\d{4}-\d\d-\d\d$/.test(value) ? value : "";
  if (type === "number") return /^-?\d+(\.\d+)?$/.test(value) ? value : "";
  return type === "hidden" ? value : value.replaceAll(/[\r\n]/g, "");
}

/** Normalizes line ends as a browser does. */
const sent = (value: string) => value.replaceAll(/\r\n|\r|\n/g, "\r\n");

const NOT_SUBMITTED = ["submit", "button", "image", "reset", "file"];

/** What a page's tokens lead to, one after another. */
class FormReader {
  readonly forms: Open[] = [];
  /** Fields outside of their form. */
  readonly detached: Field[] = [];
  #open: Open | null = null;
  #disabled = 0;
  #select: Choice | null = null;
  #option: Choice["options"][number] | null = null;
  #area: Field | null = null;

  begin(name: string, attributes: Attributes): void {
    const read = (attribute: string) => attributes.get(attribute) ?? null;
    const isSent = this.#disabled === 0 && read("disabled") === null && read("name");
    const field = { name: read("name") ?? "", value: "", form: read("form") };
    switch (name) {
      case "form":
        this.#beginForm(read);
        return;
      case "fieldset":
        // Of those that are enabled, none is in one that is not.
        if (this.#disabled > 0 || read("disabled") !== null) this.#disabled += 1;
        return;
      case "input":
        if (isSent) this.#addInput(field, read);
        return;
      case "select":
        if (isSent) this.#select = this.#add({ ...field, options: [] });
        return;
      case "option":
        this.#option = { value: read("value"), text: "", selected: read("selected") !== null };
        this.#select?.options.push(this.#option);
        return;
      case "textarea":
        if (isSent) this.#area = this.#add(field);
        return;
      case "button": {
        if ((read("type") ?? "submit") !== "submit") return;
        const button = { name: field.name, value: read("value") ?? "", action: read("formaction") };
        this.#open?.buttons.push(button);
      }
    }
  }

  end(name: string): void {
    if (name === "form") this.#open = null;
    if (name === "fieldset" && this.#disabled > 0) this.#disabled -= 1;
    if (name === "select") this.#select = null;
    if (name === "option") this.#option = null;
    if (name !== "textarea") return;
    if (this.#area) this.#area.value = this.#area.value.replace(/^\r?\n/, "");
    this.#area = null;
  }

  addText(text: string): void {
    if (this.#option) this.#option.text += text;
    if (this.#area) this.#area.value += text;
  }

  #beginForm(read: (attribute: string) => string | null): void {
    if (read("method") !== "post") return;
    this.#open = { action: read("action") ?? "", id: read("id"), controls: [], buttons: [] };
    this.forms.push(this.#open);
  }

  #addInput(field: Field, read: (attribute: string) => string | null): void {
    const type = read("type") ?? "text";
    if (NOT_SUBMITTED.includes(type)) return;
    const isBox = type === "checkbox" || type === "radio";
    if (isBox && read("checked") === null) return;
    this.#add({ ...field, value: sanitized(type, read("value") ?? (isBox ? "on" : "")) });
  }

  #add<Kind extends Field>(field: Kind): Kind {
    if (field.form !== null) this.detached.push(field);
    else this.#open?.controls.push(field);
    return field;
  }
}

/** The forms of a page with method `post`, in their initial state. */
export function formsOf(html: string): readonly PageForm[] {
  const reader = new FormReader();
  for (const token of tokensOf(html)) {
    if (token.kind === "text") reader.addText(token.text);
    else if (token.kind === "begin") reader.begin(token.name, token.attributes);
    else reader.end(token.name);
  }
  return reader.forms.map(({ action, id, controls, buttons }) => ({
    action,
    id,
    buttons,
    fields: [
      ...controls,
      ...reader.detached.filter(({ form }) => form !== null && form === id),
    ].map((field) => [field.name, sent(valueSent(field))] as const),
  }));
}

/** A select submits its last selected option, or else its first. */
function valueSent(field: Field | Choice): string {
  if (!("options" in field)) return field.value;
  const chosen = field.options.findLast(({ selected }) => selected) ?? field.options[0];
  return chosen ? (chosen.value ?? chosen.text) : "";
}

/** A form's fields as parameters of `Browser.post`. */
export function bodyOf({ fields }: Pick<PageForm, "fields">): Record<string, readonly string[]> {
  const body: Record<string, string[]> = {};
  for (const [name, value] of fields) {
    body[name] ??= [];
    body[name].push(value);
  }
  return body;
}
