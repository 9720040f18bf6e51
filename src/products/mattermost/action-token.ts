// Mattermost does not sign its requests: what a button or a dialog sends back is what we gave it, keyed with
// the bot's token. A button's token names the integration and the alert and reaches nobody but the server:
// a post's actions are not sent to its readers. A dialog's state reaches the browser of the person who opens
// it, so that its token is theirs alone, for some minutes.
import { createHmac, timingSafeEqual } from "node:crypto";
import { DAY, MINUTE } from "../../domain/shared/time.ts";

/** How long the buttons of a post work after it was written or changed (ms). */
export const BUTTONS_MS = 30 * DAY;

/** How long a dialog may be open (ms). */
const DIALOG_MS = 10 * MINUTE;

/** A token: when it ends (epoch ms), and the keyed digest of that and of what it is for. */
function tokenFor(botToken: string, what: readonly string[], until: number): string {
  const content = JSON.stringify(["tocsin", ...what, until]);
  return `${until}.${createHmac("sha256", botToken).update(content).digest("base64url")}`;
}

/** When a token ends (epoch ms); null if it is not one for that. Compares in constant time. */
function endOf(token: string, botToken: string, what: readonly string[]): number | null {
  const [, end] = /^(\d{1,15})\./.exec(token) ?? [];
  if (botToken === "" || end === undefined) return null;
  const expected = Buffer.from(tokenFor(botToken, what, Number(end)));
  const actual = Buffer.from(token);
  const isEqual = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isEqual ? Number(end) : null;
}

/** What a token is for, by the integration's and the alert's id. */
type Subject = { readonly integrationId: string; readonly alertId: string };

/** What a dialog is for besides: what it asks, and whom. */
type DialogSubject = Subject & { readonly dialog: string; readonly userId: string };

const ofButtons = ({ integrationId, alertId }: Subject) => ["buttons", integrationId, alertId];
const ofDialog = (it: DialogSubject) => [
  "dialog",
  ...[it.integrationId, it.alertId, it.dialog, it.userId],
];

/** The token of an alert's buttons. `at`: when their post is written (epoch ms). */
export const buttonsToken = (botToken: string, subject: Subject, at: number): string =>
  tokenFor(botToken, ofButtons(subject), at + BUTTONS_MS);

/** When the token of an alert's buttons ends (epoch ms); null if it is none. */
export const endOfButtons = (token: string, botToken: string, subject: Subject): number | null =>
  endOf(token, botToken, ofButtons(subject));

/** The token of a dialog that a person opens. `at`: when (epoch ms). */
export const dialogToken = (botToken: string, subject: DialogSubject, at: number): string =>
  tokenFor(botToken, ofDialog(subject), at + DIALOG_MS);

/** When the token of a person's dialog ends (epoch ms); null if it is none. */
export const endOfDialog = (token: string, botToken: string, subject: DialogSubject) =>
  endOf(token, botToken, ofDialog(subject));
