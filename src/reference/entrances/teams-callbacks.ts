// The callback endpoint of the Teams bots.
import type { Shape } from "../schemas/json-schema.ts";
import { answers, field, post } from "./chat-callback.ts";

export const teamsCallbackPaths: Shape = {
  "/callbacks/teams/{integration}/messages": post(
    {
      operationId: "receiveTeamsActivity",
      summary: "Receive an activity of Microsoft Teams",
      description:
        "An action of an alert's card acknowledges, rejects, resolves, snoozes, hands off or comments on the alert, and is answered to the person alone. A message to the bot that begins with `oncall` answers who is on call now, one with `page` creates an alert, and a reply in an alert's thread is a comment. All is done as the person who linked the Teams account; others get a link in their own chat with the bot. An action or a command that comes again is refused.",
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              additionalProperties: true,
              properties: {
                type: field("`invoke`, `message` and so on."),
                serviceUrl: field("Where answers go; the token names it too."),
              },
            },
            example: { type: "conversationUpdate" },
          },
        },
      },
      response: answers("The answer, in Teams' format.", {
        statusCode: 200,
        type: "application/vnd.microsoft.activity.message",
        value: "Done.",
      }),
    },
    [{ bot_connector_token: [] }],
  ),
};
