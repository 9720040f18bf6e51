// The kinds and versions of queue messages. A message carries its kind, by which the consumer decides
// who handles it, and the version of that kind's format, so that an older consumer, which may run beside a newer producer during a deployment, can tell what it does
// not understand, and leaves it to the newer one. Pure.

/**
 * The newest format of each kind that this code reads, and the one that it writes. A message of a
 * kind has an attribute of that name, and no other kind's. A version is increased only if older code would misread the new format; an
 * attribute that older code may ignore changes nothing here.
 */
export const MESSAGE_VERSIONS = {
  page: 1,
  release: 1,
  welcome: 1,
  accessMail: 1,
  securityMail: 1,
  probe: 1,
  smsProof: 1,
  undelivered: 1,
  unconfirmed: 1,
  close: 1,
  repeatCall: 1,
} as const;

export type MessageKind = keyof typeof MESSAGE_VERSIONS;

/** What was written before versions were has none. */
const FIRST_VERSION = 1;

/** The version of the format of a message or stored value; null if it is no number. */
export function versionOf(value: object): number | null {
  const version = "v" in value ? value.v : FIRST_VERSION;
  return typeof version === "number" ? version : null;
}

const isKind = (name: string): name is MessageKind => Object.hasOwn(MESSAGE_VERSIONS, name);

/**
 * The kind of a message; null if this code does not know it. The version before the first with kinds
 * wrote none: what it has queued, and what its objects have stored for the queue, is known by its
 * attribute. A message without a kind is read so for one release.
 */
function kindOf(body: object): MessageKind | null {
  if (!("kind" in body)) return kindByAttribute(body);
  return typeof body.kind === "string" && isKind(body.kind) ? body.kind : null;
}

function kindByAttribute(body: object): MessageKind | null {
  return Object.keys(body).find(isKind) ?? null;
}

/** The message with its kind and the version of its format: as it is sent. */
export function tagged<Body>(body: Body): Body {
  if (typeof body !== "object" || body === null) return body;
  const kind = kindByAttribute(body);
  return kind === null ? body : { ...body, kind, v: MESSAGE_VERSIONS[kind] };
}

/** The kind of a message; null if this code does not know the kind or its version. */
export function readableKind(body: unknown): MessageKind | null {
  if (typeof body !== "object" || body === null) return null;
  const [kind, version] = [kindOf(body), versionOf(body)];
  const isReadable = kind !== null && version !== null && version <= MESSAGE_VERSIONS[kind];
  return isReadable ? kind : null;
}
