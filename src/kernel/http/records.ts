// Shared handlers of all resources: list, read, find, refuse.
import type { SQL } from "drizzle-orm";
import {
  type Identifier,
  parseIdentifier,
  type RecordKind,
} from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../domain/shared/refusal.ts";
import type { AnswerName, AnswerNamed, QueryName } from "../contract/answers.ts";
import type { List } from "../contract/list.ts";
import type { Connection } from "../db/database.ts";
import { type Aliases, type ListQuery, readListQuery } from "../db/list-query.ts";
import { selectPage, selectTotal } from "../db/record-lists.ts";
import { type Records, selectId, selectRecord, type Whereabouts } from "../db/records.ts";
import { batch, first } from "../db/select.ts";
import { type Answer, found } from "./answers.ts";
import {
  type ApiRequest,
  type Endpoint,
  type RecordsFor,
  type Route,
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
): Promise<AnswerNamed<Name> | Refusal> {
  const record = await first(db, selectRecord(records, accountId, identifier, scope));
  return record ?? notFound(records.kind);
}

/** A list nested under another record: 404 if the parent is missing. */
type ParentScope = {
  readonly parent: Whereabouts;
  readonly identifier: Identifier;
  /** The condition on a row, given a subselect of the parent's id, unless the records have it. */
  readonly scope?: (parentId: SQL) => SQL;
};

/** What a list shows; `query`: read already. */
type ListOptions = {
  readonly aliases?: Aliases;
  readonly query?: ListQuery;
  readonly scope?: SQL | undefined;
  readonly below?: ParentScope;
};

/** Serves a list request: page, `has_more` and total, all from one batch. */
export async function listRecords(
  request: ApiRequest,
  records: Records,
  options: ListOptions = {},
): Promise<Answer> {
  const { longestPage } = request;
  const query =
    options.query ?? readListQuery(request.query, records.attributes, options.aliases, longestPage);
  if (isRefusal(query)) return query;
  const { accountId } = request.actor;
  const { below } = options;
  const parentId = below && selectId(below.parent, accountId, below.identifier);
  const scope = below && parentId ? below.scope?.(parentId) : options.scope;
  const [data, [kept], parent] = await batch(request.db, [
    selectPage(records, accountId, query, scope),
    selectTotal(records, accountId, query, scope),
    ...(parentId ? [parentId] : []),
  ]);
  if (below && parent?.length === 0) return notFound(below.parent.kind);
  const total = kept?.total ?? 0;
  return {
    kind: "list",
    list: { data, has_more: query.offset + data.length < total, total_count: total },
  };
}

/** `AccountUser` → `account user`. */
const splitNoun = (noun: string) =>
  noun.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

const plural = (noun: string) => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);

/** A list with parameters of its own beside the filters. */
type OwnList = { readonly query: QueryName } & Pick<Route, "handle">;

/** `GET /things` and `GET /things/:id`, for everyone. */
export function readRoutes<const Path extends string, Name extends AnswerName>(
  path: Path,
  noun: string,
  records: RecordsFor<Name>,
  aliases?: Aliases,
  list?: OwnList,
): (
  | Endpoint<"GET", Path, List<AnswerNamed<Name>>>
  | Endpoint<"GET", `${Path}/:id`, AnswerNamed<Name>>
)[] {
  const words = splitNoun(noun);
  return [
    route({
      method: "GET",
      path,
      operation: `list${plural(noun)}`,
      allow: "everyone",
      summary: `List ${plural(words)}`,
      shows: many(records, aliases),
      handle: (request) =>
        listRecords(request, recordsFor(records, request), aliases ? { aliases } : {}),
      ...list,
    }),
    route({
      method: "GET",
      path: `${path}/:id`,
      operation: `get${noun}`,
      allow: "everyone",
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
