// Reads the text of a configuration file into sections of entries. Every fault names its place:
// `teams[2].members[0]`.
import {
  type Document,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  stringify,
  visit,
} from "yaml";
import { isJsonObject, nestsTooDeep } from "../../../domain/shared/json.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import type { ConfigurationSection, Entry } from "./section.ts";

/** The version of the format, in the field `tocsin`. */
const FORMAT = 1;

/** In characters. The parser is slow on many invalid tokens; no meaningful file has as many. */
const LONGEST_TEXT = 400_000;
const MOST_TOKENS = 100_000;
const MOST_FAULTS = 100;

/** What may identify a record: it has to stand in the text of rules too. */
export const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export type Sections = ReadonlyMap<string, readonly Entry[]>;

type Parsed =
  | { readonly ok: true; readonly sections: Sections }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const refused = (message: string): Parsed => ({
  ok: false,
  errors: [{ field: "configuration", message: `configuration ${message}` }],
});

/** Reads a file. Bounded for any input and never throws. */
export function parseConfiguration(
  text: string,
  sections: readonly ConfigurationSection[],
): Parsed {
  if (text.length > LONGEST_TEXT) return refused(`is longer than ${LONGEST_TEXT} characters`);
  if (hasTooManyTokens(text)) return refused("has too many elements");
  const read = readYaml(text);
  if ("fault" in read) return refused(read.fault);
  const { value } = read;
  if (!isJsonObject(value)) return refused("must be a map of sections, such as teams");
  if (nestsTooDeep(value)) return refused("nests too deeply");
  if (value.tocsin !== FORMAT)
    return refused(`must have the version of its format, tocsin: ${FORMAT}`);
  return readSections(value, sections);
}

function readYaml(text: string): { readonly value: unknown } | { readonly fault: string } {
  const lines = new LineCounter();
  const at = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    return { fault: `line ${line}, column ${col}: ${message.split("\n")[0]}` };
  };
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: "error",
      schema: "core",
      uniqueKeys: false,
    });
    const [error] = document.errors;
    // The parser reports its own overflow as an error of the text.
    if (error && /call stack/i.test(error.message)) return { fault: "nests too deeply" };
    if (error) return at(error.pos[0], error.message);
    const fault = findFault(document);
    return fault ? at(fault.offset, fault.message) : { value: document.toJS() };
  } catch (error) {
    if (error instanceof RangeError) return { fault: "nests too deeply" };
    throw error;
  }
}

type NodeFault = { readonly offset: number; readonly message: string };

/**
 * What the parser accepts and a file must not have. Repeated keys are found here because the parser
 * compares every key with every other one; a few aliases can expand to billions of values.
 */
function findFault(document: Document.Parsed): NodeFault | null {
  const faults: NodeFault[] = [];
  visit(document, {
    Alias: (_, { range }) => {
      faults.push({ offset: range?.[0] ?? 0, message: "aliases are not supported" });
      return visit.BREAK;
    },
    Map: (_, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
        const name = isScalar(key) ? String(key.value) : null;
        if (name === null) faults.push({ offset, message: "a key must be a text" });
        else if (seen.has(name))
          faults.push({ offset, message: `${name.slice(0, 64)} is there twice` });
        if (name !== null) seen.add(name);
      }
      return faults.length > 0 ? visit.BREAK : undefined;
    },
  });
  return faults[0] ?? null;
}

function hasTooManyTokens(text: string): boolean {
  let tokens = 0;
  for (const _ of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > MOST_TOKENS) return true;
  }
  return false;
}

function readSections(file: Entry, known: readonly ConfigurationSection[]): Parsed {
  const errors: FieldError[] = [];
  const fault = (field: string, message: string) => {
    errors.push({ field, message: `${field} ${message}` });
  };
  const sections = new Map<string, readonly Entry[]>();
  for (const [name, value] of Object.entries(file)) {
    const section = known.find((it) => it.name === name);
    if (name === "tocsin") continue;
    if (section === undefined) {
      const names = known.map((it) => it.name).join(", ");
      fault(name.slice(0, 64), `is not a section; there are ${names}`);
    } else if (value !== null && !Array.isArray(value)) {
      fault(name, "must be a list");
    } else {
      const entries: readonly unknown[] = value ?? [];
      sections.set(name, readEntries(section, entries, fault));
    }
  }
  return errors.length > 0
    ? { ok: false, errors: errors.slice(0, MOST_FAULTS) }
    : { ok: true, sections };
}

type Fault = (field: string, message: string) => void;

function readEntries(
  { name, fields, keyField }: ConfigurationSection,
  entries: readonly unknown[],
  fault: Fault,
): readonly Entry[] {
  const seen = new Map<string, number>();
  return entries.map((entry, at) => {
    const place = `${name}[${at}]`;
    if (!isJsonObject(entry)) {
      fault(place, "must be a map");
      return {};
    }
    for (const field of Object.keys(entry)) {
      if (fields.includes(field)) continue;
      fault(`${place}.${field.slice(0, 64)}`, `is not a field; there are ${fields.join(", ")}`);
    }
    if (entry.meta != null && !isJsonObject(entry.meta)) fault(`${place}.meta`, "must be a map");
    const key = readKey(entry[keyField], keyField);
    if (key === null) {
      const form =
        keyField === "email" ? "an e-mail address" : "1 to 100 letters, digits, . _ or -";
      fault(`${place}.${keyField}`, `must be ${form}`);
      return entry;
    }
    const other = seen.get(key);
    if (other === undefined) seen.set(key, at);
    else fault(`${place}.${keyField}`, `is the one of ${name}[${other}] too`);
    return { ...entry, [keyField]: key };
  });
}

/** A key as written; an e-mail address in lower case. Null if it is neither. */
function readKey(value: unknown, keyField: "key" | "email"): string | null {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return null;
  if (keyField === "key") return KEY.test(text) ? text : null;
  return text.trim() === "" || text.length > 254 ? null : text.trim().toLowerCase();
}

/** The text of a file with these sections, in their order. */
export function writeConfiguration(sections: readonly (readonly [string, readonly Entry[]])[]) {
  const head = "# Configuration of an account. POST /api/v4/configuration applies it.\n";
  const file = { tocsin: FORMAT, ...Object.fromEntries(sections) };
  return head + stringify(file, { schema: "core", lineWidth: 0, aliasDuplicateObjects: false });
}
