// Mattermost through a bot account: an alert is one post with buttons, which is updated as the alert
// moves, and a thread with its timeline and comments.
import type { ChatApp, Options, Outgoing, OutgoingMessage } from "../integration-type.ts";
import { formatMessage } from "../outgoing/message-text.ts";
import { formatFaults } from "../outgoing/option-formats.ts";
import {
  allEventsExcept,
  createOutgoingType,
  isMessageRejected,
} from "../outgoing/outgoing-type.ts";
import { alertActions, attachmentOf } from "./alert-attachment.ts";
import { mattermostCall, readMattermostAnswer } from "./api.ts";
import { escapeMarkdown } from "./text.ts";

const serverOf = ({ server }: Options): string => (typeof server === "string" ? server : "");

/** The content of a post: an alert's with its buttons. */
function contentOf(message: OutgoingMessage, token: string) {
  const { payload, event, app, at } = message;
  const attachment = attachmentOf(formatMessage(message));
  const isAlert = payload.about === "alert" && event !== "alert.destroyed";
  const actions = isAlert
    ? alertActions(app, token, String(payload.alert.id), payload.alert.status, at)
    : [];
  const withActions = actions.length === 0 ? attachment : { ...attachment, actions };
  return { message: "", props: { attachments: [withActions] } };
}

const announce: Outgoing["announce"] = (message, options, { bot_token: token = "" }) => {
  const body = { channel_id: options.channel, ...contentOf(message, token) };
  return mattermostCall(serverOf(options), "POST", "/posts", token, body);
};

/** What a thread says of an event: the step of an alert, or the comment. */
function replyOf(message: OutgoingMessage): string {
  const { headline, text } = formatMessage(message);
  const words = message.payload.about === "comment" ? `${headline}\n${text ?? ""}` : headline;
  return escapeMarkdown(words);
}

const chat: ChatApp = {
  needs: ["bot_token"],
  follow: (message, { channel, messageId }, options, { bot_token: token = "" }) => {
    const server = serverOf(options);
    const reply = mattermostCall(server, "POST", "/posts", token, {
      channel_id: channel,
      root_id: messageId,
      message: replyOf(message),
    });
    if (message.payload.about !== "alert") return [reply];
    const path = `/posts/${encodeURIComponent(messageId)}/patch`;
    return [mattermostCall(server, "PUT", path, token, contentOf(message, token)), reply];
  },
  read: readMattermostAnswer,
};

/** Mattermost's ids. */
const CHANNEL = /^[a-z0-9]{26}$/;

const type = createOutgoingType({
  name: "mattermost_app",
  title: "Mattermost app",
  description:
    "Posts alerts to a Mattermost channel with buttons to answer them, and their timeline in threads.",
  options: [
    {
      key: "server",
      type: "string",
      required: true,
      default: null,
      help: "The server's URL: https://mattermost.example.com.",
    },
    {
      key: "channel",
      type: "string",
      required: true,
      default: null,
      help: "The channel's ID, at the end of View Info: 26 letters and digits.",
    },
    {
      key: "bot_token",
      type: "secret",
      required: false,
      default: null,
      help: "The access token of the bot account. Nothing is posted without it.",
    },
    {
      key: "command_tokens",
      type: "secret",
      required: false,
      default: null,
      help: "The tokens of the slash commands, with a space between them. Commands do not work without them.",
    },
  ],
  outgoing: {
    events: allEventsExcept("alert.created"),
    addressOption: "server",
    signs: false,
    announce,
    refuses: isMessageRejected,
    chat,
  },
});

export const mattermostApp: typeof type = {
  ...type,
  check: (options) => [
    ...(type.check?.(options) ?? []),
    ...formatFaults(options, {
      channel: [CHANNEL, "must be a channel's ID of 26 letters and digits"],
    }),
  ],
};
