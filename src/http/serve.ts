// The way of an API request: key, rate, role, body, handler, answer. Knows no resource.
import { sql } from "drizzle-orm";
import type { Context } from "hono";
import { openSession, statement } from "../db/database.ts";
import { newId } from "../db/identifiers.ts";
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

/** Serves one route. */
export async function serve(route: Route, context: Context<Environment>): Promise<Response> {
  const requestId = context.get("requestId");
  const bookmark = context.req.header("x-d1-bookmark") ?? null;
  const session = openSession(context.env.DB, bookmark, route.method !== "GET");
  const { answer, replayed } = await answerTo(route, context, session);
  const response = respond(answer, requestId);
  if (replayed) response.headers.set("Idempotent-Replayed", "true");
  const seen = session.getBookmark();
  if (seen !== null) response.headers.set("X-D1-Bookmark", seen);
  return response;
}

async function answerTo(
  route: Route,
  context: Context<Environment>,
  db: D1DatabaseSession,
): Promise<Outcome> {
  const { env } = context;
  const now = Date.now();
  const actor = await authenticate(env.DB, context.req.header("authorization") ?? null, now);
  if (isRefusal(actor)) return first(actor);
  const refusal = await withinRate(env, env.API_RATE, actor.apiKeyId);
  if (refusal) return first(refusal);
  if (actor.readOnly && route.method !== "GET") return first(READ_ONLY);
  const body = await readBody(route, context.req.raw);
  if (isRefusal(body)) return first(body);
  const url = new URL(context.req.url);
  const request: ApiRequest = {
    env,
    db,
    actor,
    now,
    requestId: context.get("requestId"),
    recordId: newId(now),
    origin: url.origin,
    params: pathParams(context.req.param()),
    query: url.searchParams,
    body: body.value,
    waitUntil: (work) => context.executionCtx.waitUntil(work),
  };
  const denied = await forbidden(route, actor, request);
  if (denied) return first(denied);
  const key = context.req.header("idempotency-key");
  if (route.method !== "POST" || route.keepsNoAnswer || !key) {
    return first(await route.handle(request));
  }
  const { accountId, apiKeyId } = actor;
  const attempt = { db, accountId, apiKeyId, key, now, recordId: request.recordId };
  const makes = route.makes && recordsFor(route.makes, request);
  const asked = [route.method, url.pathname, body.value];
  return once({ ...attempt, request: asked, makes }, (recordId) =>
    route.handle({ ...request, recordId }),
  );
}

/** A ULID in lower case is the same id: what reads it, roles too, sees it as it is kept. */
const pathParams = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, text]) => [
      name,
      /^[0-9a-z]{26}$/i.test(text) ? text.toUpperCase() : text,
    ]),
  );

const first = (answer: Answer): Outcome => ({ answer, replayed: false });

/** Reads and checks the body's allowed parameters. */
async function readBody(
  route: Route,
  request: Request,
): Promise<{ readonly value: unknown } | Refusal> {
  if (!route.body) return { value: {} };
  const parameters = await readParameters(request);
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
