// The list of all pages and actions of the console.
import type { ConsolePage } from "./page.ts";
import { addressesPages } from "./pages/access/addresses.tsx";
import { apiKeysPages } from "./pages/access/api-keys.tsx";
import { forgottenPages } from "./pages/access/forgotten.tsx";
import { linkChatPages } from "./pages/access/link-chat.tsx";
import { passwordPages } from "./pages/access/password.tsx";
import { settingsPages } from "./pages/access/settings.tsx";
import { settingsActions } from "./pages/access/settings-actions.tsx";
import { signInPages } from "./pages/access/sign-in.tsx";
import { singleSignOnPages } from "./pages/access/single-sign-on.tsx";
import { verifyAddressPages } from "./pages/access/verify-address.tsx";
import { alertPages } from "./pages/alerts/alert.tsx";
import { alertActions } from "./pages/alerts/alert-actions.tsx";
import { alertEditPages } from "./pages/alerts/alert-edit.tsx";
import { alertNewPages } from "./pages/alerts/alert-new.tsx";
import { alertsPages } from "./pages/alerts/alerts.tsx";
import { alertsBulk } from "./pages/alerts/alerts-bulk.ts";
import { bulkOperationPages } from "./pages/alerts/bulk-operation.tsx";
import { furtherAlertActions } from "./pages/alerts/further-actions.ts";
import { savedFiltersPages } from "./pages/alerts/saved-filters.tsx";
import { broadcastPages } from "./pages/broadcasts/broadcast.tsx";
import { broadcastsPages } from "./pages/broadcasts/broadcasts.tsx";
import { absenceCalendarPages } from "./pages/calendars/absence-calendars.tsx";
import { calendarImportPages } from "./pages/calendars/calendar-imports.tsx";
import { calendarsPages } from "./pages/calendars/calendars.tsx";
import { companyHolidayPages } from "./pages/calendars/company-holidays.tsx";
import { integrationLogPages } from "./pages/integrations/integration-log.tsx";
import { integrationsPages } from "./pages/integrations/integrations.tsx";
import { maintenanceWindowsPages } from "./pages/integrations/maintenance-windows.tsx";
import { absencePages } from "./pages/oncall/absences/absence.tsx";
import { awayPages } from "./pages/oncall/absences/away.tsx";
import { movedPages } from "./pages/oncall/absences/moved.ts";
import { calendarDataPages } from "./pages/oncall/calendar-data.ts";
import { eventRemovePages } from "./pages/oncall/changes/event-remove.tsx";
import { plannedRemovalPages } from "./pages/oncall/changes/planned-removal.tsx";
import { scheduleRemovalPages } from "./pages/oncall/changes/schedule-removal.tsx";
import { takeOverPages } from "./pages/oncall/changes/take-over.tsx";
import { eventPages } from "./pages/oncall/event.tsx";
import { eventEditPages } from "./pages/oncall/event-edit.tsx";
import { eventMovePages } from "./pages/oncall/event-move.tsx";
import { eventNewPages } from "./pages/oncall/event-new.tsx";
import { eventOverridePages } from "./pages/oncall/event-override.tsx";
import { historyPages } from "./pages/oncall/history/history.tsx";
import { myShiftsPages } from "./pages/oncall/my-shifts.tsx";
import { onCallPages } from "./pages/oncall/on-call.tsx";
import { rotationNewPages } from "./pages/oncall/rotation/rotation-new.tsx";
import { schedulePages } from "./pages/oncall/schedule.tsx";
import { schedulesPages } from "./pages/oncall/schedules.tsx";
import { peoplePages } from "./pages/people/people.tsx";
import { peopleImportPages } from "./pages/people/people-import.tsx";
import { personPages } from "./pages/people/person.tsx";
import { teamsPages } from "./pages/people/teams.tsx";
import { drillsPages } from "./pages/reports/drills.tsx";
import { hoursPages } from "./pages/reports/hours.tsx";
import { readinessPages } from "./pages/reports/readiness.tsx";
import { reportsPages } from "./pages/reports/reports.tsx";
import { choicesPages } from "./pages/shared/choices.ts";
import { configurationPages } from "./pages/shared/configuration.tsx";
import { configurationFilePages } from "./pages/shared/configuration-file.tsx";
import { setUpPages } from "./pages/shared/set-up.tsx";
import { escalationPoliciesPages } from "./routing/escalation-policies.tsx";
import { notificationRulesPages } from "./routing/notification-rules.tsx";
import { routersPages } from "./routing/routers.tsx";

export const pages: readonly ConsolePage[] = [
  ...signInPages,
  ...singleSignOnPages,
  ...passwordPages,
  ...forgottenPages,
  ...alertsPages,
  ...alertsBulk,
  ...bulkOperationPages,
  ...savedFiltersPages,
  ...alertNewPages,
  ...alertActions,
  ...furtherAlertActions,
  ...alertEditPages,
  ...alertPages,
  ...onCallPages,
  ...awayPages,
  ...absencePages,
  ...calendarsPages,
  ...absenceCalendarPages,
  ...companyHolidayPages,
  ...myShiftsPages,
  ...movedPages,
  ...settingsPages,
  ...linkChatPages,
  ...addressesPages,
  ...settingsActions,
  ...verifyAddressPages,
  ...setUpPages,
  ...schedulesPages,
  ...calendarDataPages,
  ...eventNewPages,
  ...calendarImportPages,
  ...rotationNewPages,
  ...historyPages,
  ...schedulePages,
  ...scheduleRemovalPages,
  ...eventPages,
  ...eventRemovePages,
  ...plannedRemovalPages,
  ...eventEditPages,
  ...eventMovePages,
  ...eventOverridePages,
  ...takeOverPages,
  ...apiKeysPages,
  ...broadcastsPages,
  ...broadcastPages,
  ...choicesPages,
  ...configurationPages,
  ...configurationFilePages,
  ...drillsPages,
  ...escalationPoliciesPages,
  ...hoursPages,
  ...integrationLogPages,
  ...integrationsPages,
  ...maintenanceWindowsPages,
  ...notificationRulesPages,
  ...peopleImportPages,
  ...peoplePages,
  ...personPages,
  ...readinessPages,
  ...reportsPages,
  ...routersPages,
  ...teamsPages,
];
