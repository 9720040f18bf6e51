// Mattermost through an incoming webhook: an attachment with a colour. Its text is Markdown and `@`
// mentions people, so both are escaped in text from others.

import type { Outgoing } from "../../integration-type.ts";
import { COLOURS, formatMessage } from "../../outgoing/message-text.ts";
import {
  CHAT_EVENTS,
  createOutgoingType,
  isMessageRejected,
} from "../../outgoing/outgoing-type.ts";

/**
 * Escapes Markdown and adds a zero-width space after each `@` and `:`, which would mention people
 * or render emoji.
 */
const escapeMarkdown = (text: string) =>
  text.replace(/[\\`*_{}[\]()#+\-!|>~<]/g, "\\$&").replace(/[@:]/g, "$&\u200b");

const announce: Outgoing["announce"] = (message, _, secrets) => {
  const { headline, title, text, facts, tone, url } = formatMessage(message);
  const attachment = {
    fallback: `${headline}: ${title}`,
    color: COLOURS[tone],
    pretext: escapeMarkdown(headline),
    title: escapeMarkdown(title),
    ...(url !== null && { title_link: url }),
    ...(text !== null && { text: escapeMarkdown(text) }),
    fields: facts.map(([label, value]) => ({
      short: true,
      title: label,
      value: escapeMarkdown(value),
    })),
  };
  return { url: secrets.webhook_url ?? "", body: { attachments: [attachment] } };
};

export const mattermost = createOutgoingType({
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
    events: CHAT_EVENTS,
    addressOption: "webhook_url",
    signs: false,
    announce,
    refuses: isMessageRejected,
  },
});
