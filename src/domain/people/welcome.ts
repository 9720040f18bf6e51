// The mail to a person added to an account: a password for a new person, an invitation for an
// existing one (contract 6, Joining an account). Its notification has the membership's id, so that it exists
// once.
import { prefixIdOf } from "../shared/identifiers.ts";

const WELCOME_EVENTS = ["user.password", "user.invitation"] as const;
export type WelcomeEvent = (typeof WELCOME_EVENTS)[number];

/** Queue message: a person's welcome mail is due. */
export type WelcomeMessage = { readonly welcome: Welcome };
export type Welcome = { readonly accountId: string; readonly accountUserId: string };

/** The name of the Durable Object that sends the mail. */
export const welcomeObjectName = ({ accountUserId }: Welcome): string =>
  prefixIdOf("account_user", accountUserId);

/** Whether a queue message is a valid welcome message. */
export function isWelcomeMessage(body: unknown): body is WelcomeMessage {
  const welcome = (body as Partial<WelcomeMessage> | null)?.welcome;
  return typeof welcome?.accountId === "string" && typeof welcome.accountUserId === "string";
}
