// The way of an API request: key, rate, role, body, handler, answer. Knows no resource.
import { sql } from "drizzle-orm";
import type { Context } from "hono";
import { type Connection, openSession, statement } from "../db/database.ts";
import { newId } from "../db/identifiers.ts";
import { LONGEST_PAGE } from "../db/list-query.ts";
import { isRefusal, type Refusal, refuse, refuseFields } from "../domain/refusal.ts";
import { type Actor, authenticate } from "./actor.ts";
import { type Answer, respond } from "./answers.ts";
import { readParameters } from "./body.ts";
import { fieldErrors } from "./fields.ts";
import { type Outcome, once } from "./idempotency.ts";
import { withinRate } from "./rate.ts";
import { type ApiRequest, type Route, recordsFor } from "./route.ts";

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
  const body = await readBody(route, call);
  if (isRefusal(body)) return first(body);
  const request: ApiRequest = {
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
    body: body.value,
    waitUntil,
  };
  const denied = await forbidden(route, actor, request);
  if (denied) return first(denied);
  const key = call.idempotencyKey;
  if (route.method !== "POST" || route.keepsNoAnswer || !key) {
    return first(await route.handle(request));
  }
  const { accountId, credentialId } = actor;
  const attempt = { db, accountId, apiKeyId: credentialId, key, now, recordId: request.recordId };
  const makes = route.makes && recordsFor(route.makes, request);
  const asked = [route.method, url.pathname, body.value];
  return once({ ...attempt, request: asked, makes }, (recordId) =>
    route.handle({ ...request, recordId }),
  );
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

/** Reads and checks the body's allowed parameters. */
async function readBody(route: Route, call: Call): Promise<{ readonly value: unknown } | Refusal> {
  if (!route.body) return { value: {} };
  const parameters = await call.readParameters();
  if (isRefusal(parameters)) return parameters;
  const parsed = route.body.safeParse(parameters);
  return parsed.success ? { value: parsed.data } : refuseFields(fieldErrors(parsed.error));
}

/** The refusal for an actor without the role that the route asks for, else null. */
async function forbidden(route: Route, actor: Actor, request: ApiRequest): Promise<Refusal | null> {
  if (actor.roles.admin || route.allow === "everyone") return null;
  if (route.allow === "broadcaster" && actor.roles.broadcaster) return null;
  if (route.allow === "team_admin" && route.administers) {
    const query = sql`select ${route.administers(request)} as allowed`;
    const row = await statement(request.db, query).first<{ allowed: number }>();
    if (row?.allowed === 1) return null;
  }
  const needed =
    route.allow === "team_admin" ? "admin (of the account or of the team)" : route.allow;
  return refuse("forbidden", `this needs the role ${needed}`);
}
