// The parameters of operations: paths, list queries (generated from the attributes), and the
// headers that every request accepts.
import { QUERIES } from "../features/queries.ts";
import type { QueryName } from "../kernel/contract/answers.ts";
import { exampleId } from "../kernel/contract/examples.ts";
import type { AnyAttribute, Attributes } from "../kernel/db/attributes.ts";
import { OPERATIONS } from "../kernel/db/condition.ts";
import { filterableNames, isSortable } from "../kernel/db/list-query.ts";
import { fieldOf } from "./schemas/answers.ts";
import { integer, type Shape, schemasOf, text } from "./schemas/json-schema.ts";

const component = (name: string): Shape => ({ $ref: `#/components/parameters/${name}` });

const inQuery = (name: string, description: string, schema: Shape): Shape => ({
  name,
  in: "query",
  description,
  schema,
});

/** The shared parameters, by name. */
export const PARAMETERS: Readonly<Record<string, Shape>> = {
  limit: inQuery("limit", "The maximum number of records.", {
    ...integer,
    minimum: 1,
    maximum: 100,
    default: 10,
  }),
  // No default: a client that fills it in would always override `page`.
  offset: inQuery(
    "offset",
    "The number of records to skip; 0 by default. Takes precedence over `page`.",
    {
      ...integer,
      minimum: 0,
    },
  ),
  page: inQuery("page", "The page number. Equivalent to the `offset` (page − 1) × limit.", {
    ...integer,
    minimum: 1,
    default: 1,
  }),
  direction: inQuery("direction", "The direction of `sort`.", {
    ...text,
    enum: ["asc", "desc"],
    default: "desc",
  }),
  ops: {
    ...inQuery(
      "ops",
      `The comparison operations of filters, as comma-separated \`<attribute>:<operation>\`. Operations: ${OPERATIONS.map((it) => `\`${it}\``).join(", ")}. \`between\` takes \`A..B\`. A filter can be repeated: its values are alternatives or, with several operations, one for each operation.`,
      text,
    ),
    example: "created_at:gte",
  },
  meta: {
    ...inQuery("meta", "Filters by entries of the record's `meta`: `meta.<key>=<value>`.", {
      type: "object",
      additionalProperties: text,
    }),
    style: "form",
    explode: true,
    example: { "meta.region": "eu" },
  },
  bookmark: {
    name: "X-D1-Bookmark",
    in: "header",
    description:
      "The bookmark of an earlier response. This request then reads the writes of that request.",
    schema: text,
  },
  idempotency_key: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A request with the same key and body within 24 hours returns the first response and creates nothing twice.",
    schema: { ...text, maxLength: 255 },
  },
};

export const bookmarkParameter = component("bookmark");
export const idempotencyKeyParameter = component("idempotency_key");

/** Converts `/alerts/:id` to `/alerts/{id}`, with its parameters. */
export function pathParameters(path: string): {
  readonly path: string;
  readonly parameters: Shape[];
} {
  const names = [...path.matchAll(/:([a-z_]+)/g)].map(([, name]) => name as string);
  return {
    path: path.replace(/:([a-z_]+)/g, "{$1}"),
    parameters: names.map((name) => ({
      name,
      in: "path",
      required: true,
      description: "The record's `id` or `prefix_id`.",
      schema: text,
      example: exampleId("alert"),
    })),
  };
}

/** The query parameters of a list: paging, sorting, search, and a filter for each attribute. */
export function listParameters(
  attributes: Attributes,
  owner: string,
  options: { readonly aliases: readonly string[]; readonly searches: boolean },
): Shape[] {
  const sortable = Object.keys(attributes).filter((name) => isSortable(attributes[name]));
  const sort = inQuery("sort", "The attribute to sort by.", {
    ...text,
    enum: sortable,
    default: sortable.includes("created_at") ? "created_at" : "name",
  });
  const search = inQuery("q", "A search text, case-insensitive.", text);
  const names = filterableNames(attributes);
  const hashes = Object.keys(attributes).filter((name) => attributes[name]?.kind === "hash");
  return [
    ...["limit", "offset", "page"].map(component),
    sort,
    ...["direction", "ops"].map(component),
    ...(options.searches ? [search] : []),
    ...names.map((name) => filter(name, attributes[name], owner)),
    ...options.aliases
      .filter((name) => !names.includes(name) && !name.startsWith("meta."))
      .map((name) => inQuery(name, "An alias of a filter.", text)),
    ...hashes.map((name) => (name === "meta" ? component("meta") : entries(name))),
  ];
}

/** An instant; with `ops=…:between` two of them; empty for records without one. */
const INSTANT_FILTER: Shape = {
  anyOf: [
    { ...text, format: "date-time" },
    { ...text, pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$" },
    { ...text, pattern: "^$|\\.\\." },
  ],
};

/** A filter's value is text: with `ops` it can be a part of a value, or two joined with `..`. */
function filter(name: string, attribute: AnyAttribute | undefined, owner: string): Shape {
  const field = fieldOf(owner, name);
  const about = String(field?.description ?? "");
  const words = Array.isArray(field?.enum) ? field.enum.filter((it) => it !== null) : undefined;
  switch (attribute?.kind) {
    case "boolean":
      return inQuery(name, about, { type: "boolean" });
    case "instant":
      return inQuery(name, `${about} ISO 8601, or \`YYYY-MM-DD HH:mm:ss\` (UTC).`, INSTANT_FILTER);
    case "list":
      return inQuery(name, `${about} Matches lists with this element.`, text);
    default:
      return inQuery(name, about, words ? { ...text, examples: words } : text);
  }
}

function entries(name: string): Shape {
  return {
    ...inQuery(name, `Filters by entries of \`${name}\`: \`${name}.<key>=<value>\`.`, {
      type: "object",
      additionalProperties: text,
    }),
    style: "form",
    explode: true,
  };
}

const queries = schemasOf(QUERIES);

/** The query parameters of an operation that is not a list. */
export function queryParameters(query: QueryName): Shape[] {
  const { required, properties = {} } = queries.get(query) ?? {};
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    ...inQuery(name, String(description), schema),
    required: Array.isArray(required) && required.includes(name),
    ...(Array.isArray(examples) && { example: examples[0] }),
  }));
}
