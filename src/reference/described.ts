// The words of the reference put to the properties of schemas, and the examples made of them.
import type { Shape } from "../db/shape.ts";
import { identifierOf, PREFIXES, prefixIdOf, type RecordKind } from "../domain/identifiers.ts";
import type { Word } from "./word.ts";
import { WORDS } from "./words.ts";

/** Whose property it is: the name of a schema, or several, of which the first has the first word. */
export type Owner = string | readonly string[];

/** What is said of a property: of this owner's, else of any of that name. */
export function wordOf(owner: Owner, name: string): Word | undefined {
  return ownWordOf(owner, name) ?? WORDS[name];
}

/** `EventWithClockChanges` is an event. */
const ownerOf = (title: string) => title.replace(/With[A-Z].*$/, "");

const ownWordOf = (owner: Owner, name: string): Word | undefined =>
  [owner]
    .flat()
    .map((it) => WORDS[`${ownerOf(it)}.${name}`])
    .find((word) => word !== undefined);

/** An object's schema, its properties and those of the objects in it described. */
export function describedProperties(schema: Shape, owner: Owner): Shape {
  const properties = schema.properties as Readonly<Record<string, Shape>> | undefined;
  const items = schema.items as Shape | undefined;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          describedProperty(property, owner, name),
        ]),
      ),
    }),
    ...(items && { items: describedProperties(items, owner) }),
  };
}

function describedProperty(property: Shape, owner: Owner, name: string): Shape {
  const word = wordOf(owner, name);
  const within = describedProperties(property, name);
  return word ? { ...within, description: word[0] } : within;
}

const EXAMPLE_AT = Date.UTC(2026, 0, 31, 9, 30);
const EXAMPLE_INSTANT = new Date(EXAMPLE_AT).toISOString();

/** The id that examples give to a record of this kind: always the same. */
export function exampleId(kind: RecordKind): string {
  const seed = Object.keys(PREFIXES).indexOf(kind) + 1;
  const bytes = Uint8Array.from({ length: 10 }, (_, i) => (seed * 37 + i * 101) % 256);
  return identifierOf(EXAMPLE_AT, bytes);
}

/** Kinds, longest name first: `account_user_id` names an account user, not a user. */
const KINDS = (Object.keys(PREFIXES) as RecordKind[]).sort((a, b) => b.length - a.length);

/** Names that do not tell whose identifier it is. */
const KINDS_MEANT: Readonly<Record<string, RecordKind>> = {
  attendee: "account_user",
  commentable: "alert",
  destination: "team",
  owner: "integration",
  source: "integration",
  workflow: "alert_workflow",
};

const kindNamed = (words: string): RecordKind | undefined =>
  KINDS_MEANT[words] ?? KINDS.find((kind) => words === kind || words.endsWith(`_${kind}`));

/** What is shown within records, and whose identifiers it has. */
const KINDS_WITHIN: Readonly<Record<string, RecordKind>> = {
  BroadcastAnswer: "broadcast_response",
  Person: "user",
  IntegrationTypeName: "integration_type",
};

/** `EscalationLayer` → `escalation_layer`. */
function kindTitled(owner: Owner): RecordKind {
  const title = [owner].flat().at(-1) as string;
  const words = ownerOf(title)
    .replace(/(?<=.)([A-Z])/g, "_$1")
    .toLowerCase();
  return KINDS_WITHIN[title] ?? KINDS.find((kind) => kind === words) ?? "event";
}

function identifierNamed(owner: Owner, name: string): unknown {
  if (name === "id") return exampleId(kindTitled(owner));
  if (name === "prefix_id") return prefixIdOf(kindTitled(owner), exampleId(kindTitled(owner)));
  const kind = kindNamed(name.replace(/_ids?$/, ""));
  if (kind === undefined || !/_ids?$/.test(name)) return undefined;
  return name.endsWith("s") ? [exampleId(kind)] : exampleId(kind);
}

/** A property's example: the one in the words, or what its name or its schema suggests. */
function exampleOf(
  schema: Shape,
  owner: Owner,
  name: string,
  schemas: ReadonlyMap<string, Shape>,
): unknown {
  const own = ownWordOf(owner, name);
  const word = own && own.length > 1 ? own : WORDS[name];
  if (word && word.length > 1) return word[1];
  return identifierNamed(owner, name) ?? exampleValue(schema, name, schemas);
}

/** An example of a schema; of an object every property, or those that `keeps` lets through. */
export function exampleValue(
  schema: Shape,
  owner: Owner,
  schemas: ReadonlyMap<string, Shape>,
  keeps: (name: string) => boolean = () => true,
): unknown {
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1) as string;
    return exampleValue(schemas.get(name) as Shape, name, schemas);
  }
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  switch (type) {
    case "object": {
      const properties = (schema.properties ?? {}) as Readonly<Record<string, Shape>>;
      const kept = Object.entries(properties).filter(([name]) => keeps(name));
      return Object.fromEntries(
        kept.map(([name, property]) => [name, exampleOf(property, owner, name, schemas)]),
      );
    }
    case "array":
      return [exampleValue(schema.items as Shape, owner, schemas, keeps)];
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
 * What a caller would write in a body: what is required, and what the words have an example for.
 *
 * @param needed properties that are required beside those that the schema names
 */
export function exampleBody(
  schema: Shape,
  owner: Owner,
  schemas: ReadonlyMap<string, Shape>,
  needed: readonly string[] = [],
): unknown {
  const required = [...((schema.required ?? []) as string[]), ...needed];
  const isKept = (name: string) => required.includes(name) || isTelling(owner, name);
  const whole = exampleValue(schema, owner, schemas, isKept) as Record<string, unknown>;
  if (required.length > 0) return whole;
  // A change: a part of what may be given.
  return Object.fromEntries(Object.entries(whole).slice(0, 2));
}

const isTelling = (owner: Owner, name: string) => {
  const word = wordOf(owner, name);
  return word !== undefined && word.length > 1 && word[2] !== "shown only";
};
