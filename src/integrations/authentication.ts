// Whether a request is really its sender's: by the integration's token, wherever a sender can put one, and by the
// signature of those that sign. Neither the token nor a secret ever leaves this file.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IntegrationConfiguration, Previous } from "../domain/integration-configuration.ts";
import type { Authentication, Signature } from "./integration-type.ts";
import { textAt } from "./payload.ts";

/** What is known of an integration's secrets. */
export type Known = {
  /** SHA-256 of the token, hexadecimal; null = none is asked for. */
  readonly tokenSha256: string | null;
  /** The token before a rotation, accepted until then; `sha256` null = none was asked for. */
  readonly previousToken?: Previous;
  /** Secret options whose value is kept, by key. */
  readonly secrets: Readonly<Record<string, string>>;
};

export type Presented = {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The request's fields, read only where a token may be among them. */
  readonly fields: () => Readonly<Record<string, unknown>>;
};

/** Of a request that anybody can make, no more of the headers are tried. */
const MOST_TIMESTAMPS = 4;
const TOKEN_HEADERS = ["service-token", "pagertree-token"] as const;
const TOKEN_PARAMETERS = ["token", "service-token", "service_token", "pagertree-token"] as const;

/**
 * True when whatever the integration asks for is there: its token, and the signature if its secret is set.
 *
 * @param now epoch ms
 */
export function isAuthentic(
  known: Known,
  presented: Presented,
  now: number,
  { tokenHeaders = [], tokenField, signature }: Authentication = {},
): boolean {
  const secret = signature && known.secrets[signature.option];
  if (signature && secret !== undefined && !isSigned(signature, secret, presented)) return false;
  const accepted = [{ sha256: known.tokenSha256 }, ...stillValid(known.previousToken, now)];
  if (accepted.some(({ sha256 }) => sha256 === null)) return true;
  const { headers, url, fields } = presented;
  const given = [
    ...[...TOKEN_HEADERS, ...tokenHeaders].map((name) => headers.get(name)),
    ...authorizations(headers.get("authorization") ?? ""),
    ...TOKEN_PARAMETERS.map((name) => url.searchParams.get(name)),
    tokenField === undefined ? null : textAt(fields(), tokenField),
  ];
  return given.some((token) => token !== null && accepted.some((it) => isHashed(token, it.sha256)));
}

const stillValid = (previous: Previous | undefined, now: number): readonly Previous[] =>
  previous && previous.until > now ? [previous] : [];

const isHashed = (given: string, hash: string | null): boolean =>
  hash !== null && isSame(sha256(given), Buffer.from(hash, "hex"));

/** What an Authorization header may mean by the token: a bearer, either part of basic auth, or all of it. */
function authorizations(header: string): readonly string[] {
  const [scheme = "", value] = header.trim().split(/\s+/, 2);
  if (value === undefined) return scheme === "" ? [] : [scheme];
  if (scheme.toLowerCase() !== "basic") return [value];
  const pair = Buffer.from(value, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? [pair] : [pair.slice(colon + 1), pair.slice(0, colon), pair];
}

function isSigned(signature: Signature, secret: string, { headers, body }: Presented): boolean {
  const { header, encoding, prefix = "", timestamp } = signature;
  const given = headers.get(header) ?? "";
  if (!given.startsWith(prefix)) return false;
  const shown = given.slice(prefix.length);
  const wanted = sha256(encoding === "hex" ? shown.toLowerCase() : shown);
  return beginningsOf(timestamp, headers).some((before) => {
    const digest = createHmac("sha256", secret).update(before).update(body).digest(encoding);
    return isSame(wanted, sha256(digest));
  });
}

/** What may have been signed before the body: the timestamp, wherever it stands. */
function beginningsOf(timestamp: Signature["timestamp"], headers: Headers): readonly string[] {
  if (timestamp === undefined) return [""];
  const { headers: names, join, anyName = false } = timestamp;
  const named = names.map((name) => headers.get(name)).find((value) => value !== null);
  if (named) return [`${named}${join}`];
  const seconds = anyName ? [...headers.values()].filter((value) => /^\d{10}$/.test(value)) : [];
  return ["", ...seconds.slice(0, MOST_TIMESTAMPS).map((value) => `${value}${join}`)];
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && timingSafeEqual(one, other);

/** Whether an intake key is the integration's, or the one before it while that is accepted; in constant time. */
export function isIntakeKey(
  given: string,
  known: Pick<IntegrationConfiguration, "intakeKey" | "previousIntakeKey">,
  now: number,
): boolean {
  const hash = sha256(known.intakeKey.toLowerCase()).toString("hex");
  return isHashedIntakeKey(given, hash, known.previousIntakeKey, now);
}

/**
 * The same where only the keys' hashes are known.
 *
 * @param hash SHA-256 of the key in lower case, hexadecimal
 */
export function isHashedIntakeKey(
  given: string,
  hash: string,
  previous: Previous | undefined,
  now: number,
): boolean {
  const accepted = [{ sha256: hash }, ...stillValid(previous, now)];
  return accepted.some((it) => isHashed(given.toLowerCase(), it.sha256));
}
