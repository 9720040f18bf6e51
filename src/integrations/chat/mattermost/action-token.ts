// Mattermost does not sign its requests: what a button sends back is what we gave it. The token names
// the integration and the alert, is keyed with the bot's token, and reaches nobody but the server: a
// post's actions are not sent to its readers.
import { createHmac, timingSafeEqual } from "node:crypto";

/** The token of an alert's buttons. */
export const actionToken = (botToken: string, integrationId: string, alertId: string): string =>
  createHmac("sha256", botToken).update(`tocsin:${integrationId}:${alertId}`).digest("base64url");

/** Whether a token is that of the alert's buttons. Compares in constant time. */
export function isActionToken(
  token: string,
  botToken: string,
  integrationId: string,
  alertId: string,
): boolean {
  if (botToken === "") return false;
  const expected = Buffer.from(actionToken(botToken, integrationId, alertId));
  const actual = Buffer.from(token);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
