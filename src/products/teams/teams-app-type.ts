// Microsoft Teams through a bot of the account's own: an alert is one message with actions, which is
// updated as the alert moves, and a thread with its timeline and comments.
import { stringOf } from "../../domain/shared/json.ts";
import type { ChatApp, Options, Outgoing, OutgoingMessage } from "../integration-type.ts";
import { formatMessage } from "../outgoing/message-text.ts";
import { formatFaults } from "../outgoing/option-formats.ts";
import {
  allEventsExcept,
  createOutgoingType,
  isMessageRejected,
} from "../outgoing/outgoing-type.ts";
import { alertCardActions, cardAttachment } from "./alert-card.ts";
import { activitiesOf, readTeamsAnswer, TEAMS_SERVICE, teamsCall, teamsTokens } from "./api.ts";

const serviceOf = ({ service_url: url }: Options): string => stringOf(url) || TEAMS_SERVICE;

/** The content of a message: an alert's with its actions. */
function contentOf(message: OutgoingMessage) {
  const { payload, event } = message;
  const text = formatMessage(message);
  const isAlert = payload.about === "alert" && event !== "alert.destroyed";
  const actions = isAlert
    ? alertCardActions(String(payload.alert.id), payload.alert.status)
    : undefined;
  const summary = `${text.headline}: ${text.title}`;
  return { type: "message", summary, attachments: [cardAttachment(text, actions)] };
}

/** A message in a channel begins a conversation: its thread. */
const announce: Outgoing["announce"] = (message, options) =>
  teamsCall(serviceOf(options), "POST", "", {
    isGroup: true,
    bot: { id: `28:${options.app_id}` },
    tenantId: options.tenant,
    channelData: { channel: { id: options.channel }, tenant: { id: options.tenant } },
    activity: contentOf(message),
  });

/** What a thread says of an event: the step of an alert, or the comment. */
function replyOf(message: OutgoingMessage) {
  const { headline, text } = formatMessage(message);
  const words = message.payload.about === "comment" ? `${headline}\n${text ?? ""}` : headline;
  return { type: "message", text: words, textFormat: "plain" };
}

const chat: ChatApp = {
  needs: ["client_secret"],
  tokens: ({ app_id: app, tenant }, { client_secret: secret = "" }) =>
    teamsTokens(stringOf(app), stringOf(tenant), secret),
  // The channel of a message is its conversation.
  follow: (message, { channel: conversation, messageId }, options) => {
    const call = (method: "POST" | "PUT", path: string, body: unknown) =>
      teamsCall(serviceOf(options), method, path, body);
    const reply = call("POST", activitiesOf(conversation), replyOf(message));
    if (message.payload.about !== "alert") return [reply];
    const path = activitiesOf(conversation, messageId);
    return [call("PUT", path, { id: messageId, ...contentOf(message) }), reply];
  },
  read: readTeamsAnswer,
};

const CHANNEL = /^19:[\w-]{10,100}@thread\.(tacv2|skype|v2)$/;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SERVICE = /^https:\/\/[\w-]+(\.[\w-]+)+(\/[\w.-]+)*\/?$/;

const GUID_FAULT = "must be an ID such as 01234567-89ab-cdef-0123-456789abcdef";

const type = createOutgoingType({
  name: "teams_app",
  title: "Microsoft Teams app",
  description:
    "Posts alerts to a Microsoft Teams channel with buttons to answer them, and comments in threads.",
  options: [
    {
      key: "channel",
      type: "string",
      required: true,
      default: null,
      help: "The channel's ID, from its link, with : for %3A and @ for %40: 19:…@thread.tacv2.",
    },
    {
      key: "tenant",
      type: "string",
      required: true,
      default: null,
      help: "The ID of your Microsoft Entra tenant.",
    },
    {
      key: "app_id",
      type: "string",
      required: true,
      default: null,
      help: "The bot's Microsoft app ID.",
    },
    {
      key: "client_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The value of a client secret of the bot's app. Nothing is posted without it.",
    },
    {
      key: "service_url",
      type: "string",
      required: false,
      default: TEAMS_SERVICE,
      help: "The URL of Teams; another one for the clouds of governments.",
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

export const teamsApp: typeof type = {
  ...type,
  check: (options) => [
    ...(type.check?.(options) ?? []),
    ...formatFaults(options, {
      channel: [CHANNEL, "must be a channel's ID, such as 19:0123456789abcdef@thread.tacv2"],
      tenant: [GUID, GUID_FAULT],
      app_id: [GUID, GUID_FAULT],
      service_url: [SERVICE, "must be an https URL"],
    }),
  ],
};
