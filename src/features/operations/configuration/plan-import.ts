// Decides what a configuration file changes: which records it creates, which fields of stored ones
// differ, and the parameters of the verbs that make it so. Pure but for new ids.
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { newIdOf } from "../../../kernel/db/identifiers.ts";
import type { Sections } from "./configuration-file.ts";
import type { Configuration, Configured } from "./read-configuration.ts";
import { findRouterLoop } from "./router-loop.ts";
import type { ConfiguredKind, Entry, Finder, Parameters, Section } from "./section.ts";
import { SECTIONS } from "./sections.ts";

type FieldChange = {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
};

/** An entry that creates a record or changes a stored one. */
export type PlannedChange = {
  readonly section: Section;
  /** The place in the file: `teams[2]`. */
  readonly place: string;
  readonly key: string;
  readonly id: string;
  readonly entry: Entry;
  /** Null for a new record. */
  readonly stored: Configured | null;
  readonly fields: readonly FieldChange[];
  readonly parameters: Parameters;
};

export type Plan = {
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
export function planImport(file: Sections, stored: Configuration, now: number): Plan {
  const located = SECTIONS.flatMap((section) => locate(section, file, stored, now));
  const errors: FieldError[] = [];
  const find = finderOf(located, stored, errors);
  const differing = located
    .map((it) => ({ ...it, fields: fieldChanges(it) }))
    .filter((it) => it.stored === null || it.fields.length > 0);
  const changes = differing.map((it) => ({ ...it, parameters: parametersOf(it, find) }));
  const loop = findRouterLoop(routersAfter(located, stored));
  if (loop) {
    const [first] = located.filter(
      ({ section, key }) => section.kind === "router" && loop.includes(key),
    );
    const field = first?.place ?? "routers";
    errors.push({ field, message: `${field} leads back to itself: ${loop.join(" → ")}` });
  }
  return {
    changes: loop ? changes : inOrderOfUse(changes),
    unchanged: located.length - differing.length,
    errors,
  };
}

function locate(
  section: Section,
  file: Sections,
  stored: Configuration,
  now: number,
): readonly Located[] {
  const { name, kind, keyField } = section;
  const known = new Map((stored.get(kind) ?? []).map((it) => [it.key, it]));
  return (file.get(name) ?? []).map((entry, at) => {
    const key = String(entry[keyField]);
    const record = known.get(key) ?? null;
    const id = record?.record.id ?? newIdOf(kind, now);
    return { section, place: `${name}[${at}]`, key, id, entry, stored: record };
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
  const { section, entry, stored, place, fields, key } = change;
  const { keyField } = section;
  const differing = fields.map(({ field, after }) => [field, after] as const);
  const part: Entry = { [keyField]: entry[keyField], ...Object.fromEntries(differing) };
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

/** All routers as they are after the import. */
function routersAfter(
  located: readonly Located[],
  stored: Configuration,
): ReadonlyMap<string, Entry> {
  const routers = new Map((stored.get("router") ?? []).map(({ key, entry }) => [key, entry]));
  for (const { section, key, entry } of located) {
    if (section.kind === "router") routers.set(key, { ...routers.get(key), ...entry });
  }
  return routers;
}

/** New routers before those that lead to them; the sections follow in their order. */
function inOrderOfUse(changes: readonly PlannedChange[]): readonly PlannedChange[] {
  const ordered = changes.filter(({ section }) => section.kind !== "router");
  let rest = changes.filter(({ section }) => section.kind === "router");
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
  return ordered;
}
