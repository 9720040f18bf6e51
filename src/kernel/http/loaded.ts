// Handlers and groups of routes whose code is loaded by the first request for them.
import { type Context, type Handler, Hono } from "hono";
import { refuse } from "../../domain/shared/refusal.ts";
import { logFault } from "../db/log-fault.ts";
import { respond } from "./answers.ts";
import type { Environment } from "./serve.ts";

const NO_ENDPOINT = refuse("not_found", "no such endpoint");
const NOT_LOADED = refuse("unavailable", "this part of the service could not be loaded; try again");

/** What `load` imports, or null after it has logged why that failed: the next request tries again. */
async function loadOrLog<Loaded>(load: () => Promise<Loaded>): Promise<Loaded | null> {
  return load().catch((error: unknown) => {
    logFault("code could not be loaded", error);
    return null;
  });
}

/** A handler that is imported when it is first needed. 503 if that fails. */
export function loadedHandler(
  load: () => Promise<(context: Context<Environment>) => Response | Promise<Response>>,
): Handler<Environment> {
  return async (context) => {
    const handler = await loadOrLog(load);
    return handler === null ? respond(NOT_LOADED, context.get("requestId")) : handler(context);
  };
}

/**
 * Routes that are imported when one of them is first needed. 503 if that fails. They have the request id of the
 * request; what they throw is thrown here, and a path that they do not have is a 404, unless they say otherwise.
 *
 * @param load imports what adds the routes to an app
 */
export function loadedRoutes(
  load: () => Promise<(app: Hono<Environment>) => void>,
): Handler<Environment> {
  const requestIds = new WeakMap<Request, string>();
  let loaded: Hono<Environment> | null = null;
  const build = (mount: (app: Hono<Environment>) => void) => {
    const app = new Hono<Environment>({ strict: false });
    app.use("*", async (context, next) => {
      const { raw } = context.req;
      context.set("requestId", requestIds.get(raw) ?? "");
      await next();
      // A handler may have given the request another one.
      requestIds.set(raw, context.get("requestId"));
    });
    app.notFound(({ get }) => respond(NO_ENDPOINT, get("requestId")));
    app.onError((error) => {
      throw error;
    });
    mount(app);
    return app;
  };
  return async (context) => {
    const mount = loaded === null ? await loadOrLog(load) : null;
    // Of requests that waited together, the first one builds.
    if (mount !== null) loaded ??= build(mount);
    if (loaded === null) return respond(NOT_LOADED, context.get("requestId"));
    const { raw } = context.req;
    requestIds.set(raw, context.get("requestId"));
    const response = await loaded.fetch(raw, context.env, context.executionCtx);
    context.set("requestId", requestIds.get(raw) ?? "");
    return response;
  };
}
