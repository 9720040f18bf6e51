// The callback endpoint of the Discord apps.
import type { Shape } from "../schemas/json-schema.ts";
import { answers, field, post } from "./chat-callback.ts";

export const discordCallbackPaths: Shape = {
  "/callbacks/discord/{integration}/interactions": post(
    {
      operationId: "interactInDiscord",
      summary: "Receive an interaction in Discord",
      description:
        "A button, menu or form of an alert's message acknowledges, rejects, resolves, snoozes, hands off or comments on the alert, `/oncall` answers who is on call now, and `/page` creates an alert, as the person who linked the Discord account. Others get a link, and refusals their reason, in a message that only they see. A ping is answered. A request that comes again is refused; one that is not signed gets 401, as Discord demands.",
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              additionalProperties: true,
              properties: { type: { type: "integer" }, guild_id: field("The server.") },
            },
            example: { type: 1 },
          },
        },
      },
      response: answers("The answer, in Discord's format.", { type: 1 }),
    },
    [{ discord_signature: [] }],
    ["unauthenticated"],
  ),
};
