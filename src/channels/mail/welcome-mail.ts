// The e-mails to new members, and the password of a first sign-in.
import { createHmac, randomBytes } from "node:crypto";
import type { Mail } from "./mail.ts";
import { mailHtml, mailText, oneLine } from "./mail.ts";
import type { Letter } from "./mail-services.ts";

/** Letters and digits that nobody takes for others. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const GROUPS = 5;
const GROUP_LENGTH = 4;

/**
 * A person's password for their first sign-in, of some 99 bits. Where the deployment has a secret it follows from that,
 * so that a mail that is sent again is the same mail, and the password is kept nowhere; else it is drawn.
 */
export function firstPassword({ LINK_SECRET }: Cloudflare.Env, userId: string): string {
  const bytes = LINK_SECRET
    ? createHmac("sha512", LINK_SECRET).update(`first password of ${userId}`).digest()
    : randomBytes(64);
  // Bytes from the last, incomplete round of the alphabet are left out: every character is as likely as another.
  const round = ALPHABET.length * Math.floor(256 / ALPHABET.length);
  const characters = [...bytes].filter((byte) => byte < round).map((it) => ALPHABET[it % 31]);
  return Array.from({ length: GROUPS }, (_, i) =>
    characters.slice(i * GROUP_LENGTH, (i + 1) * GROUP_LENGTH).join(""),
  ).join("-");
}

/** What a mail is without, that tells somebody of their access. */
export const PLAIN = { tone: "calm", quoted: null, items: [], buttons: [] } as const;

type Member = { readonly to: string; readonly name: string; readonly accountName: string };

/** A mail of this kind, ready to go to an address. */
export async function letterOf(to: string, mail: Mail): Promise<Letter> {
  const headers = { "Auto-Submitted": "auto-generated" };
  return { to, subject: mail.subject, text: mailText(mail), html: await mailHtml(mail), headers };
}

/** For a new person: their user name and a password for one use; none where they sign in with another provider. */
export function passwordLetter(
  member: Member,
  password: string | null,
  at: string,
): Promise<Letter> {
  const account = oneLine(member.accountName, 100);
  return letterOf(member.to, {
    ...PLAIN,
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

/** For a person who is known already: the link to approve or deny by. */
export function invitationLetter(member: Member, link: string): Promise<Letter> {
  const account = oneLine(member.accountName, 100);
  return letterOf(member.to, {
    ...PLAIN,
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
