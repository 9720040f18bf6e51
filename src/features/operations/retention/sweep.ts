// The safety net below the alarms: pokes alerts that D1 shows as overdue, unpaged or missing, and
// integrations with overdue deliveries, and calendars that were not read. Runs every minute when deployed; no promise depends on it.

import { foldTotals } from "../../../kernel/db/folded-totals.ts";
import { batch } from "../../../kernel/db/select.ts";
import { foldAllDestinations } from "../../alerts/alerts/destination-totals.ts";
import {
  endInterrupted,
  type NamedObject,
  selectOverdue,
  selectUnnotified,
  selectUnpaged,
  selectUnprojected,
} from "../../alerts/object/sweep-rows.ts";
import { notifyChanges } from "../../change/notify-changes.ts";
import { selectOverdueIntegrations } from "../../integrations/deliveries/rows.ts";
import { selectOverdueCalendars } from "../../oncall/calendar-imports/reading-rows.ts";
import { alerts, logs } from "../../schema/alerts.ts";
import { absenceCalendars, calendarImports } from "../../schema/calendar-imports.ts";
import { accounts } from "../../schema/people.ts";
import {
  absenceCalendarObject,
  alertObject,
  calendarImportObject,
  outgoingObject,
} from "../../stubs.ts";

/** Most alerts of each kind poked in one run; the next run takes the rest. */
const LIMIT = 200;

/** A delivery is overdue after waiting this long (ms). */
const OVERDUE_MS = 60_000;

/** A reading of a calendar is overdue after this long (ms). */
const CALENDAR_OVERDUE_MS = 600_000;

/** Calendars read in one run: each may take seconds. */
const CALENDARS_AT_ONCE = 20;

/** Pokes the objects that may have missed a step; one round trip to D1. `now` in epoch ms. */
export async function sweep(env: Cloudflare.Env, now: number): Promise<void> {
  const calendarsBefore = now - CALENDAR_OVERDUE_MS;
  const [unnotified, outgoing, imports, absences, overdue, unpaged, unprojected] = await batch(
    env.DB,
    [
      selectUnnotified(),
      selectOverdueIntegrations(now - OVERDUE_MS, LIMIT),
      selectOverdueCalendars(calendarImports, calendarsBefore, CALENDARS_AT_ONCE),
      selectOverdueCalendars(absenceCalendars, calendarsBefore, CALENDARS_AT_ONCE),
      selectOverdue(now, LIMIT),
      selectUnpaged(now, LIMIT),
      selectUnprojected(now, LIMIT),
      endInterrupted(now, LIMIT),
      foldTotals(logs, accounts, now),
      foldTotals(alerts, accounts, now),
      foldAllDestinations(now),
    ],
  );
  await Promise.all([
    pokeOutgoing(env, outgoing),
    settle("calendars are not read", [
      ...imports.map((it) => calendarImportObject(env, it.name).refresh(it)),
      ...absences.map((it) => absenceCalendarObject(env, it.name).refresh(it)),
    ]),
    pokeAlerts(env, [overdue, unpaged, unprojected]),
    unnotified.length > 0 ? notifyChanges(env, null) : null,
  ]);
}

/** `found`: overdue alerts, alerts without a page, alerts missing from D1. */
async function pokeAlerts(
  env: Cloudflare.Env,
  found: readonly (readonly NamedObject[])[],
): Promise<void> {
  const names = new Set(found.flat().map(({ name }) => name));
  if (names.size === 0) return;
  const poked = await Promise.allSettled([...names].map((name) => alertObject(env, name).poke()));
  const failed = poked.filter((it) => it.status === "rejected").length;
  const [overdue, unpaged, unseen] = found.map(({ length }) => length);
  console.warn({
    message: "overdue, unpaged or unprojected alerts were found",
    overdue,
    unpaged,
    unseen,
    failed,
  });
}

async function pokeOutgoing(env: Cloudflare.Env, overdue: readonly NamedObject[]): Promise<void> {
  const poked = overdue.map(({ name }) => outgoingObject(env, name).refresh());
  await settle("deliveries are postponed", poked);
}

/** Waits for calls of objects; logs how many failed. */
async function settle(message: string, calls: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(calls)).filter((it) => it.status === "rejected");
  if (failed.length > 0) console.warn({ message, failed: failed.length });
}
