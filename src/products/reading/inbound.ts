// Parses a sender's request: query, headers and body. Senders often send a wrong content type, so
// JSON is detected by its content. Never throws.

import { readForm } from "../../domain/shared/form.ts";
import { isBlankJson, isJsonObject, nestsTooDeep } from "../../domain/shared/json.ts";
import type { InboundRequest } from "../integration-type.ts";
import { charsetOf, decodeAs, decodeForm } from "./decode-text.ts";
import { multipartFields } from "./multipart.ts";
import type { Payload } from "./payload.ts";

/**
 * Parses a request; `bytes` is the body, decompressed. JSON is parsed whatever its content type.
 * Other bodies are parsed as a form, url-encoded or multipart, if the content type says so.
 * Otherwise, and for JSON that nests too deeply, `body` is null and only `text` is set.
 */
export function parseInbound(
  method: string,
  url: URL,
  headers: Headers,
  bytes: Uint8Array,
): InboundRequest {
  const contentType = headers.get("content-type");
  const charset = charsetOf(bytes, contentType);
  const text = decodeAs(bytes, charset);
  return {
    method: method.toUpperCase(),
    url: url.pathname + url.search,
    headers: Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value])),
    query: queryOf(url),
    body: bodyOf({ text, bytes, charset }, contentType ?? ""),
    text,
  };
}

const queryOf = ({ search }: URL) =>
  search === "" ? {} : (readForm(decodeForm(Buffer.from(search.slice(1), "utf8"), null)) ?? {});

/** Parses a JSON object that a sender put into a string field; null if it is not one. */
export function parseJsonObject(text: unknown): Payload | null {
  const value = typeof text === "string" ? jsonOf(text) : undefined;
  return isJsonObject(value) && !nestsTooDeep(value) ? value : null;
}

/**
 * Whether a body declares JSON but is not valid JSON. Without a content type, a body that starts
 * with `{` counts as declared.
 */
export function isMalformedJson({ headers, text, body }: InboundRequest): boolean {
  if (body !== null) return false;
  const mediaType = mediaTypeOf(headers["content-type"] ?? "");
  const claimed = mediaType.endsWith("json") || (mediaType === "" && /^\s*\{/.test(text));
  return claimed && !isBlankJson(text) && jsonOf(text) === undefined;
}

const mediaTypeOf = (contentType: string): string =>
  contentType.split(";")[0]?.trim().toLowerCase() ?? "";

type ReceivedBody = {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly charset: string | null;
};

function bodyOf({ text, bytes, charset }: ReceivedBody, contentType: string): unknown {
  if (isBlankJson(text)) return null;
  const mediaType = mediaTypeOf(contentType);
  const looksLikeJson = /^\s*[[{]/.test(text) || mediaType.endsWith("json");
  const value = looksLikeJson ? jsonOf(text) : undefined;
  if (value !== undefined) return nestsTooDeep(value) ? null : value;
  if (mediaType === "multipart/form-data") {
    const fields = multipartFields(bytes, contentType, charset);
    return fields && readForm(new URLSearchParams(fields));
  }
  if (mediaType !== "application/x-www-form-urlencoded") return null;
  return readForm(decodeForm(bytes, charset));
}

/** The JSON value, at any depth; undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return /\d{16}/.test(text) && !nestsTooDeep(value) ? JSON.parse(text, exactInteger) : value;
  } catch {
    return undefined;
  }
}

/**
 * Keeps an integer beyond the safe range as its source text: two identifiers that round to the same
 * number would become one alert, and a page would be lost.
 */
function exactInteger(_key: string, value: unknown, context?: { readonly source?: string }) {
  const source = context?.source ?? "";
  const isExact = typeof value !== "number" || Number.isSafeInteger(value);
  return isExact || !/^-?\d+$/.test(source) ? value : source;
}
