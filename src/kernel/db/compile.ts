// The text of a statement and its parameters, as drizzle's dialect makes them. The dialect asks of every part, a
// dozen times, what it is, which is much of the CPU of a request: here a part's class is looked up, and what a table or a
// column is called is remembered.
import {
  Column,
  is,
  Name,
  Param,
  type Query,
  SQL,
  type SQLChunk,
  type SQLWrapper,
  StringChunk,
  Table,
  View,
} from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

const dialect = new SQLiteSyncDialect();

const KINDS = {
  text: StringChunk,
  query: SQL,
  column: Column,
  table: Table,
  view: View,
  name: Name,
  parameter: Param,
} as const;

/** What a part is. `wrapped`: a query of ours; `other`: what only drizzle knows. */
type Kind = keyof typeof KINDS | "wrapped" | "other";

const kinds = new Map<unknown, Kind>();

function kindOf(part: object): Kind {
  // Of a literal each one is looked at: it may be a query of ours.
  if (part.constructor === Object) return isWrapped(part) ? "wrapped" : "other";
  const known = kinds.get(part.constructor);
  if (known !== undefined) return known;
  const names = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const kind = names.find((name) => is(part, KINDS[name] as typeof Column)) ?? "other";
  kinds.set(part.constructor, kind);
  return kind;
}

type Wrapped = { readonly getSQL: () => SQL; readonly shouldOmitSQLParens: () => boolean };

const isWrapped = (part: object): part is Wrapped =>
  "getSQL" in part && "shouldOmitSQLParens" in part;

/** The names of tables and columns, as statements write them. */
const names = new WeakMap<object, string>();

function nameOf(part: Column | Table | View): string {
  const known = names.get(part);
  if (known !== undefined) return known;
  const name = dialect.sqlToQuery(new SQL([part])).sql;
  names.set(part, name);
  return name;
}

/** A select list: what is selected, by the name that it gets in the row. */
type Listed = Readonly<Record<string, SQLWrapper>>;

/** Select lists that were written: most are constants, and a statement is made anew for each request. */
const lists = new WeakMap<Listed, SQL>();

/** `… as "name"` of each, separated by commas: as few parts as possible, since each costs time. */
export function itemsOf(list: Listed): SQL {
  const known = lists.get(list);
  if (known !== undefined) return known;
  const parts: SQLChunk[] = [];
  let text = "";
  for (const [name, source] of Object.entries(list)) {
    if (text !== "") text += ", ";
    if (is(source, Column)) text += nameOf(source);
    else {
      parts.push(new StringChunk(text), source);
      text = "";
    }
    text += ` as ${dialect.escapeName(name)}`;
  }
  const items = new SQL([...parts, new StringChunk(text)]);
  lists.set(list, items);
  return items;
}

/** How the text before a limit ends. */
const BEFORE_LIMIT = "limit ";

class Compiler {
  sql = "";
  readonly params: unknown[] = [];
  /** Whether only drizzle can write it. */
  isBeyond = false;
  /** The text that was added last. */
  #latest = "";

  add(part: unknown): void {
    if (part === undefined) return;
    if (part === null || typeof part !== "object") this.#bind(part);
    else if (Array.isArray(part)) this.#addList(part);
    else this.#addObject(part);
  }

  #bind(value: unknown): void {
    // SQLite plans a statement anew each time that its limit is bound, which takes longer than most of ours run.
    if (Number.isSafeInteger(value) && this.#latest.endsWith(BEFORE_LIMIT)) {
      this.sql += String(value);
    } else {
      this.sql += "?";
      this.params.push(value);
    }
    this.#latest = "";
  }

  #addList(parts: readonly unknown[]): void {
    this.sql += "(";
    for (const [i, part] of parts.entries()) {
      if (i > 0) this.sql += ", ";
      this.add(part);
    }
    this.sql += ")";
  }

  #addObject(part: object): void {
    switch (kindOf(part)) {
      case "text":
        this.#latest = (part as StringChunk).value.join("");
        this.sql += this.#latest;
        return;
      case "query":
        this.#addQuery(part as SQL);
        return;
      case "column":
      case "table":
      case "view":
        this.sql += nameOf(part as Column | Table | View);
        return;
      case "name":
        this.sql += dialect.escapeName((part as Name).value);
        return;
      case "parameter":
        this.#addParameter(part as Param);
        return;
      case "wrapped":
        this.#addWrapped(part as Wrapped);
        return;
      case "other":
        this.isBeyond = true;
    }
  }

  #addQuery(query: SQL): void {
    // Drizzle declares it private.
    if (Reflect.get(query, "shouldInlineParams") === true) this.isBeyond = true;
    for (const part of query.queryChunks) this.add(part);
  }

  #addParameter({ value, encoder }: Param): void {
    const mapped = value === null ? null : encoder.mapToDriverValue(value);
    if (typeof mapped === "object" && mapped !== null) this.isBeyond = true;
    else this.#bind(mapped);
  }

  #addWrapped(part: Wrapped): void {
    const hasParentheses = !part.shouldOmitSQLParens();
    if (hasParentheses) this.sql += "(";
    this.#addQuery(part.getSQL());
    if (hasParentheses) this.sql += ")";
  }
}

/** Compiles a query. */
export function compile(query: SQL): Pick<Query, "sql" | "params"> {
  const compiler = new Compiler();
  compiler.add(query);
  return compiler.isBeyond ? dialect.sqlToQuery(query) : compiler;
}
