// The worker's entry points (requests, mail, queue messages, cron) and its Durable Object classes.
import { createApp } from "./app.ts";
import { retire } from "./cron/retention.ts";
import { sweep } from "./cron/sweep.ts";
import { isRestoring } from "./db/operations/backup/restore-rows.ts";
import { isMonitored } from "./domain/operations/monitored.ts";
import { hasBackups } from "./objects/operations/backup/nightly-backup.ts";
import { operationsObject } from "./objects/shared/stubs.ts";
import { consume } from "./queue/consumer.ts";
import { reportLater } from "./services/operations/report-counts.ts";
import { eraseRemoved } from "./services/people/erasure.ts";
import { resumeNotifying } from "./services/shared/notify-changes.ts";
import { receiveMail } from "./webhooks/receive-mail.ts";

export { AccessMailObject } from "./objects/access/access-mail-object.ts";
export { SecurityMailObject } from "./objects/access/security-mail-object.ts";
export { AlertObject } from "./objects/alerts/alert-object.ts";
export { DedupKeyObject } from "./objects/alerts/dedup-key.ts";
export { BulkOperationObject } from "./objects/alerts/lists/bulk-operation-object.ts";
export { LiveObject } from "./objects/alerts/live/live-object.ts";
export { BroadcastObject } from "./objects/broadcasts/broadcast-object.ts";
export { IntegrationInbox } from "./objects/integrations/inbox/integration-inbox.ts";
export { OutgoingObject } from "./objects/integrations/outgoing-object.ts";
export { CoverRequestObject } from "./objects/oncall/absences/cover-request-object.ts";
export { AbsenceCalendarObject } from "./objects/oncall/calendars/absence-calendar-object.ts";
export { CalendarImportObject } from "./objects/oncall/calendars/calendar-import-object.ts";
export { ScheduleObject } from "./objects/oncall/schedule-object.ts";
export { TeamObject } from "./objects/oncall/team-object.ts";
export { OperationsObject } from "./objects/operations/operations-object.ts";
export { PersonObject } from "./objects/people/person-object.ts";
export { WelcomeObject } from "./objects/people/welcome-object.ts";

const app = createApp();

export default {
  fetch(request, env, context) {
    context.waitUntil(resumeNotifying(env));
    context.waitUntil(reportLater(env));
    return app.fetch(request, env, context);
  },
  email: receiveMail,
  queue: consume,
  async scheduled(_controller, env) {
    const now = Date.now();
    if (await isRestoring(env.DB)) return;
    // Each runs to its end: in a full database, what fails must not end what frees space.
    const outcomes = await Promise.allSettled([
      sweep(env, now),
      retire(env, now),
      eraseRemoved(env, now),
      isMonitored(env) || hasBackups(env) ? operationsObject(env).wake() : null,
    ]);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  },
} satisfies ExportedHandler<Cloudflare.Env>;
