// One filter as SQL: an attribute, an operation, and the values as the query string has them.
// LIKE and GLOB stay out of it: D1 refuses patterns over 50 bytes (`instr` and `substr` have no such limit).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { parseUtc } from "../../domain/shared/parse-time.ts";
import type { AnyAttribute } from "./attributes.ts";

export const OPERATIONS = [
  "equals",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
  "beginsWith",
  "contains",
  "between",
] as const;
export type FilterOperation = (typeof OPERATIONS)[number];

type Condition =
  | { readonly ok: true; readonly condition: SQL }
  | { readonly ok: false; readonly status: 400 | 422; readonly message: string };

type Value =
  | { readonly ok: true; readonly value: string | number | SQLWrapper | null }
  | Extract<Condition, { ok: false }>;

const COMPARISONS = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } as const;

/** The condition that an attribute meets one of the values (`ne`: none of them). */
export function condition(
  attribute: AnyAttribute,
  operation: FilterOperation,
  values: readonly string[],
  name: string,
): Condition {
  const all: SQL[] = [];
  if (TEXTUAL.includes(operation) && NOT_TEXTUAL.includes(attribute.kind)) {
    return wrong(422, `${operation} is not for ${name}: it is neither a text nor a list`);
  }
  if (values.length === 0) return wrong(422, `ops names ${name} more often than it is given`);
  for (const text of values) {
    const one =
      operation === "between"
        ? between(attribute, text, name)
        : single(attribute, operation, text, name);
    if (!one.ok) return one;
    all.push(one.condition);
  }
  const glue = operation === "ne" ? sql` and ` : sql` or `;
  return { ok: true, condition: sql`(${sql.join(all, glue)})` };
}

/**
 * An entry of a hash as an attribute of its own: booleans read as `true` and `false`. Looked up by its name, never by
 * a path: a name may hold whatever a caller writes, and a path with it would fail the statement.
 */
export function hashEntry(holder: SQLWrapper, key: string): AnyAttribute {
  const entry = sql`(select case entry.type when 'true' then 'true' when 'false' then 'false'
      else cast(entry.value as text) end
    from json_each(${holder}) as entry where entry.key = ${key} limit 1)`;
  return { sql: entry, kind: "string" };
}

/** The operations on texts and lists alone. */
const TEXTUAL: readonly FilterOperation[] = ["beginsWith", "contains"];
const NOT_TEXTUAL = ["number", "boolean", "instant"];

const wrong = (status: 400 | 422, message: string) => ({ ok: false, status, message }) as const;

function between(attribute: AnyAttribute, text: string, name: string): Condition {
  const [from, to, ...more] = text.split("..");
  if (from === undefined || to === undefined || more.length > 0 || from === "" || to === "") {
    return wrong(422, `${name} must be <from>..<to> with between`);
  }
  const low = readValue(attribute, from, name);
  const high = readValue(attribute, to, name);
  if (!low.ok) return low;
  if (!high.ok) return high;
  const range = (value: SQLWrapper) => sql`${value} >= ${low.value} and ${value} <= ${high.value}`;
  return { ok: true, condition: onElements(attribute, range) };
}

function single(
  attribute: AnyAttribute,
  operation: Exclude<FilterOperation, "between">,
  text: string,
  name: string,
): Condition {
  const read = readValue(attribute, text, name);
  if (!read.ok) return read;
  const { value } = read;
  switch (operation) {
    case "equals":
      return { ok: true, condition: onElements(attribute, (it) => matches(it, value)) };
    case "ne":
      return {
        ok: true,
        condition: sql`not coalesce(${onElements(attribute, (it) => equal(it, value))}, 0)`,
      };
    case "beginsWith":
      return { ok: true, condition: onElements(attribute, (it) => begins(it, text)) };
    case "contains":
      return attribute.kind === "list"
        ? { ok: true, condition: onElements(attribute, (it) => equal(it, value)) }
        : { ok: true, condition: sql`coalesce(instr(${attribute.sql}, ${text}) > 0, 0)` };
    default: {
      const sign = COMPARISONS[operation];
      return { ok: true, condition: onElements(attribute, (it) => sql`${it} ${sign} ${value}`) };
    }
  }
}

/**
 * Unknown instead of false where there is nothing: so that an index of the column can be used.
 * `unlikely` makes SQLite prefer it to the primary key, which has the order of the page too.
 */
function matches(it: SQLWrapper, value: string | number | SQLWrapper | null): SQL {
  return value === null ? equal(it, value) : sql`unlikely(${equal(it, value)})`;
}

function equal(it: SQLWrapper, value: string | number | SQLWrapper | null): SQL {
  if (value === null) return sql`coalesce(${it}, '') = ''`;
  // As an index can serve it: null, which is equal to nothing, is neither true nor false.
  return sql`${it} = ${value}`;
}

function begins(it: SQLWrapper, text: string): SQL {
  return sql`coalesce(substr(${it}, 1, ${[...text].length}) = ${text}, 0)`;
}

/** Applies a test to the attribute itself, or, for a list, to any of its elements. */
function onElements(attribute: AnyAttribute, test: (it: SQLWrapper) => SQL): SQL {
  if (attribute.kind !== "list") return sql`(${test(attribute.sql)})`;
  const element = sql.raw("cast(element.value as text)");
  return sql`exists (select 1 from json_each(${attribute.sql}) as element where ${test(element)})`;
}

/** The value in the attribute's own kind; an empty one means "nothing there". */
function readValue(attribute: AnyAttribute, text: string, name: string): Value {
  switch (attribute.kind) {
    case "boolean":
      if (text === "true" || text === "1") return { ok: true, value: 1 };
      if (text === "false" || text === "0") return { ok: true, value: 0 };
      return wrong(422, `${name} must be true or false`);
    case "number": {
      if (text === "") return { ok: true, value: null };
      const value = Number(text);
      return Number.isFinite(value) ? { ok: true, value } : wrong(422, `${name} must be a number`);
    }
    case "instant": {
      if (text === "") return { ok: true, value: null };
      const value = parseUtc(text);
      return value === null
        ? wrong(400, `${name} is not a timestamp; use ISO 8601 or YYYY-MM-DD HH:mm:ss (UTC)`)
        : { ok: true, value };
    }
    default:
      if (text === "") return { ok: true, value: null };
      return { ok: true, value: attribute.filterValue ? attribute.filterValue(text) : text };
  }
}
