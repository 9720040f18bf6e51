// Google Chat through an app of the account's own: an alert is one message with buttons, which is
// updated as the alert moves, and a thread with its timeline and comments.
import type { ChatApp, Outgoing, OutgoingMessage } from "../integration-type.ts";
import { formatMessage } from "../outgoing/message-text.ts";
import { formatFaults } from "../outgoing/option-formats.ts";
import {
  allEventsExcept,
  createOutgoingType,
  isMessageRejected,
} from "../outgoing/outgoing-type.ts";
import { alertButtons, cardOf } from "./alert-card.ts";
import { googleChatCall, readGoogleChatAnswer } from "./api.ts";
import { googleTokens } from "./service-account.ts";
import { withoutMarkup } from "./text.ts";

/** The content of a message: an alert's with its buttons. */
function contentOf(message: OutgoingMessage) {
  const { payload, event } = message;
  const text = formatMessage(message);
  const isAlert = payload.about === "alert" && event !== "alert.destroyed";
  const buttons = isAlert ? alertButtons(String(payload.alert.id), payload.alert.status) : [];
  return { cardsV2: [{ cardId: text.thread ?? "tocsin", card: cardOf(text, buttons) }] };
}

const announce: Outgoing["announce"] = (message, { space }) => {
  const { headline, title } = formatMessage(message);
  // Shown in notifications, which have no cards.
  const fallbackText = `${headline}: ${title}`;
  return googleChatCall("POST", `${space}/messages`, { fallbackText, ...contentOf(message) });
};

/** What a thread says of an event: the step of an alert, or the comment. */
function replyOf(message: OutgoingMessage): string {
  const { headline, text } = formatMessage(message);
  const words = message.payload.about === "comment" ? `${headline}\n${text ?? ""}` : headline;
  return withoutMarkup(words);
}

const REPLY = "messageReplyOption=REPLY_MESSAGE_OR_FAIL";

const chat: ChatApp = {
  needs: ["service_account"],
  tokens: (_, { service_account: key = "" }) => googleTokens(key),
  // The channel of a message is its thread.
  follow: (message, { channel: thread, messageId }, { space }) => {
    const reply = googleChatCall("POST", `${space}/messages?${REPLY}`, {
      text: replyOf(message),
      thread: { name: thread },
    });
    if (message.payload.about !== "alert") return [reply];
    const path = `${messageId}?updateMask=cardsV2`;
    return [googleChatCall("PATCH", path, contentOf(message)), reply];
  },
  read: readGoogleChatAnswer,
};

const SPACE = /^spaces\/[\w-]{5,64}$/;
const PROJECT = /^\d{6,20}$/;

const type = createOutgoingType({
  name: "google_chat_app",
  title: "Google Chat app",
  description:
    "Posts alerts to a Google Chat space with buttons to answer them, and comments in threads.",
  options: [
    {
      key: "space",
      type: "string",
      required: true,
      default: null,
      help: "spaces/ and the ID at the end of the space's URL: spaces/AAAABBBBCCC.",
    },
    {
      key: "service_account",
      type: "secret",
      required: false,
      default: null,
      help: "The JSON key of the app's service account. Nothing is posted without it.",
    },
    {
      key: "project_number",
      type: "string",
      required: false,
      default: null,
      help: "The number of the app's Google Cloud project. Buttons and commands do not work without it.",
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

export const googleChatApp: typeof type = {
  ...type,
  check: (options) => [
    ...(type.check?.(options) ?? []),
    ...formatFaults(options, {
      space: [SPACE, "must be spaces/ and the ID of a space, such as spaces/AAAABBBBCCC"],
      project_number: [PROJECT, "must be the number of a Google Cloud project"],
    }),
  ],
};
