// The versions of queue messages. A message carries the version of its kind's format, so that an
// older consumer, which may run beside a newer producer during a deployment, can tell what it does
// not understand, and leaves it to the newer one. Pure.

/**
 * The newest format of each kind that this code reads, and the one that it writes. A kind is named
 * by its attribute. A version is increased only if older code would misread the new format; an
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

type MessageKind = keyof typeof MESSAGE_VERSIONS;

/** What was written before versions were has none. */
const FIRST_VERSION = 1;

/** The version of the format of a message or stored value; null if it is no number. */
export function versionOf(value: object): number | null {
  const version = "v" in value ? value.v : FIRST_VERSION;
  return typeof version === "number" ? version : null;
}

const isKind = (name: string): name is MessageKind => Object.hasOwn(MESSAGE_VERSIONS, name);

function kindOf(body: object): MessageKind | null {
  return Object.keys(body).find(isKind) ?? null;
}

/** The message with the version of its format. */
export function versioned<Body>(body: Body): Body {
  if (typeof body !== "object" || body === null) return body;
  const kind = kindOf(body);
  return kind === null ? body : { ...body, v: MESSAGE_VERSIONS[kind] };
}

/** Whether this code knows the kind and the version of a message. */
export function isReadableMessage(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const [kind, version] = [kindOf(body), versionOf(body)];
  return kind !== null && version !== null && version <= MESSAGE_VERSIONS[kind];
}
