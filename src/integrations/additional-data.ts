// What of a sender's fields is shown with an alert beside its title and description.
import { MAX_ITEMS } from "./bounds.ts";
import type { AdditionalDatum } from "./integration-type.ts";
import { type Payload, textAt, textOf } from "./payload.ts";
import { isSecretName, redacted } from "./redact.ts";

/** A datum for the alert, or none when there is nothing to show. `link` only for http and https. */
export function datum(
  label: string,
  value: string | null,
  format: AdditionalDatum["format"] = "text",
): readonly AdditionalDatum[] {
  if (value === null) return [];
  const safe = format !== "link" || /^https?:\/\/\S+$/i.test(value);
  return [{ format: safe ? format : "text", label, value }];
}

/** The named fields, each under its own name; those that hold an address of the web are links. */
export function dataOf(fields: unknown, ...names: readonly string[]): readonly AdditionalDatum[] {
  return names.flatMap((name) => {
    const value = textAt(fields, name);
    return datum(name, value, /^https?:\/\/\S+$/i.test(value ?? "") ? "link" : "text");
  });
}

/** Every other field that was sent, shown to whoever sees the alert: so never a secret. */
export function unlisted(fields: Payload, listed: readonly string[]): readonly AdditionalDatum[] {
  return Object.entries(fields)
    .filter(([key]) => !listed.includes(key) && !isSecretName(key))
    .slice(0, MAX_ITEMS)
    .flatMap(([key, value]) => datum(key, textOf(redacted(value))));
}
