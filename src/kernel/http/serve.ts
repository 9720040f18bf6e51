// Serves an API request: authentication, rate limit, role, body, handler. Knows no resource.
import { type SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import type * as z from "zod";
import type { MemberActor } from "../../domain/access/actor.ts";
import {
  type FieldError,
  isRefusal,
  type Refusal,
  refuse,
  refuseFields,
} from "../../domain/shared/refusal.ts";
import { type Connection, openSession } from "../db/database.ts";
import { newId, newIdOf } from "../db/identifiers.ts";
import { LONGEST_PAGE } from "../db/list-query.ts";
import { assertPrecondition } from "../db/precondition.ts";
import { resolveReferences } from "../db/references.ts";
import { first, select, truth } from "../db/select.ts";
import { type Answer, respond } from "./answers.ts";
import { readParameters } from "./body.ts";
import { type IdempotentOutcome, runIdempotent } from "./idempotency.ts";
import { checkRateLimit } from "./rate-limit.ts";
import { type ApiRequest, asksForPreview, type Route, recordsFor } from "./route.ts";
import { parseValidPart } from "./valid-part.ts";

// Reads the query parameters `preview` and `corrects_past`. A request that seems to ask for a preview never changes
// anything: if there is none, or the value is unreadable, it is refused.

const UNREADABLE = refuse("invalid", "preview must be true or false", "preview");
const NO_PREVIEW = refuse("invalid", "this request has no preview", "preview");

/** Whether the request asks the route for what its change would do to who is on call; or a 422. */
function readPreview(
  { method, previews = false, query }: Pick<Route, "method" | "previews" | "query">,
  parameters: URLSearchParams,
): boolean | Refusal {
  const text = parameters.get("preview");
  if (method === "GET" || text === null || text === "false" || text === "0") return false;
  if (!asksForPreview(parameters)) return UNREADABLE;
  // A route with a query of its own reads it itself.
  return previews || query !== undefined ? previews : NO_PREVIEW;
}

const UNREADABLE_CORRECTION = refuse(
  "invalid",
  "corrects_past must be true or false",
  "corrects_past",
);
const NO_CORRECTION = refuse("invalid", "this request cannot change the past", "corrects_past");

/** Whether the request is to change who was on call before it, too; or a 422. */
function readCorrection(
  { correctsPast = false }: Pick<Route, "correctsPast">,
  parameters: URLSearchParams,
): boolean | Refusal {
  const text = parameters.get("corrects_past");
  if (text === null || text === "false" || text === "0") return false;
  if (text !== "true" && text !== "1") return UNREADABLE_CORRECTION;
  return correctsPast || NO_CORRECTION;
}

/** `["emails_attributes", 0, "email"]` → `emails_attributes[0].email`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

/** Every parameter at fault, each message starting with its field. */
function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.slice(0, 100).map((issue) => {
    const field = fieldName(issue.path);
    return field === ""
      ? { message: issue.message }
      : { message: `${field} ${issue.message}`, field };
  });
}

export type Environment = {
  Bindings: Cloudflare.Env;
  Variables: { requestId: string };
};

const READ_ONLY = refuse("forbidden", "this API key is read-only");

/** A request to the API, from HTTP with a key or from the console with a session. */
export type ApiCall = {
  readonly env: Cloudflare.Env;
  readonly db: Connection;
  readonly requestId: string;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | null;
  /** The maximum page size for this caller. */
  readonly longestPage: number;
  /** True for a part of a request that was already counted for the rate limit. */
  readonly isCounted: boolean;
  /** Authenticates the caller; `now` in epoch ms. */
  readonly identify: (now: number) => Promise<MemberActor | Refusal>;
  readonly readParameters: () => Promise<Record<string, unknown> | Refusal>;
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/**
 * Authenticates a request's `Authorization`.
 *
 * @param address the caller's network address
 * @param now epoch ms
 */
export type Authenticate = (
  env: Cloudflare.Env,
  authorization: string | null,
  address: string | null,
  now: number,
) => Promise<MemberActor | Refusal>;

/** Serves one route over HTTP to whom `authenticate` accepts. */
export async function serve(
  route: Route,
  context: Context<Environment>,
  authenticate: Authenticate,
): Promise<Response> {
  const { env } = context;
  const requestId = context.get("requestId");
  const bookmark = context.req.header("x-d1-bookmark") ?? null;
  const session = openSession(env.DB, bookmark, route.method !== "GET");
  const authorization = context.req.header("authorization") ?? null;
  const address = context.req.header("cf-connecting-ip") ?? null;
  const { answer, replayed } = await runRoute(route, {
    env,
    db: session,
    requestId,
    url: new URL(context.req.url),
    params: context.req.param(),
    idempotencyKey: context.req.header("idempotency-key") ?? null,
    longestPage: LONGEST_PAGE,
    isCounted: false,
    identify: (now) => authenticate(env, authorization, address, now),
    readParameters: () => readParameters(context.req.raw),
    waitUntil: (work) => context.executionCtx.waitUntil(work),
  });
  const response = respond(answer, requestId);
  if (replayed) response.headers.set("Idempotent-Replayed", "true");
  const newBookmark = session.getBookmark();
  if (newBookmark !== null) response.headers.set("X-D1-Bookmark", newBookmark);
  return response;
}

/** Runs a route and returns its answer. */
export async function runRoute(route: Route, call: ApiCall): Promise<IdempotentOutcome> {
  const { env, db, url, waitUntil } = call;
  const now = Date.now();
  const actor = await call.identify(now);
  if (isRefusal(actor)) return notReplayed(actor);
  const { isCounted } = call;
  const refusal = isCounted ? null : await checkRateLimit(env, env.API_RATE, actor.credentialId);
  if (refusal) return notReplayed(refusal);
  if (actor.readOnly && route.method !== "GET") return notReplayed(READ_ONLY);
  const isConditional = dependsOnRecords(route, actor);
  if (!isConditional && !hasRole(route, actor)) return notReplayed(refuseRole(route));
  const sent = route.body ? await call.readParameters() : {};
  if (isRefusal(sent)) return notReplayed(sent);
  const makes = route.makes && recordsFor(route.makes, { actor, env, origin: url.origin });
  const unvalidated: ApiRequest = {
    env,
    db,
    actor,
    now,
    requestId: call.requestId,
    recordId: makes ? newIdOf(makes.kind, now) : newId(now),
    origin: url.origin,
    longestPage: call.longestPage,
    params: pathParams(call.params),
    query: url.searchParams,
    body: sent,
    stillAllowed: [],
    waitUntil,
  };
  const administers = isConditional && route.administers ? route.administers(unvalidated) : null;
  const isDenied = async () => administers !== null && !(await isTrue(db, administers));
  if (await isDenied()) return notReplayed(refuseRole(route));
  const body = await checkBody(route, unvalidated);
  if (isRefusal(body)) return notReplayed(body);
  const stillAllowed = administers === null ? [] : [assertPrecondition(administers)];
  const preview = readPreview(route, url.searchParams);
  if (isRefusal(preview)) return notReplayed(preview);
  const correctsPast = readCorrection(route, url.searchParams);
  if (isRefusal(correctsPast)) return notReplayed(correctsPast);
  const request = { ...unvalidated, body: body.value, stillAllowed, preview, correctsPast };
  const handle = async (recordId: string): Promise<Answer> => {
    const answer = await route.handle({ ...request, recordId });
    // The conflict may come from losing the role between the check and the write.
    const isConflict = isRefusal(answer) && answer.reason === "conflict";
    return isConflict && (await isDenied()) ? refuseRole(route) : answer;
  };
  const key = call.idempotencyKey;
  if (route.method !== "POST" || route.keepsNoAnswer || preview || !key) {
    return notReplayed(await handle(request.recordId));
  }
  const { accountId, credentialId } = actor;
  const attempt = { db, accountId, apiKeyId: credentialId, key, now, recordId: request.recordId };
  const correction = correctsPast ? ["corrects_past"] : [];
  const requestParts = [route.method, url.pathname, body.value, ...correction];
  return runIdempotent({ ...attempt, request: requestParts, makes }, handle);
}

/** Uppercases ULIDs, so that all readers of the path, role checks included, see the stored form. */
const pathParams = (params: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, text]) => [
      name,
      /^[0-9a-z]{26}$/i.test(text) ? text.toUpperCase() : text,
    ]),
  );

const notReplayed = (answer: Answer): IdempotentOutcome => ({ answer, replayed: false });

/** Validates the body; a refusal reports every error in it. */
async function checkBody(
  { body: schema, furtherChecks, forbids }: Route,
  request: ApiRequest<unknown>,
): Promise<{ readonly value: unknown } | Refusal> {
  if (!schema) return { value: {} };
  const parsed = schema.safeParse(request.body);
  if (parsed.success) return { value: parsed.data };
  const forbidden = await forbids?.(request);
  if (forbidden) return forbidden;
  const errors = fieldErrors(parsed.error);
  const wellFormed = parseValidPart(schema, request.body);
  const { faults = [], references = [] } = furtherChecks?.(wellFormed, request) ?? {};
  const resolved = await resolveReferences(request.db, request.actor.accountId, references);
  const further = [...faults, ...(resolved.ok ? [] : resolved.errors)];
  const reported = new Set(errors.map(parameterOf));
  return refuseFields([...errors, ...further.filter((it) => !reported.has(parameterOf(it)))]);
}

/** `tags[0]` → `tags`: one error per parameter is enough. */
const parameterOf = ({ field = "" }: FieldError): string => field.replace(/[.[].*$/s, "");

/** Whether the actor's account roles alone allow the route. */
function hasRole({ allow }: Route, { roles }: MemberActor): boolean {
  return roles.admin || allow === "everyone" || (allow === "broadcaster" && roles.broadcaster);
}

/** Whether permission depends on the teams that the actor administers, or on whose the record is. */
const dependsOnRecords = (route: Route, actor: MemberActor): boolean =>
  route.administers !== undefined && !actor.roles.admin;

const NEEDED: Readonly<Record<Route["allow"], string>> = {
  everyone: "everyone",
  admin: "admin",
  broadcaster: "broadcaster",
  team_admin: "admin (of the account or of every team concerned)",
  team_member: "admin, or being in a team of every schedule concerned",
  owner: "admin, except for what is one's own",
};

const refuseRole = ({ allow }: Route): Refusal =>
  refuse("forbidden", `this needs the role ${NEEDED[allow]}`);

async function isTrue(db: Connection, condition: SQL): Promise<boolean> {
  const row = await first(db, select({ isMet: truth(condition) }, sql``));
  return row?.isMet === true;
}
