// The descriptions of a body's parameters, and the example made of them. What a parameter sets is a field of a record:
// where the body does not say otherwise, the description and the example of that field are the parameter's.
import { EXAMPLE_INSTANT, exampleId } from "../../contract/shared/examples.ts";
import { PREFIXES, type RecordKind } from "../../domain/shared/identifiers.ts";
import { fieldOf, nameWithin } from "./answers.ts";
import { mapped, type Shape } from "./json-schema.ts";

/** The name of the record whose fields some parameters set; undefined where no answer shows them. */
export type Owner = string | undefined;

const ownerOf = ({ about }: Shape, otherwise: Owner): Owner =>
  typeof about === "string" ? about : otherwise;

const fieldFor = (owner: Owner, name: string): Shape | undefined =>
  owner === undefined ? undefined : fieldOf(owner, name);

/** `emails_attributes` sets what `emails` shows. */
const within = (owner: Owner, name: string): Owner =>
  nameWithin(fieldFor(owner, name.replace(/_attributes$/, "")));

/** A body's schema as the document has it: its properties, and those of the objects in it, described. */
export function describedBody(schema: Shape, otherwise: Owner): Shape {
  const owner = ownerOf(schema, otherwise);
  const { about: _, inExample: __, example, items, ...rest } = schema;
  // A schema that says nothing else would be open.
  const isOpen = Object.keys(rest).every((key) => key === "description");
  return {
    ...rest,
    ...(isOpen && example !== undefined && { examples: [example] }),
    ...(rest.properties && {
      properties: mapped(rest.properties, (it, name) => describedProperty(it, owner, name)),
    }),
    ...(items && { items: describedBody(items, owner) }),
  };
}

function describedProperty(property: Shape, owner: Owner, name: string): Shape {
  const description = property.description ?? fieldFor(owner, name)?.description;
  return {
    ...describedBody(property, within(owner, name)),
    ...(description !== undefined && { description }),
  };
}

/** Kinds, longest name first: `account_user_id` names an account user, not a user. */
const KINDS = (Object.keys(PREFIXES) as RecordKind[]).sort((a, b) => b.length - a.length);

/** `team_ids` → the id of a team, in a list. */
function identifierNamed(name: string): unknown {
  const words = name.replace(/_ids?$/, "");
  const kind = KINDS.find((it) => words === it || words.endsWith(`_${it}`));
  if (kind === undefined || words === name) return undefined;
  return name.endsWith("s") ? [exampleId(kind)] : exampleId(kind);
}

/** A parameter's example: its own or that of the field that it sets, or what its name or its schema suggests. */
function exampleOf(property: Shape, owner: Owner, name: string): unknown {
  if (property.example !== undefined) return property.example;
  const examples = fieldFor(owner, name)?.examples;
  if (Array.isArray(examples)) return examples[0];
  return identifierNamed(name) ?? exampleValue(property, within(owner, name));
}

/** An example of a schema; of an object every property, or those that `keeps` lets through. */
function exampleValue(
  schema: Shape,
  otherwise: Owner,
  keeps: (name: string) => boolean = () => true,
): unknown {
  const owner = ownerOf(schema, otherwise);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => keeps(name))
          .map(([name, it]) => [name, exampleOf(it, owner, name)]),
      );
    case "array":
      return schema.items ? [exampleValue(schema.items, owner)] : [];
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
 * What a caller would write in a body: what is required, and what the body wants to have in its example.
 *
 * @param needed properties that are required beside those that the schema names
 */
export function exampleBody(schema: Shape, owner: Owner, needed: readonly string[] = []): unknown {
  const shown = [schema.required, schema.inExample, needed].flat();
  return exampleValue(schema, owner, (name) => shown.includes(name));
}
