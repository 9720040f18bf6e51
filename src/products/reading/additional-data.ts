// Builds an alert's additional data: sender fields shown beside its title and description.

import type { AdditionalDatum } from "../../domain/alerts/alert.ts";
import { isJsonObject } from "../../domain/shared/json.ts";
import { MAX_ITEMS } from "./bounds.ts";
import { type Payload, textAt, textOf, textsOf } from "./payload.ts";
import { formatLines } from "./readable-lines.ts";
import { isSecretName, redact } from "./redact.ts";

/** One datum, or none if the value is null. A `link` that is not http(s) becomes `text`. */
export function datum(
  label: string,
  value: string | null,
  format: AdditionalDatum["format"] = "text",
): readonly AdditionalDatum[] {
  if (value === null) return [];
  const isValid = format !== "link" || /^https?:\/\/\S+$/i.test(value);
  return [{ format: isValid ? format : "text", label, value }];
}

/** The named fields, labelled by their names; a value that is an http(s) URL becomes a link. */
export function dataOf(fields: unknown, ...names: readonly string[]): readonly AdditionalDatum[] {
  return names.flatMap((name) => datumOf(name, textAt(fields, name)));
}

const datumOf = (label: string, value: string | null) =>
  datum(label, value, /^https?:\/\/\S+$/i.test(value ?? "") ? "link" : "text");

/** All other fields, without secrets: everyone who sees the alert sees its data. */
export function unlistedData(
  fields: Payload,
  listed: readonly string[],
): readonly AdditionalDatum[] {
  return Object.entries(fields)
    .filter(([key]) => !listed.includes(key) && !isSecretName(key))
    .slice(0, MAX_ITEMS)
    .flatMap(([key, value]) => datum(key, textOf(redact(value))));
}

/** Limits on what is read of a payload: its depth, its fields, and the entries of a list. */
const MAX_DEPTH = 4;
const MAX_FIELDS = 1_000;
const MAX_ENTRIES = 20;
/** A text of this length that an event shows elsewhere is not shown twice, whatever its name. */
const MIN_DISTINCT = 4;

/** What an event shows of a payload already. */
export type AlreadyShown = {
  /** The title, the description, the tags and identifiers. */
  readonly texts: readonly string[];
  readonly data: readonly AdditionalDatum[];
};

/**
 * The fields of a payload that the event does not show yet, by their paths: shallow ones first,
 * without secrets and without the paths that the type leaves out.
 */
export function remainingData(
  payload: Payload,
  { texts, data }: AlreadyShown,
  leavesOut?: RegExp,
): readonly AdditionalDatum[] {
  const values = new Set(data.map((one) => one.value));
  const named = new Set(data.map(({ label, value }) => `${label}=${value}`));
  const isShown = (key: string, value: string) =>
    named.has(`${key}=${value}`) ||
    value.split(/[,\s]+/).every((part) => texts.includes(part)) ||
    texts.includes(value) ||
    (value.length >= MIN_DISTINCT &&
      (values.has(value) || texts.some((text) => text.includes(value))));
  const found: AdditionalDatum[] = [];
  let fields = 0;
  let level: readonly (readonly [path: string, object: Payload])[] = [["", payload]];
  for (let depth = 1; level.length > 0; depth += 1) {
    const deeper: (readonly [string, Payload])[] = [];
    for (const [path, object] of level) {
      for (const key of Object.keys(object)) {
        fields += 1;
        if (found.length >= MAX_ITEMS || fields > MAX_FIELDS) return found;
        const label = path + key;
        if (isSecretName(key) || leavesOut?.test(label)) continue;
        const value = object[key];
        if (isJsonObject(value) && depth < MAX_DEPTH) {
          deeper.push([`${label}.`, value]);
          continue;
        }
        const text = valueText(value);
        if (text !== null && !isShown(key, text)) found.push(...datumOf(label, text));
      }
    }
    level = deeper;
  }
  return found;
}

/** An entry such as `{"key": "API_TOKEN", "value": …}`. */
const isSecretPair = (entry: unknown): boolean =>
  ["key", "name"].some((name) => isSecretName(textAt(entry, name) ?? ""));

/** A scalar, the scalars of a list, or what is nested as lines. */
function valueText(value: unknown): string | null {
  if (!Array.isArray(value)) return formatLines(redact(value));
  const entries = value.slice(0, MAX_ENTRIES).filter((one) => !isSecretPair(one));
  const isFlat = entries.every((one) => typeof one !== "object");
  return isFlat ? textsOf(entries).join(", ") || null : formatLines(redact(entries));
}
