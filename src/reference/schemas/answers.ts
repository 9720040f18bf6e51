// The schemas of responses from the contract, and an example of each.
import type * as z from "zod";
import { own } from "../../domain/shared/own.ts";
import { ANSWERS } from "../../features/answers.ts";
import { list } from "../../kernel/contract/list.ts";
import { mapped, type Shape, schemasOf } from "./json-schema.ts";

/** `Team` → `TeamList`. */
export const listName = (name: string) => `${name}List`;

const named: readonly (readonly [string, z.ZodType])[] = Object.entries(ANSWERS);
const lists = named.map(([name, schema]) => [listName(name), list(schema)] as const);

/** By name, lists included; with the examples of properties inline. */
const SCHEMAS = schemasOf(Object.fromEntries([...lists, ...named]));

const schemaNamed = (name: string): Shape => {
  const schema = SCHEMAS.get(name);
  if (schema === undefined) throw new Error(`the contract has no ${name}`);
  return schema;
};

/** The schema of a response's field; undefined if it has no such field. */
export const fieldOf = (name: string, field: string): Shape | undefined =>
  own(schemaNamed(name).properties ?? {}, field);

/** The name of the schema that a field, or an element of its list, refers to. */
export function nameWithin(field: Shape | undefined): string | undefined {
  const { $ref } = field?.items ?? field ?? {};
  return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
}

const withoutExamples = ({ examples: _, ...shape }: Shape): Shape => shape;

/** The schema in the document, without the examples of properties. */
export function answerSchema(name: string): Shape {
  const { properties, ...schema } = withoutExamples(schemaNamed(name));
  return { ...schema, ...(properties && { properties: mapped(properties, withoutExamples) }) };
}

export const answerExample = (name: string): unknown => exampleOf(schemaNamed(name));

function exampleOf(schema: Shape): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (schema.items) return [exampleOf(schema.items)];
  const reference = nameWithin(schema);
  if (reference !== undefined) return answerExample(reference);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, it]) => [name, exampleOf(it)]),
      );
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    default:
      return "text";
  }
}
