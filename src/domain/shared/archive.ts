// The archive of removed records: gzip NDJSON, one object per account, day of creation (UTC) and
// batch. Pure. A record may be archived more than once, after a crash or if it was changed before
// its removal; then the line written last counts.
import { instantOfId, prefixIdOf } from "./identifiers.ts";

export type ArchiveKind = "alerts" | "logs";

/** A record in the form that the API shows, with what belongs to it. */
export type ArchiveRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** The records of one archive object. */
export type ArchiveBatch = { readonly key: string; readonly records: readonly ArchiveRecord[] };

/** The day (`yyyy-mm-dd`, UTC) on which a record was created, from its id. */
export const dayOf = (id: string): string => new Date(instantOfId(id)).toISOString().slice(0, 10);

/** The folder of an account's archive. */
export const archiveFolder = (accountPrefixId: string): string => `${accountPrefixId}/`;

/** The folder of one day of an account's archive. `day`: `yyyy-mm-dd`. */
export const dayFolder = (accountPrefixId: string, day: string): string =>
  `${archiveFolder(accountPrefixId)}${day}/`;

/**
 * Divides records of any accounts into archive objects. An object's key has the first of its ids, so
 * that a repetition with the same records has the same key and the same content.
 */
export function archiveBatches(
  kind: ArchiveKind,
  records: readonly (ArchiveRecord & { readonly account_id: string })[],
): ArchiveBatch[] {
  const sorted = [...records].sort((a, b) => (a.id < b.id ? -1 : 1));
  const folderOf = (record: ArchiveRecord & { readonly account_id: string }) =>
    dayFolder(prefixIdOf("account", record.account_id), dayOf(record.id));
  return [...Map.groupBy(sorted, folderOf)].map(([folder, members]) => ({
    key: `${folder}${kind}-${members[0]?.id}.ndjson.gz`,
    records: members,
  }));
}

/** The NDJSON of records: one per line, each line terminated. */
export const ndjsonOf = (records: readonly ArchiveRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** Parses NDJSON. Throws a `SyntaxError` if a line is not JSON. */
export const recordsOf = (ndjson: string): ArchiveRecord[] =>
  ndjson
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ArchiveRecord);

/** The records without repetitions, by id: of several with one id, the last one given. */
export const mergedRecords = (records: readonly ArchiveRecord[]): ArchiveRecord[] =>
  [...new Map(records.map((record) => [record.id, record])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
