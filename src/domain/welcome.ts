// The mail that a person gets when they are added to an account: a password for a new one, an invitation for one who
// is known (contract 6, Joining an account). Its notification has the membership's own id, so that there is one and
// no more.
import { prefixIdOf } from "./identifiers.ts";

export const WELCOME_EVENTS = ["user.password", "user.invitation"] as const;
export type WelcomeEvent = (typeof WELCOME_EVENTS)[number];

/** The queue's message that somebody's mail is to be sent. */
export type WelcomeMessage = { readonly welcome: Welcome };
export type Welcome = { readonly accountId: string; readonly accountUserId: string };

/** Whose object sees to it that the mail is sent. */
export const welcomeObjectName = ({ accountUserId }: Welcome): string =>
  prefixIdOf("account_user", accountUserId);

export function isWelcomeMessage(body: unknown): body is WelcomeMessage {
  const given = (body as Partial<WelcomeMessage> | null)?.welcome;
  return typeof given?.accountId === "string" && typeof given.accountUserId === "string";
}
