// Reading a sender's request without judging it: the query, the headers, and the body as whatever it turns out
// to be. Senders name the wrong content type often, so JSON is known by its content. Never throws.
import { nestsTooDeep, readForm } from "../http/body.ts";
import type { InboundRequest } from "./integration-type.ts";

/** More than any sender has; reading a form's lists costs the square of their length. */
const MAX_FORM_FIELDS = 2_000;
const MAX_FORM_NESTING = 16;

/**
 * A request as its sender made it. `bytes` is the body, unpacked. JSON is taken as JSON whatever its content
 * type; anything else is a form if the content type says so; otherwise the body is null and only `text`
 * has it, as also for JSON that nests too deeply. Invalid UTF-8 is replaced.
 */
export function readInbound(
  method: string,
  url: URL,
  headers: Headers,
  bytes: Uint8Array,
): InboundRequest {
  const text = new TextDecoder().decode(bytes);
  return {
    method: method.toUpperCase(),
    url: url.pathname + url.search,
    headers: Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value])),
    query: formOf(url.searchParams) ?? {},
    body: bodyOf(text, mediaTypeOf(headers)),
    text,
  };
}

function mediaTypeOf(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function bodyOf(text: string, mediaType: string): unknown {
  if (text.trim() === "") return null;
  const looksLikeJson = /^\s*[[{]/.test(text) || mediaType.endsWith("json");
  const value = looksLikeJson ? jsonOf(text) : undefined;
  if (value !== undefined) return nestsTooDeep(value) ? null : value;
  if (mediaType !== "application/x-www-form-urlencoded") return null;
  return formOf(new URLSearchParams(text));
}

/** The JSON value; undefined when it is none. */
function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return /\d{16}/.test(text) && !nestsTooDeep(value) ? JSON.parse(text, exactInteger) : value;
  } catch {
    return undefined;
  }
}

/**
 * An integer too large for a number stays the text it was: as identifiers, two that round to the same
 * number would become one alert, and a page would be lost.
 */
function exactInteger(_key: string, value: unknown, context?: { readonly source?: string }) {
  const source = context?.source ?? "";
  const isExact = typeof value !== "number" || Number.isSafeInteger(value);
  return isExact || !/^-?\d+$/.test(source) ? value : source;
}

/** Form fields as an object; null for more fields, or deeper ones, than a form can mean. */
function formOf(fields: URLSearchParams): Record<string, unknown> | null {
  if (fields.size > MAX_FORM_FIELDS) return null;
  const nestsTooFar = [...fields.keys()].some((key) => key.split("[").length > MAX_FORM_NESTING);
  return nestsTooFar ? null : readForm(fields);
}
