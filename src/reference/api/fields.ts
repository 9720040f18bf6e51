// The fields of a body, an answer or a query, as a list: name, kind, limits, description.
import { code, escapeHtml } from "../html.ts";
import { renderInline } from "../markdown.ts";
import { type Document, merged, nameOf, type OpenApiParameter, type Schema } from "./openapi.ts";

/** Where the section of a record is: `Team` → `/docs/api/teams#Team`. */
export type AddressOf = (record: string) => string;

const NAMES: Readonly<Record<string, string>> = { "date-time": "instant", date: "date" };

/** The kind of a value: `string or null`, `array of Shift`, with links to records. */
export function kindOf(schema: Schema, addressOf: AddressOf): string {
  const { $ref, type, items, anyOf, oneOf, allOf, format } = schema;
  if ($ref) {
    const name = nameOf({ $ref });
    return `<a href="${addressOf(name)}">${escapeHtml(name)}</a>`;
  }
  const alternatives = anyOf ?? oneOf ?? allOf;
  if (alternatives) {
    return [...new Set(alternatives.map((it) => kindOf(it, addressOf)))].join(" or ");
  }
  const kinds = [type ?? []].flat().map((it) => {
    if (it === "array" && items) return `array of ${kindOf(items, addressOf)}`;
    return (it === "string" && format && NAMES[format]) || it;
  });
  return kinds.join(" or ") || "any value";
}

const range = (from: number | undefined, to: number | undefined, unit: string): string[] => {
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`];
  if (to !== undefined) return [`at most ${to}${unit}`];
  return from !== undefined && from > 0 ? [`at least ${from}${unit}`] : [];
};

function limitsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, ...rest }: Schema) {
  return [
    ...range(minimum, maximum, ""),
    ...range(minLength || undefined, maxLength, " characters"),
    ...range(minItems, maxItems, " elements"),
    ...(rest.default === undefined ? [] : [`default ${code(JSON.stringify(rest.default))}`]),
  ];
}

function wordsOf(schema: Schema): string {
  const words = (schema.enum ?? schema.items?.enum ?? []).filter((it) => it !== null);
  if (words.length === 0) return "";
  return `<p class="soft">${words.length === 1 ? "Always" : "One of"} ${words.map((it) => code(String(it))).join(", ")}.</p>`;
}

type Shown = { readonly isRequired: boolean; readonly note?: string };

function field(name: string, schema: Schema, shown: Shown, addressOf: AddressOf): string {
  const facts = [
    kindOf(schema, addressOf),
    ...(shown.isRequired ? ["<b>required</b>"] : []),
    ...limitsOf(schema),
  ];
  const nested = schema.properties ?? schema.items?.properties;
  const required = schema.required ?? schema.items?.required ?? [];
  return `<div><dt>${code(name)} <span class="kind">${facts.join(" · ")}</span></dt><dd>${
    schema.description ? `<p>${renderInline(schema.description)}</p>` : ""
  }${wordsOf(schema)}${shown.note ? `<p class="soft">${shown.note}</p>` : ""}${
    nested
      ? fieldList(
          Object.entries(nested).map(([name, it]) =>
            field(name, it, { isRequired: required.includes(name) }, addressOf),
          ),
        )
      : ""
  }</dd></div>`;
}

const fieldList = (fields: readonly string[]): string =>
  `<dl class="fields">${fields.join("\n")}</dl>`;

/** The fields of an answer, all of which it has. */
export const answerFields = (document: Document, schema: Schema, addressOf: AddressOf): string =>
  fieldList(
    Object.entries(merged(document, schema).properties ?? {}).map(([name, it]) =>
      field(name, it, { isRequired: false }, addressOf),
    ),
  );

type Variant = { readonly name: string; readonly schema: Schema };

const codes = (variants: readonly Variant[]): string =>
  variants.map(({ name }) => code(name)).join(", ");

/** Which of the variants of a body have a field, unless all have, and what it is in each if that differs. */
function variantNote(field: string, variants: readonly Variant[]): string {
  const having = variants.filter(({ schema }) => schema.properties?.[field]);
  const byMeaning = Map.groupBy(
    having,
    ({ schema }) => schema.properties?.[field]?.description ?? "",
  );
  if (byMeaning.size > 1) {
    return [...byMeaning]
      .map(([about, some]) => `Of ${codes(some)}: ${renderInline(about)}`)
      .join("<br />");
  }
  if (having.length === variants.length) return "";
  const missing = variants.filter((it) => !having.includes(it));
  return having.length <= missing.length ? `Of ${codes(having)}.` : `Not of ${codes(missing)}.`;
}

/** The fields of a body that has variants, such as an integration by its type: those of all, with the variants of each. */
function variantFields(discriminator: string, variants: readonly Variant[], addressOf: AddressOf) {
  const all: Readonly<Record<string, Schema>> = Object.assign(
    {},
    ...variants.map(({ schema }) => schema.properties),
  );
  return fieldList(
    Object.entries(all).map(([name, it]) => {
      const isRequired = variants.every(({ schema }) => schema.required?.includes(name));
      if (name === discriminator) {
        const names = variants.map((variant) => variant.name);
        return field(name, { ...it, enum: names }, { isRequired }, addressOf);
      }
      const note = variantNote(name, variants);
      const shown = note.includes("<br />") ? { ...it, description: undefined } : it;
      return field(name, shown, { isRequired, note }, addressOf);
    }),
  );
}

/** The fields of a body. */
export function bodyFields(document: Document, schema: Schema, addressOf: AddressOf): string {
  const whole = merged(document, schema);
  const { oneOf = [], discriminator } = whole;
  if (discriminator) {
    const variants = oneOf.map((it) => {
      const variant = merged(document, it);
      // Its name, and the identifiers that mean the same.
      const [name] = variant.properties?.[discriminator.propertyName]?.enum ?? [];
      return { name: String(name), schema: variant };
    });
    return variantFields(discriminator.propertyName, variants, addressOf);
  }
  return fieldList(
    Object.entries(whole.properties ?? {}).map(([name, it]) =>
      field(name, it, { isRequired: whole.required?.includes(name) ?? false }, addressOf),
    ),
  );
}

/** The parameters of a path or a query. */
export const parameterFields = (
  parameters: readonly OpenApiParameter[],
  addressOf: AddressOf,
): string =>
  fieldList(
    parameters.map(({ name, schema, description, required }) =>
      field(name, { ...schema, description }, { isRequired: required === true }, addressOf),
    ),
  );
