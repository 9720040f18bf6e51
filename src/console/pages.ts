// The list of all pages and actions of the console.

import { addressesPages } from "./access/addresses.tsx";
import { apiKeysPages } from "./access/api-keys.tsx";
import { forgottenPages } from "./access/forgotten.tsx";
import { linkChatPages } from "./access/link-chat.tsx";
import { passwordPages } from "./access/password.tsx";
import { settingsPages } from "./access/settings.tsx";
import { settingsActions } from "./access/settings-actions.tsx";
import { signInPages } from "./access/sign-in.tsx";
import { singleSignOnPages } from "./access/single-sign-on.tsx";
import { verifyAddressPages } from "./access/verify-address.tsx";
import { alertPages } from "./alerts/alert.tsx";
import { alertActions } from "./alerts/alert-actions.tsx";
import { alertEditPages } from "./alerts/alert-edit.tsx";
import { alertNewPages } from "./alerts/alert-new.tsx";
import { alertsPages } from "./alerts/alerts.tsx";
import { alertsBulk } from "./alerts/alerts-bulk.ts";
import { bulkOperationPages } from "./alerts/bulk-operation.tsx";
import { furtherAlertActions } from "./alerts/further-actions.ts";
import { savedFiltersPages } from "./alerts/saved-filters.tsx";
import { broadcastPages } from "./broadcasts/broadcast.tsx";
import { broadcastsPages } from "./broadcasts/broadcasts.tsx";
import { choicesPages } from "./configuration/choices.ts";
import { configurationPages } from "./configuration/configuration.tsx";
import { configurationFilePages } from "./configuration/configuration-file.tsx";
import { setUpPages } from "./configuration/set-up.tsx";
import { integrationLogPages } from "./integrations/integration-log.tsx";
import { integrationsPages } from "./integrations/integrations.tsx";
import { maintenanceWindowsPages } from "./integrations/maintenance-windows.tsx";
import { absencePages } from "./oncall/absences/absence.tsx";
import { awayPages } from "./oncall/absences/away.tsx";
import { movedPages } from "./oncall/absences/moved.ts";
import { calendarDataPages } from "./oncall/calendar-data.ts";
import { absenceCalendarPages } from "./oncall/calendars/absence-calendars.tsx";
import { calendarImportPages } from "./oncall/calendars/calendar-imports.tsx";
import { calendarsPages } from "./oncall/calendars/calendars.tsx";
import { companyHolidayPages } from "./oncall/calendars/company-holidays.tsx";
import { eventPages } from "./oncall/events/event.tsx";
import { eventEditPages } from "./oncall/events/event-edit.tsx";
import { eventMovePages } from "./oncall/events/event-move.tsx";
import { eventNewPages } from "./oncall/events/event-new.tsx";
import { eventOverridePages } from "./oncall/events/event-override.tsx";
import { eventRemovePages } from "./oncall/events/event-remove.tsx";
import { plannedRemovalPages } from "./oncall/events/planned-removal.tsx";
import { scheduleRemovalPages } from "./oncall/events/schedule-removal.tsx";
import { takeOverPages } from "./oncall/events/take-over.tsx";
import { historyPages } from "./oncall/history.tsx";
import { myShiftsPages } from "./oncall/my-shifts.tsx";
import { onCallPages } from "./oncall/on-call.tsx";
import { rotationNewPages } from "./oncall/rotation/rotation-new.tsx";
import { schedulePages } from "./oncall/schedule.tsx";
import { schedulesPages } from "./oncall/schedules.tsx";
import type { ConsolePage } from "./page.ts";
import { peoplePages } from "./people/people.tsx";
import { peopleImportPages } from "./people/people-import.tsx";
import { personPages } from "./people/person.tsx";
import { teamsPages } from "./people/teams.tsx";
import { drillsPages } from "./reports/drills.tsx";
import { hoursPages } from "./reports/hours.tsx";
import { readinessPages } from "./reports/readiness.tsx";
import { reportsPages } from "./reports/reports.tsx";
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
