// What messengers say: one line as the title, the description as the text, and the link to respond.
import type { ChannelMessage } from "../domain/notifications/page.ts";
import { titlePrefix } from "../domain/notifications/title-prefix.ts";
import { prefixIdOf } from "../domain/shared/identifiers.ts";
import { actionLink, signedLink } from "../kernel/links.ts";
import { answerLink } from "./answer-links.ts";
import type { Messenger, MessengerContent } from "./messenger.ts";
import { callbackUrl } from "./phone/callback-url.ts";

/** How long a provider may call back after a message (ms). */
const CALLBACK_MS = 86_400_000;

/** One line, so that a title cannot pretend to be several messages. */
export const oneLine = (text: string) => text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();

/** Lines without control characters and without runs of blank lines. */
const asText = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+/g, " ")
    .replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** The content of a message. Deterministic, so that a retried message is identical. */
export async function buildContent(
  env: Cloudflare.Env,
  message: ChannelMessage,
  id: string,
  { callbackPath }: Pick<Messenger, "callbackPath">,
): Promise<MessengerContent> {
  const { alert, page, notice, bundle, accountId } = message;
  const { event, accountUserId, at, until } = page;
  const notification = { accountId, accountUserId, id };
  const statusUrl = await callbackUrl(env, "twilio", "status", notification, at);
  const shared = { id, accountUserId, at, event, until, statusUrl } as const;
  if (alert === null) {
    return {
      ...shared,
      title: oneLine(notice?.subject ?? ""),
      body: asText(notice?.text ?? ""),
      url: await answerLink(env, message),
      urgency: null,
      alertId: null,
      recordId: null,
      asks: false,
      callbackUrl: null,
    };
  }
  const subject = { purpose: "alert", accountId, recordId: alert.id, accountUserId } as const;
  const claims = { acc: accountId, rec: alert.id, sub: accountUserId, aud: callbackPath ?? "" };
  const more = (bundle?.total ?? 1) - 1;
  const title = `${titlePrefix(event)}${oneLine(alert.title)}`;
  return {
    ...shared,
    title: more === 0 ? title : `${title} and ${more} more`,
    body: asText(alert.description ?? ""),
    url: await actionLink(env, subject, at),
    urgency: alert.urgency,
    alertId: bundle === null ? prefixIdOf("alert", alert.id) : null,
    recordId: bundle === null ? alert.id : null,
    asks: event === "alert.open" && bundle === null,
    callbackUrl: callbackPath
      ? await signedLink(env, callbackPath, claims, at + CALLBACK_MS)
      : null,
  };
}

/** The message that proves an address: it says the code. */
export function codeContent(id: string, accountUserId: string, code: string, at: number) {
  return {
    ...{ id, accountUserId, at, event: "test", until: null, url: null, urgency: null },
    ...{ alertId: null, recordId: null, asks: false, callbackUrl: null, statusUrl: null },
    title: `${code} is your Tocsin code`,
    body: "Enter it in the settings of Tocsin to get notifications here.",
  } as const satisfies MessengerContent;
}
