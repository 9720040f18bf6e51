// Gotify: an application on a server of one's own. A message has a priority from 0 to 10, of which 8
// and more sound on Android (https://gotify.net/docs/pushmsg, https://gotify.net/docs/msgextras,
// https://gotify.net/api-docs: POST /message).
import type { AlertUrgency } from "../../domain/alerts/alert.ts";
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { valueAt } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import { jsonRequest, type Messenger, outcomeOf } from "../messenger.ts";

const PRIORITY: Record<AlertUrgency, number> = {
  critical: 10,
  high: 8,
  medium: 5,
  low: 2,
  silent: 0,
};

const MAX_TITLE_LENGTH = 250;
const MAX_BODY_LENGTH = 2_000;

const REFUSALS: Readonly<Record<number, string>> = {
  400: "the message was refused",
  401: "the application token was refused",
  403: "the token is not an application's",
  404: "there is no Gotify server at this address",
  429: "too many messages",
};

export const gotify: Messenger = {
  channel: "gotify",
  title: MESSENGER_TITLES.gotify,
  about: "Create an application on your Gotify server and enter its token.",
  proof: "code",
  fields: [
    { key: "server", label: "Server", required: true, url: true },
    { key: "token", label: "Application token", required: true, secret: true },
  ],
  isSetUp: () => true,
  request: (_env, { server, token = "" }, { title, body, url, urgency }) =>
    jsonRequest(
      "POST",
      joinUrl(server, "/message"),
      {
        title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
        message: (body || title).slice(0, MAX_BODY_LENGTH).toWellFormed(),
        priority: urgency === null ? 5 : PRIORITY[urgency],
        extras: {
          "client::display": { contentType: "text/plain" },
          ...(url !== null && { "client::notification": { click: { url } } }),
        },
      },
      { "X-Gotify-Key": token },
    ),
  read: (answer, now) => outcomeOf("Gotify", answer, now, valueAt(answer.body, "id"), REFUSALS),
};
