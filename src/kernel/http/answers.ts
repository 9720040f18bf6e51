// Maps results to HTTP responses (contract 1, Errors). Every response has a request id; every error
// has the same shape.
import { isRefusal, type Refusal, type RefusalReason } from "../../domain/shared/refusal.ts";

const STATUS: Record<RefusalReason, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  not_supported: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  invalid: 422,
  too_many: 429,
  overloaded: 503,
  unavailable: 503,
};

/** Default `Retry-After` in seconds. */
const RETRY_AFTER: Partial<Record<RefusalReason, number>> = {
  too_many: 10,
  overloaded: 10,
  unavailable: 5,
};

export type Answer =
  | { readonly kind: "record"; readonly status: 200 | 201; readonly record: unknown }
  | { readonly kind: "list"; readonly list: ListAnswer }
  | { readonly kind: "bare"; readonly body: readonly unknown[] }
  | { readonly kind: "file"; readonly name: string; readonly type: string; readonly text: string }
  | { readonly kind: "nothing" }
  | Refusal;

/** The envelope of every list (contract 1, Lists). */
type ListAnswer = {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly total_count: number;
};

/** 201 with the record, or the refusal. */
export const created = (result: unknown): Answer =>
  isRefusal(result) ? result : { kind: "record", status: 201, record: result };
/** 200 with the record, or the refusal. */
export const found = (result: unknown): Answer =>
  isRefusal(result) ? result : { kind: "record", status: 200, record: result };
/** 204, or the refusal; null is none. */
export const deleted = (refusal: Refusal | null): Answer => refusal ?? nothing;
/** A list without an envelope, or the refusal. */
export const bare = <Item>(result: readonly Item[] | Refusal): Answer =>
  isRefusal(result) ? result : { kind: "bare", body: result };
/** A list with everything in it, whatever the `limit`; or the refusal. */
export const whole = <Item>(result: readonly Item[] | Refusal): Answer =>
  isRefusal(result)
    ? result
    : { kind: "list", list: { data: result, has_more: false, total_count: result.length } };
/** A CSV file to download, or the refusal. */
export const csvFile = (name: string, result: string | Refusal): Answer =>
  isRefusal(result)
    ? result
    : { kind: "file", name: `${name}.csv`, type: "text/csv; charset=utf-8", text: result };
/** A YAML file to download. */
export const yamlFile = (name: string, text: string): Answer => ({
  kind: "file",
  name: `${name}.yaml`,
  type: "application/yaml; charset=utf-8",
  text,
});
const nothing: Answer = { kind: "nothing" };

export function statusOf(reason: RefusalReason): number {
  return STATUS[reason];
}

/** The body of every error: all messages, the status code and the request id. */
export function errorBody(code: number, errors: Refusal["errors"], requestId: string) {
  return { errors, code, request_id: requestId };
}

/** The headers of a refusal. */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  const retryAfter = refusal.retryAfter ?? RETRY_AFTER[refusal.reason];
  if (retryAfter !== undefined) headers["Retry-After"] = String(retryAfter);
  if (refusal.reason === "unauthenticated") headers["WWW-Authenticate"] = "Bearer";
  if (refusal.allow !== undefined) headers.Allow = refusal.allow;
  return headers;
}

/** Converts an answer to a response. */
export function respond(answer: Answer, requestId: string): Response {
  switch (answer.kind) {
    case "record":
      return Response.json(answer.record, { status: answer.status });
    case "list":
      return Response.json(answer.list);
    case "bare":
      return Response.json(answer.body);
    case "file": {
      const disposition = `attachment; filename="${answer.name}"`;
      const headers = { "Content-Type": answer.type, "Content-Disposition": disposition };
      return new Response(answer.text, { headers });
    }
    case "nothing":
      return new Response(null, { status: 204 });
    case "refusal": {
      const status = STATUS[answer.reason];
      return Response.json(errorBody(status, answer.errors, requestId), {
        status,
        headers: refusalHeaders(answer),
      });
    }
  }
}
