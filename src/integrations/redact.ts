// What the request log keeps of a sender's request: all of it, but for what looks like a secret, wherever
// it stands (headers, query, body, JSON inside a text, credentials and parameters of a URL), and bounded.
// When in doubt it hides: a log is read by more people than a secret is meant for.
import { boundedJson } from "./bounded-json.ts";
import { boundedText } from "./bounds.ts";
import type { InboundRequest } from "./integration-type.ts";

/** The most that one logged request takes, as JSON in bytes. */
export const MAX_LOGGED_BYTES = 262_144;
/** Of a body that is neither JSON nor a form. */
const MAX_LOGGED_TEXT = 16_384;
/** As deep as JSON inside a text inside JSON is looked into. */
const MAX_DEPTH = 80;

/** What a secret reads back as, here as in an integration's options. */
const HIDDEN = "***";

const SECRET_WORDS =
  "token|secret|passw|passphrase|authori[sz]ation|signature|credential|cookie|" +
  "jwt|assertion|saml|session|sessid|connection[-_]?string|" +
  "(?:api|access|private|routing|service|intake|integration|signing|tls|auth|" +
  "account|shared|encryption|client|master|host|ssh)[-_]?key";
/** Short ones stand for themselves only, not inside other words. */
const SHORT_WORDS = "auth|dsn|pem|pfx|p12|sid|sig|otp|totp|csrf|xsrf|hmac|bearer";
const SECRET_NAME = new RegExp(
  `${SECRET_WORDS}|pass$|pwd$|(?:^|[-_.])(?:${SHORT_WORDS})(?:$|[-_.](?:assertion|file|url|key|value)$)`,
  "i",
);
/** `sentryDsn`, `clientPEM`. */
const SHORT_IN_CAMEL = /[a-z0-9](?:Dsn|DSN|Pem|PEM|Jwt|JWT|Sig|Otp|OTP|Sid|SID)$/;

// Repetitions in these are bounded: a text may be a mebibyte of one letter.
const URL_CREDENTIALS = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]{1,256}@/gi;
/** Secrets that show by their own form, whatever their name: JSON Web Tokens, and private keys as PEM. */
const JWT = /\beyJ[\w-]{6,}\.[\w-]{2,}\.[\w-]*/g;
const PEM = /-----BEGIN ([A-Z ]{0,30}PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g;
const VALUE = `("[^"]*"?|'[^']*'?|[^\\s&,;"'}\\]]+)`;
/** `token=…` in a text that could be read. */
const PARAMETER = new RegExp(`((?:${SECRET_WORDS})[\\w.-]{0,64}=)${VALUE}`, "gi");
/** `"token": "…"`, `Token: …`, `token=…` in a text that could not. */
const ASSIGNMENT = new RegExp(
  `((?:${SECRET_WORDS})[\\w.-]{0,64}["']?\\s{0,4}[=:]\\s{0,4}(?:Bearer |Basic )?)${VALUE}`,
  "gi",
);

/** True for a header, parameter or key whose value is taken for a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || SHORT_IN_CAMEL.test(name);
}

/**
 * The request as its log shows it: url, method, headers, params (the query), body and remote_ip. The body as
 * text is kept only where it is neither JSON nor a form nor made of parts.
 */
export function loggedRequest(
  request: InboundRequest,
  remoteIp: string | null,
): Record<string, unknown> {
  const logged = {
    url: redactedUrl(request.url),
    method: request.method,
    headers: redacted(request.headers),
    params: redacted(request.query),
    body: request.body === null ? loggedText(request) : redacted(request.body),
    remote_ip: remoteIp,
  };
  return boundedJson(logged, MAX_LOGGED_BYTES) as Record<string, unknown>;
}

/** The value without its secrets; anything under a secret name is hidden whole, but for null and "". */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactedString(value, depth);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((inner) => redacted(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecretName(key) ? hidden(inner) : redacted(inner, depth + 1),
    ]),
  );
}

function hidden(value: unknown): unknown {
  return value === null || value === "" ? value : HIDDEN;
}

/** A text that is itself a JSON object or list is looked into, and written anew if it held a secret. */
function redactedString(text: string, depth: number): string {
  const value = /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  if (value === undefined) return redactedText(text);
  const shown = JSON.stringify(redacted(value, depth + 1));
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

/** A path and query; the query is written anew only if it held a secret. */
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
  if (text === "" || parsed(text) !== undefined) return null;
  const type = request.headers["content-type"] ?? "";
  if (/^\s*multipart\//i.test(type)) return `[${text.length} characters of parts, not kept]`;
  const kept = boundedText(text, MAX_LOGGED_TEXT);
  return withoutCredentials(kept).replace(ASSIGNMENT, `$1${HIDDEN}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
