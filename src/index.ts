// The worker's entry points (requests, mail, queue messages, cron) and its Durable Object classes.
import { createApp } from "./app.ts";
import { consume } from "./consumer.ts";
import { isMonitored } from "./domain/shared/metrics/monitored.ts";
import { resumeNotifying } from "./features/change/notify-changes.ts";
import { receiveMail } from "./features/integrations/receive/receive-mail.ts";
import { hasBackups } from "./features/operations/backup/nightly-backup.ts";
import { isRestoring } from "./features/operations/backup/restore-rows.ts";
import { eraseRemoved } from "./features/operations/removal/erasure.ts";
import { retire } from "./features/operations/retention/retention.ts";
import { sweep } from "./features/operations/retention/sweep.ts";
import { operationsObject } from "./features/stubs.ts";
import { reportLater } from "./kernel/metrics/report-counts.ts";

export { AccessMailObject } from "./features/access/sessions/access-mail-object.ts";
export { SecurityMailObject } from "./features/access/sessions/security-mail-object.ts";
export { BulkOperationObject } from "./features/alerts/bulk-operations/object.ts";
export { DedupKeyObject } from "./features/alerts/object/dedup-key.ts";
export { LiveObject } from "./features/alerts/object/live-object.ts";
export { AlertObject } from "./features/alerts/object/object.ts";
export { BroadcastObject } from "./features/broadcasts/broadcasts/object.ts";
export { OutgoingObject } from "./features/integrations/deliveries/object.ts";
export { IntegrationInbox } from "./features/integrations/inbox/object.ts";
export { PersonObject } from "./features/notifications/pages/person-object.ts";
export { AbsenceCalendarObject } from "./features/oncall/absence-calendars/object.ts";
export { CoverRequestObject } from "./features/oncall/absences/object.ts";
export { CalendarImportObject } from "./features/oncall/calendar-imports/object.ts";
export { ScheduleObject } from "./features/oncall/schedules/object.ts";
export { TeamObject } from "./features/oncall/teams/object.ts";
export { OperationsObject } from "./features/operations/audits/object.ts";
export { WelcomeObject } from "./features/people/invitations/object.ts";

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
