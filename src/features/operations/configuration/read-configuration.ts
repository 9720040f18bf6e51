// Reads the configuration of an account: its records by key, and as entries of a file.
import { batch } from "../../../kernel/db/select.ts";
import { KEY } from "./configuration-file.ts";
import type { ConfiguredKind } from "./contract.ts";
import type { AdminContext, ConfigurationSection, Entry, KeyOf, StoredRecord } from "./section.ts";
import { SECTIONS } from "./sections.ts";

export type Configured = {
  readonly section: ConfigurationSection;
  readonly key: string;
  readonly record: StoredRecord;
  /** The record as an entry of the file. */
  readonly entry: Entry;
};

/** The records of each section, in the order of their keys, or as they were created. */
export type Configuration = ReadonlyMap<ConfiguredKind, readonly Configured[]>;

/** Reads everything that a configuration file contains, in one transaction. */
export async function readConfiguration(context: AdminContext): Promise<Configuration> {
  const read = await batch(
    context.db,
    SECTIONS.map((section) => section.select(context)),
  );
  const keyed = SECTIONS.map((section, at) => {
    const records = (read[at] ?? []).filter(({ isOver }) => !isOver);
    return [section, keysOf(records)] as const;
  });
  const byIdentifier = new Map(
    keyed.flatMap(([{ kind }, records]) =>
      records.flatMap(({ key, record }) => [
        [`${kind} ${record.id}`, key] as const,
        [`${kind} ${record.prefixId}`, key] as const,
      ]),
    ),
  );
  const keyOf: KeyOf = (kind, identifier) => byIdentifier.get(`${kind} ${identifier}`) ?? null;
  return new Map(
    keyed.map(([section, records]) => [
      section.kind,
      records
        .map(({ key, record }) => ({
          section,
          key,
          record,
          entry: show(section, key, record, keyOf),
        }))
        .toSorted((a, b) => (section.isOrdered ? 0 : a.key < b.key ? -1 : 1)),
    ]),
  );
}

/**
 * The key of each record: `meta.key`; where it is missing, is none, or is that of an older record,
 * the record's `prefix_id`, which never changes. A person's is the e-mail address.
 */
function keysOf(records: readonly StoredRecord[]) {
  const taken = new Set(records.map(({ prefixId }) => prefixId));
  return records.map((record) => {
    const { email, prefixId, meta } = record;
    const named = email ?? meta.key;
    const isKey = typeof named === "string" && (email !== null || KEY.test(named));
    const key = isKey && !taken.has(named) ? named : prefixId;
    taken.add(key);
    return { key, record };
  });
}

function show(
  { keyField }: ConfigurationSection,
  key: string,
  record: StoredRecord,
  keyOf: KeyOf,
): Entry {
  const { key: _, ...rest } = record.meta;
  const meta = keyField === "key" ? rest : record.meta;
  const fields = record.show(keyOf);
  return { [keyField]: key, ...fields, ...(Object.keys(meta).length > 0 && { meta }) };
}
