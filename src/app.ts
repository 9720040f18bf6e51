// All HTTP routes of the worker. What a webhook needs is imported here, everything else by the first request for
// it. Request ids, error bodies and CORS are handled here, everything else in the route's own file.
import { Hono } from "hono";
import { cors } from "hono/cors";
import { refuse } from "./domain/shared/refusal.ts";
import { receive } from "./features/integrations/receive/receive.ts";
import { openLiveSocket } from "./features/stubs.ts";
import { isOutage, OUTAGE } from "./kernel/db/outage.ts";
import { refuseIfUsedUp } from "./kernel/db/used-up.ts";
import { errorBody, respond } from "./kernel/http/answers.ts";
import { requireHttps } from "./kernel/http/https.ts";
import { loadedHandler, loadedRoutes } from "./kernel/http/loaded.ts";
import { reportError } from "./kernel/http/report-error.ts";
import type { Environment } from "./kernel/http/serve.ts";
import { serveHealth } from "./kernel/http/serve-health.ts";
import { LINK_PATH } from "./kernel/links.ts";
import { counted } from "./kernel/metrics/counted.ts";

const EXPOSED = ["X-Request-Id", "X-D1-Bookmark", "Retry-After", "Idempotent-Replayed"];

/** Paths that support two methods each, with the refusal of the others. */
const SENDERS = {
  paths: ["/integration/:id", "/integration/:id/g"],
  methods: ["POST", "GET"],
  hint: "use POST",
};
const LINKS = { paths: [`${LINK_PATH}:token`], methods: ["GET", "POST"], hint: "use GET or POST" };

/** Creates the HTTP application. */
export function createApp(): Hono<Environment> {
  const app = new Hono<Environment>({ strict: false });
  app.use("*", async (context, next) => {
    context.set("requestId", crypto.randomUUID());
    await next();
    // An accepted WebSocket.
    if (context.res.status === 101) return;
    if (context.res.status >= 500) counted.count("tocsin_http_errors_total", {});
    const { headers } = context.res;
    headers.set("X-Request-Id", context.get("requestId"));
    headers.set("X-Content-Type-Options", "nosniff");
    // An answer may show a key, a person's number or an alert's text.
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  });
  app.use("*", requireHttps);
  app.use("/api/*", cors({ origin: "*", exposeHeaders: EXPOSED, maxAge: 86_400 }));
  app.on(SENDERS.methods, SENDERS.paths, receive);
  mountDropIns(app);
  app.get(
    "/feeds/:file",
    loadedHandler(async () => (await import("./features/oncall/feeds/serve-feed.ts")).serveFeed),
  );
  const serveLink = async () =>
    (await import("./features/notifications/reply-links/serve-link.ts")).serveLink;
  app.on(LINKS.methods, LINKS.paths, loadedHandler(serveLink));
  for (const { paths, methods, hint } of [SENDERS, LINKS]) {
    app.on("ALL", paths, ({ req, get }) => {
      const refusal = refuse("not_supported", `${req.method} is not supported here; ${hint}`);
      return respond({ ...refusal, allow: methods.join(", ") }, get("requestId"));
    });
  }
  mountOperations(app);
  app.all(
    "/callbacks/*",
    loadedRoutes(
      async () => (await import("./features/notifications/callbacks/mount.ts")).mountCallbacks,
    ),
  );
  app.all(
    "/api/*",
    loadedRoutes(async () => (await import("./api.ts")).mountApi),
  );
  app.all(
    "*",
    loadedRoutes(async () => {
      const [{ mountConsole }, { serveLive }, { routes }, { resumeNotifying }] = await Promise.all([
        import("./console/console.tsx"),
        import("./console/serve-live.ts"),
        import("./routes.ts"),
        import("./features/change/notify-changes.ts"),
      ]);
      return (console) => {
        console.use("*", resumeNotifying);
        console.get("/live", (context) => serveLive(context, openLiveSocket));
        mountConsole(console, routes);
      };
    }),
  );
  app.onError(async (error, context) => {
    const requestId = context.get("requestId");
    reportError(error, requestId);
    if (isOutage(error)) {
      return respond((await refuseIfUsedUp(context.env, error)) ?? OUTAGE, requestId);
    }
    const errors = [{ message: "internal error; include the request id when you report it" }];
    return Response.json(errorBody(500, errors, requestId), { status: 500 });
  });
  return app;
}

/** The addresses at which other services' clients send their events. */
function mountDropIns(app: Hono<Environment>): void {
  const pagerDuty = () => import("./features/integrations/drop-in/pagerduty-endpoint.ts");
  app.post(
    "/v2/enqueue",
    loadedHandler(async () => (await pagerDuty()).enqueueEvent),
  );
  app.post(
    "/v2/change/enqueue",
    loadedHandler(async () => (await pagerDuty()).enqueueChange),
  );
  app.post(
    "/generic/2010-04-15/create_event.json",
    loadedHandler(
      async () =>
        (await import("./features/integrations/drop-in/pagerduty-v1-endpoint.ts")).createEventV1,
    ),
  );
  app.post(
    "/integrations/generic/20131114/alert/:key/:routing_key",
    loadedHandler(
      async () =>
        (await import("./features/integrations/drop-in/victorops-endpoint.ts"))
          .receiveVictoropsAlert,
    ),
  );
  const opsgenie = async () =>
    (await import("./features/integrations/drop-in/opsgenie-routes.ts")).mountOpsgenie;
  app.on("ALL", ["/v2/alerts/*", "/v2/heartbeats/*", "/alert/detail/*"], loadedRoutes(opsgenie));
}

/** What those who run the service ask it. */
function mountOperations(app: Hono<Environment>): void {
  app.get("/health", serveHealth);
  app.get(
    "/ready",
    loadedHandler(
      async () => (await import("./features/operations/audits/serve-readiness.ts")).serveReadiness,
    ),
  );
  app.get(
    "/metrics",
    loadedHandler(
      async () => (await import("./features/operations/audits/serve-metrics.ts")).serveMetrics,
    ),
  );
  const standby = () => import("./features/operations/standby/serve-standby.ts");
  app.get(
    "/standby",
    loadedHandler(async () => (await standby()).serveStandby),
  );
  app.post(
    "/standby/:step",
    loadedHandler(async () => (await standby()).serveStandbyStep),
  );
  const backup = () => import("./features/operations/backup/serve-backup.ts");
  app.get(
    "/backup",
    loadedHandler(async () => (await backup()).serveBackup),
  );
  app.post(
    "/restore/:step",
    loadedHandler(async () => (await backup()).serveRestore),
  );
}
