// The error responses of operations: the reasons that follow from a route's declaration, and the
// response of each. Statuses and headers come from the same table that the API uses.
import type { RefusalReason } from "../domain/shared/refusal.ts";
import { errorBody, refusalHeaders, statusOf } from "../kernel/http/answers.ts";
import type { Route } from "../kernel/http/route.ts";
import { type Shape, text } from "./schemas/json-schema.ts";

type ReasonText = {
  readonly description: string;
  readonly message: string;
  readonly field?: string;
};

const REASONS: Readonly<Record<RefusalReason, ReasonText>> = {
  malformed: {
    description:
      "The body is not a JSON object, or `ops` or a timestamp in the query is malformed.",
    message: "the body is not valid JSON",
  },
  unauthenticated: {
    description: "The API key is missing, invalid or revoked.",
    message: "send an API key as Authorization: Bearer <key>",
  },
  forbidden: {
    description: "The key is read-only, or its user lacks the role.",
    message: "this needs the role admin",
  },
  not_found: {
    description: "No such record in the key's account.",
    message: "no such alert",
  },
  not_supported: {
    description: "Not supported; `Allow` names what is.",
    message: "users are not deleted; remove them from the account with DELETE /account_users/:id",
  },
  conflict: {
    description:
      "The current state does not allow the request; the message names the conflict. Also: other requests changed the record at the same time, or the `Idempotency-Key` was used with another request.",
    message: "an alert that is resolved cannot be acknowledged",
  },
  too_large: {
    description: "The decompressed body is larger than 1 MiB.",
    message: "the body is larger than 1048576 bytes",
  },
  unsupported_media: {
    description: "The body is neither JSON nor a form, or its content encoding is not supported.",
    message: "content type text/xml is not supported; use JSON",
  },
  invalid: {
    description:
      "Parameters are missing or invalid. The response lists all of them, each with its `field`.",
    message: "title can't be blank",
    field: "title",
  },
  too_many: {
    description: "Over the rate limit; try again after `Retry-After` seconds.",
    message: "too many requests; slow down",
  },
  overloaded: {
    description:
      "Too many events at once, or a dependency is unavailable: nothing was accepted; send it again after `Retry-After` seconds.",
    message: "too many events at once; send it again",
  },
  unavailable: {
    description: "A dependency is unavailable and nothing was changed; try again.",
    message: "the database cannot be reached; nothing was changed",
  },
};

const UNEXPECTED: ReasonText = {
  description: "Internal error.",
  message: "internal error; include the request id when you report it",
};

const EXAMPLE_REQUEST_ID = "0d8e4f6a-52b3-4c51-9f0e-6a7c3b2d1e90";

/** `too_large` → `TooLarge`. */
const responseName = (reason: string) =>
  reason
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function response(status: number, described: ReasonText, headerNames: readonly string[]): Shape {
  const { description, message, field } = described;
  const example = errorBody(status, [field ? { message, field } : { message }], EXAMPLE_REQUEST_ID);
  return {
    description,
    headers: headersNamed(["X-Request-Id", ...headerNames]),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, example } },
  };
}

export const headersNamed = (names: readonly string[]): Shape =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The response of every refusal, by name. */
export function errorResponses(): Shape {
  const refusals = Object.entries(REASONS).map(([key, described]) => {
    const reason = key as RefusalReason;
    const headers = refusalHeaders({ kind: "refusal", reason, errors: [], allow: "GET" });
    const names = Object.keys(headers).filter((name) => name !== "Allow");
    if (reason === "not_supported") names.push("Allow");
    return [responseName(reason), response(statusOf(reason), described, names)];
  });
  return Object.fromEntries([...refusals, ["Unexpected", response(500, UNEXPECTED, [])]]);
}

/** References to the responses of these refusals and of 500, by status. */
export function referencesTo(reasons: Iterable<RefusalReason>): Shape {
  const all = [...reasons].map((reason) => [String(statusOf(reason)), responseName(reason)]);
  return Object.fromEntries(
    [...all, ["500", "Unexpected"]].map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  );
}

/** Every reason for which a route can refuse a request. */
export function reasonsOf(route: Route): ReadonlySet<RefusalReason> {
  const { method, path, body, shows, query } = route;
  const isList = shows.kind === "list" || shows.kind === "list_of" || query !== undefined;
  const writes = method !== "GET";
  const reasons: (RefusalReason | false)[] = [
    "unauthenticated",
    "too_many",
    "unavailable",
    (writes || route.allow !== "everyone") && "forbidden",
    path.includes(":") && "not_found",
    (isList || body !== undefined) && "malformed",
    // Of a write: `preview`.
    (isList || writes) && "invalid",
    body !== undefined && "too_large",
    body !== undefined && "unsupported_media",
    takesIdempotencyKey(route) && "conflict",
    (method === "PUT" || method === "PATCH") && "conflict",
    ...(route.refuses ?? []),
  ];
  return new Set(reasons.filter((reason) => reason !== false));
}

export const takesIdempotencyKey = ({ method, keepsNoAnswer }: Route): boolean =>
  method === "POST" && !keepsNoAnswer;

/** The headers of responses. */
export const HEADERS: Shape = {
  "X-Request-Id": {
    description: "The request's identifier. Include it when you report a problem.",
    required: true,
    schema: text,
    example: EXAMPLE_REQUEST_ID,
  },
  "X-D1-Bookmark": {
    description:
      "Send it with a later request to read your own writes: that request then uses a replica with at least this state.",
    schema: text,
    example: "00000001-0000000a-00004e8f-9c1c0b7f0c1f6c8e1f3d0a6b5c4d3e2f",
  },
  "Idempotent-Replayed": {
    description:
      "`true` if this is the stored response of the first request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  "Retry-After": {
    description: "Seconds to wait before another attempt.",
    required: true,
    schema: { type: "integer" },
    example: 10,
  },
  "WWW-Authenticate": {
    description: "The authentication scheme.",
    required: true,
    schema: text,
    example: "Bearer",
  },
  Allow: {
    description: "The methods that are supported, if any.",
    schema: text,
    example: "GET, PUT, PATCH",
  },
};
