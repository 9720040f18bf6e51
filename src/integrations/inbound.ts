// Reading a sender's request without judging it: the query, the headers, and the body as whatever it turns out
// to be. Senders name the wrong content type often, so JSON is known by its content. Never throws.

import { readForm } from "../domain/form.ts";
import { isBlankJson, nestsTooDeep } from "../domain/json.ts";
import type { InboundRequest } from "./integration-type.ts";
import { multipartFields } from "./multipart.ts";
import { isPayload, type Payload } from "./payload.ts";

/**
 * A request as its sender made it. `bytes` is the body, unpacked. JSON is taken as JSON whatever its content
 * type; anything else is a form, url-encoded or multipart, if the content type says so; otherwise the body is null and
 * only `text` has it, as also for JSON that nests too deeply. Invalid UTF-8 is replaced.
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
    query: readForm(url.searchParams) ?? {},
    body: bodyOf(text, headers),
    text,
  };
}

/** The object that some senders write as JSON into a text of their request; null when it is none. */
export function objectIn(text: unknown): Payload | null {
  const value = typeof text === "string" ? jsonOf(text) : undefined;
  return isPayload(value) && !nestsTooDeep(value) ? value : null;
}

/**
 * True for a body that says it is JSON and is not. Text and forms are whatever they are; so is a request without a
 * content type, unless it begins as an object does.
 */
export function isMalformedJson({ headers, text }: InboundRequest): boolean {
  const mediaType = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const claimed = mediaType.endsWith("json") || (mediaType === "" && /^\s*\{/.test(text));
  return claimed && !isBlankJson(text) && jsonOf(text) === undefined;
}

function mediaTypeOf(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function bodyOf(text: string, headers: Headers): unknown {
  if (isBlankJson(text)) return null;
  const mediaType = mediaTypeOf(headers);
  const looksLikeJson = /^\s*[[{]/.test(text) || mediaType.endsWith("json");
  const value = looksLikeJson ? jsonOf(text) : undefined;
  if (value !== undefined) return nestsTooDeep(value) ? null : value;
  if (mediaType === "multipart/form-data") {
    const fields = multipartFields(text, headers.get("content-type") ?? "");
    return fields && readForm(new URLSearchParams(fields));
  }
  if (mediaType !== "application/x-www-form-urlencoded") return null;
  return readForm(new URLSearchParams(text));
}

/** The JSON value; undefined when it is none. It may nest too deeply. */
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
