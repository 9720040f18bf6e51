// Expected refusals: values, never exceptions. What each becomes on the wire is decided in one table,
// `src/http/answers.ts`.

/** What is wrong with one parameter; `field` is its name as the caller wrote it. */
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
  | "unavailable";

export type Refusal = {
  readonly kind: "refusal";
  readonly reason: RefusalReason;
  readonly errors: readonly FieldError[];
  /** For `not_supported`: the methods that are. */
  readonly allow?: string;
  /** For `too_many`: seconds after which it may be tried again, where that is known. */
  readonly retryAfter?: number;
};

/** A refusal with one message. */
export function refuse(reason: RefusalReason, message: string, field?: string): Refusal {
  return { kind: "refusal", reason, errors: [field ? { message, field } : { message }] };
}

/** A refusal that names every parameter at fault. */
export function refuseFields(errors: readonly FieldError[]): Refusal {
  return { kind: "refusal", reason: "invalid", errors };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "refusal";
}

/** A state machine's "no": the outcome that carries a refusal. */
export function refused(refusal: Refusal) {
  return { kind: "refused", refusal } as const;
}
