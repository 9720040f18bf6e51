// Schema helpers that the descriptions of the drop-in endpoints share.
import { headersNamed } from "../errors.ts";
import type { Shape } from "../schemas/json-schema.ts";

export const text: Shape = { type: "string" };

export const described = (description: string, more: Shape = {}): Shape => ({
  ...text,
  ...more,
  description,
});

export const json = (properties: Readonly<Record<string, Shape>>, example: Shape): Shape => ({
  "application/json": { schema: { type: "object", properties }, example },
});

export const answer = (description: string, content: Shape): Shape => ({
  description,
  headers: headersNamed(["X-Request-Id"]),
  content,
});

/** A parameter in the path. */
export const inPath = (name: string, description: string, example: string): Shape => ({
  name,
  in: "path",
  required: true,
  description,
  schema: text,
  example,
});

/** A parameter in the query. */
export const inQuery = (name: string, description: string, schema: Shape = text): Shape => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
});
