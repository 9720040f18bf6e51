// Opsgenie's Alert and Heartbeat API as the reference describes it: for senders and SDKs that speak only that.
import { answer, described, inPath, inQuery, json, text } from "./drop-in-shapes.ts";
import type { Shape } from "./json-schema.ts";
import { opsgenieReads } from "./opsgenie-reads.ts";

const alertAnswer = (description: string, example: Shape): Shape =>
  answer(
    description,
    json(
      {
        result: described("What will be done."),
        message: described("What is wrong."),
        errors: { type: "object", description: "What is wrong, by field." },
        took: { type: "number", description: "Seconds." },
        requestId: described(
          "The request's id: `GET /v2/alerts/requests/:id` tells what became of it.",
        ),
      },
      { ...example, took: 0.01, requestId: "b9d9e9a0-5a6c-4a53-9c8d-0d7f4f1f3f10" },
    ),
  );

const alertResponses: Shape = {
  202: alertAnswer("The request is safe.", { result: "Request will be processed" }),
  400: alertAnswer("It cannot be read.", { message: "The request body could not be read." }),
  401: alertAnswer("The key is wrong.", { message: "Could not authenticate" }),
  403: alertAnswer("The integration is disabled.", { message: "The integration is disabled" }),
  413: alertAnswer("Larger than 1 MiB.", { message: "The request is too large." }),
  422: alertAnswer("A field is at fault.", { errors: { message: "message is missing" } }),
  429: alertAnswer("Too many.", { message: "You are making too many requests! Please slow down." }),
  503: alertAnswer("Not now.", { message: "The request could not be taken now." }),
};

const alias = inPath("id", "Which alert, as `identifierType` says.", "db-1");
const identifierType = inQuery(
  "identifierType",
  "What the path names it by: `id` (the default: the alert's `id`, or the `requestId` of the request that created it), " +
    "`tiny` (its `tinyId`) or `alias`.",
  { type: "string", enum: ["id", "tiny", "alias"], default: "id" },
);
const action = inPath("action", "`acknowledge`, `close` or `notes`.", "acknowledge");
const genie = { tags: ["Receiver"], security: [{ genie_key: [] }], responses: alertResponses };

const alertBody = (example: Shape): Shape => ({
  content: json(
    {
      message: described("The title; required on create."),
      alias: described("What the sender calls it."),
      description: described("A longer text."),
      priority: described("How urgent it is.", { enum: ["P1", "P2", "P3", "P4", "P5"] }),
      tags: { type: "array", items: text, description: "Tags." },
      note: described("What to add, for `notes`."),
      user: described("Who does it."),
    },
    example,
  ),
});

export const opsgeniePaths: Shape = {
  "/v2/alerts": {
    get: opsgenieReads.list,
    post: {
      operationId: "createOpsgenieAlert",
      summary: "Send an Opsgenie alert",
      description:
        "Opsgenie's Alert API, for senders that speak only that; the `GenieKey` is the integration's `intake_key`.",
      ...genie,
      parameters: [],
      requestBody: alertBody({ message: "Disk full on db-1", alias: "db-1", priority: "P1" }),
    },
  },
  "/v2/alerts/{id}": {
    get: opsgenieReads.alert,
    delete: {
      operationId: "deleteOpsgenieAlert",
      summary: "Resolve an Opsgenie alert",
      description: "Nothing is deleted: the alert is resolved.",
      ...genie,
      parameters: [alias, identifierType],
    },
  },
  "/v2/alerts/{id}/{action}": {
    post: {
      operationId: "changeOpsgenieAlert",
      summary: "Acknowledge, close or note an Opsgenie alert",
      description: "Anything else that API can do to an alert is accepted and changes nothing.",
      ...genie,
      parameters: [alias, action, identifierType],
      requestBody: alertBody({ user: "monitoring", note: "The failover is under way." }),
    },
  },
  ...opsgenieReads.paths,
};
