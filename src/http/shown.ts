// What an operation answers when it does what it was asked: declared with its route, for the reference to be made of
// and for the tests to hold every answer against.
import type { Attributes } from "../db/attributes.ts";
import type { Aliases } from "../db/list-query.ts";
import { object, type Shape } from "../db/shape.ts";
import type { RecordsFor } from "./route.ts";

export type Shown =
  | {
      readonly kind: "record";
      readonly status: 200 | 201;
      readonly records: RecordsFor;
      /** What this operation alone shows beside the record. */
      readonly beside: Readonly<Record<string, Shape>>;
    }
  | { readonly kind: "list"; readonly records: RecordsFor; readonly aliases: Aliases }
  /** A list of what has no table: these attributes are filtered and sorted by. */
  | { readonly kind: "list_of"; readonly shape: Shape; readonly attributes: Attributes }
  | { readonly kind: "body"; readonly status: 200 | 201; readonly shape: Shape }
  | { readonly kind: "nothing" }
  /** The operation is there to say why it is refused. */
  | { readonly kind: "refusal" };

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
