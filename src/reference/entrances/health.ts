// The endpoint for monitors, outside the versioned API.
import { headersNamed } from "../errors.ts";
import { type Shape, text } from "../schemas/json-schema.ts";
import { OPERATION_DESCRIPTIONS } from "../words/operations.ts";

const health: Shape = {
  type: "object",
  required: ["status", "version"],
  properties: {
    status: { ...text, const: "ok", description: "Always `ok`." },
    version: { ...text, description: "The id of the deployed version; empty locally." },
  },
};

export const healthPaths: Shape = {
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
