// The reference of Opsgenie's Alert and Heartbeat API, for senders and SDKs that support only it.

import type { Shape } from "../schemas/json-schema.ts";
import { answer, described, inPath, inQuery, json, text } from "./drop-in-shapes.ts";
import { opsgenieReads } from "./opsgenie-reads.ts";

const alertAnswer = (description: string, example: Shape): Shape =>
  answer(
    description,
    json(
      {
        result: described("The result."),
        message: described("The error."),
        errors: { type: "object", description: "The errors by field." },
        took: { type: "number", description: "Seconds." },
        requestId: described("The request's id: `GET /v2/alerts/requests/:id` returns its status."),
      },
      { ...example, took: 0.01, requestId: "b9d9e9a0-5a6c-4a53-9c8d-0d7f4f1f3f10" },
    ),
  );

const alertResponses: Shape = {
  202: alertAnswer("The request is accepted and stored.", { result: "Request will be processed" }),
  400: alertAnswer("The body cannot be read.", { message: "The request body could not be read." }),
  401: alertAnswer("The key is invalid.", { message: "Could not authenticate" }),
  403: alertAnswer("The integration is disabled.", { message: "The integration is disabled" }),
  413: alertAnswer("The body is larger than 1 MiB.", { message: "The request is too large." }),
  422: alertAnswer("A field is invalid.", { errors: { message: "message is missing" } }),
  429: alertAnswer("Too many requests.", {
    message: "You are making too many requests! Please slow down.",
  }),
  503: alertAnswer("Temporarily unavailable.", { message: "The request could not be taken now." }),
};

const alias = inPath("id", "The alert's identifier, of the type in `identifierType`.", "db-1");
const identifierType = inQuery(
  "identifierType",
  "The type of the identifier in the path: `id` (the default: the alert's `id`, or the `requestId` of the request that created it), " +
    "`tiny` (its `tinyId`) or `alias`.",
  { type: "string", enum: ["id", "tiny", "alias"], default: "id" },
);
const action = inPath(
  "action",
  "`acknowledge`, `unacknowledge`, `close` or `notes`.",
  "acknowledge",
);
const field = inPath("action", "`message`, `description` or `priority`.", "priority");
const genie = { tags: ["Receiver"], security: [{ genie_key: [] }], responses: alertResponses };

const alertBody = (example: Shape): Shape => ({
  content: json(
    {
      message: described("The title; required on create."),
      alias: described("The sender's identifier."),
      description: described("The description."),
      priority: described("The priority.", { enum: ["P1", "P2", "P3", "P4", "P5"] }),
      tags: { type: "array", items: text, description: "Tags." },
      note: described("The text of the note, for `notes`."),
      user: described("The name of the user."),
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
        "Opsgenie's Alert API, for senders that support only this format. The `GenieKey` is the integration's `intake_key`.",
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
      description: "The alert is resolved, not deleted.",
      ...genie,
      parameters: [alias, identifierType],
    },
  },
  "/v2/alerts/{id}/{action}": {
    post: {
      operationId: "changeOpsgenieAlert",
      summary: "Acknowledge, unacknowledge, close or annotate an Opsgenie alert",
      description: "Other actions of Opsgenie's API are accepted and change nothing.",
      ...genie,
      parameters: [alias, action, identifierType],
      requestBody: alertBody({ user: "monitoring", note: "The failover is under way." }),
    },
    put: {
      operationId: "updateOpsgenieAlert",
      summary: "Update an Opsgenie alert",
      description: "Changes the field that the path names. A higher priority notifies again.",
      ...genie,
      parameters: [alias, field, identifierType],
      requestBody: alertBody({ priority: "P1" }),
    },
  },
  ...opsgenieReads.paths,
};
