// Mattermost through an incoming webhook: an attachment with a colour.

import type { Outgoing } from "../integration-type.ts";
import { formatMessage } from "../outgoing/message-text.ts";
import { CHAT_EVENTS, createOutgoingType, isMessageRejected } from "../outgoing/outgoing-type.ts";
import { attachmentOf } from "./alert-attachment.ts";

const announce: Outgoing["announce"] = (message, _, secrets) => ({
  url: secrets.webhook_url ?? "",
  body: { attachments: [attachmentOf(formatMessage(message))] },
});

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
