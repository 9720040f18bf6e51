// An operation of a callback of an app in a chat product, outside the versioned API; 404 unless the path
// names an enabled integration with a secret that verifies it.
import { examplePrefixId } from "../../kernel/contract/examples.ts";
import { headersNamed, referencesTo } from "../errors.ts";
import { type Shape, text } from "../schemas/json-schema.ts";

const REASONS = [
  "malformed",
  "forbidden",
  "not_found",
  "too_large",
  "unsupported_media",
  "too_many",
  "unavailable",
] as const;

export const headers = headersNamed(["X-Request-Id"]);

const integration: Shape = {
  name: "integration",
  in: "path",
  required: true,
  description: "The `prefix_id` of the integration.",
  schema: text,
  example: examplePrefixId("integration"),
};

/** A property of a body. */
export const field = (description: string): Shape => ({ type: "string", description });

/** The body of a form. */
export const form = (properties: Readonly<Record<string, Shape>>, example: Shape): Shape => ({
  required: true,
  content: {
    "application/x-www-form-urlencoded": { schema: { type: "object", properties }, example },
  },
});

/** A response in JSON. */
export const answers = (description: string, example: Shape): Shape => ({
  description,
  headers,
  content: {
    "application/json": { schema: { type: "object", additionalProperties: true }, example },
  },
});

type Callback = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestBody: Shape;
  readonly response: Shape;
};

/**
 * The operation of a callback.
 *
 * @param security what signs its requests; none: what is in the body
 * @param more refusals beside those of all callbacks
 */
export const post = (
  { response, ...operation }: Callback,
  security: readonly Shape[],
  more: readonly "unauthenticated"[] = [],
): Shape => ({
  post: {
    ...operation,
    tags: ["Callbacks"],
    security,
    parameters: [integration],
    responses: { 200: response, ...referencesTo([...REASONS, ...more]) },
  },
});
