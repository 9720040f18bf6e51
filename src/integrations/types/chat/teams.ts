// Microsoft Teams through a workflow that posts what its webhook receives: an adaptive card. Text
// from others is in rich text runs, which are not Markdown; facts are, so it is escaped there.

import type { Outgoing } from "../../integration-type.ts";
import { formatMessage, type Tone } from "../../outgoing/message-text.ts";
import {
  CHAT_EVENTS,
  createOutgoingType,
  isMessageRejected,
} from "../../outgoing/outgoing-type.ts";

/** Adaptive cards have semantic styles instead of colours. */
const STYLES: Readonly<Record<Tone, string>> = {
  critical: "attention",
  high: "attention",
  medium: "warning",
  low: "accent",
  acknowledged: "warning",
  resolved: "good",
  quiet: "emphasis",
};

const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]()#+\-!<>~]/g, "\\$&");

const announce: Outgoing["announce"] = (message, _, secrets) => {
  const { headline, title, text, facts, tone, url } = formatMessage(message);
  const run = (value: string, more: object = {}) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text: value, ...more }],
  });
  const head = {
    type: "Container",
    style: STYLES[tone],
    bleed: true,
    items: [run(headline, { weight: "Bolder" })],
  };
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      head,
      run(title, { size: "Large", weight: "Bolder" }),
      ...(text === null ? [] : [run(text)]),
      {
        type: "FactSet",
        facts: facts.map(([label, value]) => ({ title: label, value: escapeMarkdown(value) })),
      },
    ],
    actions: url === null ? [] : [{ type: "Action.OpenUrl", title: "Open", url }],
  };
  const attachment = {
    contentType: "application/vnd.microsoft.card.adaptive",
    contentUrl: null,
    content,
  };
  const body = { type: "message", summary: `${headline}: ${title}`, attachments: [attachment] };
  return { url: secrets.webhook_url ?? "", body };
};

export const teams = createOutgoingType({
  name: "teams",
  title: "Microsoft Teams",
  description:
    "Notifies a Microsoft Teams channel of alerts, comments and shifts, with the workflow that posts to a channel when a " +
    "webhook request is received.",
  options: [
    {
      key: "webhook_url",
      type: "secret",
      required: true,
      default: null,
      help: "The URL that the workflow shows after it is saved.",
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
