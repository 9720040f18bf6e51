// What answers show, as the contract says it: their schemas, and an example of each.
import type * as z from "zod";
import { ANSWERS } from "../../contract/answers.ts";
import { list } from "../../contract/shared/list.ts";
import { own } from "../../domain/shared/own.ts";
import { mapped, type Shape, schemasOf } from "./json-schema.ts";

/** `Team` → `TeamList`. */
export const listName = (name: string) => `${name}List`;

const named: readonly (readonly [string, z.ZodType])[] = Object.entries(ANSWERS);
const lists = named.map(([name, schema]) => [listName(name), list(schema)] as const);

/** The examples of properties stand in them; lists are among them under names of their own. */
const SCHEMAS = schemasOf(Object.fromEntries([...lists, ...named]));

const schemaNamed = (name: string): Shape => {
  const schema = SCHEMAS.get(name);
  if (schema === undefined) throw new Error(`the contract has no ${name}`);
  return schema;
};

/** A field of what an answer shows; undefined where it has no such field. */
export const fieldOf = (name: string, field: string): Shape | undefined =>
  own(schemaNamed(name).properties ?? {}, field);

/** The name of what a field holds, or holds a list of, where that has a name. */
export function nameWithin(field: Shape | undefined): string | undefined {
  const { $ref } = field?.items ?? field ?? {};
  return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
}

const withoutExamples = ({ examples: _, ...shape }: Shape): Shape => shape;

/** The schema as the document has it: examples stand whole beside it. */
export function answerSchema(name: string): Shape {
  const { properties, ...schema } = withoutExamples(schemaNamed(name));
  return { ...schema, ...(properties && { properties: mapped(properties, withoutExamples) }) };
}

export const answerExample = (name: string): unknown => exampleOf(schemaNamed(name));

function exampleOf(schema: Shape): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (schema.items) return [exampleOf(schema.items)];
  const held = nameWithin(schema);
  if (held !== undefined) return answerExample(held);
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
