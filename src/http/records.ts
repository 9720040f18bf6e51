// What is the same for every resource: list, read, find, refuse. A resource adds what is its own.
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AnswerName, AnswerNamed } from "../contract/answers.ts";
import type { RawRow } from "../db/attributes.ts";
import { type Connection, statement } from "../db/database.ts";
import { type Aliases, readListQuery } from "../db/list-query.ts";
import {
  presentRecord,
  type Records,
  selectId,
  selectOne,
  selectPage,
  selectTotal,
  type Whereabouts,
} from "../db/records.ts";
import { type Identifier, parseIdentifier, type RecordKind } from "../domain/identifiers.ts";
import { isRefusal, type Refusal, refuse } from "../domain/refusal.ts";
import { type Answer, found, nothing } from "./answers.ts";
import { type ApiRequest, type RecordsFor, type Route, recordsFor, route } from "./route.ts";
import { many, one } from "./shown.ts";

const spoken = (kind: RecordKind) => kind.replaceAll("_", " ");

/** The 404 of a record that is not in the caller's account, whether or not it is in another. */
export function notFound(kind: RecordKind): Refusal {
  return refuse("not_found", `no such ${spoken(kind)}`);
}

/** The path's `:id`, in either form; 404 for anything that cannot be one. */
export function pathIdentifier(request: ApiRequest, kind: RecordKind): Identifier | Refusal {
  return parseIdentifier(kind, request.params.id ?? "") ?? notFound(kind);
}

/** The record as answers show it, or 404. */
export async function readRecord<Name extends AnswerName>(
  db: Connection,
  records: Records<Name>,
  accountId: string,
  identifier: Identifier,
  scope?: SQL,
): Promise<AnswerNamed<Name> | Refusal>;
export async function readRecord(
  db: Connection,
  records: Records,
  accountId: string,
  identifier: Identifier,
  scope?: SQL,
): Promise<unknown> {
  const query = selectOne(records, accountId, identifier, scope);
  const row = await statement(db, query).first<RawRow>();
  return row ? presentRecord(records, row) : notFound(records.kind);
}

/** A list below another record: the 404 without it, and the condition that ties the rows to it. */
export type Below = {
  readonly parent: Whereabouts;
  readonly identifier: Identifier;
  /** The condition on a row, given a select of the parent's id. */
  readonly scope: (parentId: SQL) => SQL;
};

/** Answers a list request: a page, whether more follows, and the total, all from one instant. */
export async function listRecords(
  request: ApiRequest,
  records: Records,
  options: { readonly aliases?: Aliases; readonly scope?: SQL; readonly below?: Below } = {},
): Promise<Answer> {
  const { longestPage } = request;
  const query = readListQuery(request.query, records.attributes, options.aliases, longestPage);
  if (isRefusal(query)) return query;
  const { accountId } = request.actor;
  const { below } = options;
  const parentId = below && selectId(below.parent, accountId, below.identifier);
  const scope = below && parentId ? below.scope(parentId) : options.scope;
  const [page, total, parent] = await request.db.batch<RawRow>([
    statement(request.db, selectPage(records, accountId, query, scope)),
    statement(request.db, selectTotal(records, accountId, query, scope)),
    ...(parentId ? [statement(request.db, parentId)] : []),
  ]);
  if (below && parent?.results.length === 0) return notFound(below.parent.kind);
  const rows = page?.results ?? [];
  const count = Number(total?.results[0]?.total ?? 0);
  return {
    kind: "list",
    list: {
      data: rows.map((row) => presentRecord(records, row)),
      has_more: query.offset + rows.length < count,
      total_count: count,
    },
  };
}

/** `AccountUser` → `account user`. */
const inWords = (noun: string) =>
  noun.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

const plural = (noun: string) => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`);

/** `GET /things` and `GET /things/:id`. */
export function readRoutes(
  path: string,
  noun: string,
  records: RecordsFor,
  aliases?: Aliases,
): Route[] {
  const words = inWords(noun);
  return [
    route({
      method: "GET",
      path,
      operation: `list${plural(noun)}`,
      summary: `List ${plural(words)}`,
      shows: many(records, aliases),
      allow: "everyone",
      handle: (request) =>
        listRecords(request, recordsFor(records, request), aliases ? { aliases } : {}),
    }),
    route({
      method: "GET",
      path: `${path}/:id`,
      operation: `get${noun}`,
      summary: `Read ${/^[aeio]/.test(words) ? "an" : "a"} ${words}`,
      shows: one(records),
      allow: "everyone",
      handle: async (request) => {
        const shown = recordsFor(records, request);
        const identifier = pathIdentifier(request, shown.kind);
        if (isRefusal(identifier)) return identifier;
        const record = await readRecord(request.db, shown, request.actor.accountId, identifier);
        return isRefusal(record) ? record : found(record);
      },
    }),
  ];
}

/** Runs a write's statements and the read of what they made, as one batch: one round trip. */
export async function writeAndRead<Name extends AnswerName>(
  db: Connection,
  writes: readonly SQLWrapper[],
  records: Records<Name>,
  accountId: string,
  identifier: Identifier,
): Promise<AnswerNamed<Name> | Refusal>;
export async function writeAndRead(
  db: Connection,
  writes: readonly SQLWrapper[],
  records: Records,
  accountId: string,
  identifier: Identifier,
): Promise<unknown> {
  const read = selectOne(records, accountId, identifier);
  const results = await db.batch<RawRow>([...writes, read].map((query) => statement(db, query)));
  const row = results.at(-1)?.results[0];
  return row ? presentRecord(records, row) : notFound(records.kind);
}

type RecordTable = SQLiteTable &
  Record<"id" | "prefixId" | "accountId" | "updatedAt", SQLiteColumn>;

/** `id = …` or `prefix_id = …`, within an account: the condition of every write to one record. */
export function oneRecord(table: RecordTable, accountId: string, identifier: Identifier): SQL {
  const column = identifier.form === "id" ? table.id : table.prefixId;
  return and(eq(table.accountId, accountId), eq(column, identifier.value)) as SQL;
}

/** Answers the delete of a record that lets go of everything it is part of. */
export async function deleteRecord(
  request: ApiRequest,
  kind: RecordKind,
  table: RecordTable,
): Promise<Answer> {
  const identifier = pathIdentifier(request, kind);
  if (isRefusal(identifier)) return identifier;
  const deletion = sql`delete from ${table}
    where ${oneRecord(table, request.actor.accountId, identifier)} returning ${table.id} as id`;
  const deleted = await statement(request.db, deletion).first<RawRow>();
  return deleted ? nothing : notFound(kind);
}
