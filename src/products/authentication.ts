// Authenticates a sender's request by the integration's token, wherever a sender can put it, and by
// its signature if a signing secret is set. Never logs or returns a token or a secret.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type {
  IntegrationConfiguration,
  PreviousSecret,
} from "../domain/integrations/integration-configuration.ts";
import type { Authentication, Signature } from "./integration-type.ts";
import { textAt } from "./reading/payload.ts";

/** An integration's stored credentials. */
export type StoredCredentials = {
  /** SHA-256 of the token, hexadecimal; null = no token is required. */
  readonly tokenSha256: string | null;
  /** The token before a rotation, accepted until its `until`; `sha256` null = none was required. */
  readonly previousToken?: PreviousSecret;
  /** Secret options whose value is stored, by key: those used to verify signatures. */
  readonly secrets: Readonly<Record<string, string>>;
};

/** The parts of a request that can carry credentials. */
export type PresentedCredentials = {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The request's fields; parsed only if one can carry the token. */
  readonly fields: () => Readonly<Record<string, unknown>>;
};

/** Limit on candidate timestamps: requests are unauthenticated, and each one costs an HMAC. */
const MAX_TIMESTAMPS = 4;
const TOKEN_HEADERS = ["service-token", "pagertree-token"] as const;
const TOKEN_PARAMETERS = ["token", "service-token", "service_token", "pagertree-token"] as const;

/**
 * Whether the request has the integration's token and, if a signing secret is set, its signature.
 *
 * @param now epoch ms
 * @param needsProof refuses a request where neither is required: it must have one of them
 */
export function isAuthentic(
  known: StoredCredentials,
  presented: PresentedCredentials,
  now: number,
  { tokenHeaders = [], tokenField, signature }: Authentication = {},
  needsProof = false,
): boolean {
  const secret = signature && known.secrets[signature.option];
  if (signature && secret !== undefined && !isSigned(signature, secret, presented)) return false;
  const isEnough = !needsProof || secret !== undefined;
  const accepted = [{ sha256: known.tokenSha256 }, ...acceptedPrevious(known.previousToken, now)];
  if (isEnough && accepted.some(({ sha256 }) => sha256 === null)) return true;
  const { headers, url, fields } = presented;
  const tokens = [
    ...[...TOKEN_HEADERS, ...tokenHeaders].map((name) => headers.get(name)),
    ...authorizationTokens(headers.get("authorization") ?? ""),
    ...TOKEN_PARAMETERS.map((name) => url.searchParams.get(name)),
    tokenField === undefined ? null : textAt(fields(), tokenField),
  ];
  return tokens.some(
    (token) => token !== null && accepted.some((it) => matchesHash(token, it.sha256)),
  );
}

const acceptedPrevious = (
  previous: PreviousSecret | undefined,
  now: number,
): readonly PreviousSecret[] => (previous && previous.until > now ? [previous] : []);

const matchesHash = (text: string, hash: string | null): boolean =>
  hash !== null && isEqual(sha256(text), Buffer.from(hash, "hex"));

/**
 * Possible tokens in an Authorization header: a bearer token, either part of basic credentials, or
 * the whole header.
 */
function authorizationTokens(header: string): readonly string[] {
  const [scheme = "", value] = header.trim().split(/\s+/, 2);
  if (value === undefined) return scheme === "" ? [] : [scheme];
  if (scheme.toLowerCase() !== "basic") return [value];
  const pair = Buffer.from(value, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? [pair] : [pair.slice(colon + 1), pair.slice(0, colon), pair];
}

function isSigned(
  signature: Signature,
  secret: string,
  { headers, body }: PresentedCredentials,
): boolean {
  const { header, encoding, prefix = "", timestamp } = signature;
  const value = headers.get(header) ?? "";
  if (!value.startsWith(prefix)) return false;
  const presented = value.slice(prefix.length);
  const expected = sha256(encoding === "hex" ? presented.toLowerCase() : presented);
  return signedPrefixes(timestamp, headers).some((before) => {
    const digest = createHmac("sha256", secret).update(before).update(body).digest(encoding);
    return isEqual(expected, sha256(digest));
  });
}

/** Possible prefixes of the signed content: the timestamp and its separator, or nothing. */
function signedPrefixes(timestamp: Signature["timestamp"], headers: Headers): readonly string[] {
  if (timestamp === undefined) return [""];
  const { headers: names, join, anyName = false } = timestamp;
  const named = names.map((name) => headers.get(name)).find((value) => value !== null);
  if (named) return [`${named}${join}`];
  const seconds = anyName ? [...headers.values()].filter((value) => /^\d{10}$/.test(value)) : [];
  return ["", ...seconds.slice(0, MAX_TIMESTAMPS).map((value) => `${value}${join}`)];
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && timingSafeEqual(one, other);

/**
 * Whether a key is the integration's intake key, or its previous one while accepted. Constant time.
 */
export function isIntakeKey(
  intakeKey: string,
  known: Pick<IntegrationConfiguration, "intakeKey" | "previousIntakeKey">,
  now: number,
): boolean {
  const hash = sha256(known.intakeKey.toLowerCase()).toString("hex");
  return isHashedIntakeKey(intakeKey, hash, known.previousIntakeKey, now);
}

/**
 * The same, given only the keys' hashes.
 *
 * @param hash SHA-256 of the key in lower case, hexadecimal
 */
export function isHashedIntakeKey(
  intakeKey: string,
  hash: string,
  previous: PreviousSecret | undefined,
  now: number,
): boolean {
  const accepted = [{ sha256: hash }, ...acceptedPrevious(previous, now)];
  return accepted.some((it) => matchesHash(intakeKey.toLowerCase(), it.sha256));
}
