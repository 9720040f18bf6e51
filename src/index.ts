// The worker's entrances: requests, queued messages, the sweep; and the objects it is home to.
import { DurableObject } from "cloudflare:workers";
import { createApp } from "./app.ts";

export class IntegrationInbox extends DurableObject {}
export class AlertObject extends DurableObject {}

const app = createApp();

export default {
  fetch: app.fetch,
  async queue() {},
  async scheduled() {},
} satisfies ExportedHandler<Cloudflare.Env>;
