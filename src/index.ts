// The worker's entry points (requests, mail, queue messages, cron) and its Durable Object classes. What a
// webhook does not need is loaded at its first use.
import { createApp } from "./app.ts";
import { reportLater } from "./kernel/metrics/report-counts.ts";

export * from "./objects.ts";

const app = createApp();

export default {
  fetch(request, env, context) {
    context.waitUntil(reportLater(env));
    return app.fetch(request, env, context);
  },
  async email(message, env) {
    const { receiveMail } = await import("./features/integrations/receive/receive-mail.ts");
    await receiveMail(message, env);
  },
  async queue(batch, env, context) {
    const { consume } = await import("./consumer.ts");
    await consume(batch, env, context);
  },
  async scheduled(_controller, env) {
    const { runEveryMinute } = await import("./cron.ts");
    await runEveryMinute(env, Date.now());
  },
} satisfies ExportedHandler<Cloudflare.Env>;
