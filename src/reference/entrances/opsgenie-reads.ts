// The reference of the read operations of Opsgenie's API, and of its heartbeats.

import type { Shape } from "../schemas/json-schema.ts";
import { answer, described, inQuery, json, text } from "./drop-in-shapes.ts";

const TOOK = { took: 0.004, requestId: "b9d9e9a0-5a6c-4a53-9c8d-0d7f4f1f3f10" };

const ALERT = {
  id: "01J9ZK4Q5N8Y7V3T2R1P0M6H5G",
  tinyId: "62526951982561187",
  alias: "db-1",
  message: "Disk full on db-1",
  status: "open",
  acknowledged: false,
  count: 1,
  priority: "P1",
  tags: ["db"],
  createdAt: "2026-01-31T09:30:00.000Z",
};

const REQUEST = {
  success: true,
  isSuccess: true,
  action: "Create",
  status: "Created alert",
  processedAt: "2026-01-31T09:30:00.000Z",
  integrationId: "01J9ZK4Q5N8Y7V3T2R1P0M6H5F",
  alertId: ALERT.id,
  alias: ALERT.alias,
};

const HEARTBEAT = {
  name: "Nightly backup",
  interval: 60,
  intervalUnit: "minutes",
  enabled: true,
  expired: false,
};

const body = (data: Shape, example: Shape): Shape =>
  json(
    {
      data,
      paging: { type: "object", description: "The URLs of the adjacent pages." },
      result: described("The result."),
      message: described("The error."),
      errors: { type: "object", description: "The errors by parameter." },
      took: { type: "number", description: "Seconds." },
      requestId: described("The request's id."),
    },
    { ...example, ...TOOK },
  );

const one = (description: string): Shape => ({ type: "object", description });
const NO_DATA = one("Nothing.");
const error = (description: string, message: string, more: Shape = {}): Shape =>
  answer(description, body(NO_DATA, { message, ...more }));

const errors: Shape = {
  401: error("The key is invalid.", "Could not authenticate"),
  403: error("The integration is disabled.", "The integration is disabled"),
  429: error("Too many requests.", "You are making too many requests! Please slow down."),
  503: error("Temporarily unavailable.", "The request could not be taken now. Please try again."),
};

const missing = (message: string): Shape => ({ 404: error("Not found.", message) });

const invalid: Shape = {
  422: error("A parameter is invalid.", "Request parameters are not processable.", {
    errors: { limit: "must be between 1 and 100" },
  }),
};

const genie = { tags: ["Receiver"], security: [{ genie_key: [] }] };

const named = (name: string, description: string, example: string): Shape => ({
  name,
  in: "path",
  required: true,
  description,
  schema: text,
  example,
});

const query = inQuery(
  "query",
  "Words, `field: value`, `field < value`, parentheses, `AND`, `OR`, `NOT`. Fields: id, tinyId, alias, message, " +
    "description, status (open, closed, acked), acknowledged, isSeen, snoozed, priority, tag, count, createdAt, updatedAt, " +
    "lastOccurredAt.",
);

const type = inQuery(
  "identifierType",
  "The type of the identifier in the path: `id` (the default; also the id of the request that created the alert), `tiny` or `alias`.",
  { type: "string", enum: ["id", "tiny", "alias"], default: "id" },
);

const heartbeatName = named("name", "The heartbeat integration's name.", HEARTBEAT.name);
const unknownHeartbeat = missing("Heartbeat does not exist.");

const ping = (method: string): Shape => ({
  operationId: `${method}OpsgenieHeartbeatPing`,
  summary: "Ping a heartbeat",
  description:
    "A heartbeat is an integration of type `heartbeat` with this name. All its destinations must be destinations of the " +
    "key's integration.",
  ...genie,
  parameters: [heartbeatName],
  responses: {
    202: answer(
      "The heartbeat is accepted.",
      body(NO_DATA, { result: "PONG - Heartbeat received" }),
    ),
    ...errors,
    ...unknownHeartbeat,
  },
});

/** The read operations, by path and method. */
export const opsgenieReads = {
  list: {
    operationId: "listOpsgenieAlerts",
    summary: "List Opsgenie alerts",
    description: "The alerts of the key's integration, without their descriptions.",
    ...genie,
    parameters: [
      query,
      inQuery("sort", "createdAt (the default), updatedAt, tinyId, alias, message, status, …"),
      inQuery("order", "asc or desc.", { type: "string", enum: ["asc", "desc"], default: "desc" }),
      inQuery("limit", "1 to 100.", { type: "integer", minimum: 1, maximum: 100, default: 20 }),
      inQuery("offset", "The number of alerts to skip.", {
        type: "integer",
        minimum: 0,
        maximum: 20_000,
      }),
    ],
    responses: {
      200: answer(
        "The alerts.",
        body(
          { type: "array", items: one("An alert."), description: "The alerts." },
          { data: [ALERT], paging: {} },
        ),
      ),
      ...errors,
      ...invalid,
    },
  },
  alert: {
    operationId: "getOpsgenieAlert",
    summary: "Get an Opsgenie alert",
    description: "An alert of the key's integration.",
    ...genie,
    parameters: [
      named("id", "The alert's identifier, of the type in `identifierType`.", ALERT.alias),
      type,
    ],
    responses: {
      200: answer(
        "The alert.",
        body(one("The alert."), {
          data: { ...ALERT, description: "97 %", entity: "db-1", details: { region: "eu" } },
        }),
      ),
      ...errors,
      ...missing("Alert does not exist."),
    },
  },
  paths: {
    "/v2/alerts/count": {
      get: {
        operationId: "countOpsgenieAlerts",
        summary: "Count Opsgenie alerts",
        description: "The number of alerts of the integration that match a search.",
        ...genie,
        parameters: [query],
        responses: {
          200: answer("The count.", body(one("`count`."), { data: { count: 7 } })),
          ...errors,
          ...invalid,
        },
      },
    },
    "/v2/alerts/requests/{id}": {
      get: {
        operationId: "getOpsgenieRequest",
        summary: "Get the status of an Opsgenie request",
        description:
          "Whether the request with this `requestId` succeeded, and its alert. Waits for a request that is still being " +
          "processed; 404 (with `X-Opsgenie-Errortype: RequestNotProcessed`) means to try again.",
        ...genie,
        parameters: [named("id", "The `requestId`.", TOOK.requestId)],
        responses: {
          200: answer("The status.", body(one("The outcome."), { data: REQUEST })),
          ...errors,
          ...missing("Request not found. It might not be processed, yet."),
        },
      },
    },
    "/v2/heartbeats": {
      get: {
        operationId: "listOpsgenieHeartbeats",
        summary: "List heartbeats",
        description:
          "The heartbeats that the key can ping. No key can create, update or delete one (403).",
        ...genie,
        parameters: [],
        responses: {
          200: answer(
            "The heartbeats.",
            body(one("`heartbeats`."), { data: { heartbeats: [HEARTBEAT] } }),
          ),
          ...errors,
        },
      },
    },
    "/v2/heartbeats/{name}": {
      get: {
        operationId: "getOpsgenieHeartbeat",
        summary: "Get a heartbeat",
        description: "The interval, and whether the heartbeat is overdue.",
        ...genie,
        parameters: [heartbeatName],
        responses: {
          200: answer("The heartbeat.", body(one("The heartbeat."), { data: HEARTBEAT })),
          ...errors,
          ...unknownHeartbeat,
        },
      },
    },
    "/v2/heartbeats/{name}/ping": { get: ping("get"), post: ping("post"), put: ping("put") },
  },
} as const;
