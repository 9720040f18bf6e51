// Expected refusals: values, never exceptions. `src/kernel/http/answers.ts` maps them to HTTP responses.
import type { RecordKind } from "./identifiers.ts";

/** An error in one parameter; `field` is its name as the caller wrote it. */
export type FieldError = { readonly message: string; readonly field?: string };

export type RefusalReason =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "not_supported"
  | "conflict"
  | "too_large"
  | "unsupported_media"
  | "invalid"
  | "too_many"
  /** The service has too much to do; not the caller's fault. */
  | "overloaded"
  | "unavailable";

export type Refusal = {
  readonly kind: "refusal";
  readonly reason: RefusalReason;
  readonly errors: readonly FieldError[];
  /** For `not_supported`: the supported methods. */
  readonly allow?: string;
  /** For `too_many`: seconds until a retry is allowed, if known. */
  readonly retryAfter?: number;
  /** Where the caller has done the same before: what channels say to confirm it, without a full stop. */
  readonly done?: string;
};

/** A refusal with one message. */
export function refuse(reason: RefusalReason, message: string, field?: string): Refusal {
  return { kind: "refusal", reason, errors: [field ? { message, field } : { message }] };
}

/** The 404 of a record that is not in the caller's account; it may exist in another. */
export function notFound(kind: RecordKind): Refusal {
  return refuse("not_found", `no such ${kind.replaceAll("_", " ")}`);
}

/** A refusal that lists every invalid parameter. */
export function refuseFields(errors: readonly FieldError[]): Refusal {
  return { kind: "refusal", reason: "invalid", errors };
}

/** Whether a value is a refusal. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "refusal";
}

/** The state machine outcome that carries a refusal. */
export function refused(refusal: Refusal) {
  return { kind: "refused", refusal } as const;
}
