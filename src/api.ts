// The versioned API: its routes, and the answers to paths and methods that it does not have.
import type { Hono } from "hono";
import { type Refusal, refuse } from "./domain/shared/refusal.ts";
import { authenticate } from "./features/access/api-keys/authenticate.ts";
import { resumeNotifying } from "./features/change/notify-changes.ts";
import { respond } from "./kernel/http/answers.ts";
import { findRoutes } from "./kernel/http/find-route.ts";
import { type Environment, serve } from "./kernel/http/serve.ts";
import { routes } from "./routes.ts";

const API = "/api/v4";

/** The methods that a path of the API supports. */
const methodsOf = (path: string): string[] => [
  ...new Set(findRoutes(routes, path.slice(API.length)).map(({ method }) => method)),
];

function refuseUnknown(path: string, method: string): Refusal {
  if (!path.startsWith(`${API}/`)) {
    return refuse("not_found", "no such version of the API; use /api/v4");
  }
  const methods = methodsOf(path);
  if (methods.length === 0) return refuse("not_found", "no such endpoint");
  const allow = methods.join(", ");
  return { ...refuse("not_supported", `${method} is not supported here; use ${allow}`), allow };
}

export function mountApi(app: Hono<Environment>): void {
  app.use("*", resumeNotifying);
  for (const route of routes) {
    app.on(route.method, API + route.path, (context) => serve(route, context, authenticate));
  }
  app.notFound(({ req, get }) => respond(refuseUnknown(req.path, req.method), get("requestId")));
}
