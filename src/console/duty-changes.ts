// Changing a repeating event for one occurrence, for it and the following, or for all. The API knows events,
// exceptions and ends; what takes two of its calls leaves somebody on call in between rather than nobody.
import { isRefusal, type Refusal } from "../domain/refusal.ts";
import { DAY, formatInstant, instantOf, localOf, zoneOf } from "../domain/time.ts";
import type { Api } from "./api.ts";
import type { Duty } from "./configuration-records.ts";
import { parametersOf, turnedTo } from "./duty-form.ts";
import type { Turn } from "./records.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** Makes the new event, then takes the time it replaces out of the old one; the new one goes again if that fails. */
async function replace(
  api: Api,
  duty: Duty,
  made: Parameters,
  amend: "add_exception" | "terminate_on",
  at: number,
): Promise<Duty | Refusal> {
  const created = await api.post<Duty>("/events", made);
  if (isRefusal(created)) return created;
  const amended = await api.post(`/events/${duty.id}/${amend}`, { action_time: formatInstant(at) });
  if (!isRefusal(amended)) return created;
  await api.delete(`/events/${created.id}`);
  return amended;
}

/** Whoever has the occurrence at `at`; nobody where there is none. */
async function onDutyAt(api: Api, duty: Duty, at: number): Promise<readonly string[] | Refusal> {
  const [schedule] = duty.schedule_ids;
  if (schedule === undefined) return [];
  const window = { start: formatInstant(at), end: formatInstant(at + 1000) };
  const turns = await api.get<readonly Turn[]>(`/schedules/${schedule}/window_events`, window);
  if (isRefusal(turns)) return turns;
  const turn = turns.find((it) => it.event_id === duty.id && Date.parse(it.start_time) === at);
  return turn?.attendees.map(({ attendee_id }) => attendee_id) ?? [];
}

/** From the occurrence at `at` on, the event is what these parameters say. */
export async function changeFollowing(
  api: Api,
  duty: Duty,
  at: number,
  body: Parameters,
): Promise<Duty | Refusal> {
  if (at <= Date.parse(duty.start_datetime)) return api.put<Duty>(`/events/${duty.id}`, body);
  const made = { ...parametersOf(duty), ...body, schedule_ids: duty.schedule_ids };
  return replace(api, duty, made, "terminate_on", at);
}

export type Scope = "one" | "following" | "all";
export type Move = { readonly at: number; readonly start: number; readonly end: number };

/** All occurrences, moved by as much on the clock as this one was. */
function moveAll(api: Api, duty: Duty, { at, start, end }: Move): Promise<Duty | Refusal> {
  const zone = zoneOf(duty.time_zone);
  const by = localOf(zone, start) - localOf(zone, at);
  const length = localOf(zone, end) - localOf(zone, start);
  const first = localOf(zone, Date.parse(duty.start_datetime)) + by;
  const days = Math.floor(localOf(zone, start) / DAY) - Math.floor(localOf(zone, at) / DAY);
  return api.put<Duty>(`/events/${duty.id}`, {
    start_datetime: formatInstant(instantOf(zone, first)),
    end_datetime: formatInstant(instantOf(zone, first + length)),
    days_of_week: duty.days_of_week.map((day) => (((day + days) % 7) + 7) % 7),
  });
}

/** Moves the occurrence at `at`, or it and the following, or all, to a new time. */
export async function moveDuty(
  api: Api,
  duty: Duty,
  scope: Scope,
  move: Move,
): Promise<Duty | Refusal> {
  const { at, start, end } = move;
  if (!duty.repeat || scope === "all") return moveAll(api, duty, move);
  const people = await onDutyAt(api, duty, at);
  if (isRefusal(people)) return people;
  const times = { start_datetime: formatInstant(start), end_datetime: formatInstant(end) };
  if (scope === "one") {
    const once = {
      ...parametersOf(duty),
      ...times,
      repeat: false,
      rotation: false,
      days_of_week: [],
      repeat_end_datetime: null,
      frequency: null,
      frequency_unit: null,
      account_user_ids: people.length > 0 ? people : duty.account_user_ids,
    };
    return replace(api, duty, once, "add_exception", at);
  }
  const zone = zoneOf(duty.time_zone);
  const days = Math.floor(localOf(zone, start) / DAY) - Math.floor(localOf(zone, at) / DAY);
  return changeFollowing(api, duty, at, {
    ...times,
    days_of_week: duty.days_of_week.map((day) => (((day + days) % 7) + 7) % 7),
    account_user_ids: duty.rotation
      ? turnedTo(duty.account_user_ids, people[0])
      : duty.account_user_ids,
  });
}
