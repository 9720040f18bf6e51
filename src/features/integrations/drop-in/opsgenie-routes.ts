// The routes of Opsgenie's API that its clients call.
import type { Hono } from "hono";
import type { Environment } from "../../../kernel/http/serve.ts";
import {
  countOpsgenieAlerts,
  getOpsgenieAlert,
  getOpsgenieRequest,
  listOpsgenieAlerts,
} from "./opsgenie-alerts.ts";
import { acceptOpsgenieRequest } from "./opsgenie-endpoint.ts";
import {
  getOpsgenieHeartbeat,
  listOpsgenieHeartbeats,
  pingOpsgenieHeartbeat,
  refuseOpsgenieHeartbeatChange,
} from "./opsgenie-heartbeats.ts";

export function mountOpsgenie(app: Hono<Environment>): void {
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
