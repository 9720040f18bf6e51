// Identifiers in the form that Opsgenie clients expect: a request has a UUID, an alert also a short
// number (tiny id). Both are reversible functions of our ids, so nothing is stored for them.

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const ID_LENGTH = 26;
/** The id's timestamp and first 20 random bits: unique per integration and millisecond. */
const TINY_LENGTH = 14;
/** Tiny ids count from 2025-01-01, which makes them shorter. */
const TINY_FROM = BigInt(Date.UTC(2025, 0, 1)) << 20n;
const LARGEST_TINY = 1n << 68n;

const toNumber = (digits: string): bigint =>
  [...digits].reduce((sum, digit) => sum * 32n + BigInt(CROCKFORD.indexOf(digit)), 0n);

function toDigits(number: bigint, length: number): string {
  let digits = "";
  for (let rest = number; digits.length < length; rest /= 32n) {
    digits = CROCKFORD[Number(rest % 32n)] + digits;
  }
  return digits;
}

/** The UUID with the same 128 bits as an id. */
export function uuidOfId(id: string): string {
  const hex = toNumber(id).toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The tiny id of an alert. */
export function tinyIdOf(alertId: string): string {
  return String(toNumber(alertId.slice(0, TINY_LENGTH)) - TINY_FROM);
}

/** The prefix of every id with this tiny id; null if invalid. */
function prefixOfTiny(tiny: string): string | null {
  if (!/^-?\d{1,24}$/.test(tiny)) return null;
  const number = BigInt(tiny) + TINY_FROM;
  return number < 0n || number >= LARGEST_TINY ? null : toDigits(number, TINY_LENGTH);
}

/** A reference to an alert by an identifier that we returned, other than its alias. */
export type AlertReference =
  | { readonly by: "alert"; readonly id: string }
  /** The id of the log of the request that created the alert or was counted on it. */
  | { readonly by: "request"; readonly logId: string }
  /** The prefix of the alert's id. */
  | { readonly by: "tiny"; readonly prefix: string };

/** Parses an identifier of a type (default `id`); null for an alias or one we never return. */
export function referenceIn(identifier: string, type: string | null): AlertReference | null {
  switch (type?.toLowerCase() ?? "id") {
    case "id": {
      const upper = identifier.length === ID_LENGTH ? identifier.toUpperCase() : "";
      if (ULID.test(upper)) return { by: "alert", id: upper };
      const logId = idOfUuid(identifier);
      return logId === null ? null : { by: "request", logId };
    }
    case "tiny": {
      const prefix = prefixOfTiny(identifier);
      return prefix === null ? null : { by: "tiny", prefix };
    }
    default:
      return null;
  }
}

/** The id with the same 128 bits as a UUID; null if invalid. */
export function idOfUuid(text: string): string | null {
  return UUID.test(text) ? toDigits(BigInt(`0x${text.replaceAll("-", "")}`), ID_LENGTH) : null;
}
