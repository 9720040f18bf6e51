// The worker's entry points (requests, mail, queue messages, cron) and its Durable Object classes.
import { createApp } from "./app.ts";
import { eraseRemoved } from "./objects/erasure.ts";
import { resumeNotifying } from "./objects/notify-changes.ts";
import { consume } from "./queue/consumer.ts";
import { retire } from "./queue/retention.ts";
import { sweep } from "./queue/sweep.ts";
import { receiveMail } from "./webhooks/receive-mail.ts";

export { AccessMailObject } from "./objects/access-mail-object.ts";
export { AlertObject } from "./objects/alert-object.ts";
export { BroadcastObject } from "./objects/broadcast-object.ts";
export { DedupKeyObject } from "./objects/dedup-key.ts";
export { IntegrationInbox } from "./objects/integration-inbox.ts";
export { OutgoingObject } from "./objects/outgoing-object.ts";
export { PersonObject } from "./objects/person-object.ts";
export { ScheduleObject } from "./objects/schedule-object.ts";
export { SecurityMailObject } from "./objects/security-mail-object.ts";
export { TeamObject } from "./objects/team-object.ts";
export { WelcomeObject } from "./objects/welcome-object.ts";

const app = createApp();

export default {
  fetch(request, env, context) {
    context.waitUntil(resumeNotifying(env));
    return app.fetch(request, env, context);
  },
  email: receiveMail,
  queue: consume,
  async scheduled(_controller, env) {
    const now = Date.now();
    await Promise.all([sweep(env, now), retire(env, now), eraseRemoved(env, now)]);
  },
} satisfies ExportedHandler<Cloudflare.Env>;
