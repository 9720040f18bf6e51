// The endpoints for monitors, outside the versioned API.
import { WORK } from "../../domain/shared/daily-limits.ts";
import { headersNamed, referencesTo } from "../errors.ts";
import { OPERATION_DESCRIPTIONS } from "../operation-words.ts";
import { type Shape, text } from "../schemas/json-schema.ts";

const health: Shape = {
  type: "object",
  required: ["status", "version"],
  properties: {
    status: {
      ...text,
      enum: ["ok", "limited"],
      description:
        "`limited` on Cloudflare's free plan while a daily limit is used up, otherwise `ok`.",
    },
    version: { ...text, description: "The id of the deployed version; empty locally." },
    daily_limits: {
      type: "object",
      description: "On Cloudflare's free plan alone: how much of a day's limits is used.",
      required: ["nearest", "used_percent", "used_up", "paused", "resets_at"],
      properties: {
        nearest: { ...text, description: "The limit that ends first, such as `D1 rows written`." },
        used_percent: { type: "integer", description: "How much of it is used, as estimated." },
        used_up: {
          type: "array",
          items: text,
          description: "The limits of which Cloudflare has refused more today.",
        },
        paused: {
          type: "array",
          items: { ...text, enum: WORK },
          description: "What yields to pages until the limits begin anew.",
        },
        resets_at: { ...text, format: "date-time", description: "When they do." },
      },
    },
  },
};

const check: Shape = { ...text, enum: ["ok", "failed"] };

const readiness: Shape = {
  type: "object",
  required: ["status", "checks"],
  properties: {
    status: { ...text, enum: ["ready", "not_ready"], description: "`ready` if all checks are ok." },
    checks: {
      type: "object",
      required: ["database", "queue", "object"],
      properties: {
        database: { ...check, description: "Whether the database answers within five seconds." },
        queue: { ...check, description: "Whether a message arrives within eight seconds." },
        object: { ...check, description: "Whether a Durable Object answers." },
      },
    },
    deployment: {
      type: "object",
      description: "With `details`: the state of the deployment.",
    },
  },
};

const details: Shape = {
  name: "details",
  in: "query",
  required: false,
  description:
    "Adds `deployment`, the state of the deployment as `GET /api/v4/deployment` shows it, with the records of all accounts by their identifiers: for who has the `METRICS_TOKEN`; 404 if there is none.",
  schema: text,
};

const readinessAnswer = (description: string, example: unknown): Shape => ({
  description,
  headers: headersNamed(["X-Request-Id"]),
  content: { "application/json": { schema: readiness, example } },
});

const METRICS_EXAMPLE = `# HELP tocsin_open_alerts_without_timer Open alerts without a next step; must be 0.
# TYPE tocsin_open_alerts_without_timer gauge
tocsin_open_alerts_without_timer 0
`;

export const healthPaths: Shape = {
  "/ready": {
    get: {
      operationId: "readReadiness",
      summary: "Check that the service can page",
      description: OPERATION_DESCRIPTIONS.readReadiness,
      tags: ["Health"],
      security: [{}, { metrics_token: [] }],
      parameters: [details],
      responses: {
        200: readinessAnswer("Everything answers.", {
          status: "ready",
          checks: { database: "ok", queue: "ok", object: "ok" },
        }),
        503: readinessAnswer("Something does not answer.", {
          status: "not_ready",
          checks: { database: "failed", queue: "ok", object: "ok" },
        }),
        ...referencesTo(["unauthenticated", "not_found"]),
      },
    },
  },
  "/metrics": {
    get: {
      operationId: "readMetrics",
      summary: "Read the metrics of the deployment",
      description: OPERATION_DESCRIPTIONS.readMetrics,
      tags: ["Health"],
      security: [{ metrics_token: [] }],
      parameters: [],
      responses: {
        200: {
          description: "All metrics.",
          headers: headersNamed(["X-Request-Id"]),
          content: { "text/plain": { schema: { ...text }, example: METRICS_EXAMPLE } },
        },
        ...referencesTo(["unauthenticated", "not_found"]),
      },
    },
  },
  "/health": {
    get: {
      operationId: "readHealth",
      summary: "Check that the worker answers",
      description: OPERATION_DESCRIPTIONS.readHealth,
      tags: ["Health"],
      security: [],
      parameters: [],
      responses: {
        200: {
          description: "The worker runs.",
          headers: headersNamed(["X-Request-Id"]),
          content: {
            "application/json": {
              schema: health,
              example: { status: "ok", version: "5b609012-c923-4e31-a711-6548034e0ea7" },
            },
          },
        },
      },
    },
  },
};
