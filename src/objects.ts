// The Durable Object classes. Each object loads its code in its first call, and an isolate that starts for one
// of them evaluates nothing of the others.
import type { AccessMailObject as LoadedAccessMailObject } from "./features/access/sessions/access-mail-object.ts";
import type { SecurityMailObject as LoadedSecurityMailObject } from "./features/access/sessions/security-mail-object.ts";
import type { BulkOperationObject as LoadedBulkOperationObject } from "./features/alerts/bulk-operations/object.ts";
import type { DedupKeyObject as LoadedDedupKeyObject } from "./features/alerts/object/dedup-key.ts";
import type { LiveObject as LoadedLiveObject } from "./features/alerts/object/live-object.ts";
import type { AlertObject as LoadedAlertObject } from "./features/alerts/object/object.ts";
import type { BroadcastObject as LoadedBroadcastObject } from "./features/broadcasts/broadcasts/object.ts";
import type { OutgoingObject as LoadedOutgoingObject } from "./features/integrations/deliveries/object.ts";
import type { IntegrationInbox as LoadedIntegrationInbox } from "./features/integrations/inbox/object.ts";
import type { PersonObject as LoadedPersonObject } from "./features/notifications/pages/person-object.ts";
import type { AbsenceCalendarObject as LoadedAbsenceCalendarObject } from "./features/oncall/absence-calendars/object.ts";
import type { CoverRequestObject as LoadedCoverRequestObject } from "./features/oncall/absences/object.ts";
import type { CalendarImportObject as LoadedCalendarImportObject } from "./features/oncall/calendar-imports/object.ts";
import type { ScheduleObject as LoadedScheduleObject } from "./features/oncall/schedules/object.ts";
import type { TeamObject as LoadedTeamObject } from "./features/oncall/teams/object.ts";
import type { OperationsObject as LoadedOperationsObject } from "./features/operations/audits/object.ts";
import type { StandbyObject as LoadedStandbyObject } from "./features/operations/standby/object.ts";
import type { WelcomeObject as LoadedWelcomeObject } from "./features/people/invitations/object.ts";
import { loadedObject } from "./kernel/objects/loaded-object.ts";

const BACKED_UP = { readState: true, writeState: true, restart: true } as const;
const ALARM = { ...BACKED_UP, anonymize: true, alarm: true } as const;

export class AccessMailObject extends loadedObject<LoadedAccessMailObject>(
  async () => (await import("./features/access/sessions/access-mail-object.ts")).AccessMailObject,
  { ...ALARM, expect: true, take: true, done: true, derivePassword: true },
) {}

export class SecurityMailObject extends loadedObject<LoadedSecurityMailObject>(
  async () =>
    (await import("./features/access/sessions/security-mail-object.ts")).SecurityMailObject,
  { ...ALARM, expect: true, take: true, done: true },
) {}

export class BulkOperationObject extends loadedObject<LoadedBulkOperationObject>(
  async () => (await import("./features/alerts/bulk-operations/object.ts")).BulkOperationObject,
  { ...ALARM, expect: true, start: true },
) {}

export class DedupKeyObject extends loadedObject<LoadedDedupKeyObject>(
  async () => (await import("./features/alerts/object/dedup-key.ts")).DedupKeyObject,
  { look: true, age: true, claim: true, release: true, alarm: true },
) {}

export class LiveObject extends loadedObject<LoadedLiveObject>(
  async () => (await import("./features/alerts/object/live-object.ts")).LiveObject,
  {
    ...ALARM,
    fetch: true,
    changed: true,
    sessionsEnded: true,
    webSocketMessage: true,
    webSocketClose: true,
    webSocketError: true,
  },
) {}

export class AlertObject extends loadedObject<LoadedAlertObject>(
  async () => (await import("./features/alerts/object/object.ts")).AlertObject,
  {
    ...ALARM,
    create: true,
    isRunning: true,
    hasEnded: true,
    mergeInto: true,
    join: true,
    show: true,
    command: true,
    removeMembers: true,
    confirm: true,
    asks: true,
    poke: true,
    retire: true,
  },
) {}

export class BroadcastObject extends loadedObject<LoadedBroadcastObject>(
  async () => (await import("./features/broadcasts/broadcasts/object.ts")).BroadcastObject,
  { ...ALARM, expect: true, refresh: true, confirm: true },
) {}

export class OutgoingObject extends loadedObject<LoadedOutgoingObject>(
  async () => (await import("./features/integrations/deliveries/object.ts")).OutgoingObject,
  { ...ALARM, refresh: true },
) {}

export class IntegrationInbox extends loadedObject<LoadedIntegrationInbox>(
  async () => (await import("./features/integrations/inbox/object.ts")).IntegrationInbox,
  {
    ...BACKED_UP,
    configure: true,
    anonymize: true,
    forgetAlert: true,
    claimAlert: true,
    outcome: true,
    receive: true,
    settle: true,
    refusedSince: true,
    oldestUndelivered: true,
    alarm: true,
  },
) {}

export class PersonObject extends loadedObject<LoadedPersonObject>(
  async () => (await import("./features/notifications/pages/person-object.ts")).PersonObject,
  { ...ALARM, expect: true, watch: true, confirm: true, done: true },
) {}

export class AbsenceCalendarObject extends loadedObject<LoadedAbsenceCalendarObject>(
  async () => (await import("./features/oncall/absence-calendars/object.ts")).AbsenceCalendarObject,
  { ...ALARM, expect: true, refresh: true, preview: true },
) {}

export class CoverRequestObject extends loadedObject<LoadedCoverRequestObject>(
  async () => (await import("./features/oncall/absences/object.ts")).CoverRequestObject,
  { ...ALARM, refresh: true, confirm: true },
) {}

export class CalendarImportObject extends loadedObject<LoadedCalendarImportObject>(
  async () => (await import("./features/oncall/calendar-imports/object.ts")).CalendarImportObject,
  { ...ALARM, expect: true, refresh: true, preview: true, confirm: true },
) {}

export class ScheduleObject extends loadedObject<LoadedScheduleObject>(
  async () => (await import("./features/oncall/schedules/object.ts")).ScheduleObject,
  { ...ALARM, watch: true, confirm: true },
) {}

export class TeamObject extends loadedObject<LoadedTeamObject>(
  async () => (await import("./features/oncall/teams/object.ts")).TeamObject,
  { ...ALARM, refresh: true, confirm: true },
) {}

export class OperationsObject extends loadedObject<LoadedOperationsObject>(
  async () => (await import("./features/operations/audits/object.ts")).OperationsObject,
  {
    ...ALARM,
    record: true,
    wake: true,
    read: true,
    breaches: true,
    audited: true,
    ready: true,
    providersProven: true,
    probeArrived: true,
    reportLateInbox: true,
    reportRefusingInbox: true,
    canaryArrived: true,
    smsProofRefused: true,
    smsProofArrived: true,
    consume: true,
  },
) {}

export class StandbyObject extends loadedObject<LoadedStandbyObject>(
  async () => (await import("./features/operations/standby/object.ts")).StandbyObject,
  {
    ...ALARM,
    wake: true,
    hold: true,
    report: true,
    pulled: true,
    seen: true,
    askDrill: true,
    question: true,
    answer: true,
    command: true,
  },
) {}

export class WelcomeObject extends loadedObject<LoadedWelcomeObject>(
  async () => (await import("./features/people/invitations/object.ts")).WelcomeObject,
  { ...ALARM, expect: true, done: true },
) {}
