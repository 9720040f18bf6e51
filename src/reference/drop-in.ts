// The endpoints that imitate another service's, for senders that can be told another address but no other format:
// outside the versioned API, with that service's answers and error bodies.
import { answer, described, inPath, json, text } from "./drop-in-shapes.ts";
import type { Shape } from "./json-schema.ts";
import { opsgeniePaths } from "./opsgenie.ts";

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

// ── PagerDuty Events API v1 ──

const incidentAnswer = (status: string, message: string, more: Shape = {}) =>
  json(
    {
      status: described("What became of it."),
      message: described("The same in words."),
      incident_key: described("By this later events find the alert."),
      errors: { type: "array", items: text, description: "What is wrong." },
    },
    { status, message, ...more },
  );

const invalidIncident = incidentAnswer("invalid event", "Event object is invalid", {
  errors: ["'service_key' is invalid"],
});

const incidentPath: Shape = {
  post: {
    operationId: "createPagerDutyEvent",
    summary: "Send a PagerDuty event, version 1",
    description:
      "The PagerDuty Events API v1, for senders that speak only that (Healthchecks, ElastAlert 2); `service_key` is the " +
      "integration's `intake_key`. Without an `incident_key` one is made and answered.",
    ...shared,
    security: [{}],
    requestBody: {
      required: true,
      content: json(
        {
          service_key: described("The integration's `intake_key`."),
          event_type: described("What happened.", { enum: ["trigger", "acknowledge", "resolve"] }),
          incident_key: described("What the sender calls it; required unless it is a trigger."),
          description: described("The title; required for a trigger."),
          client: described("The sender's name."),
          client_url: described("The sender's page."),
          details: {
            type: ["object", "string"],
            description: "More, shown as lines of `key: value` in the alert's description.",
          },
          contexts: {
            type: "array",
            items: { type: "object" },
            description: "Links (`href`, `text`) and images (`src`, `alt`).",
          },
        },
        {
          service_key: KEY,
          event_type: "trigger",
          incident_key: "db-1",
          description: "Disk full on db-1",
          details: { use: "97 %" },
        },
      ),
    },
    responses: {
      200: answer(
        "The event is safe.",
        incidentAnswer("success", "Event processed", { incident_key: "db-1" }),
      ),
      400: answer("The event, or its key, is at fault.", invalidIncident),
      403: answer("Too many.", incidentAnswer("throttle exceeded", "Please retry later.")),
      413: answer("Larger than 1 MiB.", incidentAnswer("invalid event", "Too large")),
      503: answer("Not now.", incidentAnswer("unavailable", "Please retry later.")),
    },
  },
};

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
        inPath("key", "The integration's `intake_key`.", KEY),
        inPath("routing_key", "Any word: the integration says where its alerts go.", "everyone"),
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
      description:
        "It opens no alert and notifies nobody; the integration's log (`GET /logs?owner_id=…`) shows it as " +
        "`Change event:` and its summary.",
      ...shared,
      security: [{}],
      requestBody: eventBody({ payload: { summary: "Build 42 deployed" } }),
      responses: eventResponses("Change event processed"),
    },
  },
  "/generic/2010-04-15/create_event.json": incidentPath,
  ...opsgeniePaths,
};
