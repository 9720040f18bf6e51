// The callback endpoints of the Slack apps.
import type { Shape } from "../schemas/json-schema.ts";
import { answers, field, form, headers, post } from "./chat-callback.ts";

const interaction = (type: string) =>
  form({ payload: field("The interaction as JSON.") }, { payload: `{"type":"${type}"}` });

const signed = (callback: Parameters<typeof post>[0]) => post(callback, [{ slack_signature: [] }]);

export const slackCallbackPaths: Shape = {
  "/callbacks/slack/{integration}/interactions": signed({
    operationId: "interactInSlack",
    summary: "Receive an interaction in Slack",
    description:
      "A button or menu of an alert's message: acknowledges, rejects, resolves, snoozes or hands off the alert as the person who linked the Slack account. Others get a link, and refusals their reason, in a message that only they see. A request that comes again is refused.",
    requestBody: interaction("block_actions"),
    response: { description: "Accepted.", headers },
  }),
  "/callbacks/slack/{integration}/choices": signed({
    operationId: "chooseInSlack",
    summary: "Receive the search of a menu in Slack",
    description: "The teams and people to whom an alert can be handed off, for linked people only.",
    requestBody: interaction("block_suggestion"),
    response: answers("The choices.", { options: [] }),
  }),
  "/callbacks/slack/{integration}/commands": signed({
    operationId: "commandInSlack",
    summary: "Receive a command in Slack",
    description:
      "`/oncall [team]` answers who is on call now, `/page <team or person> <title>` creates an alert, as the person who linked the Slack account. Others get a link. A request that comes again is refused.",
    requestBody: form(
      {
        command: field("The command."),
        text: field("What is written after it."),
        team_id: field("The workspace."),
        user_id: field("The person in the workspace."),
      },
      { command: "/oncall", text: "payments", team_id: "T0123456789", user_id: "U0123456789" },
    ),
    response: answers("A message that only the person sees.", {
      response_type: "ephemeral",
      text: "Payments: step 1: Ada",
    }),
  }),
  "/callbacks/slack/{integration}/events": signed({
    operationId: "notifySlackEvent",
    summary: "Receive an event of Slack",
    description:
      "A reply in the thread of an alert's message becomes a comment by the person who linked the Slack account; messages of apps never do. One that comes again is stored once. A challenge is answered, other events are ignored.",
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            additionalProperties: true,
            properties: { type: field("`event_callback` or `url_verification`.") },
          },
          example: { type: "url_verification", challenge: "3eZbrw1aB10FEMAGAZd4FyFQ" },
        },
      },
    },
    response: answers("The challenge, if there is one.", { challenge: "3eZbrw1aB10FEMAGAZd4FyFQ" }),
  }),
};
