// What mails about access say: plainly, who asked for them, and that ignoring them is safe.
import { oneLine } from "./mail.ts";
import type { Letter } from "./mail-services.ts";
import { letterOf, PLAIN } from "./welcome-mail.ts";

export type WrittenAddress = {
  readonly to: string;
  /** The person whom the address is to belong to. */
  readonly name: string;
  /** Who wrote it there. */
  readonly byName: string;
  readonly isOwn: boolean;
  readonly accountName: string;
};

/** To an address that somebody has written beside a person's name. `link` proves that they read it. */
export function addressLetter(written: WrittenAddress, link: string): Promise<Letter> {
  const [name, by] = [oneLine(written.name, 100), oneLine(written.byName, 100)];
  const account = oneLine(written.accountName, 100);
  const whose = written.isOwn ? "as an address of their own" : `as an address of ${name}`;
  return letterOf(written.to, {
    ...PLAIN,
    subject: `Verify this address for ${account}`,
    preview: `${by} has entered this address.`,
    badge: "Verify",
    heading: "Is this your address?",
    facts: [["Address", written.to]],
    paragraphs: [
      `${by}, of ${account}, has entered ${written.to} ${whose}.`,
      `If you are ${name}, verify it: from then on you can sign in with it too. You have to be signed in for that.`,
    ],
    buttons: [{ label: "Verify this address", url: link }],
    footer: [
      `If you are not ${name}, or did not expect this, ignore this mail: nobody can sign in with your address, and nobody is taken for you. The link is good for seven days.`,
    ],
  });
}

/** To who has forgotten their password; `link` null where they sign in with another provider. */
export function forgottenLetter(to: string, link: string | null, at: string): Promise<Letter> {
  const ignore =
    "If you did not ask for this, ignore this mail: nothing changes, and nobody else can read it.";
  const asked = "Somebody, most likely you, has asked for a new password for this address.";
  const shared = { ...PLAIN, badge: "Password", facts: [["User name", to]] as const };
  if (link === null) {
    return letterOf(to, {
      ...shared,
      subject: "You sign in without a password",
      preview: "You sign in as you do elsewhere at work.",
      heading: "You sign in without a password",
      paragraphs: [asked, "You have none here: you sign in as you do elsewhere at work."],
      buttons: at === "" ? [] : [{ label: "Sign in", url: at }],
      footer: [ignore],
    });
  }
  return letterOf(to, {
    ...shared,
    subject: "Choose a new password",
    preview: "By the link in this mail, within half an hour.",
    heading: "Choose a new password",
    paragraphs: [asked, "Wherever else you are signed in, you will have to sign in again."],
    buttons: [{ label: "Choose a new password", url: link }],
    footer: ["The link is good for half an hour, once, and for you alone.", ignore],
  });
}

/** To the address that a provider of single sign-on says is somebody's, without vouching for it. */
export function identityLetter(to: string, link: string): Promise<Letter> {
  return letterOf(to, {
    ...PLAIN,
    subject: "Confirm your sign-in",
    preview: "Open the link in the browser in which you are signing in.",
    badge: "Sign-in",
    heading: "Are you signing in?",
    facts: [["User name", to]],
    paragraphs: [
      "Somebody is signing in by single sign-on and gave this address. If it is you, open the link in the same browser: from then on you sign in without it.",
    ],
    buttons: [{ label: "Confirm the sign-in", url: link }],
    footer: [
      "The link is good for half an hour, once, and in that browser only.",
      "If it is not you, ignore this mail: nobody can sign in as you without this link.",
    ],
  });
}
