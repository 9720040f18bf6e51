// Queue message: somebody has answered an alert, so that messages that stay open at their providers
// (repeating, with buttons, or ringing) are to be ended there. Pure.

import type { StoredEntry } from "../alerts/stored-alert.ts";
import type { MessengerChannel } from "../people/messengers.ts";
import { type PhoneSettings, phoneProvidersOf } from "../people/phone-provider.ts";

/** The messengers whose messages stay open until they are ended. */
export const CLOSED_MESSENGERS = [
  "pushover",
  "telegram",
  "slack",
  "teams",
] as const satisfies readonly MessengerChannel[];

export type CloseMessage = {
  readonly accountId: string;
  readonly close: { readonly alertId: string };
};

/** Whether a queue message is a valid close message. */
export function isCloseMessage(body: unknown): body is CloseMessage {
  const message = body as Partial<CloseMessage> | null | undefined;
  return typeof message?.accountId === "string" && typeof message.close?.alertId === "string";
}

/** A timeline's line of an answer, also of versions that said "Rejected". */
export const ANSWERED = /^(Acknowledged|Passed on|Rejected|Resolved) by /;

/** The timeline's line of the last answer, which says whose it was; null without one. */
export const lastAnswer = (entries: readonly StoredEntry[]): string | null =>
  entries.findLast(([, message]) => ANSWERED.test(message))?.[1].slice(0, 200) ?? null;

type Settings = PhoneSettings & {
  readonly PUSHOVER_TOKEN?: string | undefined;
  readonly TELEGRAM_BOT_TOKEN?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
};

/** Whether the deployment makes calls: they ring until they are hung up. Its settings are passed in. */
export const hasCalls = (settings: Settings): boolean =>
  phoneProvidersOf(settings, "voice").length > 0;

/**
 * Whether the deployment has a messenger whose messages stay open. Its settings are passed in. Slack and
 * Teams need only its URL: the rest is the accounts' own.
 */
export const hasClosedMessengers = (settings: Settings): boolean =>
  Boolean(settings.PUSHOVER_TOKEN || settings.TELEGRAM_BOT_TOKEN || settings.PUBLIC_URL);
