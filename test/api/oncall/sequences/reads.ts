// Who is on call, as each of the product's readers says it.
import ICAL from "ical.js";
import { expect } from "vitest";
import { call } from "../../../support/api/api.ts";
import type { Entry } from "../../../support/oncall/previewed.ts";
import type { Rota } from "../../../support/oncall/rota.ts";
import type { Served } from "./model.ts";
import type { Hours } from "./recurrence.ts";

const iso = (at: number) => new Date(at).toISOString();

/** A list, or a record, that the API answers. */
async function get(rota: Rota, path: string): Promise<any> {
  const { status, body, text } = await rota.account.api("GET", path);
  expect(status, `${path} ${text}`).toBe(200);
  return body;
}

const during = ({ from, to }: Hours) => `start=${iso(from)}&end=${iso(to)}`;

export const windowOf = (rota: Rota, hours: Hours): Promise<Entry[]> =>
  get(rota, `/schedules/${rota.scheduleId}/window_events?${during(hours)}`);

export const currentOf = (rota: Rota): Promise<Entry[]> =>
  get(rota, `/schedules/${rota.scheduleId}/current_oncall`);

export const personWindowOf = (rota: Rota, person: string, hours: Hours): Promise<Entry[]> =>
  get(rota, `/account_users/${rota.ids(person)[0]}/window_events?${during(hours)}`);

/** The gaps of each layer. */
export async function gapsOf(rota: Rota, hours: Hours): Promise<Map<number, Hours[]>> {
  const { layers } = await get(rota, `/schedules/${rota.scheduleId}/coverage?${during(hours)}`);
  type Layer = { layer: number; gaps: { start_time: string; end_time: string }[] };
  return new Map(
    (layers as Layer[]).map(({ layer, gaps }) => [
      layer,
      gaps.map((it) => ({ from: Date.parse(it.start_time), to: Date.parse(it.end_time) })),
    ]),
  );
}

/** Everybody's minutes on call, by letter. */
export async function minutesOf(rota: Rota, hours: Hours): Promise<Record<string, number>> {
  const { by_person } = await get(
    rota,
    `/reports/on_call_hours?${during(hours)}&schedule_ids[]=${rota.scheduleId}`,
  );
  type Row = { account_user_id: string; minutes: { total: number } };
  return Object.fromEntries(
    (by_person as Row[]).map((it) => [rota.letters([it.account_user_id]), it.minutes.total]),
  );
}

/** The address of a new feed of the schedule. */
export async function makeFeed(rota: Rota): Promise<string> {
  const made = await rota.account.api("POST", `/schedules/${rota.scheduleId}/feeds`, {});
  expect(made.status, made.text).toBe(201);
  return new URL(made.body.url).pathname;
}

/** The hours of the shifts in a feed, on whole days. */
export async function feedOf(path: string, { from, to }: Hours): Promise<Hours[]> {
  const query = `from=${iso(from).slice(0, 10)}&to=${iso(to).slice(0, 10)}`;
  const { status, text } = await call("GET", `${path}?${query}`);
  expect(status, text).toBe(200);
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const { startDate, endDate } = new ICAL.Event(component, { exceptions: [] });
    return { from: startDate.toJSDate().getTime(), to: endDate.toJSDate().getTime() };
  });
}

/** Entries with people as letters. */
export const servedOf = (rota: Rota, entries: readonly Entry[]): Served[] =>
  entries.map(({ layer, start_time, end_time, attendees }) => ({
    ...{ layer, from: Date.parse(start_time), to: Date.parse(end_time) },
    who: rota.letters(attendees.map((it) => it.attendee_id)),
  }));
