// The callback endpoints for messengers and browsers, outside the versioned API; 404 if the deployment has no
// credentials of theirs.
import { headersNamed, referencesTo } from "../errors.ts";
import { type Shape, text } from "../schemas/json-schema.ts";

const refusals = referencesTo([
  "malformed",
  "forbidden",
  "not_found",
  "too_large",
  "unsupported_media",
  "too_many",
  "unavailable",
]);

const accepted = { description: "Accepted.", headers: headersNamed(["X-Request-Id"]) };

const token = {
  name: "token",
  in: "path",
  required: true,
  description: "The signed token of the message.",
  schema: text,
  example: "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
};

export const messengerCallbackPaths: Shape = {
  "/callbacks/push/{token}": {
    post: {
      operationId: "confirmPush",
      summary: "Receive the confirmation that a push message was shown",
      description:
        "Sent by the browser that has shown the message; the notification is `delivered` then. The token in the address is signed for that notification, and valid for a day.",
      tags: ["Callbacks"],
      security: [],
      parameters: [token],
      responses: { 204: accepted, ...referencesTo(["forbidden", "too_many", "unavailable"]) },
    },
  },
  "/callbacks/pushover/{token}": {
    post: {
      operationId: "acknowledgeByPushover",
      summary: "Receive an acknowledgement in Pushover",
      description:
        "Acknowledges the alert of an emergency message as the person who got it. The token in the address is signed for that person and alert, and valid for a day.",
      tags: ["Callbacks"],
      security: [],
      parameters: [token],
      requestBody: {
        required: true,
        content: {
          "application/x-www-form-urlencoded": {
            schema: {
              type: "object",
              properties: {
                receipt: { type: "string", description: "The receipt of the message." },
                acknowledged: { type: "string", description: "`1` once it is acknowledged." },
              },
            },
            example: { receipt: "rLqVuqTRh62UzxtmqiaLzQmVcPgiCy", acknowledged: "1" },
          },
        },
      },
      responses: { 204: accepted, ...refusals },
    },
  },
  "/callbacks/telegram": {
    post: {
      operationId: "updateTelegram",
      summary: "Receive an update of the Telegram bot",
      description:
        "`/start` with the payload of a link links a private chat to a channel address. A button of a message acknowledges or rejects its alert as the person who got it. Other updates are ignored. The address is registered with Telegram when somebody gets a link.",
      tags: ["Callbacks"],
      security: [{ telegram_secret: [] }],
      parameters: [],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              description: "Telegram's `Update`, of which these are read.",
              properties: {
                update_id: { type: "integer", description: "Its number." },
                message: { type: "object", description: "A message to the bot." },
                callback_query: { type: "object", description: "A button that was chosen." },
              },
            },
            example: { update_id: 1 },
          },
        },
      },
      responses: {
        200: {
          description: "A call to a method of the bot.",
          headers: headersNamed(["X-Request-Id"]),
          content: {
            "application/json": {
              schema: { type: "object", description: "The method and its parameters." },
              example: {
                method: "answerCallbackQuery",
                callback_query_id: "4382bfdwdsb323b2d9",
                text: "Acknowledged",
              },
            },
          },
        },
        204: accepted,
        ...refusals,
      },
    },
  },
};
