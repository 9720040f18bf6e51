// A section of a configuration file: one kind of record, how an entry shows it, and the verbs that
// create and change it. Entries refer to other records by key and to people by e-mail address.
import type * as z from "zod";
import { type FieldError, refuseFields } from "../../../domain/shared/refusal.ts";
import { mapped, type Select } from "../../../kernel/db/select.ts";
import type { Decided } from "../../change/change.ts";
import type { IntegrationContext } from "../../integrations/integrations/rows.ts";
import type { ConfiguredKind } from "./contract.ts";

export type Entry = Readonly<Record<string, unknown>>;

/**
 * The key of a stored record by either form of its identifier; of a person, the e-mail address. Null
 * if there is no such record (any more).
 */
export type KeyOf = (kind: ConfiguredKind, identifier: string) => string | null;

/** Finds the records that entries refer to, stored or about to be created. */
export type Finder = {
  /** The id; null, with a fault at the place in the file, if there is no such record. */
  readonly idOf: (kind: ConfiguredKind, key: unknown, place: string) => string | null;
  readonly idsOf: (kind: ConfiguredKind, keys: unknown, place: string) => readonly string[];
  /** Records a fault of the file. */
  readonly fault: (place: string, message: string) => void;
};

/** Parameters of the API by their names. */
export type Parameters = Readonly<Record<string, unknown>>;

export type AdminContext = IntegrationContext;

type Verb = (
  context: AdminContext,
  id: string,
  parameters: Parameters,
) => Promise<Decided<unknown>>;

type Identified = {
  readonly id: string;
  readonly prefix_id: string;
  readonly meta: Readonly<Record<string, unknown>>;
};

/**
 * Settles an entry with the fields of the stored one that it does not name: what is written, and the
 * same as an export shows it; null: all of it is over.
 *
 * @param stored the entry of the stored record; null for a new one
 * @param now epoch ms
 */
type Settle = (
  entry: Entry,
  stored: Entry | null,
  now: number,
) => { readonly written: Entry; readonly shown: Entry } | null;

type Declared<Shown extends Identified> = {
  /** The name of the section in the file. */
  readonly name: string;
  readonly kind: ConfiguredKind;
  /** The fields of an entry beside its key and `meta`, in their order. */
  readonly fields: readonly string[];
  /** The fields by the parameter that they set, where it has another name. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** The fields that only new records take. */
  readonly onlyNew?: readonly string[];
  /** Whether the order of the records matters: they are listed as they were created. */
  readonly isOrdered?: boolean;
  /** `now` in epoch ms. */
  readonly select: (accountId: string, now: number, context: AdminContext) => Select<Shown>;
  /** What is left to do once a new record is made of an entry. */
  readonly noteOf?: (entry: Entry) => string;
  /** Whether all of a record is over: it is in no file. */
  readonly isOver?: (record: Shown) => boolean;
  /** Of entries that are taken whole, whatever fields the file has. */
  readonly settle?: Settle;
  /** What identifies a person. */
  readonly emailOf?: (record: Shown) => string;
  readonly show: (record: Shown, keyOf: KeyOf) => Entry;
  /** The parameters that set the fields of an entry. `stored` is null for a new record. */
  readonly parametersOf: (
    entry: Entry,
    find: Finder,
    place: string,
    stored: Shown | null,
  ) => Parameters;
  readonly create: Verb;
  readonly update: Verb;
};

/** A stored record of a section. */
export type StoredRecord = {
  readonly id: string;
  readonly prefixId: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly email: string | null;
  readonly isOver: boolean;
  readonly show: (keyOf: KeyOf) => Entry;
  readonly parametersOf: (entry: Entry, find: Finder, place: string) => Parameters;
};

export type ConfigurationSection = {
  readonly name: string;
  readonly kind: ConfiguredKind;
  /** The field that identifies an entry. */
  readonly keyField: "key" | "email";
  /** All fields of an entry. */
  readonly fields: readonly string[];
  readonly fieldNames: Readonly<Record<string, string>>;
  readonly onlyNew: readonly string[];
  readonly isOrdered: boolean;
  readonly select: (context: AdminContext) => Select<StoredRecord>;
  readonly noteOf?: (entry: Entry) => string;
  readonly settle?: Settle;
  readonly parametersOfNew: (entry: Entry, find: Finder, place: string) => Parameters;
  readonly create: Verb;
  readonly update: Verb;
};

/** Declares a section. Hides the type of its records, so that sections can be treated alike. */
export function declareSection<Shown extends Identified>(
  declared: Declared<Shown>,
): ConfigurationSection {
  const { name, kind, fields, fieldNames = {}, onlyNew = [], create, update, emailOf } = declared;
  const { isOrdered = false, noteOf, select, isOver, settle, show, parametersOf } = declared;
  const keyField = emailOf ? "email" : "key";
  const toStored = (record: Shown): StoredRecord => ({
    id: record.id,
    prefixId: record.prefix_id,
    meta: record.meta,
    email: emailOf?.(record) ?? null,
    isOver: isOver?.(record) ?? false,
    show: (keyOf) => show(record, keyOf),
    parametersOf: (entry, find, place) => parametersOf(entry, find, place, record),
  });
  return {
    name,
    kind,
    keyField,
    fields: [keyField, ...fields, "meta"],
    fieldNames,
    onlyNew,
    isOrdered,
    create,
    update,
    ...(noteOf && { noteOf }),
    ...(settle && { settle }),
    select: (context) => mapped(select(context.actor.accountId, context.now, context), toStored),
    parametersOfNew: (entry, find, place) => parametersOf(entry, find, place, null),
  };
}

/** Validates parameters as the API does, then runs the verb. */
export const validated =
  <Body>(
    schema: z.ZodType<Body>,
    verb: (context: AdminContext, id: string, body: Body) => Promise<Decided<unknown>>,
  ): Verb =>
  async (context, id, parameters) => {
    const parsed = schema.safeParse(parameters);
    return parsed.success
      ? verb(context, id, parsed.data)
      : refuseFields(parsed.error.issues.slice(0, 100).map(faultOf));
  };

/** The fault with the name of its parameter: `["layers", 0]` → `layers[0]`. */
function faultOf({ path, message }: z.core.$ZodIssue): FieldError {
  const field = path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  return { field, message: `${field} ${message}` };
}

/** The identifier of a stored record for the verbs that change it. */
export const byId = (id: string) => ({ form: "id", value: id }) as const;

/**
 * The fields of an entry that have the name of a parameter: all but references, which are named by key,
 * and lists of records.
 */
export const plainFields = (parameters: z.ZodObject): readonly string[] =>
  Object.keys(parameters.shape).filter(
    (name) => name !== "meta" && !/_(?:ids?|attributes)$/.test(name),
  );

/** These fields of an entry, or of a record. */
export const pick = (entry: Entry, names: readonly string[]): Entry =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(entry, name)).map((name) => [name, entry[name]]),
  );
