// Identifiers as Opsgenie's clients expect them: a request's is a UUID, an alert also has a short number. Both are pure
// functions of an id of ours and lead back to it, so nothing is stored for them.

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const ID_LENGTH = 26;
/** The id's time and its first 20 random bits: alerts of one integration are told apart within a millisecond. */
const TINY_LENGTH = 14;
/** What tiny ids are counted from (2025-01-01), so that they are shorter. */
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

/** The UUID of the same 128 bits as an id. */
export function uuidOfId(id: string): string {
  const hex = toNumber(id).toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The short number of an alert. */
export function tinyIdOf(alertId: string): string {
  return String(toNumber(alertId.slice(0, TINY_LENGTH)) - TINY_FROM);
}

/** What every id with this short number begins with; null for what cannot be one. */
function prefixOfTiny(tiny: string): string | null {
  if (!/^-?\d{1,24}$/.test(tiny)) return null;
  const number = BigInt(tiny) + TINY_FROM;
  return number < 0n || number >= LARGEST_TINY ? null : toDigits(number, TINY_LENGTH);
}

/** Which alert is meant by something that we answered, other than by its alias. */
export type AlertReference =
  | { readonly by: "alert"; readonly id: string }
  /** The request that created it, or was counted on it: the id of that request's log. */
  | { readonly by: "request"; readonly logId: string }
  /** What the alert's id begins with. */
  | { readonly by: "tiny"; readonly prefix: string };

/** Reads an identifier of this type (`id` where none is given); null for an alias, or what we never answered. */
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

/** The id of the same 128 bits as a UUID; null for anything else. */
export function idOfUuid(text: string): string | null {
  return UUID.test(text) ? toDigits(BigInt(`0x${text.replaceAll("-", "")}`), ID_LENGTH) : null;
}
