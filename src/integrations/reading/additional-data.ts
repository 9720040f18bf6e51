// Builds an alert's additional data: sender fields shown beside its title and description.

import type { AdditionalDatum } from "../integration-type.ts";
import { MAX_ITEMS } from "./bounds.ts";
import { type Payload, textAt, textOf } from "./payload.ts";
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
  return names.flatMap((name) => {
    const value = textAt(fields, name);
    return datum(name, value, /^https?:\/\/\S+$/i.test(value ?? "") ? "link" : "text");
  });
}

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
