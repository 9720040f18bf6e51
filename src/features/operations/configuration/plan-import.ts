// Decides what a configuration file changes: which records it creates, which fields of stored ones
// differ, and the parameters of the verbs that make it so. Pure but for new ids.
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { newIdOf } from "../../../kernel/db/identifiers.ts";
import { overlappingAbsences } from "./absences-section.ts";
import type { Sections } from "./configuration-file.ts";
import type { ConfiguredKind } from "./contract.ts";
import type { Configuration, Configured } from "./read-configuration.ts";
import { findRouterLoop } from "./router-loop.ts";
import type { ConfigurationSection, Entry, Finder, Parameters } from "./section.ts";
import { SECTIONS } from "./sections.ts";

type FieldChange = {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
};

/** An entry that creates a record or changes a stored one. */
export type PlannedChange = {
  readonly section: ConfigurationSection;
  /** The place in the file: `teams[2]`. */
  readonly place: string;
  readonly key: string;
  readonly id: string;
  /** As an export would write it. */
  readonly entry: Entry;
  /** As the file has it. */
  readonly written: Entry;
  /** Null for a new record. */
  readonly stored: Configured | null;
  readonly fields: readonly FieldChange[];
  readonly parameters: Parameters;
};

export type ImportPlan = {
  /** In the order in which they can be written. */
  readonly changes: readonly PlannedChange[];
  readonly unchanged: number;
  readonly errors: readonly FieldError[];
};

type Located = Omit<PlannedChange, "parameters" | "fields">;

/**
 * Plans what a file changes. Records and fields that it does not mention stay as they are.
 *
 * @param now epoch ms
 */
export function planImport(file: Sections, stored: Configuration, now: number): ImportPlan {
  const located = SECTIONS.flatMap((section) => locate(section, file, stored, now));
  const entries = [...file.values()].reduce((count, { length }) => count + length, 0);
  const errors: FieldError[] = [];
  const find = finderOf(located, stored, errors);
  const differing = located
    .map((it) => ({ ...it, fields: fieldChanges(it) }))
    .filter((it) => it.stored === null || it.fields.length > 0);
  const changes = differing.map((it) => ({ ...it, parameters: parametersOf(it, find) }));
  errors.push(...overlappingAbsences(recordsAfter("absence", located, stored)));
  const routers = recordsAfter("router", located, stored);
  const loop = findRouterLoop(new Map([...routers].map(([key, { entry }]) => [key, entry])));
  if (loop) {
    const places = loop.flatMap((key) => routers.get(key)?.place ?? []);
    const field = located.find(({ place }) => places.includes(place))?.place ?? "routers";
    errors.push({ field, message: `${field} leads back to itself: ${loop.join(" → ")}` });
  }
  return {
    changes: loop ? changes : inOrderOfUse(changes),
    unchanged: entries - differing.length,
    errors,
  };
}

function locate(
  section: ConfigurationSection,
  file: Sections,
  stored: Configuration,
  now: number,
): readonly Located[] {
  const { name, kind, keyField, settle } = section;
  const known = new Map((stored.get(kind) ?? []).map((it) => [it.key, it]));
  const entries = file.get(name) ?? [];
  // Records are in the order of their ids, also those of one instant.
  const ids = entries.map(() => newIdOf(kind, now)).sort();
  return entries.flatMap((entry, at) => {
    const key = String(entry[keyField]);
    const record = known.get(key) ?? null;
    const settled = settle
      ? settle(entry, record?.entry ?? null, now)
      : { written: entry, shown: entry };
    if (settled === null) return [];
    const { written, shown } = settled;
    const id = record?.record.id ?? ids[at] ?? newIdOf(kind, now);
    const place = `${name}[${at}]`;
    return [{ section, place, key, id, entry: shown, written, stored: record }];
  });
}

function finderOf(
  located: readonly Located[],
  stored: Configuration,
  errors: FieldError[],
): Finder {
  const ids = new Map<string, string>();
  for (const [kind, records] of stored) {
    for (const { key, record } of records) ids.set(`${kind} ${key}`, record.id);
  }
  for (const { section, key, id } of located) ids.set(`${section.kind} ${key}`, id);
  const fault = (place: string, message: string) => {
    errors.push({ field: place, message: `${place} ${message}` });
  };
  const idOf = (kind: ConfiguredKind, key: unknown, place: string) => {
    const named = kind === "account_user" ? String(key).trim().toLowerCase() : String(key);
    const id = ids.get(`${kind} ${named}`);
    if (id !== undefined) return id;
    const what = kind === "account_user" ? "person" : kind.replaceAll("_", " ");
    fault(
      place,
      `names the ${what} ${named.slice(0, 64)}, which neither the file nor the account has`,
    );
    return null;
  };
  const idsOf = (kind: ConfiguredKind, keys: unknown, place: string) => {
    const listed: readonly unknown[] = Array.isArray(keys) ? keys : keys === null ? [] : [keys];
    return listed.flatMap((key, at) => idOf(kind, key, `${place}[${at}]`) ?? []);
  };
  return { idOf, idsOf, fault };
}

/** The fields of an entry that differ from the stored record; of a new record all. */
function fieldChanges({ section, entry, stored }: Located): readonly FieldChange[] {
  const { keyField, onlyNew } = section;
  return Object.entries(entry)
    .filter(([field]) => field !== keyField && (stored === null || !onlyNew.includes(field)))
    .map(([field, after]) => ({ field, before: stored?.entry[field] ?? null, after }))
    .filter(({ field, before, after }) => {
      if (stored === null) return true;
      const isNoMeta = field === "meta" && before === null && isEmpty(after);
      return !isNoMeta && comparable(field, before) !== comparable(field, after);
    });
}

const isEmpty = (value: unknown) => JSON.stringify(value ?? {}) === "{}";

/** Roles have no order, and addresses no case. */
function comparable(field: string, value: unknown): string {
  if (field === "roles" && Array.isArray(value)) return JSON.stringify(value.toSorted());
  return JSON.stringify(value ?? null);
}

function parametersOf(change: Located & Pick<PlannedChange, "fields">, find: Finder): Parameters {
  const { section, entry, written, stored, place, fields, key } = change;
  const { keyField } = section;
  const differing = fields.map(({ field, after }) => [field, after] as const);
  const part: Entry = section.settle
    ? written
    : { [keyField]: entry[keyField], ...Object.fromEntries(differing) };
  const parameters = stored
    ? stored.record.parametersOf(part, find, place)
    : section.parametersOfNew(part, find, place);
  const { meta } = part;
  if (keyField === "email")
    return { ...parameters, ...(meta !== undefined && { meta: meta ?? {} }) };
  if (stored === null) return { ...parameters, meta: { ...asMap(meta), key } };
  if (meta === undefined) return parameters;
  const { key: own } = stored.record.meta;
  return { ...parameters, meta: { ...asMap(meta), ...(own !== undefined && { key: own }) } };
}

const asMap = (value: unknown): Entry =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** All records of a kind as they are after the import, by key, with their places in the file. */
function recordsAfter(
  kind: ConfiguredKind,
  located: readonly Located[],
  stored: Configuration,
): ReadonlyMap<string, { readonly entry: Entry; readonly place: string | null }> {
  const records = new Map<string, { readonly entry: Entry; readonly place: string | null }>(
    (stored.get(kind) ?? []).map(({ key, entry }) => [key, { entry, place: null }]),
  );
  for (const { section, key, entry, place } of located) {
    if (section.kind !== kind) continue;
    records.set(key, { entry: { ...records.get(key)?.entry, ...entry }, place });
  }
  return records;
}

/** New routers before those that lead to them, in their place between the sections. */
function inOrderOfUse(changes: readonly PlannedChange[]): readonly PlannedChange[] {
  const isRouter = ({ section }: PlannedChange) => section.kind === "router";
  const ordered: PlannedChange[] = [];
  let rest = changes.filter(isRouter);
  while (rest.length > 0) {
    const texts = new Map(rest.map((it) => [it, JSON.stringify(it.parameters)]));
    const waits = (it: PlannedChange) =>
      rest.some((other) => other !== it && texts.get(it)?.includes(other.id));
    const ready = rest.filter((it) => !waits(it));
    // Without a loop one is always ready; an id in a title must not stop the others.
    const next = ready.length > 0 ? ready : rest;
    ordered.push(...next);
    rest = rest.filter((it) => !next.includes(it));
  }
  const first = changes.findIndex(isRouter);
  const others = changes.filter((it) => !isRouter(it));
  return first < 0 ? changes : others.toSpliced(first, 0, ...ordered);
}
