// The ways to declare what an operation answers.
import type { Attributes } from "../db/attributes.ts";
import type { Aliases } from "../db/list-query.ts";
import { object, type Shape } from "../db/shape.ts";
import type { RecordsFor, Shown } from "./route.ts";

/** The record, 200. */
export const one = (records: RecordsFor, beside: Readonly<Record<string, Shape>> = {}): Shown => ({
  kind: "record",
  status: 200,
  records,
  beside,
});

/** The record that was made, 201. */
export const made = (records: RecordsFor, beside: Readonly<Record<string, Shape>> = {}): Shown => ({
  kind: "record",
  status: 201,
  records,
  beside,
});

/** A page of records, 200. */
export const many = (records: RecordsFor, aliases: Aliases = {}): Shown => ({
  kind: "list",
  records,
  aliases,
});

/** A page of what has no table, 200. */
export const manyOf = (shape: Shape, attributes: Attributes): Shown => ({
  kind: "list_of",
  shape,
  attributes,
});

/** A body that is no record. */
export const exactly = (shape: Shape, status: 200 | 201 = 200): Shown => ({
  kind: "body",
  status,
  shape,
});

/** No body, 204. */
export const noBody: Shown = { kind: "nothing" };

/** Nothing but a refusal, always. */
export const onlyRefusals: Shown = { kind: "refusal" };

/** The query parameters of an operation that is no list. */
export const queryOf = (
  properties: Readonly<Record<string, Shape>>,
  optional?: readonly string[],
) => object("Query", properties, optional);
