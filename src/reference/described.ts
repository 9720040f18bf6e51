// The words of parameters put to the schemas of bodies, and the examples made of them. What a parameter sets is a field
// of a record: where the words do not say otherwise, the contract's description of that field is the parameter's.
import { EXAMPLE_INSTANT, exampleId } from "../contract/shared/examples.ts";
import { PREFIXES, type RecordKind } from "../domain/identifiers.ts";
import { fieldOf, nameWithin } from "./answers.ts";
import { isShape, type Shape } from "./json-schema.ts";
import { PARAMETER_EXAMPLES, PARAMETER_WORDS, TELLING } from "./words/parameters.ts";

/** Whose parameters they are. */
export type Owner = {
  /** The name of the body, or of the parameter that holds them. */
  readonly title: string;
  /** The name of what the parameters set, where an answer shows it. */
  readonly record?: string | undefined;
};

const fieldFor = ({ record }: Owner, name: string): Shape | undefined =>
  record === undefined ? undefined : fieldOf(record, name);

/** What is said of a parameter. */
export function descriptionOf(owner: Owner, name: string): string | undefined {
  const field = fieldFor(owner, name)?.description;
  return (
    PARAMETER_WORDS[`${owner.title}.${name}`] ??
    (typeof field === "string" ? field : PARAMETER_WORDS[name])
  );
}

/** `emails_attributes` sets what `emails` shows. */
const within = (owner: Owner, name: string): Owner => ({
  title: name,
  record: nameWithin(fieldFor(owner, name.replace(/_attributes$/, ""))),
});

/** An object's schema, its properties and those of the objects in it described. */
export function describedProperties(schema: Shape, owner: Owner): Shape {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isShape(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          describedProperty(property as Shape, owner, name),
        ]),
      ),
    }),
    ...(isShape(items) && { items: describedProperties(items, owner) }),
  };
}

function describedProperty(property: Shape, owner: Owner, name: string): Shape {
  const description = descriptionOf(owner, name);
  return {
    ...describedProperties(property, within(owner, name)),
    ...(description !== undefined && { description }),
  };
}

/** Kinds, longest name first: `account_user_id` names an account user, not a user. */
const KINDS = (Object.keys(PREFIXES) as RecordKind[]).sort((a, b) => b.length - a.length);

/** Names that do not tell whose identifier it is. */
const KINDS_MEANT: Readonly<Record<string, RecordKind>> = { commentable: "alert" };

function identifierNamed(name: string): unknown {
  const words = name.replace(/_ids?$/, "");
  const kind = KINDS_MEANT[words] ?? KINDS.find((it) => words === it || words.endsWith(`_${it}`));
  if (kind === undefined || words === name) return undefined;
  return name.endsWith("s") ? [exampleId(kind)] : exampleId(kind);
}

/** A parameter's example: its own or that of the field that it sets, or what its name or its schema suggests. */
function exampleOf(schema: Shape, owner: Owner, name: string): unknown {
  const key = `${owner.title}.${name}`;
  if (Object.hasOwn(PARAMETER_EXAMPLES, key)) return PARAMETER_EXAMPLES[key];
  const examples = fieldFor(owner, name)?.examples;
  if (Array.isArray(examples)) return examples[0];
  if (Object.hasOwn(PARAMETER_EXAMPLES, name)) return PARAMETER_EXAMPLES[name];
  return identifierNamed(name) ?? exampleValue(schema, within(owner, name));
}

/** An example of a schema; of an object every property, or those that `keeps` lets through. */
function exampleValue(
  schema: Shape,
  owner: Owner,
  keeps: (name: string) => boolean = () => true,
): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  switch (type) {
    case "object": {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Shape>);
      return Object.fromEntries(
        properties
          .filter(([name]) => keeps(name))
          .map(([name, property]) => [name, exampleOf(property, owner, name)]),
      );
    }
    case "array":
      return [exampleValue(schema.items as Shape, owner, keeps)];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    default:
      return schema.format === "date-time" ? EXAMPLE_INSTANT : "text";
  }
}

/**
 * What a caller would write in a body: what is required, and what tells something.
 *
 * @param needed properties that are required beside those that the schema names
 */
export function exampleBody(schema: Shape, owner: Owner, needed: readonly string[] = []): unknown {
  const required = [...((schema.required ?? []) as string[]), ...needed];
  const isKept = (name: string) => required.includes(name) || isTelling(owner, name);
  const whole = exampleValue(schema, owner, isKept) as Record<string, unknown>;
  if (required.length > 0) return whole;
  // A change: a part of what may be given.
  return Object.fromEntries(Object.entries(whole).slice(0, 2));
}

const isTelling = (owner: Owner, name: string): boolean =>
  [`${owner.title}.${name}`, `${owner.record}.${name}`, name].some((key) => TELLING.has(key));
