// Matrix: a room on any homeserver, with the access token of an account that is in the room. The
// transaction id makes a retry the same message (Matrix client-server API v1.18:
// PUT /rooms/{roomId}/send/{eventType}/{txnId}, m.room.message, "Rate limiting").
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { valueAt } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import { jsonRequest, type Messenger, outcomeOf, type ProviderAnswer } from "../messenger.ts";

const MAX_TEXT_LENGTH = 4_000;

const REFUSALS: Readonly<Record<number, string>> = {
  400: "the room is not valid",
  401: "the access token was refused",
  403: "the account is not in the room",
  404: "there is no Matrix homeserver at this address, or no such room",
  413: "the message is too large",
  429: "too many messages",
};

/** `Retry-After`, or the older `retry_after_ms` in the body. */
function retryAfterOf({ retryAfter, body }: ProviderAnswer): string | null {
  const ms = valueAt(body, "retry_after_ms");
  return retryAfter ?? (typeof ms === "number" ? String(Math.ceil(ms / 1000)) : null);
}

export const matrix: Messenger = {
  channel: "matrix",
  title: MESSENGER_TITLES.matrix,
  about:
    "Create an account for the messages, invite it to a room with you, and enter its access token. Encrypted rooms are not supported.",
  proof: "code",
  fields: [
    { key: "server", label: "Homeserver", required: true, url: true },
    {
      key: "room_id",
      label: "Room id",
      help: "In the room's settings, under Advanced: it begins with an exclamation mark.",
      required: true,
      format: {
        pattern: /^![^\s/?#]{1,254}$/,
        fault: "must be a room id, such as !abc:example.com",
      },
    },
    { key: "token", label: "Access token", required: true, secret: true },
  ],
  isSetUp: () => true,
  request: (_env, { server, room_id = "", token = "" }, { id, title, body, url }) => {
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room_id)}/send/m.room.message/`;
    const lines = [title, body, url ?? ""].filter((line) => line !== "");
    return jsonRequest(
      "PUT",
      joinUrl(server, `${path}${encodeURIComponent(id)}`),
      {
        msgtype: "m.text",
        body: lines.join("\n").slice(0, MAX_TEXT_LENGTH).toWellFormed(),
        // Nobody is mentioned, whatever the title says.
        "m.mentions": {},
      },
      { Authorization: `Bearer ${token}` },
    );
  },
  read: (answer, now) =>
    outcomeOf(
      "Matrix",
      { ...answer, retryAfter: retryAfterOf(answer) },
      now,
      valueAt(answer.body, "event_id"),
      REFUSALS,
    ),
};
