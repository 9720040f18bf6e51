// The endpoints that imitate another service's, for senders that can be told another address but no other format:
// outside the versioned API, with that service's answers and error bodies.
import type { Shape } from "../db/shape.ts";
import { headersNamed } from "./errors.ts";

const text: Shape = { type: "string" };
const described = (description: string, more: Shape = {}): Shape => ({
  ...text,
  ...more,
  description,
});

const json = (properties: Readonly<Record<string, Shape>>, example: Shape): Shape => ({
  "application/json": { schema: { type: "object", properties }, example },
});

const answer = (description: string, content: Shape): Shape => ({
  description,
  headers: headersNamed(["X-Request-Id"]),
  content,
});

const KEY = "9f2c41d07ab35e6810c4d2f3a5b6e718";

// ── PagerDuty Events API v2 ──

const eventAnswer = (status: string, message: string, more: Shape = {}) =>
  json(
    {
      status: described("What became of it."),
      message: described("The same in words."),
      dedup_key: described("By this later events find the alert."),
      errors: { type: "array", items: text, description: "What is wrong." },
    },
    { status, message, ...more },
  );

const eventResponses = (message: string): Shape => {
  const errors = ["'routing_key' is invalid"];
  const invalid = eventAnswer("invalid event", "Event object is invalid", { errors });
  return {
    202: answer("The event is safe.", eventAnswer("success", message, { dedup_key: "db-1" })),
    400: answer("The event, or its key, is at fault.", invalid),
    413: answer("Larger than 1 MiB.", eventAnswer("invalid event", "Too large")),
    429: answer("Too many.", eventAnswer("throttle exceeded", "Please retry later.")),
    503: answer("Not now.", eventAnswer("unavailable", "Please retry later.")),
  };
};

const eventBody = (event: Shape): Shape => ({
  required: true,
  content: json(
    {
      routing_key: described("The integration's `intake_key`."),
      event_action: described("What happened.", { enum: ["trigger", "acknowledge", "resolve"] }),
      dedup_key: described("What the sender calls it."),
      payload: { type: "object", description: "`summary`, `source`, `severity` and more." },
    },
    { routing_key: KEY, ...event },
  ),
});

const shared = { tags: ["Receiver"], parameters: [] };

// ── Opsgenie Alert API ──

const alertAnswer = (description: string, example: Shape): Shape =>
  answer(
    description,
    json(
      {
        result: described("What will be done."),
        message: described("What is wrong."),
        errors: { type: "object", description: "What is wrong, by field." },
        took: { type: "number", description: "Seconds." },
        requestId: described("The request's id."),
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

const part = (name: string, description: string, example: string): Shape => ({
  name,
  in: "path",
  required: true,
  description,
  schema: text,
  example,
});

const alias = part("id", "The alert's alias (with `identifierType=alias`).", "db-1");
const action = part("action", "`acknowledge`, `close` or `notes`.", "acknowledge");
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

// ── VictorOps REST endpoint ──

const entityAnswer = (description: string, example: Shape): Shape =>
  answer(
    description,
    json(
      {
        result: described("`success` or `failure`."),
        entity_id: described("By this later messages find the alert."),
        message: described("What is wrong."),
      },
      example,
    ),
  );

const refusedEntity = (description: string, message: string): Shape =>
  entityAnswer(description, { result: "failure", message });

const entityResponses: Shape = {
  200: entityAnswer("The alert is safe.", { result: "success", entity_id: "db-1/disk" }),
  400: refusedEntity("The body is at fault.", "the body is not a JSON object"),
  403: refusedEntity("The integration is disabled.", "the integration is disabled"),
  404: refusedEntity("The key is wrong.", "the key in the address is not valid"),
  413: refusedEntity("Larger than 1 MiB.", "the body is too large"),
  429: refusedEntity("Too many.", "too many requests; retry later"),
  503: refusedEntity("Not now.", "the alert cannot be accepted now; retry later"),
};

const entityBody: Shape = {
  required: true,
  content: json(
    {
      message_type: described("What happened.", {
        enum: ["CRITICAL", "WARNING", "INFO", "ACKNOWLEDGEMENT", "RECOVERY"],
      }),
      entity_id: described("What the sender calls it."),
      entity_display_name: described("The title."),
      state_message: described("A longer text."),
      monitoring_tool: described("The sender."),
    },
    {
      message_type: "CRITICAL",
      entity_id: "db-1/disk",
      entity_display_name: "Disk full on db-1",
      state_message: "/var is 99 % full",
    },
  ),
};

export const dropInPaths: Shape = {
  "/integrations/generic/20131114/alert/{key}/{routing_key}": {
    post: {
      operationId: "sendVictorOpsAlert",
      summary: "Send a VictorOps alert",
      description:
        "VictorOps' (Splunk On-Call's) REST endpoint, for senders that speak only that. `INFO` opens no alert.",
      tags: ["Receiver"],
      security: [{}],
      parameters: [
        part("key", "The integration's `intake_key`.", KEY),
        part("routing_key", "Any word: the integration says where its alerts go.", "everyone"),
      ],
      requestBody: entityBody,
      responses: entityResponses,
    },
  },
  "/v2/enqueue": {
    post: {
      operationId: "enqueueEvent",
      summary: "Send a PagerDuty event",
      description:
        "The PagerDuty Events API v2, for senders that speak only that; `routing_key` is the integration's `intake_key`.",
      ...shared,
      security: [{}],
      requestBody: eventBody({
        event_action: "trigger",
        dedup_key: "db-1",
        payload: { summary: "Disk full on db-1", source: "db-1", severity: "critical" },
      }),
      responses: eventResponses("Event processed"),
    },
  },
  "/v2/change/enqueue": {
    post: {
      operationId: "enqueueChangeEvent",
      summary: "Send a PagerDuty change event",
      description: "Accepted and logged; it opens no alert.",
      ...shared,
      security: [{}],
      requestBody: eventBody({ payload: { summary: "Build 42 deployed" } }),
      responses: eventResponses("Change event processed"),
    },
  },
  "/v2/alerts": {
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
    delete: {
      operationId: "deleteOpsgenieAlert",
      summary: "Resolve an Opsgenie alert",
      description: "Nothing is deleted: the alert is resolved.",
      ...genie,
      parameters: [alias],
    },
  },
  "/v2/alerts/{id}/{action}": {
    post: {
      operationId: "changeOpsgenieAlert",
      summary: "Acknowledge, close or note an Opsgenie alert",
      description: "Anything else that API can do to an alert is accepted and changes nothing.",
      ...genie,
      parameters: [alias, action],
      requestBody: alertBody({ user: "monitoring", note: "The failover is under way." }),
    },
  },
};
