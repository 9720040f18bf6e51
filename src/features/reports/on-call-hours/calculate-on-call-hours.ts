import type { MemberActor } from "../../../domain/access/actor.ts";
import {
  companyHolidaysBetween,
  joinHolidays,
} from "../../../domain/oncall/holidays/company-holidays.ts";
import { unknownRegion } from "../../../domain/oncall/holidays/holiday-query.ts";
import { type Holiday, holidaysBetween } from "../../../domain/oncall/holidays/holidays.ts";
import {
  type HoursQuery,
  localDaysOf,
  readClockTime,
} from "../../../domain/reports/hours-query.ts";
import { onCallTime, type PersonRatedTime } from "../../../domain/reports/on-call-hours.ts";
import { type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { zoneOf } from "../../../domain/shared/time.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { administeredTeams } from "../../access/permissions/team-reach.ts";
import type { Context } from "../../change/context.ts";
import { selectCompanyHolidays } from "../../oncall/holidays/company-holiday-records.ts";
import { findHolidayRegion } from "../../oncall/holidays/holiday-files.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import {
  selectMemberNames,
  selectReportedSchedules,
  selectScheduleNames,
  selectSchedulesOf,
} from "./hours-rows.ts";

export type CalculatedHours = {
  /** The code of the region as it is listed; null without one. */
  readonly region: string | null;
  readonly holidays: readonly Holiday[];
  readonly people: readonly PersonRatedTime[];
  /** The names of members and schedules, by id. */
  readonly names: ReadonlyMap<string, string>;
};

/**
 * Calculates the time on call that the actor may see (contract 2, Hours on call): for an admin
 * everybody's; for others their own, and everybody's on the schedules of teams they administer.
 *
 * @returns the time by person; 422 for an unknown schedule, team or region
 */
export async function calculateOnCallHours(
  { env, db, actor }: Context<MemberActor>,
  query: HoursQuery,
): Promise<CalculatedHours | Refusal> {
  const { accountId, accountUserId, roles } = actor;
  const { window, timeZone, scheduleIds, teamIds, holidayRegion } = query;
  const references = [
    { field: "schedule_ids", kind: "schedule", ids: scheduleIds },
    { field: "team_ids", kind: "team", ids: teamIds },
  ] as const;
  // At the same time, so that a page of the console still reads the database once.
  const [region, { resolved, rows }] = await Promise.all([
    holidayRegion === null ? null : findHolidayRegion(env, holidayRegion),
    resolveWith(db, accountId, references, [
      ...selectOnCall(
        accountId,
        selectReportedSchedules(accountId, scheduleIds, teamIds),
        window.from,
      ),
      selectMemberNames(accountId),
      selectScheduleNames(accountId),
      selectSchedulesOf(accountId, administeredTeams(actor)),
      selectCompanyHolidays(accountId),
    ]),
  ]);
  if (!resolved.ok) return refuseFields(resolved.errors);
  if (holidayRegion !== null && region === null) return unknownRegion("holiday_region");
  const [eventRows, absences, past, members, schedules, administered, own] = rows;
  const { first, last } = localDaysOf(window, timeZone);
  const ofRegion = region ? holidaysBetween(region.file, region.code, first, last) : [];
  const ofCompany = query.companyHolidays ? companyHolidaysBetween(own, first, last) : [];
  const holidays = joinHolidays(ofRegion, ofCompany);
  const administeredIds = new Set(administered.map(({ scheduleId }) => scheduleId));
  const isVisible = (scheduleId: string, attendeeId: string) =>
    roles.admin || attendeeId === accountUserId || administeredIds.has(scheduleId);
  const rules = {
    zone: zoneOf(timeZone),
    nightStart: readClockTime(query.nightStart) ?? 0,
    nightEnd: readClockTime(query.nightEnd) ?? 0,
    weekendDays: new Set(query.weekendDays),
    holidays,
  };
  return {
    region: region?.code ?? null,
    holidays,
    people: onCallTime(toOnCallSchedules(eventRows, absences, past), window, rules, isVisible),
    names: new Map([...members, ...schedules].map(({ id, name }) => [id, name])),
  };
}
