// The field types of response bodies, each with its description, and an example where the type
// alone does not suggest one. The reference is built from them; the server imports only their
// types.
import * as z from "zod";
import { PREFIXES, type RecordKind } from "../../domain/shared/identifiers.ts";
import { EXAMPLE_INSTANT, exampleId, examplePrefixId } from "./examples.ts";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

const about = (description: string, example: unknown) => ({
  description,
  ...(example !== undefined && { examples: [example] }),
});

/** `null` as the example of a field that is usually null. */
type Example<Value> = Value | null;

export const text = (description: string, example?: Example<string>) =>
  z.string().meta(about(description, example));

export const integer = (description: string, example?: Example<number>) =>
  z.int().meta(about(description, example));

export const number = (description: string, example?: Example<number>) =>
  z.number().meta(about(description, example));

export const flag = (description: string, example?: boolean) =>
  z.boolean().meta(about(description, example));

/** ISO 8601, UTC, with milliseconds. */
export const instant = (description: string, example: Example<string> = EXAMPLE_INSTANT) =>
  z.string().meta({ format: "date-time", ...about(description, example) });

/** An instant in a query: ISO 8601 with an offset, or `YYYY-MM-DD HH:mm:ss` in UTC. */
export const instantInQuery = (description: string, example: string) =>
  z
    .union([
      z.string().meta({ format: "date-time" }),
      z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
    ])
    .meta(about(description, example));

/** `YYYY-MM-DD`. */
export const date = (description: string, example: string) =>
  z.string().meta({ format: "date", ...about(description, example) });

/** One of the given strings. */
export const choice = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
  example?: Example<Words[number]>,
) => z.enum(words).meta(about(description, example));

/** An object with arbitrary keys. */
export const hash = (description: string, example?: Readonly<Record<string, unknown>>) =>
  z.record(z.string(), z.unknown()).meta(about(description, example));

export const listOf = <Item extends z.ZodType>(
  items: Item,
  description: string,
  example?: readonly z.output<Item>[],
) => z.array(items).readonly().meta(about(description, example));

/** The id of another record. */
export const identifier = (kind: RecordKind, description: string) =>
  text(description, exampleId(kind));

/** The other form of an identifier. */
export const prefixIdentifier = (kind: RecordKind, description: string) =>
  text(description, examplePrefixId(kind));

/** The ids of other records. */
export const identifiers = (
  kind: RecordKind,
  description: string,
  example: readonly string[] = [exampleId(kind)],
) => listOf(z.string(), description, example);

/** A schema that the reference describes under its own name. */
export const nested = <Shape extends z.ZodType>(shape: Shape, description: string) =>
  shape.meta({ description });

const ID = "The record's identifier, a ULID.";
const PREFIX_ID = "The other form of `id`. Every parameter accepts either form.";

/** Both forms of the identifier of a nested record. */
export const bothIds = (kind: RecordKind) => ({
  id: identifier(kind, ID),
  prefix_id: prefixIdentifier(kind, PREFIX_ID),
});

/** The attributes of every record, except `meta`. */
export const identity = (kind: RecordKind) => ({
  id: z
    .string()
    .regex(ULID)
    .meta(about(ID, exampleId(kind))),
  prefix_id: z
    .string()
    .regex(new RegExp(`^${PREFIXES[kind]}_[A-Za-z0-9_-]{14}$`))
    .meta(about(PREFIX_ID, examplePrefixId(kind))),
  account_id: identifier("account", "The account of the record."),
  created_at: instant("When the record was created."),
  updated_at: instant("When the record was last updated."),
});

/** The attributes of every record. */
export const common = (kind: RecordKind) => ({
  ...identity(kind),
  meta: hash("Custom metadata: an object of at most 16 KiB.", { region: "eu" }),
});
