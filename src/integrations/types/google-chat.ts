// Google Chat, by a space's webhook: a card, what is said of one alert in one thread. A card's text knows a few tags of
// HTML, so what others wrote is escaped.

import type { Outgoing } from "../integration-type.ts";
import { EVENTS_OF_CHATS, isFaultOfMessage, outgoingType } from "../outgoing.ts";
import { COLOURS, wordsOf } from "../outgoing-words.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string) => text.replace(/[&<>]/g, (it) => ENTITIES[it] ?? it);

/** Replies where the thread is there, and begins it where not. */
function threaded(address: string): string {
  const url = URL.parse(address);
  url?.searchParams.set("messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD");
  return url?.href ?? address;
}

const announce: Outgoing["announce"] = (told, _, secrets) => {
  const { headline, title, text, facts, tone, url, thread } = wordsOf(told);
  const coloured = `<font color="${COLOURS[tone]}"><b>${escaped(headline)}</b></font>`;
  const paragraph = (said: string) => ({ textParagraph: { text: said } });
  const button = { text: "Open", onClick: { openLink: { url } } };
  const widgets = [
    paragraph(coloured),
    ...(text === null ? [] : [paragraph(escaped(text))]),
    ...facts.map(([label, value]) => ({
      decoratedText: { topLabel: label, text: escaped(value) },
    })),
    ...(url === null ? [] : [{ buttonList: { buttons: [button] } }]),
  ];
  const card = { header: { title }, sections: [{ widgets }] };
  const address = secrets.webhook_url ?? "";
  return {
    url: thread === null ? address : threaded(address),
    body: {
      cardsV2: [{ cardId: thread ?? "tocsin", card }],
      ...(thread !== null && { thread: { threadKey: thread } }),
    },
  };
};

export const googleChat = outgoingType({
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
    events: EVENTS_OF_CHATS,
    addressOption: "webhook_url",
    signs: false,
    announce,
    refuses: isFaultOfMessage,
  },
});
