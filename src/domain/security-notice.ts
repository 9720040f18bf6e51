// Security notices: what a person is told by mail when something about their access or their contacts changes
// (contract 1, People). Pure.

import type { ContactChange, ContactChanges, HeldContact } from "./contact-changes.ts";

/** What changed. `detail` of a notice names it: an address, a name, a list of roles. Never a secret. */
export const SECURITY_KINDS = [
  "email_added",
  "email_removed",
  "email_verified",
  "email_primary",
  "phone_added",
  "phone_removed",
  "phone_confirmed",
  "phone_primary",
  "notify",
  "api_key",
  "roles",
  "sign_in",
  "password",
] as const;
export type SecurityKind = (typeof SECURITY_KINDS)[number];

export type SecurityNotice = { readonly kind: SecurityKind; readonly detail: string };

/** A notice as it is stored until its mail is sent. */
export type StoredNotice = {
  readonly id: string;
  readonly to: string;
  readonly kind: string;
  readonly detail: string;
  /** Epoch ms. */
  readonly at: number;
  /** Null when nobody did it, or they are gone. */
  readonly byName: string | null;
  readonly isOwn: boolean;
  readonly accountName: string | null;
};

/** The queue's message that notices of a person are to be sent. */
export type SecurityMailMessage = { readonly securityMail: string };

export function isSecurityMailMessage(body: unknown): body is SecurityMailMessage {
  return typeof (body as Partial<SecurityMailMessage> | null)?.securityMail === "string";
}

/** What the mail says of a notice, as a sentence without its full stop. */
export function describeNotice(kind: string, detail: string): string {
  switch (kind as SecurityKind) {
    case "email_added":
      return `The address ${detail} was added`;
    case "email_removed":
      return `The address ${detail} was removed`;
    case "email_verified":
      return `The address ${detail} was verified`;
    case "email_primary":
      return `The primary address is now ${detail}`;
    case "phone_added":
      return `The phone number ${detail} was added`;
    case "phone_removed":
      return `The phone number ${detail} was removed`;
    case "phone_confirmed":
      return `The phone number ${detail} was confirmed`;
    case "phone_primary":
      return `The primary phone number is now ${detail}`;
    case "notify":
      return `Your notification channels were changed: ${detail}`;
    case "api_key":
      return `A new API key was created for you: ${detail}`;
    case "roles":
      return `Your roles were changed: ${detail}`;
    case "sign_in":
      return `You signed in from a new browser: ${detail}`;
    case "password":
      return "Your password was changed";
  }
}

// ── Changes ──

/**
 * The notices of a change of addresses or numbers.
 *
 * @param shown how a value stands in a mail
 */
export function contactNotices(
  what: "email" | "phone",
  before: readonly HeldContact[],
  { removed, changed, added, primaryId }: ContactChanges<ContactChange>,
  shown: (value: string) => string,
): readonly SecurityNotice[] {
  const values = new Map(changed.map(({ id, value }) => [id, value]));
  const after = [
    ...before
      .filter(({ id }) => !removed.includes(id))
      .map(({ id, value }) => ({ id, value: values.get(id) ?? value })),
    ...added.map(({ id, value }) => ({ id, value })),
  ];
  const without = (all: readonly { value: string }[], others: readonly { value: string }[]) =>
    all.map(({ value }) => value).filter((value) => !others.some((it) => it.value === value));
  const primaryBefore = before.find(({ primary }) => primary)?.value;
  const primaryAfter = after.find(({ id }) => id === primaryId)?.value;
  const notice = (kind: SecurityKind, value: string) => ({ kind, detail: shown(value) });
  return [
    ...without(after, before).map((value) => notice(`${what}_added`, value)),
    ...without(before, after).map((value) => notice(`${what}_removed`, value)),
    ...(primaryAfter === undefined || primaryAfter === primaryBefore
      ? []
      : [notice(`${what}_primary`, primaryAfter)]),
  ];
}

// ── Pace ──

/** Mails of one person that go out at once; further changes wait and share one mail. */
const MAILS_AT_ONCE = 3;
const WINDOW_MS = 60 * 60_000;

/** When the next mail may be sent (epoch ms), after mails sent at these times. */
export function nextMailAt(sentAt: readonly number[]): number {
  const limiting = sentAt.at(-MAILS_AT_ONCE);
  return limiting === undefined ? 0 : limiting + WINDOW_MS;
}

/** The times that still count at `now`, oldest first. */
export const recentMails = (sentAt: readonly number[], now: number): readonly number[] =>
  sentAt.filter((at) => at > now - WINDOW_MS).slice(-MAILS_AT_ONCE);
