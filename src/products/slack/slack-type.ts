// Slack through an incoming webhook: an attachment with a colour and blocks. Escaping `&`, `<` and
// `>` is enough to prevent links and mentions in text from others.

import type { Outgoing } from "../integration-type.ts";
import { COLOURS, formatMessage } from "../outgoing/message-text.ts";
import { CHAT_EVENTS, createOutgoingType, isMessageRejected } from "../outgoing/outgoing-type.ts";
import { escapeText } from "./text.ts";

const announce: Outgoing["announce"] = (message, _, secrets) => {
  const { headline, title, text, facts, tone, url } = formatMessage(message);
  const markdown = (content: string) => ({ type: "mrkdwn", text: content });
  const named = `*${escapeText(headline, 600)}*\n${escapeText(title, 1_200)}`;
  const fields = facts.map(([label, value]) => markdown(`*${label}*\n${escapeText(value, 1_900)}`));
  const button = {
    type: "button",
    text: { type: "plain_text", text: "Open" },
    url,
  };
  const blocks = [
    { type: "section", text: markdown(named) },
    ...(text === null ? [] : [{ type: "section", text: markdown(escapeText(text)) }]),
    ...(fields.length === 0 ? [] : [{ type: "section", fields }]),
    ...(url === null ? [] : [{ type: "actions", elements: [button] }]),
  ];
  const body = {
    text: escapeText(`${headline}: ${title}`),
    attachments: [{ color: COLOURS[tone], blocks }],
  };
  return { url: secrets.webhook_url ?? "", body };
};

export const slack = createOutgoingType({
  name: "slack",
  title: "Slack",
  description: "Notifies a Slack channel of alerts, comments and shifts, with an incoming webhook.",
  options: [
    {
      key: "webhook_url",
      type: "secret",
      required: true,
      default: null,
      help: "The incoming webhook's URL: https://hooks.slack.com/services/…",
    },
  ],
  outgoing: {
    events: CHAT_EVENTS,
    addressOption: "webhook_url",
    signs: false,
    announce,
    // 403 action_prohibited and 404 channel_not_found can be fixed; an invalid payload cannot.
    refuses: isMessageRejected,
  },
});
