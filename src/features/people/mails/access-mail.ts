// The texts of e-mails about access. Each names who requested it and says that it can be ignored.
import { oneLine } from "../../../products/mail/mail.ts";
import type { Letter } from "../../../products/mail/mail-provider.ts";
import { ACCESS_MAIL_DEFAULTS, renderLetter } from "./welcome-mail.ts";

export type EnteredAddress = {
  readonly to: string;
  /** The person whose address it would become. */
  readonly name: string;
  /** The person who entered it. */
  readonly byName: string;
  readonly isOwn: boolean;
  readonly accountName: string;
};

/** To an address that was entered for a person. Opening `link` verifies it. */
export function addressLetter(written: EnteredAddress, link: string): Promise<Letter> {
  const [name, by] = [oneLine(written.name, 100), oneLine(written.byName, 100)];
  const account = oneLine(written.accountName, 100);
  const whose = written.isOwn ? "as their own address" : `as an address of ${name}`;
  return renderLetter(written.to, {
    ...ACCESS_MAIL_DEFAULTS,
    subject: `Verify this address for ${account}`,
    preview: `${by} entered this address.`,
    badge: "Verify",
    heading: "Verify this address",
    facts: [["Address", written.to]],
    paragraphs: [
      `${by}, of ${account}, entered ${written.to} ${whose}.`,
      `If you are ${name}, sign in and verify it. You can then also sign in with this address.`,
    ],
    buttons: [{ label: "Verify address", url: link }],
    footer: [
      `If you are not ${name}, or did not expect this, ignore this e-mail: without verification nobody can sign in with your address. The link is valid for seven days.`,
    ],
  });
}

/** To a person who requested a new password; `link` is null for single sign-on. */
export function passwordResetLetter(to: string, link: string | null, at: string): Promise<Letter> {
  const ignore = "If you did not request this, ignore this e-mail: your password does not change.";
  const request = "A new password was requested for this address.";
  const shared = {
    ...ACCESS_MAIL_DEFAULTS,
    badge: "Password",
    facts: [["User name", to]] as const,
  };
  if (link === null) {
    return renderLetter(to, {
      ...shared,
      subject: "You sign in without a password",
      preview: "Your organization uses single sign-on.",
      heading: "You sign in without a password",
      paragraphs: [request, "You have no password here: your organization uses single sign-on."],
      buttons: at === "" ? [] : [{ label: "Sign in", url: at }],
      footer: [ignore],
    });
  }
  return renderLetter(to, {
    ...shared,
    subject: "Choose a new password",
    preview: "The link in this e-mail is valid for 30 minutes.",
    heading: "Choose a new password",
    paragraphs: [request, "A new password signs out all your other sessions."],
    buttons: [{ label: "Choose new password", url: link }],
    footer: ["The link is valid for 30 minutes and can be used once. Do not share it.", ignore],
  });
}

/** To the unverified address of a person who signs in with single sign-on. */
export function identityLetter(to: string, link: string): Promise<Letter> {
  return renderLetter(to, {
    ...ACCESS_MAIL_DEFAULTS,
    subject: "Confirm your sign-in",
    preview: "Open the link in the browser in which you are signing in.",
    badge: "Sign-in",
    heading: "Confirm your sign-in",
    facts: [["User name", to]],
    paragraphs: [
      "Somebody is signing in with single sign-on and this address. If it is you, open the link in the same browser. You do this only once.",
    ],
    buttons: [{ label: "Confirm sign-in", url: link }],
    footer: [
      "The link is valid for 30 minutes, once, and only in that browser.",
      "If it is not you, ignore this e-mail: nobody can sign in as you without this link.",
    ],
  });
}
