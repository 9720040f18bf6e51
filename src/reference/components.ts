// The schemas that the document describes once and refers to: every titled shape, every record, every body.
import { shapeOf } from "../db/attributes.ts";
import type { Records } from "../db/records.ts";
import { envelope, object, type Shape } from "../db/shape.ts";
import { PREFIXES, type RecordKind } from "../domain/identifiers.ts";
import type { Actor, Roles } from "../http/actor.ts";
import type { RecordsFor } from "../http/route.ts";
import { describedProperties, type Owner } from "./described.ts";

/** The schemas gathered while a document is made, by name. */
export type Schemas = Map<string, Shape>;

export const referenceTo = (name: string): Shape => ({ $ref: `#/components/schemas/${name}` });

/** `broadcast_response` → `BroadcastResponse`. */
export const titleOf = (kind: RecordKind): string =>
  kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A member without any role. */
const SOMEBODY: Actor = {
  ...{ accountId: "", accountUserId: "", userId: "", name: "", credentialId: "" },
  ...{ isOwnCredential: false, readOnly: false },
  roles: { admin: false, billing: false, broadcaster: false, communicator: false },
};

/** Records as an admin and as somebody else is shown them. */
export function recordsOf(records: RecordsFor): { readonly all: Records; readonly some: Records } {
  if (typeof records !== "function") return { all: records, some: records };
  const as = (roles: Roles) => records({ actor: { ...SOMEBODY, roles }, origin: "" });
  return { all: as({ ...SOMEBODY.roles, admin: true }), some: as(SOMEBODY.roles) };
}

/** The name of the schema of a record. What only admins are shown is not always there. */
export function recordSchema(
  schemas: Schemas,
  records: RecordsFor,
  beside: Readonly<Record<string, Shape>> = {},
): string {
  const { all, some } = recordsOf(records);
  const shown = Object.entries(all.attributes).filter(([, attribute]) => !attribute.hidden);
  const properties = Object.fromEntries(
    shown.map(([name, attribute]) => [name, identified(all.kind, name, shapeOf(attribute))]),
  );
  const hidden = Object.keys(properties).filter(
    (name) => !Object.hasOwn(some.attributes, name) || some.attributes[name]?.omittedWhenNull,
  );
  const extra = Object.keys(beside);
  const title =
    titleOf(all.kind) + extra.map((name) => `With${titleOf(name as RecordKind)}`).join("");
  return hoist(schemas, object(title, { ...properties, ...beside }, hidden));
}

/** `id` and `prefix_id` have their forms. */
function identified(kind: RecordKind, name: string, shape: Shape): Shape {
  if (name === "id") return { ...shape, pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" };
  if (name !== "prefix_id") return shape;
  return { ...shape, pattern: `^${PREFIXES[kind]}_[A-Za-z0-9_-]{14}$` };
}

/** The name of the schema of a list of these. */
export function listSchema(schemas: Schemas, items: string): string {
  return hoist(schemas, envelope(`${items}List`, referenceTo(items)));
}

/**
 * Puts a titled shape, and every titled shape in it, among the schemas.
 *
 * @throws when the title is already that of another shape
 */
export function hoist(schemas: Schemas, shape: Shape, owner?: Owner): string {
  const { title, ...rest } = shape;
  const name = String(title);
  const schema = describedProperties(inner(schemas, rest), owner ?? name);
  const held = schemas.get(name);
  if (held && JSON.stringify(held) !== JSON.stringify(schema)) {
    throw new Error(`two different shapes have the title ${name}`);
  }
  schemas.set(name, schema);
  return name;
}

/** A shape with references to schemas in place of the titled shapes in it. */
export function referring(schemas: Schemas, shape: Shape): Shape {
  return typeof shape.title === "string"
    ? referenceTo(hoist(schemas, shape))
    : inner(schemas, shape);
}

function inner(schemas: Schemas, shape: Shape): Shape {
  const properties = shape.properties as Readonly<Record<string, Shape>> | undefined;
  return {
    ...shape,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, it]) => [name, referring(schemas, it)]),
      ),
    }),
    ...(shape.items !== undefined && { items: referring(schemas, shape.items as Shape) }),
  };
}
