// The callbacks of every provider of SMS and calls.
import type { Hono } from "hono";
import { allPhoneProviders } from "../channels/phone/providers.ts";
import type { Environment } from "../http/serve.ts";
import { serveCallAnswer } from "./call-answers.ts";
import { serveDeliveryReport } from "./delivery-reports.ts";
import { fromProvider } from "./provider-request.ts";
import { serveSmsAnswer } from "./sms-answers.ts";

export function mountCallbacks(app: Hono<Environment>): void {
  for (const provider of allPhoneProviders) {
    const base = `/callbacks/${provider.name}`;
    const notification = ":account/:person/:id";
    app.post(`${base}/messages`, fromProvider(provider, serveSmsAnswer));
    app.post(`${base}/calls/${notification}`, fromProvider(provider, serveCallAnswer));
    app.post(`${base}/status/${notification}`, fromProvider(provider, serveDeliveryReport));
  }
}
