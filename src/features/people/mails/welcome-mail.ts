// The e-mails to new members, and the password for the first sign-in.
import { createHmac, randomBytes } from "node:crypto";
import type { Mail } from "../../../products/mail/mail.ts";
import { mailText, oneLine } from "../../../products/mail/mail.ts";
import { mailHtml } from "../../../products/mail/mail-html.tsx";
import type { Letter } from "../../../products/mail/mail-provider.ts";

/** Letters and digits that cannot be confused. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const GROUPS = 5;
const GROUP_LENGTH = 4;

/**
 * A person's password for the first sign-in, of about 99 bits. Derived from `LINK_SECRET` if it is
 * set, so that a retried mail is identical and the password is not stored; else random.
 */
export function firstPassword({ LINK_SECRET }: Cloudflare.Env, userId: string): string {
  const bytes = LINK_SECRET
    ? createHmac("sha512", LINK_SECRET).update(`first password of ${userId}`).digest()
    : randomBytes(64);
  // Skips bytes of the last, incomplete round of the alphabet: all characters are equally likely.
  const round = ALPHABET.length * Math.floor(256 / ALPHABET.length);
  const characters = [...bytes].filter((byte) => byte < round).map((it) => ALPHABET[it % 31]);
  return Array.from({ length: GROUPS }, (_, i) =>
    characters.slice(i * GROUP_LENGTH, (i + 1) * GROUP_LENGTH).join(""),
  ).join("-");
}

/** The defaults of mails about access. */
export const ACCESS_MAIL_DEFAULTS = { tone: "calm", quoted: null, items: [], buttons: [] } as const;

type Invitee = { readonly to: string; readonly name: string; readonly accountName: string };

/** Renders a mail about access to one address. */
export async function renderLetter(to: string, mail: Mail): Promise<Letter> {
  const headers = { "Auto-Submitted": "auto-generated" };
  return { to, subject: mail.subject, text: mailText(mail), html: await mailHtml(mail), headers };
}

/** For a new person: their user name and one-time password; null for single sign-on. */
export function passwordLetter(
  member: Invitee,
  password: string | null,
  at: string,
): Promise<Letter> {
  const account = oneLine(member.accountName, 100);
  return renderLetter(member.to, {
    ...ACCESS_MAIL_DEFAULTS,
    subject: `Your access to ${account}`,
    preview: `You have been added to ${account}.`,
    badge: "Welcome",
    heading: `Welcome to ${account}, ${oneLine(member.name, 100)}`,
    paragraphs: [
      "You have been added so that you can be notified of alerts.",
      password === null
        ? "Your organization uses single sign-on. You need no password."
        : "The password is valid for one sign-in within seven days. You then choose a new one.",
    ],
    facts: [
      ["User name", member.to],
      ...(password === null ? [] : [["Password", password] as const]),
      ...(at === "" ? [] : [["Address", at] as const]),
    ],
    footer: [
      password === null
        ? "If you did not expect this e-mail, ignore it."
        : "Do not share this password. If you did not expect this e-mail, ignore it.",
    ],
  });
}

/** For an existing person: the link on which they approve or deny the invitation. */
export function invitationLetter(member: Invitee, link: string): Promise<Letter> {
  const account = oneLine(member.accountName, 100);
  return renderLetter(member.to, {
    ...ACCESS_MAIL_DEFAULTS,
    subject: `Invitation to join ${account}`,
    preview: `You decide whether ${account} can notify you.`,
    badge: "Invitation",
    heading: `${account} invites you to join`,
    paragraphs: [
      `You are invited as ${oneLine(member.name, 100)}. Until you approve, ${account} sees none of your data, and you are not notified.`,
    ],
    facts: [["For", member.to]],
    buttons: [{ label: "Approve or deny", url: link }],
    footer: [
      "Do not share the link. If you do not know who invited you, deny or ignore the invitation.",
    ],
  });
}
