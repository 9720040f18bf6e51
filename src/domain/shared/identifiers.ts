// The two forms of a record's identifier (contract 1, Identifiers): `id`, a ULID, and `prefix_id`, three
// letters, `_`, and the ULID's 80 random bits in base64url. Pure: random bits are generated
// elsewhere.

export const PREFIXES = {
  account: "acc",
  user: "usr",
  account_user: "acu",
  team: "tem",
  schedule: "skd",
  escalation_policy: "esp",
  escalation_layer: "lay",
  event: "evt",
  absence: "abs",
  alert: "alt",
  alert_workflow: "wkf",
  broadcast: "bro",
  broadcast_response: "brr",
  broadcast_response_option: "bop",
  comment: "com",
  integration: "int",
  integration_type: "ity",
  router: "rtr",
  maintenance_window: "mwn",
  notification_rule: "nrl",
  log: "log",
  notification: "ntf",
  api_key: "api",
  email: "eml",
  phone: "pho",
  calendar_feed: "fed",
  calendar_import: "cim",
  absence_calendar: "abc",
  company_holiday: "hol",
  push_subscription: "psh",
  channel_address: "cad",
  chat_account: "cha",
  delivery: "dlv",
  change: "chg",
  bulk_operation: "blk",
  saved_filter: "sfl",
} as const;

export type RecordKind = keyof typeof PREFIXES;

export const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const TIME_LENGTH = 10;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const PREFIX_ID = /^[a-z]{3}_[A-Za-z0-9_-]{13}[AQgw]$/;

/** Encodes bits, most significant first, as digits of `width` bits; zero-pads the last digit. */
function toDigits(bytes: Uint8Array, alphabet: string, width: number): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= width) {
      bits -= width;
      text += alphabet[(buffer >> bits) & ((1 << width) - 1)];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(buffer << (width - bits)) & ((1 << width) - 1)];
}

/** The inverse of `toDigits`; drops the padding of the last digit. */
function fromDigits(text: string, alphabet: string, width: number): Uint8Array {
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const digit of text) {
    buffer = (buffer << width) | alphabet.indexOf(digit);
    bits += width;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((buffer >> bits) & 0xff);
      buffer &= (1 << bits) - 1;
    }
  }
  return Uint8Array.from(bytes);
}

/** The ULID of an instant (epoch ms) and ten random bytes. */
export function identifierOf(at: number, bytes: Uint8Array): string {
  let time = "";
  for (let rest = at, i = 0; i < TIME_LENGTH; i += 1, rest = Math.floor(rest / 32)) {
    time = CROCKFORD[rest % 32] + time;
  }
  return time + toDigits(bytes.subarray(0, 10), CROCKFORD, 5);
}

/** When a record was created (epoch ms), from its `id`. */
export function instantOfId(id: string): number {
  const digits = [...id.slice(0, TIME_LENGTH)];
  return digits.reduce((time, digit) => time * 32 + CROCKFORD.indexOf(digit), 0);
}

/** The `prefix_id` of a record: a pure function of its kind and its `id`. */
export function prefixIdOf(kind: RecordKind, id: string): string {
  const bytes = fromDigits(id.slice(TIME_LENGTH), CROCKFORD, 5);
  return `${PREFIXES[kind]}_${toDigits(bytes, BASE64URL, 6)}`;
}

/** The ten random bytes of a `prefix_id`. */
const bytesOfPrefixId = (prefixId: string): Uint8Array =>
  fromDigits(prefixId.slice(4), BASE64URL, 6).subarray(0, 10);

/** The last 16 characters of the ULID of a `prefix_id`: its random bits. */
export const randomPartOf = (prefixId: string): string =>
  toDigits(bytesOfPrefixId(prefixId), CROCKFORD, 5);

/** Whether a text has the form of a `prefix_id` of any kind. */
export const isPrefixId = (text: string): boolean => PREFIX_ID.test(text);

/** The ten random bytes of an identifier in either form, as 20 hexadecimal digits. */
export function randomHexOf(identifier: Identifier): string {
  const bytes =
    identifier.form === "id"
      ? fromDigits(identifier.value.slice(TIME_LENGTH), CROCKFORD, 5)
      : bytesOfPrefixId(identifier.value);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export type Identifier = { readonly form: "id" | "prefix_id"; readonly value: string };

/** Parses either form; null if the text cannot be an identifier of this kind. */
export function parseIdentifier(kind: RecordKind, text: string): Identifier | null {
  const upper = text.length === 26 ? text.toUpperCase() : "";
  if (ULID.test(upper)) return { form: "id", value: upper };
  if (PREFIX_ID.test(text) && text.startsWith(`${PREFIXES[kind]}_`)) {
    return { form: "prefix_id", value: text };
  }
  return null;
}

/** The name of a record's Durable Object: its `prefix_id`, from either form. */
export function objectNameOf(kind: RecordKind, identifier: Identifier): string {
  return identifier.form === "prefix_id" ? identifier.value : prefixIdOf(kind, identifier.value);
}

// ── Dated identifiers ──

// The `prefix_id` of an alert or a log tells when it was created, so that the record is found by
// its primary key and its table needs no index of `prefix_id`. The last three of the ten random
// bytes are the minute of creation, masked with a hash of the first seven.

const MINUTE = 60_000;

/** The minutes count from here: 24 bits of them end in November 2055. */
const FROM_MINUTE = Date.UTC(2024, 0, 1) / MINUTE;
const MINUTES = 2 ** 24;
const RANDOM_BYTES = 7;
const LOWEST = new Uint8Array(10);

/** The kinds whose tables are searched by the time in the `prefix_id`. */
const DATED_PREFIXES: readonly string[] = [PREFIXES.alert, PREFIXES.change, PREFIXES.log];

/** Identifiers from `from` up to, but not including, `to`. */
export type IdRange = { readonly from: string; readonly to: string };

/** The first 24 bits of the FNV-1a hash of the random bytes: hides that minutes succeed each other. */
function maskOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes.subarray(0, RANDOM_BYTES)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash >>> 8;
}

/**
 * The dated ULID of an instant.
 *
 * @param at epoch ms, from 2024 to 2055
 * @param random seven random bytes
 */
export function datedIdentifierOf(at: number, random: Uint8Array): string {
  const minute = (((Math.floor(at / MINUTE) - FROM_MINUTE) % MINUTES) + MINUTES) % MINUTES;
  const masked = minute ^ maskOf(random);
  const bytes = Uint8Array.from([
    ...random.subarray(0, RANDOM_BYTES),
    ...[masked >>> 16, (masked >>> 8) & 0xff, masked & 0xff],
  ]);
  return identifierOf(at, bytes);
}

/** The ids of the minute in which a record was created; null if its kind is not dated. */
export function idRangeOf(prefixId: string): IdRange | null {
  if (!DATED_PREFIXES.includes(prefixId.slice(0, 3)) || !isPrefixId(prefixId)) return null;
  const bytes = bytesOfPrefixId(prefixId);
  const [high = 0, middle = 0, low = 0] = bytes.subarray(RANDOM_BYTES);
  const minute = ((high << 16) | (middle << 8) | low) ^ maskOf(bytes);
  const from = (FROM_MINUTE + minute) * MINUTE;
  return { from: identifierOf(from, LOWEST), to: identifierOf(from + MINUTE, LOWEST) };
}
