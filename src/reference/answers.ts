// What answers show, as the contract says it: their schemas, and an example of each.
import type * as z from "zod";
import { ANSWERS } from "../contract/answers.ts";
import { list } from "../contract/shared/list.ts";
import { isShape, type Shape, schemasOf } from "./json-schema.ts";

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

const propertiesOf = ({ properties }: Shape): Readonly<Record<string, Shape>> =>
  isShape(properties) ? (properties as Readonly<Record<string, Shape>>) : {};

/** A field of what an answer shows; undefined where it has no such field. */
export const fieldOf = (name: string, field: string): Shape | undefined =>
  Object.hasOwn(propertiesOf(schemaNamed(name)), field)
    ? propertiesOf(schemaNamed(name))[field]
    : undefined;

/** The name of what a field holds, or holds a list of, where that has a name. */
export function nameWithin(field: Shape | undefined): string | undefined {
  const held = isShape(field?.items) ? field.items : field;
  return typeof held?.$ref === "string" ? held.$ref.split("/").at(-1) : undefined;
}

/** The schema as the document has it: examples stand whole beside it. */
export function answerSchema(name: string): Shape {
  const { properties: _, examples: __, ...rest } = schemaNamed(name);
  const properties = Object.entries(propertiesOf(schemaNamed(name))).map(([field, shape]) => {
    const { examples: ___, ...kept } = shape;
    return [field, kept] as const;
  });
  return { ...rest, properties: Object.fromEntries(properties) };
}

export const answerExample = (name: string): unknown => exampleOf(schemaNamed(name));

function exampleOf(schema: Shape): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  const held = nameWithin(schema.items === undefined ? schema : undefined);
  if (held !== undefined) return answerExample(held);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(propertiesOf(schema)).map(([name, it]) => [name, exampleOf(it)]),
      );
    case "array":
      return isShape(schema.items) ? [exampleOf(schema.items)] : [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    default:
      return "text";
  }
}
