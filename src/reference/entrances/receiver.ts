// The receiver of third-party events (contract 7, The receiver), outside the versioned API. The
// body depends on the integration type; described here is the type `webhook`.
import { headersNamed, referencesTo } from "../errors.ts";
import { answerExample, answerSchema } from "../schemas/answers.ts";
import { referenceTo, type Shape, text } from "../schemas/json-schema.ts";

const parameter: Shape = {
  name: "id",
  in: "path",
  required: true,
  description:
    "The last part of the integration's `url`. Its `id` or `prefix_id` is enough where it `accepts_id`, and with its token or signature.",
  schema: text,
  example: "AABAQIDBAUGBwgJCAk3vT9xQmR7cWb2ZsLq0YdN5h",
};

const DESCRIPTION =
  `The integration type defines the body; this is the type \`webhook\`. The event is stored before the response: 200 with
  the id of its log. A repeated \`create\` with the same \`Id\` is counted on the unfinished alert. \`acknowledge\` and
  \`resolve\` act on the newest alert with that \`Id\`.`.replace(/\s+/g, " ");

const REFUSALS = [
  "malformed",
  "unauthenticated",
  "not_found",
  "not_supported",
  "too_large",
  "unsupported_media",
  "invalid",
  "too_many",
  "overloaded",
] as const;

/** The paths of the receiver. Adds its examples to `examples`. */
export function receiverPaths(examples: Map<string, unknown>): Shape {
  const event = answerSchema("WebhookEvent");
  for (const name of ["WebhookEvent", "WebhookAccepted"]) examples.set(name, answerExample(name));
  const shared = {
    tags: ["Receiver"],
    security: [{}, { service_token: [] }],
    parameters: [parameter],
    responses: {
      200: {
        description: "The event is accepted and stored.",
        headers: headersNamed(["X-Request-Id"]),
        content: content("WebhookAccepted"),
      },
      ...referencesTo(REFUSALS),
    },
  };
  const post = {
    operationId: "receiveEvent",
    summary: "Send an event",
    description: DESCRIPTION,
    ...shared,
    requestBody: { required: true, content: content("WebhookEvent") },
  };
  const get = {
    operationId: "receiveEventByGet",
    summary: "Send an event in the query",
    description:
      "For senders that can only call a URL, where the integration `accepts_get`; otherwise 405. Pass the fields of the body as query parameters.",
    ...shared,
    parameters: [parameter, ...queryFields(event)],
  };
  return {
    "/integration/{id}": { post, get },
    "/integration/{id}/g": aliasPath(post, get),
  };
}

/** The same receiver under `/g`, which some senders append. */
function aliasPath(post: Shape, get: Shape): Shape {
  const rename = (operation: Shape) => ({
    ...operation,
    operationId: `${operation.operationId}AtG`,
    description: "The same as the path without `/g`, for senders that append it.",
  });
  return { post: rename(post), get: rename(get) };
}

const content = (name: string): Shape => ({
  "application/json": {
    schema: referenceTo(name),
    examples: { example: { $ref: `#/components/examples/${name}` } },
  },
});

function queryFields(event: Shape): Shape[] {
  return Object.entries(event.properties ?? {})
    .filter(([, { type }]) => type === "string")
    .map(([name, { description, ...schema }]) => ({ name, in: "query", description, schema }));
}
