// Parses the forms of a page as a browser does, with the fields that each would submit.

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

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  apos: "'",
};

const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|apos);/g, (whole, name) => ENTITIES[name] ?? whole);

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

/** The forms of a page with method `post`, in their initial state. */
export async function formsOf(html: string): Promise<readonly PageForm[]> {
  const forms: Open[] = [];
  const detached: Field[] = [];
  let open: Open | null = null;
  let disabled = 0;
  let select: Choice | null = null;
  let area: Field | null = null;
  const attribute = (element: Element, name: string) => {
    const value = element.getAttribute(name);
    return value === null ? null : decode(value);
  };
  const add = <Kind extends Field>(field: Kind) => {
    if (field.form !== null) detached.push(field);
    else open?.controls.push(field);
    return field;
  };
  const isSent = (element: Element) =>
    disabled === 0 && element.getAttribute("disabled") === null && element.getAttribute("name");
  const rewriter = new HTMLRewriter()
    .on("form", {
      element(element) {
        if (element.getAttribute("method") !== "post") return;
        const form: Open = {
          action: attribute(element, "action") ?? "",
          id: attribute(element, "id"),
          controls: [],
          buttons: [],
        };
        forms.push(form);
        open = form;
        element.onEndTag(() => {
          open = null;
        });
      },
    })
    .on("fieldset[disabled]", {
      element(element) {
        disabled++;
        element.onEndTag(() => {
          disabled--;
        });
      },
    })
    .on("input", {
      element(element) {
        const type = attribute(element, "type") ?? "text";
        if (!isSent(element) || NOT_SUBMITTED.includes(type)) return;
        const isBox = type === "checkbox" || type === "radio";
        if (isBox && element.getAttribute("checked") === null) return;
        const value = sanitized(type, attribute(element, "value") ?? (isBox ? "on" : ""));
        add({ name: attribute(element, "name") ?? "", value, form: attribute(element, "form") });
      },
    })
    .on("select", {
      element(element) {
        if (!isSent(element)) return;
        const form = attribute(element, "form");
        select = add({ name: attribute(element, "name") ?? "", value: "", form, options: [] });
        element.onEndTag(() => {
          select = null;
        });
      },
    })
    .on("select option", {
      element(element) {
        const selected = element.getAttribute("selected") !== null;
        select?.options.push({ value: attribute(element, "value"), text: "", selected });
      },
      text({ text }) {
        const last = select?.options.at(-1);
        if (last) last.text += decode(text);
      },
    })
    .on("textarea", {
      element(element) {
        if (!isSent(element)) return;
        const form = attribute(element, "form");
        area = add({ name: attribute(element, "name") ?? "", value: "", form });
        element.onEndTag(() => {
          if (area) area.value = decode(area.value).replace(/^\r?\n/, "");
          area = null;
        });
      },
      text({ text }) {
        if (area) area.value += text;
      },
    })
    .on("button", {
      element(element) {
        if ((attribute(element, "type") ?? "submit") !== "submit") return;
        open?.buttons.push({
          name: attribute(element, "name") ?? "",
          value: attribute(element, "value") ?? "",
          action: attribute(element, "formaction"),
        });
      },
    });
  await rewriter.transform(new Response(html)).text();
  return forms.map(({ action, id, controls, buttons }) => ({
    action,
    id,
    buttons,
    fields: [...controls, ...detached.filter(({ form }) => form !== null && form === id)].map(
      (field) => [field.name, sent(valueSent(field))] as const,
    ),
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
