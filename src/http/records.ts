// Shared handlers of all resources: list, read, find, refuse.
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { AnswerName, AnswerNamed } from "../contract/answers.ts";
import type { RawRow } from "../db/records/attributes.ts";
import { type Aliases, readListQuery } from "../db/records/list-query.ts";
import {
  presentRecord,
  type Records,
  selectId,
  selectOne,
  selectPage,
  selectTotal,
  type Whereabouts,
} from "../db/records/records.ts";
import { type Connection, statement } from "../db/shared/database.ts";
import { type Identifier, parseIdentifier, type RecordKind } from "../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../domain/shared/refusal.ts";
import { type Answer, found } from "./answers.ts";
import {
  type ApiRequest,
  type DeclaredRoute,
  type RecordsFor,
  recordsFor,
  route,
} from "./route.ts";
import { many, one } from "./shown.ts";

/** The path's `:id` in either form; 404 if it is malformed. */
export function pathIdentifier(request: ApiRequest, kind: RecordKind): Identifier | Refusal {
  return parseIdentifier(kind, request.params.id ?? "") ?? notFound(kind);
}

/** A handler that runs a verb on the record in the path; 404 if its id is malformed. */
export const onRecord =
  <Body>(
    kind: RecordKind,
    act: (request: ApiRequest<Body>, identifier: Identifier) => Promise<Answer>,
  ) =>
  async (request: ApiRequest<Body>): Promise<Answer> => {
    const identifier = pathIdentifier(request, kind);
    return isRefusal(identifier) ? identifier : act(request, identifier);
  };

/** Reads a record in its response form, or 404. */
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

/** A list nested under another record: 404 if the parent is missing. */
export type ParentScope = {
  readonly parent: Whereabouts;
  readonly identifier: Identifier;
  /** The condition on a row, given a subselect of the parent's id. */
  readonly scope: (parentId: SQL) => SQL;
};

/** Serves a list request: page, `has_more` and total, all from one batch. */
export async function listRecords(
  request: ApiRequest,
  records: Records,
  options: { readonly aliases?: Aliases; readonly scope?: SQL; readonly below?: ParentScope } = {},
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
const splitNoun = (noun: string) =>
  noun.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

const plural = (noun: string) => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`);

/** `GET /things` and `GET /things/:id`. */
export function readRoutes(
  path: string,
  noun: string,
  records: RecordsFor,
  aliases?: Aliases,
): DeclaredRoute[] {
  const words = splitNoun(noun);
  return [
    route({
      method: "GET",
      path,
      operation: `list${plural(noun)}`,
      summary: `List ${plural(words)}`,
      shows: many(records, aliases),
      handle: (request) =>
        listRecords(request, recordsFor(records, request), aliases ? { aliases } : {}),
    }),
    route({
      method: "GET",
      path: `${path}/:id`,
      operation: `get${noun}`,
      summary: `Get ${/^[aeio]/.test(words) ? "an" : "a"} ${words}`,
      shows: one(records),
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

/** Runs the statements of a write and reads the record back, in one batch. */
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
