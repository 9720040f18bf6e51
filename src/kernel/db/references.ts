// References to other records: every identifier of a request looked up in one batch, in either form, within the
// account; all that are missing are named at once.
import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { parseIdentifier, prefixIdOf, type RecordKind } from "../../domain/shared/identifiers.ts";
import type { FieldError } from "../../domain/shared/refusal.ts";
import type { Connection } from "./database.ts";
import { batch, parsed, type RowsOf, select } from "./select.ts";

/** The kinds of records that requests refer to; each table has the plural of its kind as its name. */
type ReferableKind = Extract<
  RecordKind,
  | "account_user"
  | "team"
  | "schedule"
  | "escalation_policy"
  | "event"
  | "integration"
  | "router"
  | "notification_rule"
>;

/** `escalation_policy` → `escalation_policies`. */
const tableOf = (kind: ReferableKind): SQL =>
  sql`${sql.identifier(kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`)}`;

/** A parameter that names records: its field's name, their kind, and what the caller sent. */
export type Reference = {
  readonly field: string;
  readonly kind: ReferableKind;
  readonly ids: readonly string[];
  /** True where naming a record again means something: repeats stay. */
  readonly repeats?: boolean;
  /** A condition on the table of the kind; other records count as missing. */
  readonly among?: SQL;
};

export type Resolved =
  | { readonly ok: true; readonly idsOf: (field: string) => readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const spoken = (kind: string) => kind.replaceAll("_", " ");

/**
 * Resolves references to ids, in the order given, without repeats unless they count. No round trip when there are none.
 */
export async function resolveReferences(
  db: Connection,
  accountId: string,
  references: readonly Reference[],
): Promise<Resolved> {
  return (await resolveWith(db, accountId, references, [])).resolved;
}

/**
 * Resolves references and runs other reads in the same round trip; their rows come back in order,
 * typed for a `Select`.
 */
export async function resolveWith<const Reads extends readonly SQLWrapper[]>(
  db: Connection,
  accountId: string,
  references: readonly Reference[],
  reads: Reads,
): Promise<{ readonly resolved: Resolved; readonly rows: RowsOf<Reads> }>;
export async function resolveWith(
  db: Connection,
  accountId: string,
  references: readonly Reference[],
  reads: readonly SQLWrapper[],
): Promise<{ readonly resolved: Resolved; readonly rows: RowsOf<readonly SQLWrapper[]> }> {
  const kinds = [...new Set(references.filter((it) => it.ids.length > 0).map((it) => it.kind))];
  if (kinds.length === 0) {
    const rows = reads.length === 0 ? [] : await batch(db, reads);
    return { resolved: assemble(references, new Map()), rows };
  }
  const [[found], ...rows] = await batch(db, [lookUp(accountId, kinds, references), ...reads]);
  const known: Known = new Map(
    kinds.map((kind) => [kind, idsOf([...(found?.[kind] ?? []), ...expectedOf(db, kind)])]),
  );
  return { resolved: assemble(references, known), rows };
}

/** The ids of the records that were found, by either form; of each kind apart: an id says nothing of its kind. */
type Known = ReadonlyMap<ReferableKind, ReadonlyMap<string, string>>;

/** The id and the prefix id of a record. */
type Found = readonly [string, string];

const idsOf = (found: readonly Found[]): ReadonlyMap<string, string> =>
  new Map(
    found.flatMap(([id, prefixId]) => [
      [id, id],
      [prefixId, id],
    ]),
  );

/** The records of a kind that the same transaction creates. */
const expectedOf = (db: Connection, kind: ReferableKind): readonly Found[] =>
  [...(db.expected?.get(kind) ?? [])].map((id) => [id, prefixIdOf(kind, id)]);

/** Selects one row with the records that were found, by kind. */
function lookUp(
  accountId: string,
  kinds: readonly ReferableKind[],
  references: readonly Reference[],
) {
  const columns = kinds.map((kind) => {
    const table = tableOf(kind);
    const ofKind = references.filter((it) => it.kind === kind);
    const sent = ofKind.flatMap((it) => it.ids);
    const among = ofKind.flatMap((it) => it.among ?? []);
    const given = JSON.stringify(sent.map((id) => parseIdentifier(kind, id)?.value ?? ""));
    const found = sql`(select json_group_array(json_array(${table}.id, ${table}.prefix_id)) from ${table}
      where ${table}.account_id = ${accountId} and (${table}.id in (select value from json_each(${given}))
        or ${table}.prefix_id in (select value from json_each(${given})))
      and ${and(sql`1`, ...among)})`;
    return [kind, parsed<readonly Found[]>(found)] as const;
  });
  return select(Object.fromEntries(columns), sql``);
}

function assemble(references: readonly Reference[], known: Known): Resolved {
  const errors: FieldError[] = [];
  const resolved = new Map<string, readonly string[]>();
  for (const { field, kind, ids, repeats } of references) {
    const found: string[] = [];
    for (const sent of ids) {
      const id = known.get(kind)?.get(parseIdentifier(kind, sent)?.value ?? "");
      if (id === undefined) {
        errors.push({ field, message: `${field}: no such ${spoken(kind)} ${sent.slice(0, 64)}` });
      } else if (repeats || !found.includes(id)) found.push(id);
    }
    resolved.set(field, found);
  }
  return errors.length > 0
    ? { ok: false, errors }
    : { ok: true, idsOf: (field) => resolved.get(field) ?? [] };
}
