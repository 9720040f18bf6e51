// The drop-in endpoints: they emulate another service's API, with its responses and error bodies,
// for senders whose URL can be changed but not their format. Outside the versioned API.

import type { Shape } from "../schemas/json-schema.ts";
import { answer, described, inPath, json, text } from "./drop-in-shapes.ts";
import { opsgeniePaths } from "./opsgenie.ts";

const KEY = "3zjm07tb6nq1x9wdc4kavh2erg85spyf";

// ── PagerDuty Events API v2 ──

const eventAnswer = (status: string, message: string, more: Shape = {}) =>
  json(
    {
      status: described("The outcome."),
      message: described("A description of the outcome."),
      dedup_key: described("Identifies the alert in later events."),
      errors: { type: "array", items: text, description: "The errors." },
    },
    { status, message, ...more },
  );

const eventResponses = (message: string): Shape => {
  const errors = ["'routing_key' is invalid"];
  const invalid = eventAnswer("invalid event", "Event object is invalid", { errors });
  return {
    202: answer(
      "The event is accepted and stored.",
      eventAnswer("success", message, { dedup_key: "db-1" }),
    ),
    400: answer("The event or its key is invalid.", invalid),
    413: answer("The body is larger than 1 MiB.", eventAnswer("invalid event", "Too large")),
    429: answer("Too many requests.", eventAnswer("throttle exceeded", "Please retry later.")),
    503: answer("Temporarily unavailable.", eventAnswer("unavailable", "Please retry later.")),
  };
};

const eventBody = (event: Shape): Shape => ({
  required: true,
  content: json(
    {
      routing_key: described("The integration's `intake_key`."),
      event_action: described("The type of the event.", {
        enum: ["trigger", "acknowledge", "resolve"],
      }),
      dedup_key: described("The sender's identifier."),
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
      status: described("The outcome."),
      message: described("A description of the outcome."),
      incident_key: described("Identifies the alert in later events."),
      errors: { type: "array", items: text, description: "The errors." },
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
      "The PagerDuty Events API v1, for senders that support only this format (Healthchecks, ElastAlert 2). `service_key` is " +
      "the integration's `intake_key`. Without an `incident_key`, one is generated and returned.",
    ...shared,
    security: [{}],
    requestBody: {
      required: true,
      content: json(
        {
          service_key: described("The integration's `intake_key`."),
          event_type: described("The type of the event.", {
            enum: ["trigger", "acknowledge", "resolve"],
          }),
          incident_key: described("The sender's identifier; required except for a trigger."),
          description: described("The title; required for a trigger."),
          client: described("The sender's name."),
          client_url: described("The sender's page."),
          details: {
            type: ["object", "string"],
            description: "Details, shown as lines of `key: value` in the alert's description.",
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
        "The event is accepted and stored.",
        incidentAnswer("success", "Event processed", { incident_key: "db-1" }),
      ),
      400: answer("The event or its key is invalid.", invalidIncident),
      403: answer("Too many requests.", incidentAnswer("throttle exceeded", "Please retry later.")),
      413: answer("The body is larger than 1 MiB.", incidentAnswer("invalid event", "Too large")),
      503: answer("Temporarily unavailable.", incidentAnswer("unavailable", "Please retry later.")),
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
        entity_id: described("Identifies the alert in later messages."),
        message: described("The errors."),
      },
      example,
    ),
  );

const entityError = (description: string, message: string): Shape =>
  entityAnswer(description, { result: "failure", message });

const entityResponses: Shape = {
  200: entityAnswer("The alert is accepted and stored.", {
    result: "success",
    entity_id: "db-1/disk",
  }),
  400: entityError("The body is invalid.", "the body is not a JSON object"),
  403: entityError("The integration is disabled.", "the integration is disabled"),
  404: entityError("The key is wrong.", "the key in the address is not valid"),
  413: entityError("The body is larger than 1 MiB.", "the body is too large"),
  429: entityError("Too many requests.", "too many requests; retry later"),
  503: entityError("Temporarily unavailable.", "the alert cannot be accepted now; retry later"),
};

const entityBody: Shape = {
  required: true,
  content: json(
    {
      message_type: described("The type of the event.", {
        enum: ["CRITICAL", "WARNING", "INFO", "ACKNOWLEDGEMENT", "RECOVERY"],
      }),
      entity_id: described("The sender's identifier."),
      entity_display_name: described("The title."),
      state_message: described("The description."),
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
        "The REST endpoint of VictorOps (Splunk On-Call), for senders that support only this format. `INFO` opens no alert.",
      tags: ["Receiver"],
      security: [{}],
      parameters: [
        inPath("key", "The integration's `intake_key`.", KEY),
        inPath(
          "routing_key",
          "Any value: the integration decides the destinations of its alerts.",
          "everyone",
        ),
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
        "The PagerDuty Events API v2, for senders that support only this format. `routing_key` is the integration's `intake_key`.",
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
        "Opens no alert and notifies nobody. The integration's log (`GET /logs?owner_id=…`) shows it as " +
        "`Change event:` with its summary.",
      ...shared,
      security: [{}],
      requestBody: eventBody({ payload: { summary: "Build 42 deployed" } }),
      responses: eventResponses("Change event processed"),
    },
  },
  "/generic/2010-04-15/create_event.json": incidentPath,
  ...opsgeniePaths,
};
