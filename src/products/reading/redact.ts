// Redacts a sender's request for the request log: replaces anything that looks like a secret (in
// headers, query, body, JSON inside strings, URL credentials and parameters) and bounds the size.
// In doubt it redacts: more people can read a log than may know a secret.

import type { InboundRequest } from "../integration-type.ts";
import { truncateJson } from "./bounded-json.ts";
import { boundText } from "./bounds.ts";

/** The maximum size of one logged request, as JSON in bytes. */
export const MAX_LOGGED_BYTES = 262_144;
/** The maximum length of a body that is neither JSON nor a form. */
const MAX_LOGGED_TEXT = 16_384;
/** The maximum depth searched, including JSON nested in strings. */
const MAX_DEPTH = 80;

/** The replacement of a secret, as in an integration's options. */
const HIDDEN = "***";

const SECRET_WORDS =
  "token|secret|passw|passphrase|authori[sz]ation|signature|credential|cookie|" +
  "jwt|assertion|saml|session|sessid|connection[-_]?string|" +
  "(?:api|access|private|routing|service|intake|integration|signing|tls|auth|" +
  "account|shared|encryption|client|master|host|ssh)[-_]?key";
/** Short words that match only as a whole part of a name. */
const SHORT_WORDS = "auth|dsn|pem|pfx|p12|sid|sig|otp|totp|csrf|xsrf|hmac|bearer";
const SECRET_NAME = new RegExp(
  `${SECRET_WORDS}|pass$|pwd$|(?:^|[-_.])(?:${SHORT_WORDS})(?:$|[-_.](?:assertion|file|url|key|value)$)`,
  "i",
);
/** The same at the end of a camelCase name: `sentryDsn`, `clientPEM`. */
const SHORT_IN_CAMEL = /[a-z0-9](?:Dsn|DSN|Pem|PEM|Jwt|JWT|Sig|Otp|OTP|Sid|SID)$/;

// Repetitions are bounded: a text can be one mebibyte of one letter.
const URL_CREDENTIALS = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]{1,256}@/gi;
/** Secrets recognized by their format: JSON Web Tokens and PEM private keys. */
const JWT = /\beyJ[\w-]{6,}\.[\w-]{2,}\.[\w-]*/g;
const PEM = /-----BEGIN ([A-Z ]{0,30}PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g;
const VALUE = `("[^"]*"?|'[^']*'?|[^\\s&,;"'}\\]]+)`;
/** `token=…` in a string of a parsed body. */
const PARAMETER = new RegExp(`((?:${SECRET_WORDS})[\\w.-]{0,64}=)${VALUE}`, "gi");
/** `"token": "…"`, `Token: …`, `token=…` in a body that could not be parsed. */
const ASSIGNMENT = new RegExp(
  `((?:${SECRET_WORDS})[\\w.-]{0,64}["']?\\s{0,4}[=:]\\s{0,4}(?:Bearer |Basic )?)${VALUE}`,
  "gi",
);

/** Whether the value of a header, parameter or key with this name is treated as a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || SHORT_IN_CAMEL.test(name);
}

/**
 * The request as logged: url, method, headers, params (the query), body and remote_ip. The body's
 * text is logged only if it is not JSON, a form or multipart.
 */
export function loggedRequest(
  request: InboundRequest,
  remoteIp: string | null,
): Record<string, unknown> {
  const logged = {
    url: redactedUrl(request.url),
    method: request.method,
    headers: redact(request.headers),
    params: redact(request.query),
    body: request.body === null ? loggedText(request) : redact(request.body),
    remote_ip: remoteIp,
  };
  return truncateJson(logged, MAX_LOGGED_BYTES) as Record<string, unknown>;
}

/** Redacts a value; anything under a secret name is replaced as a whole, except null and "". */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactedString(value, depth);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((inner) => redact(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecretName(key) ? hidden(inner) : redact(inner, depth + 1),
    ]),
  );
}

function hidden(value: unknown): unknown {
  return value === null || value === "" ? value : HIDDEN;
}

/**
 * Redacts a string. One that holds a JSON object or list is searched, and re-serialized only if
 * something changed.
 */
function redactedString(text: string, depth: number): string {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (value === undefined) return redactedText(text);
  const shown = JSON.stringify(redact(value, depth + 1));
  return shown === JSON.stringify(value) ? text : shown;
}

function redactedText(text: string): string {
  const parameters = text.includes("=") ? text.replace(PARAMETER, `$1${HIDDEN}`) : text;
  return withoutCredentials(parameters);
}

function withoutCredentials(text: string): string {
  let shown = text.includes("://") ? text.replace(URL_CREDENTIALS, `$1${HIDDEN}@`) : text;
  if (shown.includes("eyJ")) shown = shown.replace(JWT, HIDDEN);
  return shown.includes("-----BEGIN") ? shown.replace(PEM, HIDDEN) : shown;
}

/** Redacts a path and query; the query is re-encoded only if something changed. */
function redactedUrl(url: string): string {
  const mark = url.indexOf("?");
  if (mark === -1) return redactedText(url);
  const pairs = [...new URLSearchParams(url.slice(mark + 1))];
  const shown = pairs.map(([name, value]): [string, string] => [
    name,
    isSecretName(name) && value !== "" ? HIDDEN : redactedString(value, 0),
  ]);
  const changed = shown.some(([, value], index) => value !== pairs[index]?.[1]);
  const query = changed ? new URLSearchParams(shown).toString() : url.slice(mark + 1);
  return `${redactedText(url.slice(0, mark))}?${query}`;
}

function loggedText(request: InboundRequest): string | null {
  const text = request.text.trim();
  if (text === "" || parseJson(text) !== undefined) return null;
  const type = request.headers["content-type"] ?? "";
  if (/^\s*multipart\//i.test(type)) return `[${text.length} characters of parts, not truncated]`;
  const truncated = boundText(text, MAX_LOGGED_TEXT);
  return withoutCredentials(truncated).replace(ASSIGNMENT, `$1${HIDDEN}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
