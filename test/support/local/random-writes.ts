/** Random writes of every kind that has a preview, on an account with two schedules and teams. */
import { newCalendar, utc } from "../oncall/calendars.ts";
import { DAY, type Entry, HOUR, randomWrite } from "../oncall/previewed.ts";
import { pick, type Random } from "../oncall/roster-random.ts";
import { operationAt } from "./local-api.ts";
import {
  idsOf,
  LETTERS,
  type LocalRota,
  type LocalWrite,
  listed,
  randomTime,
  upTo,
} from "./local-rota.ts";
import { writeOfAbsenceCalendar, writeOfAway, writeOfHoliday } from "./random-absences.ts";

const DAYTIME = [{ days_of_week: [1, 2, 3, 4, 5], start_time: "09:00", end_time: "17:00" }];

function writeOfEvent(random: Random, rota: LocalRota, entries: readonly Entry[]): LocalWrite {
  const scheduleId = pick(random, rota.schedules);
  const ids = (letters: string) => idsOf(rota, letters);
  const write = randomWrite(random, { scheduleId, ids }, entries);
  const { method, path, body = {} } = write;
  const isWhole = path === "/events" || (method === "PUT" && path.split("/").length === 3);
  if (!isWhole) return write;
  const both = random() < 0.25 ? { schedule_ids: [...rota.schedules] } : {};
  const skips = random() < 0.25 ? { when_away: "next_in_line" } : {};
  if (path === "/events") return { ...write, body: { ...body, ...both, ...skips } };
  if (random() < 0.2) return { ...write, body: { schedule_ids: [scheduleId] } };
  if (random() < 0.2) return { ...write, body: { ...both, ...skips } };
  if (random() < 0.15) return { ...write, body: { restrictions: pick(random, [[], DAYTIME]) } };
  const [one = "", other = ""] = ids(pick(random, ["AB", "CA", "DB"]));
  const positions = pick(random, [
    [[one], [], [other]],
    [[one, other], ids("E")],
    [[one], [other], [one]],
  ]);
  return random() < 0.3 ? { method, path, body: { positions, ...skips } } : write;
}

/** An absence for which somebody says who serves instead. */
function decidedBody(random: Random, rota: LocalRota): Record<string, unknown> {
  const by = pick(random, ["person", "person", "next_in_line", "empty"]);
  const [absent = "", substitute = ""] = idsOf(rota, pick(random, ["AB", "BA", "CD", "DA", "BC"]));
  return {
    account_user_id: absent,
    ...randomTime(random, -5 * DAY, 10 * 24),
    instead: by,
    covering_account_user_id: by === "person" ? substitute : null,
    ...(random() < 0.3 && { schedule_ids: [pick(random, rota.schedules)] }),
  };
}

/** Puts the absent person on call again in hours of an absence: they stay so until it is decided anew. */
async function overrideHours(random: Random, rota: LocalRota, path: string): Promise<void> {
  const { account_user_id: absent, shifts } = (await rota.api("GET", path)).body;
  const ahead = shifts.filter((it: any) => Date.parse(it.end_time) > Date.now());
  if (ahead.length === 0) return;
  const { event_id: id, start_time, end_time, layer } = pick<any>(random, ahead);
  const hours = { action_time: start_time, start_time, end_time, layer, time_zone: "UTC" };
  const body = { ...hours, account_user_ids: [absent] };
  await rota.api("POST", `/events/${id}/override`, body);
  await rota.follow();
}

async function writeOfAbsence(
  random: Random,
  rota: LocalRota,
  entries: readonly Entry[],
): Promise<LocalWrite | null> {
  if (random() < 0.4) return writeOfAway(random, rota);
  if (random() < 0.2) return writeOfAsking(random, rota, entries);
  const decided = (await listed(rota, "/absences")).filter((it) => it.status === "covered");
  const body = decidedBody(random, rota);
  if (decided.length === 0 || random() < 0.4) return { method: "POST", path: "/absences", body };
  const path = `/absences/${pick(random, decided).id}`;
  if (random() < 0.25) await overrideHours(random, rota, path);
  return pick<LocalWrite>(random, [
    { method: "PUT", path, body },
    { method: "PUT", path, body: { instead: "empty", covering_account_user_id: null } },
    { method: "PUT", path, body: { instead: "nobody_yet", covering_account_user_id: null } },
    { method: "DELETE", path },
  ]);
}

/** An absence that asks for a shift to come, or the answer to an open one. */
async function writeOfAsking(
  random: Random,
  rota: LocalRota,
  entries: readonly Entry[],
): Promise<LocalWrite | null> {
  const open = (await listed(rota, "/absences")).filter((it) => it.status === "asking");
  if (open.length > 0 && random() < 0.5) {
    const { id, asked } = pick(random, open);
    const by = rota.people.indexOf(pick<any>(random, asked).account_user_id);
    return { method: "POST", path: `/absences/${id}/accept`, by };
  }
  const ahead = entries.filter((it) => Date.parse(it.start_time) > Date.now() && it.attendees[0]);
  const [shift, other] = [pick(random, ahead), pick(random, ahead)];
  const person = shift?.attendees[0]?.attendee_id;
  const asked = other?.attendees[0]?.attendee_id;
  if (!shift || !other || !person || !asked || person === asked) return null;
  const isSwap = random() < 0.6;
  const third = rota.people.find((id) => id !== person && id !== asked);
  const hours = ({ start_time, end_time }: Entry) => ({
    start_datetime: start_time,
    end_datetime: end_time,
  });
  const body = {
    ...{ account_user_id: person, ...hours(shift), instead: "ask" },
    account_user_ids: isSwap || !third ? [asked] : [asked, third],
    ...(isSwap && { in_return: hours(other) }),
  };
  const acceptedBy = rota.people.indexOf(asked);
  if (open.length === 0 && random() < 0.3) {
    const { status, body: made } = await rota.api("POST", "/absences", body);
    if (status !== 201) return null;
    return { method: "POST", path: `/absences/${made.id}/accept`, by: acceptedBy };
  }
  return { method: "POST", path: "/absences", body, acceptedBy };
}

/** A member takes over a running or coming shift. */
async function writeOfTakeOver(
  random: Random,
  rota: LocalRota,
  entries: readonly Entry[],
): Promise<LocalWrite | null> {
  const left = entries.filter((it) => Date.parse(it.end_time) > Date.now());
  const present = (await listed(rota, "/account_users")).map(({ id }) => id);
  const by = rota.people.indexOf(pick<string>(random, present));
  const shift = pick(random, left);
  if (!shift || by < 0) return null;
  const path = `/events/${shift.event_id}/take_over`;
  return { method: "POST", path, body: { action_time: shift.start_time }, by };
}

/** Somebody leaves a team and its rotations, or everybody is in it again. */
function writeOfTeam(random: Random, rota: LocalRota): LocalWrite {
  const at = upTo(random, 1);
  const gone = random() < 0.5 ? pick(random, [..."BCDE"]) : "";
  const body = {
    member_account_user_ids: idsOf(rota, LETTERS.replace(gone, "")),
    ...(random() < 0.3 && { schedule_id: rota.schedules[at] }),
    leave_schedule: random() < 0.8,
  };
  return { method: "PUT", path: `/teams/${rota.teams[at]}`, body };
}

async function writeOfUndo(random: Random, rota: LocalRota): Promise<LocalWrite | null> {
  const path = `/schedules/${pick(random, rota.schedules)}/changes`;
  const undoable = (await listed(rota, path)).filter((it) => it.undoable);
  if (undoable.length === 0) return null;
  const change = pick(random, undoable.slice(0, random() < 0.7 ? 2 : 20));
  return { method: "POST", path: `${path}/${change.id}/undo` };
}

/** A calendar with events of some people, some of them repeating. */
function randomCalendar(random: Random, { emails }: LocalRota): string {
  const events = Array.from({ length: 1 + upTo(random, 3) }, () => {
    const start = Math.floor(Date.now() / HOUR) * HOUR + (upTo(random, 12 * 24) - 48) * HOUR;
    const repeats = pick(random, ["", "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=DAILY;COUNT=5"]);
    return {
      uid: `${upTo(random, 4)}@example.com`,
      dtstart: utc(start),
      dtend: utc(start + (1 + upTo(random, 40)) * HOUR),
      summary: [pick(random, emails), ...(random() < 0.3 ? [pick(random, emails)] : [])].join(" "),
      ...(repeats && { rrule: repeats }),
    };
  });
  return newCalendar([...new Map(events.map((it) => [it.uid, it])).values()]);
}

async function writeOfImport(random: Random, rota: LocalRota): Promise<LocalWrite> {
  const imports = await listed(rota, "/calendar_imports");
  const ical = randomCalendar(random, rota);
  if (imports.length === 0 || (imports.length < 3 && random() < 0.3)) {
    const body = { name: "Rota", schedule_id: pick(random, rota.schedules), ical };
    return { method: "POST", path: "/calendar_imports", body };
  }
  const path = `/calendar_imports/${pick(random, imports).id}`;
  return pick<LocalWrite>(random, [
    { method: "PUT", path, body: { ical } },
    { method: "PUT", path, body: { layer: 1 + upTo(random, 1) } },
    { method: "PUT", path, body: { name: "Other" } },
    { method: "POST", path: `${path}/refresh` },
    { method: "DELETE", path },
  ]);
}

/** A schedule loses its events; the last one is not deleted. */
async function writeOfSchedule(random: Random, rota: LocalRota): Promise<LocalWrite> {
  const left = (await listed(rota, "/schedules")).map(({ id }) => id);
  const path = `/schedules/${pick<string>(random, left)}`;
  const isDeleted = left.length > 1 && random() < 0.5;
  return { method: "DELETE", path: isDeleted ? path : `${path}/flush` };
}

/** Somebody leaves the account; three stay. */
async function writeOfDeparture(random: Random, rota: LocalRota): Promise<LocalWrite | null> {
  const present = (await listed(rota, "/account_users")).map(({ id }) => id);
  const members = rota.people.slice(1).filter((id) => present.includes(id));
  if (members.length < 3) return null;
  return { method: "DELETE", path: `/account_users/${pick(random, members)}` };
}

type Maker = (
  random: Random,
  rota: LocalRota,
  entries: readonly Entry[],
) => LocalWrite | null | Promise<LocalWrite | null>;

/** What makes the writes of some operations, and its share of all writes. */
type Family = { readonly share: number; readonly of: RegExp; readonly make: Maker };

const EVENTS: Family = { share: 0.4, of: /Events?(Exception|Part)?$/, make: writeOfEvent };

const FAMILIES: readonly Family[] = [
  EVENTS,
  { share: 0.02, of: /^takeOverShift$/, make: writeOfTakeOver },
  { share: 0.26, of: /(create|update|delete)Absence$/, make: writeOfAbsence },
  { share: 0.02, of: /AbsenceCalendar$/, make: writeOfAbsenceCalendar },
  { share: 0.01, of: /CompanyHoliday$/, make: writeOfHoliday },
  { share: 0.08, of: /acceptAbsence$/, make: writeOfAsking },
  { share: 0.04, of: /Team$/, make: writeOfTeam },
  { share: 0.1, of: /ScheduleChange$/, make: writeOfUndo },
  { share: 0.01, of: /AccountUser$/, make: writeOfDeparture },
  { share: 0.05, of: /CalendarImport$/, make: writeOfImport },
  { share: 0.01, of: /Schedule$/, make: writeOfSchedule },
];

function randomFamily(random: Random): Family {
  let left = random();
  for (const family of FAMILIES) {
    left -= family.share;
    if (left < 0) return family;
  }
  return EVENTS;
}

/** How often a write of a wanted operation is tried for. */
const TRIES = 12;

/**
 * A random write; null if there is nothing yet to make one of its kind of.
 *
 * @param wanted the operation to make one of, if that is possible; null: any
 */
export async function randomLocalWrite(
  random: Random,
  rota: LocalRota,
  entries: readonly Entry[],
  wanted: string | null,
): Promise<LocalWrite | null> {
  if (entries.length === 0) return writeOfEvent(random, rota, entries);
  const family = wanted === null ? undefined : FAMILIES.find(({ of }) => of.test(wanted));
  if (!family) return randomFamily(random).make(random, rota, entries);
  for (let tries = 0; tries < TRIES; tries++) {
    const write = await family.make(random, rota, entries);
    if (write && operationAt(write.method, write.path) === wanted) return write;
  }
  return null;
}
