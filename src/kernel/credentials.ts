// The credentials that this deployment issues: API keys, sessions, feed secrets, intake keys and the
// addresses of integrations. Each carries a MAC under a key derived from `LINK_SECRET`, so that a
// text that was not issued is refused without a read or a call to an object.
//
// Without `LINK_SECRET` there are no MACs: keys, sessions and feed secrets are told from wrong ones
// by a look-up, and the URL of an integration has its `prefix_id`.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { BASE64URL, CROCKFORD, PREFIXES, prefixIdOf } from "../domain/shared/identifiers.ts";

type LinkSecret = string | undefined;

/** The kinds of credentials that are stored as a hash. */
export type SecretKind = "api_key" | "session" | "feed";

/** `unproven`: well-formed, without a MAC that could be verified; only a look-up can tell. */
export type Provenance = "issued" | "unproven" | "wrong";

/** The keys of this isolate's secret, by purpose. */
const keys = new Map<string, Buffer>();
/** MACs of right addresses and intake keys, by what they sign (17 or 20 characters): a sender repeats its own in each request. */
const macs = new Map<string, string>();
const MAX_MACS = 10_000;
let knownAreOf = "";

/** Forgets what is known of another secret. */
function knowOnly(linkSecret: string): void {
  if (linkSecret === knownAreOf) return;
  keys.clear();
  macs.clear();
  knownAreOf = linkSecret;
}

function keyOf(linkSecret: string, purpose: string): Buffer {
  knowOnly(linkSecret);
  const known = keys.get(purpose);
  if (known !== undefined) return known;
  const key = createHmac("sha256", linkSecret).update(`credential ${purpose}`).digest();
  keys.set(purpose, key);
  return key;
}

const macOf = (linkSecret: string, purpose: string, content: string): Buffer =>
  createHmac("sha256", keyOf(linkSecret, purpose)).update(content).digest();

/** Whether it is the MAC of what is signed. Computes that of a right one once. */
function isMac(
  linkSecret: string,
  mac: string,
  signed: string,
  compute: typeof addressMac,
): boolean {
  knowOnly(linkSecret);
  const known = macs.get(signed);
  const isRight = isEqual(mac, known ?? compute(linkSecret, signed));
  if (isRight && known === undefined) {
    if (macs.size >= MAX_MACS) macs.clear();
    macs.set(signed, mac);
  }
  return isRight;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

// ── API keys, sessions, feed secrets ──

/** The version, 120 random bits and a MAC of 128 bits. */
const SECRET = /^[01][\w-]{42}$/;
const WITH_MAC = "1";
const WITHOUT_MAC = "0";
const SIGNED_LENGTH = 21;

const secretMac = (linkSecret: string, kind: SecretKind, signed: string): string =>
  macOf(linkSecret, kind, signed).subarray(0, 16).toString("base64url");

/** Creates a secret of this kind: 43 characters. Rows store its hash. */
export function newSecret(linkSecret: LinkSecret, kind: SecretKind): string {
  const random = randomBytes(15).toString("base64url");
  if (!linkSecret) return WITHOUT_MAC + random + randomBytes(16).toString("base64url");
  const signed = WITH_MAC + random;
  return signed + secretMac(linkSecret, kind, signed);
}

/**
 * Where a text comes from that is presented as a secret of this kind. An API key without a MAC is
 * one that `npm run setup` created, which does not know the deployment's `LINK_SECRET`.
 */
export function checkSecret(linkSecret: LinkSecret, kind: SecretKind, text: string): Provenance {
  if (!SECRET.test(text)) return "wrong";
  if (!linkSecret) return "unproven";
  if (text.startsWith(WITHOUT_MAC)) return kind === "api_key" ? "unproven" : "wrong";
  const signed = text.slice(0, SIGNED_LENGTH);
  return isEqual(text.slice(SIGNED_LENGTH), secretMac(linkSecret, kind, signed))
    ? "issued"
    : "wrong";
}

/** The stored form of a secret: SHA-256, hexadecimal. */
export const hashOfSecret = (secret: string): string =>
  createHash("sha256").update(secret).digest("hex");

const API_KEY = "tocsin_";

/** Creates an API key: a recognisable prefix and a secret. */
export function newApiKey(linkSecret: LinkSecret): {
  readonly key: string;
  readonly keyHash: string;
} {
  const key = API_KEY + newSecret(linkSecret, "api_key");
  return { key, keyHash: hashOfSecret(key) };
}

/** Where a text comes from that is presented as an API key. */
export const checkApiKey = (linkSecret: LinkSecret, text: string): Provenance =>
  text.startsWith(API_KEY)
    ? checkSecret(linkSecret, "api_key", text.slice(API_KEY.length))
    : "wrong";

// ── Integrations ──

/** The inbox that a credential names: the integration's `prefix_id`. */
export type NamedInbox = {
  readonly name: string;
  readonly provenance: Exclude<Provenance, "wrong">;
};

const KEY_DIGITS = CROCKFORD.toLowerCase();
/** The 80 random bits of the integration's id, 20 random bits that change with each key, a MAC of 60 bits. */
const INTAKE_KEY = /^([0-9a-hjkmnp-tv-z]{16})[0-9a-hjkmnp-tv-z]{4}([0-9a-hjkmnp-tv-z]{12})$/;
const MAC_DIGITS = 12;

const keyDigits = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => KEY_DIGITS[byte & 31]).join("");

const keyMac = (linkSecret: string, signed: string): string =>
  keyDigits(macOf(linkSecret, "intake key", signed).subarray(0, MAC_DIGITS));

/**
 * Creates an intake key: 32 lower-case letters and digits, since that is what clients of other
 * services accept as a key.
 *
 * @param id the integration's ULID
 */
export function newIntakeKey(linkSecret: LinkSecret, id: string): string {
  const signed = id.slice(-16).toLowerCase() + keyDigits(randomBytes(4));
  return signed + (linkSecret ? keyMac(linkSecret, signed) : keyDigits(randomBytes(MAC_DIGITS)));
}

/** The inbox of an intake key, in any case; null for a text that was not issued. */
export function inboxOfKey(linkSecret: LinkSecret, text: string): NamedInbox | null {
  const key = text.toLowerCase();
  const [, random, mac = ""] = INTAKE_KEY.exec(key) ?? [];
  if (random === undefined) return null;
  if (linkSecret && !isMac(linkSecret, mac, key.slice(0, -MAC_DIGITS), keyMac)) return null;
  const name = prefixIdOf("integration", "0".repeat(10) + random.toUpperCase());
  return { name, provenance: linkSecret ? "issued" : "unproven" };
}

/** The version, the 80 random bits of the integration's id as in its `prefix_id`, a MAC of 144 bits. */
const ADDRESS = /^[\w-]{3}[\w-]{13}[AQgw][\w-]{24}$/;
const VERSION_LENGTH = 3;
const UNSIGNED_LENGTH = 17;
export const MAX_ADDRESS_VERSION = 64 ** VERSION_LENGTH - 1;

const addressMac = (linkSecret: string, signed: string): string =>
  macOf(linkSecret, "address", signed).subarray(0, 18).toString("base64url");

/** The last part of an integration's URL: its address, which nobody can derive from its ids. */
export function addressOf(linkSecret: LinkSecret, prefixId: string, version: number): string {
  if (!linkSecret) return prefixId;
  const digits = [version >> 12, version >> 6, version].map((digit) => BASE64URL[digit & 63]);
  const signed = digits.join("") + prefixId.slice(4);
  return signed + addressMac(linkSecret, signed);
}

/** The inbox that an address names, and the address's version; null for one that was not issued. */
export function inboxOfAddress(
  linkSecret: LinkSecret,
  text: string,
): { readonly name: string; readonly version: number } | null {
  if (!linkSecret || !ADDRESS.test(text)) return null;
  const signed = text.slice(0, UNSIGNED_LENGTH);
  if (!isMac(linkSecret, text.slice(UNSIGNED_LENGTH), signed, addressMac)) return null;
  const digits = [...signed.slice(0, VERSION_LENGTH)];
  return {
    name: `${PREFIXES.integration}_${signed.slice(VERSION_LENGTH)}`,
    version: digits.reduce((version, digit) => version * 64 + BASE64URL.indexOf(digit), 0),
  };
}
