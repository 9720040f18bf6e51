// Slack through an app of the account's own: an alert is one message with buttons, which is updated as
// the alert moves, and a thread with its timeline and comments. The tokens are options and not the
// deployment's secrets, since the accounts of a deployment have workspaces of their own.
import type { ChatApp, Outgoing, OutgoingMessage } from "../integration-type.ts";
import { formatMessage, type MessageText } from "../outgoing/message-text.ts";
import { formatFaults } from "../outgoing/option-formats.ts";
import {
  allEventsExcept,
  createOutgoingType,
  isMessageRejected,
} from "../outgoing/outgoing-type.ts";
import { alertBlocks, textBlock } from "./alert-blocks.ts";
import { readSlackAnswer, slackCall } from "./api.ts";
import { escapeText } from "./text.ts";

/** Nothing in the text becomes a link or a mention, whatever the method's default is. */
const LITERAL = { parse: "none", link_names: false } as const;
const NO_PREVIEWS = { unfurl_links: false, unfurl_media: false } as const;

const line = ({ headline, title }: MessageText) => escapeText(`${headline}: ${title}`);

/** A message of its own: an alert's with its buttons, any other as text. */
function contentOf(message: OutgoingMessage) {
  const { payload, event, at } = message;
  const text = formatMessage(message);
  const common = { text: line(text), ...LITERAL };
  if (payload.about === "alert") {
    const { id, status } = payload.alert;
    const isDeleted = event === "alert.destroyed";
    return { ...common, blocks: alertBlocks({ text, alertId: String(id), status, isDeleted, at }) };
  }
  const parts = [
    `${text.headline}: ${text.title}`,
    text.text,
    ...text.facts.map((it) => it.join(": ")),
  ];
  const lines = parts.filter((part) => part !== null && part !== "");
  return { ...common, blocks: [textBlock(lines.join("\n"))] };
}

const announce: Outgoing["announce"] = (message, { channel }, { bot_token: token = "" }) =>
  slackCall("chat.postMessage", token, { channel, ...contentOf(message), ...NO_PREVIEWS });

/** What a thread says of an event: the step of an alert, or the comment. */
function replyOf(message: OutgoingMessage): string {
  const { headline, text } = formatMessage(message);
  return message.payload.about === "comment" ? `${headline}\n${text ?? ""}` : headline;
}

const chat: ChatApp = {
  needs: ["bot_token"],
  follow: (message, { channel, messageId }, _, { bot_token: token = "" }) => {
    const words = replyOf(message);
    const reply = slackCall("chat.postMessage", token, {
      channel,
      thread_ts: messageId,
      text: escapeText(words),
      blocks: [textBlock(words)],
      ...LITERAL,
      ...NO_PREVIEWS,
    });
    if (message.payload.about !== "alert") return [reply];
    const body = { channel, ts: messageId, ...contentOf(message) };
    return [slackCall("chat.update", token, body), reply];
  },
  read: readSlackAnswer,
};

/** A public or private channel. Posting to a name would not say which one was meant. */
const CHANNEL = /^[CG][A-Z0-9]{8,20}$/;

const type = createOutgoingType({
  name: "slack_app",
  title: "Slack app",
  description:
    "Posts alerts to a Slack channel with buttons to answer them, and comments in threads.",
  options: [
    {
      key: "channel",
      type: "string",
      required: true,
      default: null,
      help: "The channel's ID, at the end of its details: C0123456789.",
    },
    {
      key: "bot_token",
      type: "secret",
      required: false,
      default: null,
      help: "The app's bot user OAuth token: xoxb-…. Nothing is posted without it.",
    },
    {
      key: "signing_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The app's signing secret. Buttons, commands and replies do not work without it.",
    },
  ],
  outgoing: {
    events: allEventsExcept("alert.created"),
    addressOption: null,
    signs: false,
    announce,
    refuses: isMessageRejected,
    chat,
  },
});

export const slackApp: typeof type = {
  ...type,
  check: (options) => [
    ...(type.check?.(options) ?? []),
    ...formatFaults(options, {
      channel: [CHANNEL, "must be a channel's ID, such as C0123456789"],
    }),
  ],
};
