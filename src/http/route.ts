// What a route is, and what its handler is given. Every endpoint of the API is one `Route` in a plain list, so
// that the running application can be enumerated: by the reference, by the isolation test, by the roles.
import type { SQL } from "drizzle-orm";
import type * as z from "zod";
import type { QueryName } from "../contract/queries.ts";
import type { Connection } from "../db/database.ts";
import type { Records } from "../db/records.ts";
import type { Refusal, RefusalReason } from "../domain/refusal.ts";
import type { Actor } from "./actor.ts";
import type { Answer } from "./answers.ts";
import type { Shown } from "./shown.ts";
import type { FurtherChecks } from "./well-formed.ts";

/**
 * Who may call a route (`contract.md` 1, Roles). `team_admin` routes let an account's admins through, and others
 * if `administers` says that they administer every team concerned.
 */
export type Allow = "everyone" | "admin" | "broadcaster" | "team_admin";

/** One request, read and authenticated. */
export type ApiRequest<Body = unknown> = {
  readonly env: Cloudflare.Env;
  /** D1, through this request's session. */
  readonly db: Connection;
  readonly actor: Actor;
  /** Epoch ms at which the request arrived. */
  readonly now: number;
  readonly requestId: string;
  /** The id for the record that a create makes: the same again when a request with a key is retried. */
  readonly recordId: string;
  /** Scheme and host that the caller reached us by. */
  readonly origin: string;
  /** The longest page of a list that the caller may ask for. */
  readonly longestPage: number;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The allowed parameters, checked; `{}` for routes without a body. */
  readonly body: Body;
  /**
   * Goes first in every batch of writes of a `team_admin` route: fails the batch when the caller's teams no longer
   * allow the request. Empty for account admins.
   */
  readonly stillAllowed: readonly SQL[];
  /** Lets work outlive the answer. */
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/** A kind of record, the same for every caller or as the caller may see it. */
export type RecordsFor = Records | ((request: ApiRequest<unknown>) => Records);

/** The records as this request's caller may see them. */
export function recordsFor(records: RecordsFor, request: ApiRequest<unknown>): Records {
  return typeof records === "function" ? records(request) : records;
}

export type Route<Schema extends z.ZodType = z.ZodType> = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api/v4`. */
  readonly path: string;
  /** The operation's name in the reference. */
  readonly operation: string;
  /** What it does, in a few words; the reference's headline. */
  readonly summary: string;
  /** What a caller has to know beyond that, as Markdown. */
  readonly description?: string;
  /** What it answers when it is not refused. */
  readonly shows: Shown;
  /** Its query parameters; lists have theirs from the attributes. */
  readonly query?: QueryName;
  /**
   * Why it may be refused, beside what follows from the rest: no or too many requests, `:id` not found, a body or
   * a query at fault, a role missing, an update or an `Idempotency-Key` in conflict.
   */
  readonly refuses?: readonly RefusalReason[];
  readonly allow: Allow;
  readonly body?: Schema;
  /** What a create makes: found again by its id when a request with an `Idempotency-Key` is retried. */
  readonly makes?: RecordsFor;
  /**
   * True where `Idempotency-Key` does not apply: the answer has a secret, which is never stored, or nothing is done
   * that could be done twice.
   */
  readonly keepsNoAnswer?: boolean;
  /**
   * For `team_admin`: a condition that is true when the actor administers what the request would change. It is given
   * the body as sent, before it is checked: it reads what it needs and treats everything else as missing.
   */
  readonly administers?: (request: ApiRequest<unknown>) => SQL;
  /**
   * What the handler checks beyond the form of each parameter: asked of what is well-formed of a body that is not, so
   * that its refusal names every fault.
   */
  readonly furtherChecks?: (
    body: Partial<z.output<Schema>>,
    request: ApiRequest<unknown>,
  ) => FurtherChecks;
  /**
   * Why the caller may not make the request, where the handler decides it by the record: asked when the body is
   * invalid, so that a missing role is told before the body's faults. It is given the body as sent.
   */
  readonly forbids?: (request: ApiRequest<unknown>) => Refusal | null | Promise<Refusal | null>;
  readonly handle: (request: ApiRequest<z.output<Schema>>) => Promise<Answer>;
};

/** Declares a route; the body's type follows from its schema. */
export function route<Schema extends z.ZodType>(declared: Route<Schema>): Route {
  return declared as unknown as Route;
}

/** The same route under `PUT` and `PATCH`: both merge the given subset. */
export function updateRoutes<Schema extends z.ZodType>(
  declared: Omit<Route<Schema>, "method">,
): Route[] {
  return [route({ ...declared, method: "PUT" }), route({ ...declared, method: "PATCH" })];
}
