// The way of an API request: key, rate, role, body, handler, answer. Knows no resource.
import { type SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import { type Connection, openSession, statement } from "../db/database.ts";
import { demand } from "../db/demand.ts";
import { newId } from "../db/identifiers.ts";
import { LONGEST_PAGE } from "../db/list-query.ts";
import { resolveReferences } from "../db/references.ts";
import {
  type FieldError,
  isRefusal,
  type Refusal,
  refuse,
  refuseFields,
} from "../domain/refusal.ts";
import { type Actor, authenticate } from "./actor.ts";
import { type Answer, respond } from "./answers.ts";
import { readParameters } from "./body.ts";
import { fieldErrors } from "./field-errors.ts";
import { type Outcome, once } from "./idempotency.ts";
import { withinRate } from "./rate.ts";
import { type ApiRequest, type Route, recordsFor } from "./route.ts";
import { wellFormedPart } from "./well-formed.ts";

export type Environment = {
  Bindings: Cloudflare.Env;
  Variables: { requestId: string };
};

const READ_ONLY = refuse("forbidden", "this API key is read-only");

/** A request to the API, whoever brings it: HTTP with a key, or the console for who has signed in. */
export type Call = {
  readonly env: Cloudflare.Env;
  readonly db: Connection;
  readonly requestId: string;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | null;
  /** The longest page of a list that this caller may ask for. */
  readonly longestPage: number;
  /** True for a part of something that has been counted as one request. */
  readonly isCounted: boolean;
  /** Who calls; `now` in epoch ms. */
  readonly identify: (now: number) => Promise<Actor | Refusal>;
  readonly readParameters: () => Promise<Record<string, unknown> | Refusal>;
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/** Serves one route. */
export async function serve(route: Route, context: Context<Environment>): Promise<Response> {
  const { env } = context;
  const requestId = context.get("requestId");
  const bookmark = context.req.header("x-d1-bookmark") ?? null;
  const session = openSession(env.DB, bookmark, route.method !== "GET");
  const authorization = context.req.header("authorization") ?? null;
  const address = context.req.header("cf-connecting-ip") ?? null;
  const { answer, replayed } = await answerTo(route, {
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
  const seen = session.getBookmark();
  if (seen !== null) response.headers.set("X-D1-Bookmark", seen);
  return response;
}

/** What a route answers to a call. */
export async function answerTo(route: Route, call: Call): Promise<Outcome> {
  const { env, db, url, waitUntil } = call;
  const now = Date.now();
  const actor = await call.identify(now);
  if (isRefusal(actor)) return first(actor);
  const { isCounted } = call;
  const refusal = isCounted ? null : await withinRate(env, env.API_RATE, actor.credentialId);
  if (refusal) return first(refusal);
  if (actor.readOnly && route.method !== "GET") return first(READ_ONLY);
  const isTeamAdmin = needsTeams(route, actor);
  if (!isTeamAdmin && !hasRole(route, actor)) return first(lacksRole(route));
  const sent = route.body ? await call.readParameters() : {};
  if (isRefusal(sent)) return first(sent);
  const asSent: ApiRequest = {
    env,
    db,
    actor,
    now,
    requestId: call.requestId,
    recordId: newId(now),
    origin: url.origin,
    longestPage: call.longestPage,
    params: pathParams(call.params),
    query: url.searchParams,
    body: sent,
    stillAllowed: [],
    waitUntil,
  };
  const administers = isTeamAdmin && route.administers ? route.administers(asSent) : null;
  const isDenied = async () => administers !== null && !(await isTrue(db, administers));
  if (await isDenied()) return first(lacksRole(route));
  const body = await checkBody(route, asSent);
  if (isRefusal(body)) return first(body);
  const stillAllowed = administers === null ? [] : [demand(administers)];
  const request = { ...asSent, body: body.value, stillAllowed };
  const handle = async (recordId: string): Promise<Answer> => {
    const answer = await route.handle({ ...request, recordId });
    // A conflict may be the loss of the role between the check and the write.
    const isConflict = isRefusal(answer) && answer.reason === "conflict";
    return isConflict && (await isDenied()) ? lacksRole(route) : answer;
  };
  const key = call.idempotencyKey;
  if (route.method !== "POST" || route.keepsNoAnswer || !key) {
    return first(await handle(request.recordId));
  }
  const { accountId, credentialId } = actor;
  const attempt = { db, accountId, apiKeyId: credentialId, key, now, recordId: request.recordId };
  const makes = route.makes && recordsFor(route.makes, request);
  const asked = [route.method, url.pathname, body.value];
  return once({ ...attempt, request: asked, makes }, handle);
}

/** A ULID in lower case is the same id: what reads it, roles too, sees it as it is kept. */
const pathParams = (params: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, text]) => [
      name,
      /^[0-9a-z]{26}$/i.test(text) ? text.toUpperCase() : text,
    ]),
  );

const first = (answer: Answer): Outcome => ({ answer, replayed: false });

/** Checks the body's allowed parameters; a refusal names everything that is wrong with it. */
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
  const wellFormed = wellFormedPart(schema, request.body);
  const { faults = [], references = [] } = furtherChecks?.(wellFormed, request) ?? {};
  const resolved = await resolveReferences(request.db, request.actor.accountId, references);
  const further = [...faults, ...(resolved.ok ? [] : resolved.errors)];
  const named = new Set(errors.map(parameterOf));
  return refuseFields([...errors, ...further.filter((it) => !named.has(parameterOf(it)))]);
}

/** `tags[0]` → `tags`: what is said of a part is enough. */
const parameterOf = ({ field = "" }: FieldError): string => field.replace(/[.[].*$/s, "");

/** Whether the actor's account roles alone let them call the route. */
function hasRole({ allow }: Route, { roles }: Actor): boolean {
  return roles.admin || allow === "everyone" || (allow === "broadcaster" && roles.broadcaster);
}

/** Whether it depends on the teams that the actor administers. */
const needsTeams = (route: Route, actor: Actor): boolean =>
  route.allow === "team_admin" && !actor.roles.admin;

function lacksRole({ allow }: Route): Refusal {
  const needed =
    allow === "team_admin" ? "admin (of the account or of every team concerned)" : allow;
  return refuse("forbidden", `this needs the role ${needed}`);
}

async function isTrue(db: Connection, condition: SQL): Promise<boolean> {
  const row = await statement(db, sql`select ${condition} as met`).first<{ met: number }>();
  return row?.met === 1;
}
