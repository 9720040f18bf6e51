// Writes responses in Opsgenie's format: every body has `took` and `requestId`, an error has
// `message` and sometimes `errors` by field. Its clients also read the id from the header
// X-Request-Id.
import type { Context } from "hono";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Environment } from "../../../kernel/http/serve.ts";

type ResponseParts = {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The key in `Authorization: GenieKey <key>`; empty if there is none. */
export function genieKeyOf({ req }: Context<Environment>): string {
  return /^GenieKey\s+(\S+)\s*$/i.exec(req.header("authorization") ?? "")?.[1] ?? "";
}

/** Builds a response; `started` is when the request arrived (epoch ms). */
export function opsgenieResponse(
  context: Context<Environment>,
  started: number,
  { status, body, headers = {} }: ResponseParts,
): Response {
  const took = (Date.now() - started) / 1_000;
  const requestId = context.get("requestId");
  return Response.json(
    { ...body, took, requestId },
    {
      status,
      headers: { "X-RateLimit-State": "OK", "X-Response-Time": String(took), ...headers },
    },
  );
}

/** An error without `errors` by field. */
export const opsgenieError = (status: number, message: string): ResponseParts => ({
  status,
  body: { message },
});

/** Maps a refusal to that API's status and message. */
export function opsgenieRefusal(refusal: Refusal): ResponseParts {
  switch (refusal.reason) {
    case "not_found":
    case "unauthenticated":
      return opsgenieError(401, "Could not authenticate");
    case "not_supported":
      return opsgenieError(403, "The integration is disabled");
    case "too_many":
    case "overloaded": {
      const message = "You are making too many requests! Please slow down.";
      const headers = { "X-RateLimit-State": "THROTTLED", "Retry-After": "10" };
      return { status: 429, body: { message }, headers };
    }
    case "unavailable":
      return {
        ...opsgenieError(503, "The request could not be taken now. Please try again."),
        headers: { "Retry-After": "5" },
      };
    case "too_large":
      return opsgenieError(413, "The request is too large.");
    case "malformed":
    case "unsupported_media":
      return opsgenieError(400, "The request body could not be read.");
    default: {
      const errors = Object.fromEntries(
        refusal.errors.map(({ field, message }) => [field ?? "body", message]),
      );
      const message = "Request body is not processable. Please check the errors.";
      return { status: 422, body: { message, errors } };
    }
  }
}
