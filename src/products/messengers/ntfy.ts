// ntfy: a topic on ntfy.sh or on a server of one's own. Published as JSON to the root of the server,
// with a priority from 1 to 5, and buttons that open the alert or acknowledge it by its link
// (https://docs.ntfy.sh/publish/: "Publish as JSON", "Message priority", "Action buttons").
import type { AlertUrgency } from "../../domain/alerts/alert.ts";
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { valueAt } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import { jsonRequest, type Messenger, outcomeOf } from "../messenger.ts";

const PRIORITY: Record<AlertUrgency, 1 | 2 | 3 | 4 | 5> = {
  critical: 5,
  high: 5,
  medium: 4,
  low: 2,
  silent: 1,
};

/** The server cuts longer messages off, or turns them into attachments, above 4,096 bytes. */
const MAX_TITLE_LENGTH = 200;
const MAX_BODY_LENGTH = 1_000;

/** The documented limits and refusals (https://docs.ntfy.sh/publish/#limitations). */
const REFUSALS: Readonly<Record<number, string>> = {
  400: "the topic is not valid",
  401: "the access token was refused",
  403: "the token may not write to the topic",
  404: "there is no ntfy server at this address",
  413: "the message is too large",
  429: "too many messages",
};

/** Buttons: at most three are allowed. The second one posts the form of the link's page. */
const actionsOf = (url: string, asks: boolean) => [
  { action: "view", label: "Open", url, clear: false },
  ...(asks
    ? [
        {
          action: "http",
          label: "Acknowledge",
          url,
          method: "POST",
          headers: { "Content-Type": "application/x-www-form-urlencoded" },
          body: "action=acknowledge",
          clear: true,
        },
      ]
    : []),
];

export const ntfy: Messenger = {
  channel: "ntfy",
  title: MESSENGER_TITLES.ntfy,
  about:
    "Subscribe to a topic in the ntfy app. Anyone who knows the name of a topic on ntfy.sh can read it, so choose one that cannot be guessed, or use an access token.",
  proof: "code",
  fields: [
    {
      key: "server",
      label: "Server",
      required: true,
      url: true,
      initial: "https://ntfy.sh",
    },
    {
      key: "topic",
      label: "Topic",
      required: true,
      format: {
        pattern: /^[-_A-Za-z0-9]{1,64}$/,
        fault: "must be 1 to 64 letters, digits, hyphens and underscores",
      },
    },
    { key: "token", label: "Access token", required: false, secret: true },
  ],
  isSetUp: () => true,
  request: (_env, { server, topic, token }, { title, body, url, urgency, asks }) =>
    jsonRequest(
      "POST",
      joinUrl(server, "/"),
      {
        topic,
        title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
        // A message without text reads "triggered".
        message: (body || title).slice(0, MAX_BODY_LENGTH).toWellFormed(),
        priority: urgency === null ? 3 : PRIORITY[urgency],
        ...(url !== null && { click: url, actions: actionsOf(url, asks) }),
      },
      token ? { Authorization: `Bearer ${token}` } : {},
    ),
  read: (answer, now) => outcomeOf("ntfy", answer, now, valueAt(answer.body, "id"), REFUSALS),
};
