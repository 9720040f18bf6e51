// The callback endpoints of the apps in chat products, outside the versioned API; 404 unless the path
// names an enabled integration with a secret that verifies them.
import { examplePrefixId } from "../../contract/shared/examples.ts";
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

const headers = headersNamed(["X-Request-Id"]);

const integration: Shape = {
  name: "integration",
  in: "path",
  required: true,
  description: "The `prefix_id` of the integration.",
  schema: text,
  example: examplePrefixId("integration"),
};

const field = (description: string): Shape => ({ type: "string", description });

const form = (properties: Readonly<Record<string, Shape>>, example: Shape): Shape => ({
  required: true,
  content: {
    "application/x-www-form-urlencoded": { schema: { type: "object", properties }, example },
  },
});

const answers = (description: string, example: Shape): Shape => ({
  description,
  headers,
  content: {
    "application/json": { schema: { type: "object", additionalProperties: true }, example },
  },
});

type Callback = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestBody: Shape;
  readonly response: Shape;
};

const post = ({ response, ...operation }: Callback): Shape => ({
  post: {
    ...operation,
    tags: ["Callbacks"],
    security: [{ slack_signature: [] }],
    parameters: [integration],
    responses: { 200: response, ...refusals },
  },
});

const interaction = (type: string) =>
  form({ payload: field("The interaction as JSON.") }, { payload: `{"type":"${type}"}` });

export const chatCallbackPaths: Shape = {
  "/callbacks/slack/{integration}/interactions": post({
    operationId: "interactInSlack",
    summary: "Receive an interaction in Slack",
    description:
      "A button or menu of an alert's message: acknowledges, rejects, resolves, snoozes or hands off the alert as the person who linked the Slack account. Others get a link, and refusals their reason, in a message that only they see. A request that comes again is refused.",
    requestBody: interaction("block_actions"),
    response: { description: "Accepted.", headers },
  }),
  "/callbacks/slack/{integration}/choices": post({
    operationId: "chooseInSlack",
    summary: "Receive the search of a menu in Slack",
    description: "The teams and people to whom an alert can be handed off, for linked people only.",
    requestBody: interaction("block_suggestion"),
    response: answers("The choices.", { options: [] }),
  }),
  "/callbacks/slack/{integration}/commands": post({
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
      text: "Payments: layer 1: Ada",
    }),
  }),
  "/callbacks/slack/{integration}/events": post({
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
