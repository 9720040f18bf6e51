// Mattermost, by an incoming webhook: an attachment with a colour. Its text is Markdown, and an `@` in it calls people:
// both are taken out of what others wrote.

import type { Outgoing } from "../integration-type.ts";
import { EVENTS_OF_CHATS, isFaultOfMessage, outgoingType } from "../outgoing.ts";
import { COLOURS, wordsOf } from "../outgoing-words.ts";

/** Text as it is: Markdown's signs escaped, and a joint after each `@` and `:` so that nothing is called by it. */
const literal = (text: string) =>
  text.replace(/[\\`*_{}[\]()#+\-!|>~<]/g, "\\$&").replace(/[@:]/g, "$&\u200b");

const announce: Outgoing["announce"] = (told, _, secrets) => {
  const { headline, title, text, facts, tone, url } = wordsOf(told);
  const attachment = {
    fallback: `${headline}: ${title}`,
    color: COLOURS[tone],
    pretext: literal(headline),
    title: literal(title),
    ...(url !== null && { title_link: url }),
    ...(text !== null && { text: literal(text) }),
    fields: facts.map(([label, value]) => ({ short: true, title: label, value: literal(value) })),
  };
  return { url: secrets.webhook_url ?? "", body: { attachments: [attachment] } };
};

export const mattermost = outgoingType({
  name: "mattermost",
  title: "Mattermost",
  description:
    "Notifies a Mattermost channel of alerts, comments and shifts, with an incoming webhook.",
  options: [
    {
      key: "webhook_url",
      type: "secret",
      required: true,
      default: null,
      help: "The incoming webhook's URL: https://mattermost.example.com/hooks/…",
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
