// The callback endpoint of the Google Chat apps.
import type { Shape } from "../schemas/json-schema.ts";
import { answers, field, post } from "./chat-callback.ts";

export const googleChatCallbackPaths: Shape = {
  "/callbacks/google-chat/{integration}/events": post(
    {
      operationId: "receiveGoogleChatEvent",
      summary: "Receive an event of Google Chat",
      description:
        "A button or dialog of an alert's message acknowledges, rejects, resolves, snoozes, hands off or comments on the alert, `/oncall` answers who is on call now, `/page` creates an alert, and a reply in an alert's thread that mentions the app is a comment, as the person who linked the Google account. Others get a link, and refusals their reason, in a message that only they see. An action or a command that comes again is refused; one without Google's token for the app's project gets 401.",
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              additionalProperties: true,
              properties: { type: field("`MESSAGE`, `CARD_CLICKED` and so on.") },
            },
            example: { type: "ADDED_TO_SPACE" },
          },
        },
      },
      response: answers("The answer, in Google Chat's format.", {
        text: "Alerts are announced here.",
      }),
    },
    [{ google_chat_token: [] }],
    ["unauthenticated"],
  ),
};
