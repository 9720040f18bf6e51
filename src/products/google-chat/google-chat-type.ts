// Google Chat through a space's webhook: a card per message, all messages of an alert in one
// thread.

import type { Outgoing } from "../integration-type.ts";
import { formatMessage } from "../outgoing/message-text.ts";
import { CHAT_EVENTS, createOutgoingType, isMessageRejected } from "../outgoing/outgoing-type.ts";
import { cardOf } from "./alert-card.ts";

/** Replies in the thread, or starts it if it does not exist. */
function withThreading(address: string): string {
  const url = URL.parse(address);
  url?.searchParams.set("messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD");
  return url?.href ?? address;
}

const announce: Outgoing["announce"] = (message, _, secrets) => {
  const text = formatMessage(message);
  const { thread } = text;
  const address = secrets.webhook_url ?? "";
  return {
    url: thread === null ? address : withThreading(address),
    body: {
      cardsV2: [{ cardId: thread ?? "tocsin", card: cardOf(text) }],
      ...(thread !== null && { thread: { threadKey: thread } }),
    },
  };
};

export const googleChat = createOutgoingType({
  name: "google_chat",
  title: "Google Chat",
  description:
    "Notifies a Google Chat space of alerts, comments and shifts, with the space's webhook.",
  options: [
    {
      key: "webhook_url",
      type: "secret",
      required: true,
      default: null,
      help: "The webhook's URL: https://chat.googleapis.com/v1/spaces/…",
    },
  ],
  outgoing: {
    events: CHAT_EVENTS,
    addressOption: "webhook_url",
    signs: false,
    announce,
    refuses: isMessageRejected,
  },
});
