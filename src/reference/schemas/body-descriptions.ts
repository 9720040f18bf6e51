// The descriptions of a body's parameters, and its example. A parameter sets a field of a record:
// by default it takes the description and the example of that field.
import { PREFIXES, type RecordKind } from "../../domain/shared/identifiers.ts";
import { EXAMPLE_INSTANT, exampleId } from "../../kernel/contract/examples.ts";
import { fieldOf, nameWithin } from "./answers.ts";
import { mapped, type Shape } from "./json-schema.ts";

/** The name of the record whose fields the parameters set; undefined if no response shows them. */
export type Owner = string | undefined;

const ownerOf = ({ about }: Shape, inherited: Owner): Owner =>
  typeof about === "string" ? about : inherited;

const fieldFor = (owner: Owner, name: string): Shape | undefined =>
  owner === undefined ? undefined : fieldOf(owner, name);

/** `emails_attributes` sets what `emails` shows. */
const within = (owner: Owner, name: string): Owner =>
  nameWithin(fieldFor(owner, name.replace(/_attributes$/, "")));

/** A body's schema in the document, with descriptions of all its properties, nested ones too. */
export function describeBody(schema: Shape, inherited: Owner): Shape {
  const owner = ownerOf(schema, inherited);
  const { about: _, inExample: __, example, items, ...rest } = schema;
  // A schema without other keywords accepts any value, so its example has to stay.
  const isOpen = Object.keys(rest).every((key) => key === "description");
  return {
    ...rest,
    ...(isOpen && example !== undefined && { examples: [example] }),
    ...(rest.properties && {
      properties: mapped(rest.properties, (it, name) => describedProperty(it, owner, name)),
    }),
    ...(items && { items: describeBody(items, owner) }),
  };
}

function describedProperty(property: Shape, owner: Owner, name: string): Shape {
  const description = property.description ?? fieldFor(owner, name)?.description;
  return {
    ...describeBody(property, within(owner, name)),
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

/** A parameter's example: its own, its field's, or one derived from its name or schema. */
function exampleOf(property: Shape, owner: Owner, name: string): unknown {
  if (property.example !== undefined) return property.example;
  const examples = fieldFor(owner, name)?.examples;
  if (Array.isArray(examples)) return examples[0];
  return identifierNamed(name) ?? exampleValue(property, within(owner, name));
}

/** An example of a schema; of an object with the properties that `includes` accepts. */
function exampleValue(
  schema: Shape,
  inherited: Owner,
  includes: (name: string) => boolean = () => true,
): unknown {
  const owner = ownerOf(schema, inherited);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => includes(name))
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
 * The example of a body: the required properties, and those listed in its `inExample`.
 *
 * @param needed required properties that the schema does not list
 */
export function exampleBody(schema: Shape, owner: Owner, needed: readonly string[] = []): unknown {
  const shown = [schema.required, schema.inExample, needed].flat();
  return exampleValue(schema, owner, (name) => shown.includes(name));
}
