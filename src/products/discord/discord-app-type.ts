// Discord through an app of the account's own: an alert is one message with buttons, which is updated
// as the alert moves, and a thread with its timeline and comments.
import type { ChatApp, Outgoing, OutgoingMessage } from "../integration-type.ts";
import { formatMessage } from "../outgoing/message-text.ts";
import { formatFaults } from "../outgoing/option-formats.ts";
import {
  allEventsExcept,
  createOutgoingType,
  isMessageRejected,
} from "../outgoing/outgoing-type.ts";
import { alertComponents, embedOf, threadName } from "./alert-message.ts";
import { discordCall, readDiscordAnswer } from "./api.ts";
import { escapeMarkdown } from "./text.ts";

/** Nobody is mentioned, whatever the text is. */
const NO_MENTIONS = { allowed_mentions: { parse: [] } } as const;

/** How long a thread without messages is listed (minutes). */
const ARCHIVED_AFTER = 1_440;

/** The content of a message: an alert's with its buttons. */
function contentOf(message: OutgoingMessage) {
  const { payload, event, at } = message;
  const isAlert = payload.about === "alert" && event !== "alert.destroyed";
  const components = isAlert ? alertComponents(String(payload.alert.id), payload.alert.status) : [];
  return { embeds: [embedOf(formatMessage(message), at)], components, ...NO_MENTIONS };
}

const announce: Outgoing["announce"] = (message, { channel }, { bot_token: token = "" }) =>
  discordCall(message, "POST", `/channels/${channel}/messages`, token, contentOf(message));

/** What a thread says of an event: the step of an alert, or the comment. */
function replyOf(message: OutgoingMessage): string {
  const { headline, text } = formatMessage(message);
  const words = message.payload.about === "comment" ? `${headline}\n${text ?? ""}` : headline;
  return escapeMarkdown(words).slice(0, 2_000);
}

const chat: ChatApp = {
  needs: ["bot_token"],
  follow: (message, { channel, messageId }, _, { bot_token: token = "" }) => {
    const call = (method: "POST" | "PATCH", path: string, body: unknown) =>
      discordCall(message, method, path, token, body);
    const posted = `/channels/${channel}/messages/${messageId}`;
    // A message's thread has the message's id. To start it again changes nothing.
    const thread = [
      call("POST", `${posted}/threads`, {
        name: threadName(formatMessage(message).title),
        auto_archive_duration: ARCHIVED_AFTER,
      }),
      call("POST", `/channels/${messageId}/messages`, {
        content: replyOf(message),
        ...NO_MENTIONS,
      }),
    ];
    return message.payload.about === "alert"
      ? [call("PATCH", posted, contentOf(message)), ...thread]
      : thread;
  },
  read: readDiscordAnswer,
};

/** Discord's ids. */
const CHANNEL = /^\d{17,20}$/;
const PUBLIC_KEY = /^[0-9a-fA-F]{64}$/;

const type = createOutgoingType({
  name: "discord_app",
  title: "Discord app",
  description:
    "Posts alerts to a Discord channel with buttons to answer them, and their timeline in threads.",
  options: [
    {
      key: "channel",
      type: "string",
      required: true,
      default: null,
      help: "The channel's ID, from Copy Channel ID in developer mode: 1234567890123456789.",
    },
    {
      key: "bot_token",
      type: "secret",
      required: false,
      default: null,
      help: "The token of the app's bot. Nothing is posted without it.",
    },
    {
      key: "public_key",
      type: "string",
      required: false,
      default: null,
      help: "The app's public key: 64 hexadecimal digits. Buttons and commands do not work without it.",
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

export const discordApp: typeof type = {
  ...type,
  check: (options) => [
    ...(type.check?.(options) ?? []),
    ...formatFaults(options, {
      channel: [CHANNEL, "must be a channel's ID, such as 1234567890123456789"],
      public_key: [PUBLIC_KEY, "must be 64 hexadecimal digits"],
    }),
  ],
};
