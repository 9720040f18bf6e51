// All routes of the versioned API. Each is implemented in the file of its resource.
import type { Route } from "./http/route.ts";
import { accountUserRoutes } from "./resources/account-users.ts";
import { alertHandOffRoutes } from "./resources/alert-handoff.ts";
import { alertPreviewRoutes } from "./resources/alert-preview.ts";
import { alertRoutes } from "./resources/alerts.ts";
import { apiKeyRoutes } from "./resources/api-keys.ts";
import { broadcastResponseRoutes } from "./resources/broadcast-responses.ts";
import { broadcastRoutes } from "./resources/broadcasts.ts";
import { calendarFeedRoutes } from "./resources/calendar-feeds.ts";
import { commentRoutes } from "./resources/comments.ts";
import { coverageRoutes } from "./resources/coverage.ts";
import { deliveryRoutes } from "./resources/deliveries.ts";
import { emailRoutes } from "./resources/emails.ts";
import { withErasure } from "./resources/erase-member.ts";
import { escalationPolicyRoutes } from "./resources/escalation-policies.ts";
import { eventAmendmentRoutes } from "./resources/event-amendments.ts";
import { eventFollowingRoutes } from "./resources/event-following.ts";
import { eventOccurrenceRoutes } from "./resources/event-occurrence.ts";
import { eventOverrideRoutes } from "./resources/event-overrides.ts";
import { eventPartRoutes } from "./resources/event-part.ts";
import { eventRoutes } from "./resources/events.ts";
import { watched } from "./resources/handoff-watch.ts";
import { integrationPreviewRoutes } from "./resources/integration-preview.ts";
import { integrationRotationRoutes } from "./resources/integration-rotation.ts";
import { integrationTestEventRoutes } from "./resources/integration-test-event.ts";
import { integrationTypeRoutes } from "./resources/integration-types.ts";
import { integrationRoutes } from "./resources/integrations.ts";
import { invitationRoutes } from "./resources/invitations.ts";
import { logRoutes } from "./resources/logs.ts";
import { maintenanceWindowRoutes } from "./resources/maintenance-windows.ts";
import { nextStepRoutes } from "./resources/next-steps.ts";
import { notificationRuleRoutes } from "./resources/notification-rules.ts";
import { notificationRoutes } from "./resources/notifications.ts";
import { oncallRoutes } from "./resources/oncall.ts";
import { onCallTeamRoutes } from "./resources/oncall-teams.ts";
import { phoneRoutes } from "./resources/phones.ts";
import { pushSubscriptionRoutes } from "./resources/push-subscriptions.ts";
import { reportRoutes } from "./resources/reports.ts";
import { routerRoutes } from "./resources/routers.ts";
import { scheduleRoutes } from "./resources/schedules.ts";
import { signingSecretRoutes } from "./resources/signing-secrets.ts";
import { teamRoutes } from "./resources/teams.ts";
import { userRoutes } from "./resources/users.ts";

/** Every route of the versioned API, relative to `/api/v4`. */
export const routes: readonly Route[] = [
  ...alertRoutes,
  ...alertHandOffRoutes,
  ...alertPreviewRoutes,
  ...watched(withErasure(accountUserRoutes)),
  ...apiKeyRoutes,
  ...broadcastRoutes,
  ...broadcastResponseRoutes,
  ...calendarFeedRoutes,
  ...commentRoutes,
  ...coverageRoutes,
  ...deliveryRoutes,
  ...emailRoutes,
  ...escalationPolicyRoutes,
  ...watched(eventRoutes),
  ...watched(eventAmendmentRoutes),
  ...watched(eventFollowingRoutes),
  ...eventOccurrenceRoutes,
  ...watched(eventPartRoutes),
  ...watched(eventOverrideRoutes),
  ...integrationRoutes,
  ...integrationPreviewRoutes,
  ...integrationRotationRoutes,
  ...integrationTestEventRoutes,
  ...integrationTypeRoutes,
  ...invitationRoutes,
  ...logRoutes,
  ...maintenanceWindowRoutes,
  ...nextStepRoutes,
  ...notificationRoutes,
  ...notificationRuleRoutes,
  ...oncallRoutes,
  ...onCallTeamRoutes,
  ...phoneRoutes,
  ...pushSubscriptionRoutes,
  ...reportRoutes,
  ...routerRoutes,
  ...watched(scheduleRoutes),
  ...signingSecretRoutes,
  ...watched(teamRoutes),
  ...userRoutes,
];
