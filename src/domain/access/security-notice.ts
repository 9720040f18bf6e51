// Security notices: mails about changes to a person's access or contacts (contract 1, People). Pure.

import type { ContactChange, ContactChanges, StoredContact } from "../people/contact-changes.ts";

/** What changed. A notice's `detail` names it (an address, a name, roles) and is never a secret. */
export const SECURITY_KINDS = [
  "email_added",
  "email_removed",
  "email_verified",
  "email_primary",
  "phone_added",
  "phone_removed",
  "phone_confirmed",
  "phone_primary",
  "phone_stopped",
  "address_confirmed",
  "address_removed",
  "chat_linked",
  "notify",
  "api_key",
  "roles",
  "sign_in",
  "password",
] as const;
export type SecurityKind = (typeof SECURITY_KINDS)[number];

export type SecurityNotice = { readonly kind: SecurityKind; readonly detail: string };

/** A notice as stored until its mail is sent. */
export type StoredNotice = {
  readonly id: string;
  readonly to: string;
  readonly kind: string;
  readonly detail: string;
  /** Epoch ms. */
  readonly at: number;
  /** Null if no person did it, or that person was deleted. */
  readonly byName: string | null;
  readonly isOwn: boolean;
  readonly accountName: string | null;
};

/** Queue message: a person's notices are due. */
export type SecurityMailMessage = { readonly securityMail: string };

/** Whether a queue message is a security mail message. */
export function isSecurityMailMessage(body: unknown): body is SecurityMailMessage {
  return typeof (body as Partial<SecurityMailMessage> | null)?.securityMail === "string";
}

/** The mail's text for a notice: a sentence without its full stop. */
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
    case "phone_stopped":
      return `SMS to ${detail} were stopped by the word STOP from that number`;
    case "address_confirmed":
      return `Notifications can now be sent to ${detail}`;
    case "address_removed":
      return `Notifications are no longer sent to ${detail}`;
    case "chat_linked":
      return `The chat account ${detail} can now act as you`;
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
 * The notices for a change of addresses or numbers.
 *
 * @param shown formats a value for the mail
 */
export function contactNotices(
  what: "email" | "phone",
  before: readonly StoredContact[],
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
  const valuesWithout = (all: readonly { value: string }[], others: readonly { value: string }[]) =>
    all.map(({ value }) => value).filter((value) => !others.some((it) => it.value === value));
  const primaryBefore = before.find(({ primary }) => primary)?.value;
  const primaryAfter = after.find(({ id }) => id === primaryId)?.value;
  const notice = (kind: SecurityKind, value: string) => ({ kind, detail: shown(value) });
  return [
    ...valuesWithout(after, before).map((value) => notice(`${what}_added`, value)),
    ...valuesWithout(before, after).map((value) => notice(`${what}_removed`, value)),
    ...(primaryAfter === undefined || primaryAfter === primaryBefore
      ? []
      : [notice(`${what}_primary`, primaryAfter)]),
  ];
}

// ── Rate limit ──

/** Mails per window for one person; further changes share a later mail. */
const MAX_MAILS = 3;
const WINDOW_MS = 60 * 60_000;

/** When the next mail may be sent (epoch ms), given the times of previous mails. */
export function nextMailAt(sentAt: readonly number[]): number {
  const oldestCounted = sentAt.at(-MAX_MAILS);
  return oldestCounted === undefined ? 0 : oldestCounted + WINDOW_MS;
}

/** The mail times within the window before `now`, oldest first. */
export const recentMails = (sentAt: readonly number[], now: number): readonly number[] =>
  sentAt.filter((at) => at > now - WINDOW_MS).slice(-MAX_MAILS);
