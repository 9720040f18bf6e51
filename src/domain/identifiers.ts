// The two forms of a record's identifier (contract 1, Identifiers): `id`, a ULID, and `prefix_id`, three letters, `_`,
// and the ULID's 80 random bits in base64url. Pure: drawing the bits happens elsewhere.

export const PREFIXES = {
  account: "acc",
  user: "usr",
  account_user: "acu",
  team: "tem",
  schedule: "skd",
  escalation_policy: "esp",
  escalation_layer: "lay",
  event: "evt",
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
  push_subscription: "psh",
  delivery: "dlv",
} as const;

export type RecordKind = keyof typeof PREFIXES;

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const TIME_LENGTH = 10;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const PREFIX_ID = /^[a-z]{3}_[A-Za-z0-9_-]{13}[AQgw]$/;

/** Encodes bits, most significant first, in digits of `width` bits; the last digit is padded with zeros. */
function toDigits(bytes: Uint8Array, alphabet: string, width: number): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= width) {
      bits -= width;
      text += alphabet[(held >> bits) & ((1 << width) - 1)];
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(held << (width - bits)) & ((1 << width) - 1)];
}

/** The inverse of `toDigits`; what is left of the last digit is dropped. */
function fromDigits(text: string, alphabet: string, width: number): Uint8Array {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const digit of text) {
    held = (held << width) | alphabet.indexOf(digit);
    bits += width;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
      held &= (1 << bits) - 1;
    }
  }
  return Uint8Array.from(bytes);
}

/** A ULID of an instant (epoch ms) and ten bytes. */
export function identifierOf(at: number, bytes: Uint8Array): string {
  let time = "";
  for (let rest = at, i = 0; i < TIME_LENGTH; i += 1, rest = Math.floor(rest / 32)) {
    time = CROCKFORD[rest % 32] + time;
  }
  return time + toDigits(bytes.subarray(0, 10), CROCKFORD, 5);
}

/** When a record was made (epoch ms), by its `id`. */
export function instantOfId(id: string): number {
  const digits = [...id.slice(0, TIME_LENGTH)];
  return digits.reduce((time, digit) => time * 32 + CROCKFORD.indexOf(digit), 0);
}

/** The `prefix_id` of a record: a pure function of its kind and its `id`. */
export function prefixIdOf(kind: RecordKind, id: string): string {
  const bytes = fromDigits(id.slice(TIME_LENGTH), CROCKFORD, 5);
  return `${PREFIXES[kind]}_${toDigits(bytes, BASE64URL, 6)}`;
}

/** The ten random bytes of an identifier in either form, as 20 hexadecimal digits. */
export function randomHexOf(identifier: Identifier): string {
  const bytes =
    identifier.form === "id"
      ? fromDigits(identifier.value.slice(TIME_LENGTH), CROCKFORD, 5)
      : fromDigits(identifier.value.slice(4), BASE64URL, 6).subarray(0, 10);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The `prefix_id` whose ten random bytes these 20 hexadecimal digits are; null for anything else. */
export function prefixIdOfRandomHex(kind: RecordKind, hex: string): string | null {
  if (!/^[0-9a-f]{20}$/i.test(hex)) return null;
  const pairs = hex.match(/../g) ?? [];
  const bytes = Uint8Array.from(pairs.map((pair) => Number.parseInt(pair, 16)));
  return `${PREFIXES[kind]}_${toDigits(bytes, BASE64URL, 6)}`;
}

export type Identifier = { readonly form: "id" | "prefix_id"; readonly value: string };

/** Reads either form; null for anything that cannot be the identifier of a record of this kind. */
export function parseIdentifier(kind: RecordKind, text: string): Identifier | null {
  const upper = text.length === 26 ? text.toUpperCase() : "";
  if (ULID.test(upper)) return { form: "id", value: upper };
  if (PREFIX_ID.test(text) && text.startsWith(`${PREFIXES[kind]}_`)) {
    return { form: "prefix_id", value: text };
  }
  return null;
}

/** The `prefix_id` of either form: the name under which a record's object lives. */
export function objectNameOf(kind: RecordKind, identifier: Identifier): string {
  return identifier.form === "prefix_id" ? identifier.value : prefixIdOf(kind, identifier.value);
}
