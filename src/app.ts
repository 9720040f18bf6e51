// All HTTP routes of the worker; the API's own are listed in `routes.ts`. Request ids, error bodies
// and CORS are handled here, everything else in the route's own file.
import { Hono } from "hono";
import { cors } from "hono/cors";
import { mountConsole, wantsPage, writeRefusal } from "./console/console.tsx";
import { serveLive } from "./console/serve-live.ts";
import { type Refusal, refuse } from "./domain/shared/refusal.ts";
import { authenticate } from "./features/access/api-keys/authenticate.ts";
import {
  countOpsgenieAlerts,
  getOpsgenieAlert,
  getOpsgenieRequest,
  listOpsgenieAlerts,
} from "./features/integrations/drop-in/opsgenie-alerts.ts";
import { acceptOpsgenieRequest } from "./features/integrations/drop-in/opsgenie-endpoint.ts";
import {
  getOpsgenieHeartbeat,
  listOpsgenieHeartbeats,
  pingOpsgenieHeartbeat,
  refuseOpsgenieHeartbeatChange,
} from "./features/integrations/drop-in/opsgenie-heartbeats.ts";
import { enqueueChange, enqueueEvent } from "./features/integrations/drop-in/pagerduty-endpoint.ts";
import { createEventV1 } from "./features/integrations/drop-in/pagerduty-v1-endpoint.ts";
import { receiveVictoropsAlert } from "./features/integrations/drop-in/victorops-endpoint.ts";
import { receive } from "./features/integrations/receive/receive.ts";
import { mountCallbacks } from "./features/notifications/callbacks/mount.ts";
import { serveLink } from "./features/notifications/reply-links/serve-link.ts";
import { serveFeed } from "./features/oncall/feeds/serve-feed.ts";
import { serveMetrics } from "./features/operations/audits/serve-metrics.ts";
import { serveReadiness } from "./features/operations/audits/serve-readiness.ts";
import { serveBackup, serveRestore } from "./features/operations/backup/serve-backup.ts";
import { openLiveSocket } from "./features/stubs.ts";
import { isOutage } from "./kernel/db/outage.ts";
import { errorBody, respond } from "./kernel/http/answers.ts";
import { findRoutes } from "./kernel/http/find-route.ts";
import { requireHttps } from "./kernel/http/https.ts";
import { type Environment, serve } from "./kernel/http/serve.ts";
import { serveHealth } from "./kernel/http/serve-health.ts";
import { LINK_PATH } from "./kernel/links.ts";
import { counted } from "./kernel/metrics/counted.ts";
import { reportIfFull } from "./kernel/metrics/report-full.ts";
import { routes } from "./routes.ts";

const API = "/api/v4";
const OUTAGE = refuse("unavailable", "the database cannot be reached; try again");
const EXPOSED = ["X-Request-Id", "X-D1-Bookmark", "Retry-After", "Idempotent-Replayed"];

/** The methods that a path of the API supports. */
const methodsOf = (path: string): string[] => [
  ...new Set(findRoutes(routes, path.slice(API.length)).map(({ method }) => method)),
];

function unknownPath(path: string, method: string): Refusal {
  if (/^\/integration\/[^/]+(\/g)?\/?$/.test(path)) {
    const refusal = refuse("not_supported", `${method} is not supported here; use POST`);
    return { ...refusal, allow: "POST, GET" };
  }
  if (/^\/a\/[^/]+\/?$/.test(path)) {
    const refusal = refuse("not_supported", `${method} is not supported here; use GET or POST`);
    return { ...refusal, allow: "GET, POST" };
  }
  if (path.startsWith(`${API}/`)) {
    const methods = methodsOf(path);
    if (methods.length > 0) {
      const allow = methods.join(", ");
      const refusal = refuse("not_supported", `${method} is not supported here; use ${allow}`);
      return { ...refusal, allow };
    }
    return refuse("not_found", "no such endpoint");
  }
  return path.startsWith("/api/")
    ? refuse("not_found", "no such version of the API; use /api/v4")
    : refuse("not_found", "no such endpoint");
}

/** Creates the HTTP application. */
export function createApp(): Hono<Environment> {
  const app = new Hono<Environment>({ strict: false });
  app.use("*", async (context, next) => {
    context.set("requestId", crypto.randomUUID());
    await next();
    // An accepted WebSocket.
    if (context.res.status === 101) return;
    if (context.res.status >= 500) counted.count("tocsin_http_errors_total", {});
    context.res = new Response(context.res.body, context.res);
    const { headers } = context.res;
    headers.set("X-Request-Id", context.get("requestId"));
    headers.set("X-Content-Type-Options", "nosniff");
    // An answer may show a key, a person's number or an alert's text.
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  });
  app.use("*", requireHttps);
  app.use("/api/*", cors({ origin: "*", exposeHeaders: EXPOSED, maxAge: 86_400 }));
  for (const route of routes) {
    app.on(route.method, API + route.path, (context) => serve(route, context, authenticate));
  }
  for (const path of ["/integration/:id", "/integration/:id/g"]) {
    app.on(["POST", "GET"], path, receive);
  }
  app.post("/v2/enqueue", enqueueEvent);
  app.post("/v2/change/enqueue", enqueueChange);
  app.post("/integrations/generic/20131114/alert/:key/:routing_key", receiveVictoropsAlert);
  app.post("/generic/2010-04-15/create_event.json", createEventV1);
  mountOpsgenie(app);
  app.get("/feeds/:file", serveFeed);
  app.on(["GET", "POST"], `${LINK_PATH}:token`, serveLink);
  mountCallbacks(app);
  app.get("/health", serveHealth);
  app.get("/ready", serveReadiness);
  app.get("/metrics", serveMetrics);
  app.get("/backup", serveBackup);
  app.post("/restore/:step", serveRestore);
  app.get("/live", (context) => serveLive(context, openLiveSocket));
  mountConsole(app, routes);
  app.notFound((context) =>
    wantsPage(context)
      ? writeRefusal(context, refuse("not_found", "this page does not exist"))
      : respond(unknownPath(context.req.path, context.req.method), context.get("requestId")),
  );
  app.onError((error, context) => {
    const requestId = context.get("requestId");
    console.error({ message: "unexpected error", requestId, error: describe(error) });
    reportIfFull(error);
    if (wantsPage(context)) {
      return isOutage(error)
        ? writeRefusal(context, OUTAGE)
        : writeRefusal(context, internalError(requestId), 500);
    }
    if (isOutage(error)) return respond(OUTAGE, requestId);
    const errors = [{ message: "internal error; include the request id when you report it" }];
    return Response.json(errorBody(500, errors, requestId), { status: 500 });
  });
  return app;
}

function mountOpsgenie(app: Hono<Environment>): void {
  app.get("/v2/alerts", listOpsgenieAlerts);
  app.get("/v2/alerts/count", countOpsgenieAlerts);
  app.get("/v2/alerts/requests/:id", getOpsgenieRequest);
  app.get("/v2/alerts/:id", getOpsgenieAlert);
  app.post("/v2/alerts", acceptOpsgenieRequest);
  app.delete("/v2/alerts/:id", acceptOpsgenieRequest);
  app.on(["POST", "PUT"], "/v2/alerts/:id/:action", acceptOpsgenieRequest);
  // An alias may contain slashes; requests that change nothing here are accepted too.
  app.get("/v2/alerts/*", getOpsgenieAlert);
  app.on(["POST", "PUT", "PATCH", "DELETE"], "/v2/alerts/*", acceptOpsgenieRequest);
  app.get("/v2/heartbeats", listOpsgenieHeartbeats);
  app.get("/v2/heartbeats/:name", getOpsgenieHeartbeat);
  app.on(["GET", "POST", "PUT"], "/v2/heartbeats/:name/ping", pingOpsgenieHeartbeat);
  app.on(["POST", "PUT", "PATCH", "DELETE"], "/v2/heartbeats/*", refuseOpsgenieHeartbeatChange);
  // Zabbix's media type builds this path from the configured URL of Opsgenie's web interface.
  app.get("/alert/detail/*", (context) => {
    const id = context.req.path.slice("/alert/detail/".length);
    return context.redirect(`/alerts/${encodeURIComponent(id)}`);
  });
}

/** The refusal shown on a page after an unexpected error. */
const internalError = (requestId: string): Refusal =>
  refuse("unavailable", `internal error; try again, or report it with the request id ${requestId}`);

/** Describes an error for the log, without messages that contain SQL and parameters. */
function describe(error: Error): Record<string, unknown> {
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  const first = error.message.startsWith("Failed query") ? "failed query" : error.message;
  return {
    name: error.name,
    message: first.slice(0, 300),
    cause: cause?.slice(0, 300),
    stack: error.stack?.split("\n").slice(1, 8),
  };
}
