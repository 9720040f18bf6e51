// Microsoft Teams through a workflow that posts what its webhook receives: an adaptive card.

import type { Outgoing } from "../integration-type.ts";
import { formatMessage } from "../outgoing/message-text.ts";
import { CHAT_EVENTS, createOutgoingType, isMessageRejected } from "../outgoing/outgoing-type.ts";
import { cardAttachment } from "./alert-card.ts";

const announce: Outgoing["announce"] = (message, _, secrets) => {
  const text = formatMessage(message);
  const summary = `${text.headline}: ${text.title}`;
  const body = { type: "message", summary, attachments: [cardAttachment(text)] };
  return { url: secrets.webhook_url ?? "", body };
};

export const teams = createOutgoingType({
  name: "teams",
  title: "Microsoft Teams",
  description:
    "Notifies a Microsoft Teams channel of alerts, comments and shifts, by a workflow of the channel.",
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
