// Every route that the worker serves, also those that it loads at their first use.
import { Hono } from "hono";
import { mountApi } from "../../../src/api.ts";
import { createApp } from "../../../src/app.ts";
import { mountConsole } from "../../../src/console/console.tsx";
import { mountOpsgenie } from "../../../src/features/integrations/drop-in/opsgenie-routes.ts";
import { mountCallbacks } from "../../../src/features/notifications/callbacks/mount.ts";
import type { Environment } from "../../../src/kernel/http/serve.ts";
import { routes } from "../../../src/routes.ts";

/** The routes with a method of their own, in no order. */
export function servedRoutes() {
  const loaded = new Hono<Environment>();
  mountApi(loaded);
  mountCallbacks(loaded);
  mountOpsgenie(loaded);
  mountConsole(loaded, routes);
  return [...createApp().routes, ...loaded.routes].filter(({ method }) => method !== "ALL");
}
