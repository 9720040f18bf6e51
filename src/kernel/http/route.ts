// Types of an API route and its request. All endpoints are `Route`s in a plain list, so that the
// reference, the isolation test and the role checks can enumerate them.
import type { SQL } from "drizzle-orm";
import type * as z from "zod";
import type { MemberActor } from "../../domain/access/actor.ts";
import type { Refusal, RefusalReason } from "../../domain/shared/refusal.ts";
import type { AnswerName, QueryName } from "../contract/answers.ts";
import type { Attributes } from "../db/attributes.ts";
import type { Connection } from "../db/database.ts";
import type { Aliases } from "../db/list-query.ts";
import type { Records } from "../db/records.ts";
import type { Answer } from "./answers.ts";
import type { FurtherChecks } from "./valid-part.ts";

/** A condition that is true if the actor administers, serves or owns everything the request would change. */
type Reach = (request: ApiRequest<unknown>) => SQL;

/**
 * Who may call a route, as it is declared. `everyone`: every member; a read-only key only reads.
 * `broadcaster` and `admin`: that role of the account; admins may do everything. A condition: admins, and
 * whoever administers all teams concerned; with `owner`: admins, and whose own it is; with `member`: admins,
 * and whoever belongs to the teams concerned.
 */
type Permission =
  | "everyone"
  | "broadcaster"
  | "admin"
  | Reach
  | { readonly owner: Reach }
  | { readonly member: Reach };

/**
 * Who may call a route (contract 1, Roles). `team_admin` allows account admins, and others if
 * `administers` confirms that they administer every team concerned; `owner` the same if it confirms
 * that the record is their own; `team_member` if it confirms that they belong to the teams concerned.
 */
export type Allow = "everyone" | "admin" | "broadcaster" | "team_admin" | "team_member" | "owner";

/** One authenticated request. */
export type ApiRequest<Body = unknown> = {
  readonly env: Cloudflare.Env;
  /** D1 through this request's session. */
  readonly db: Connection;
  readonly actor: MemberActor;
  /** Epoch ms at which the request arrived. */
  readonly now: number;
  readonly requestId: string;
  /** Id of the record that a create makes; the same when a request with a key is retried. */
  readonly recordId: string;
  /** Scheme and host of the request. */
  readonly origin: string;
  /** The maximum page size for the caller. */
  readonly longestPage: number;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The validated parameters; `{}` for routes without a body. */
  readonly body: Body;
  /**
   * Preconditions to put first in every batch of writes of a route with `administers`: the batch
   * fails if the caller's teams, or the record's owner, no longer allow the request. Empty for account admins.
   */
  readonly stillAllowed: readonly SQL[];
  /** True if the request only asks for a preview of its change. */
  readonly preview?: boolean;
  /** True if the change is to change who was on call before it, too. */
  readonly correctsPast?: boolean;
  /** Extends the lifetime of work beyond the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/** The caller that records are shown to: decides the visible attributes and their base URL. */
export type Asker = Pick<ApiRequest, "actor" | "origin"> & {
  readonly env: Pick<Cloudflare.Env, "LINK_SECRET">;
};

/** A kind of record, fixed or depending on the caller. */
export type RecordsFor<Name extends AnswerName = AnswerName> =
  | Records<Name>
  | ((asker: Asker) => Records<Name>);

/** The records visible to this caller. */
export function recordsFor(records: RecordsFor, asker: Asker): Records {
  return typeof records === "function" ? records(asker) : records;
}

/**
 * What an operation answers when it does what it was asked: declared with its route, for the reference to be made of
 * and for the tests to hold every answer against.
 */
export type Shown =
  | {
      readonly kind: "record";
      readonly status: 200 | 201;
      readonly records: RecordsFor;
      /** Where this operation shows more than the record: what it shows. */
      readonly shows?: AnswerName;
    }
  | { readonly kind: "list"; readonly records: RecordsFor; readonly aliases: Aliases }
  /** A list of what has no table: these attributes are filtered and sorted by. */
  | { readonly kind: "list_of"; readonly shows: AnswerName; readonly attributes: Attributes }
  | { readonly kind: "body"; readonly status: 200 | 201; readonly shows: AnswerName }
  /** A list without an envelope. */
  | { readonly kind: "bare_list"; readonly shows: AnswerName }
  /** A CSV file to download. */
  | { readonly kind: "csv" }
  /** A YAML file to download. */
  | { readonly kind: "yaml" }
  | { readonly kind: "nothing" }
  /** The operation is there to say why it is refused. */
  | { readonly kind: "refusal" };

/**
 * `furtherChecks` and `handle` are methods, not properties, so that a route with a schema of its own is a `Route` like
 * any other: whoever calls them has parsed the body with that schema.
 */
export type Route<Schema extends z.ZodType = z.ZodType> = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to `/api/v4`. */
  readonly path: string;
  /** The operation id in the reference. */
  readonly operation: string;
  /** Short title in the reference. */
  readonly summary: string;
  /** Further description, in Markdown. */
  readonly description?: string;
  /** The response on success. */
  readonly shows: Shown;
  /** Query parameters; those of lists follow from the attributes. */
  readonly query?: QueryName;
  /** Whether `preview=true` answers what the change would do to who is on call. */
  readonly previews?: boolean;
  /** Whether `corrects_past=true` changes who was on call before it, too. */
  readonly correctsPast?: boolean;
  /**
   * Additional refusal reasons. Implied ones are not listed: authentication, rate limit, `:id` not
   * found, invalid body or query, missing role, conflicts of updates and of `Idempotency-Key`.
   */
  readonly refuses?: readonly RefusalReason[];
  readonly allow: Allow;
  readonly body?: Schema;
  /** The record that a create makes; a retry with its `Idempotency-Key` finds it by id. */
  readonly makes?: RecordsFor;
  /**
   * True if `Idempotency-Key` does not apply: the response contains a secret, which is never
   * stored, or repeating the request is harmless.
   */
  readonly keepsNoAnswer?: boolean;
  /**
   * For `team_admin`, `team_member` and `owner`. It gets the unvalidated body and must treat anything
   * unexpected as missing.
   */
  readonly administers?: Reach;
  /**
   * Checks beyond the form of each parameter. They also run on the well-formed part of an invalid
   * body, so that a refusal reports every error.
   */
  furtherChecks?(body: Partial<z.output<Schema>>, request: ApiRequest<unknown>): FurtherChecks;
  /**
   * For invalid bodies: the refusal if the handler would reject the caller because of the record. A
   * missing role is reported before errors in the body. It gets the unvalidated body.
   */
  readonly forbids?: (request: ApiRequest<unknown>) => Refusal | null | Promise<Refusal | null>;
  handle(request: ApiRequest<z.output<Schema>>): Promise<Answer>;
};

/** Whether `preview=true` asks what a change would do. */
export const asksForPreview = (query: URLSearchParams): boolean =>
  ["true", "1"].includes(query.get("preview") ?? "");

/** What an operation answers, as a type: nothing has this property. */
export type Typed<Body> = { readonly answers?: Body };

/** A route whose method, path and answer are known to the compiler: callers within the worker get their types from it. */
export type Endpoint<Method extends Route["method"], Path extends string, Body> = Route & {
  readonly method: Method;
  readonly path: Path;
} & Typed<Body>;

/** What a route's file says of it. */
type Declared<Schema extends z.ZodType, Path extends string, Body> = Omit<
  Route<Schema>,
  "method" | "path" | "shows" | "allow" | "administers"
> & {
  readonly path: Path;
  readonly shows: Shown & Typed<Body>;
  readonly allow: Permission;
};

/** Declares a route. The types of its body and its answer are inferred. */
export function route<
  Schema extends z.ZodType,
  const Method extends Route["method"],
  const Path extends string,
  Body,
>(
  declared: Declared<Schema, Path, Body> & { readonly method: Method },
): Endpoint<Method, Path, Body> {
  return { ...declared, ...permitted(declared.allow) };
}

function permitted(permission: Permission): Pick<Route, "allow" | "administers"> {
  if (typeof permission === "function") return { allow: "team_admin", administers: permission };
  if (typeof permission !== "object") return { allow: permission };
  return "owner" in permission
    ? { allow: "owner", administers: permission.owner }
    : { allow: "team_member", administers: permission.member };
}

/** Declares the same route for `PUT` and `PATCH`: both merge the given subset. */
export function updateRoutes<Schema extends z.ZodType, const Path extends string, Body>(
  declared: Declared<Schema, Path, Body>,
): (Endpoint<"PUT", Path, Body> | Endpoint<"PATCH", Path, Body>)[] {
  return [route({ ...declared, method: "PUT" }), route({ ...declared, method: "PATCH" })];
}
