// What previews of on-call changes announce, what then happened, and random writes to try.
import { pick, type Random } from "./roster-random.ts";
import type { Rota } from "./rota.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const iso = (at: number) => new Date(at).toISOString();
export const wholeHour = () => Math.floor(Date.now() / HOUR) * HOUR;

export type Write = {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: Record<string, unknown>;
};

type Change = {
  readonly layer: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly account_user_ids_before: readonly string[];
  readonly account_user_ids_after: readonly string[];
};

export type Preview = {
  readonly unchanged: boolean;
  readonly window: { readonly start: string; readonly end: string };
  readonly schedules: readonly {
    readonly schedule_id: string;
    readonly changes: readonly Change[];
    readonly gaps_opened: readonly Change[];
    readonly gaps_closed: readonly Change[];
    readonly hours: readonly { account_user_id: string; before: number; after: number }[];
    readonly shifts: readonly {
      readonly layer: number;
      readonly start_time: string;
      readonly end_time: string;
      readonly account_user_ids: readonly string[];
    }[];
  }[];
};

export type Entry = {
  readonly layer: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly event_id: string;
  readonly attendees: readonly { readonly attendee_id: string }[];
  readonly absent: readonly { readonly account_user_id: string; readonly absence_id: string }[];
};

export async function entriesOf(rota: Rota, { start, end }: Preview["window"]): Promise<Entry[]> {
  const path = `/schedules/${rota.scheduleId}/window_events?start=${start}&end=${end}`;
  return (await rota.account.api("GET", path)).body;
}

type Served = { layer: number; from: number; to: number; people: readonly string[] };

const served = (entries: readonly Entry[]): Served[] =>
  entries.map(({ layer, start_time, end_time, attendees }) => ({
    ...{ layer, from: Date.parse(start_time), to: Date.parse(end_time) },
    people: attendees.map(({ attendee_id }) => attendee_id),
  }));

/** Who is on call on a layer at an instant, by the entries of a window. */
const peopleAt = (entries: readonly Served[], layer: number, at: number) => {
  const running = entries.filter((it) => it.layer === layer && it.from <= at && at < it.to);
  return [...new Set(running.flatMap(({ people }) => people))].sort();
};

const ascending = (one: number, other: number) => one - other;

/** The windows in which two states differ, computed from every boundary of both. */
export function differences(
  entriesBefore: readonly Entry[],
  entriesAfter: readonly Entry[],
  window: Preview["window"],
) {
  const [before, after] = [served(entriesBefore), served(entriesAfter)];
  const [start, end] = [Date.parse(window.start), Date.parse(window.end)];
  const edges = [...before, ...after].flatMap((it) => [it.from, it.to]);
  const instants = [start, ...edges, end].filter((at) => at >= start && at <= end);
  const sorted = [...new Set(instants)].sort(ascending);
  const layers = [...new Set([...before, ...after].map((it) => it.layer))].sort(ascending);
  return layers.flatMap((layer) => {
    const found: { text: string; from: number; to: number }[] = [];
    for (const [index, at] of sorted.slice(0, -1).entries()) {
      const [was, is] = [peopleAt(before, layer, at), peopleAt(after, layer, at)];
      if (was.join() === is.join()) continue;
      const text = `${layer} ${was.join()} > ${is.join()}`;
      const last = found.at(-1);
      if (last?.text === text && last.to === at) last.to = sorted[index + 1] ?? end;
      else found.push({ text, from: at, to: sorted[index + 1] ?? end });
    }
    return found.map((it) => `${iso(it.from)} ${iso(it.to)} ${it.text}`);
  });
}

/** Everybody's hours on call in a window, on whatever layers: `<id> <hours>`, of those who have some. */
export function hoursIn(entries: readonly Entry[], window: Preview["window"]) {
  const hours = new Map<string, number>();
  const [start, end] = [Date.parse(window.start), Date.parse(window.end)];
  const all = served(entries);
  for (const person of new Set(all.flatMap(({ people }) => people))) {
    let [counted, until] = [0, start];
    const own = all.filter(({ people }) => people.includes(person));
    for (const { from, to } of own.sort((one, other) => one.from - other.from)) {
      counted += Math.max(0, Math.min(to, end) - Math.max(from, until));
      until = Math.max(until, to);
    }
    if (counted > 0) hours.set(person, counted / HOUR);
  }
  return hours;
}

export const announced = ({
  schedules,
}: {
  readonly schedules: readonly Pick<Preview["schedules"][number], "changes">[];
}) =>
  schedules
    .flatMap(({ changes }) => changes)
    .map(
      (it) =>
        `${it.start_time} ${it.end_time} ${it.layer} ` +
        `${it.account_user_ids_before.join()} > ${it.account_user_ids_after.join()}`,
    );

/** What random writes name: a schedule, and people by letter. */
type Place = Pick<Rota, "scheduleId" | "ids">;

function randomRule(random: Random, rota: Place): Record<string, unknown> {
  const start = wholeHour() - Math.floor(random() * 40) * 6 * HOUR + 3 * DAY;
  const unit = pick(random, ["hourly", "daily", "weekly", "weekly"]);
  const length = pick(random, [DAY, 8 * HOUR, 7 * DAY, 12 * HOUR]);
  const repeat = random() < 0.8;
  const nights = { days_of_week: [1, 2, 3, 4, 5], start_time: "18:00", end_time: "08:00" };
  return {
    layer: pick(random, [1, 1, 2]),
    time_zone: pick(random, ["UTC", "London", "Eastern Time (US & Canada)"]),
    start_datetime: iso(start),
    end_datetime: iso(start + length),
    repeat,
    frequency: unit === "hourly" ? 12 : 1,
    frequency_unit: unit,
    rotation: repeat && random() < 0.8,
    priority: random() < 0.2 ? 1 : 0,
    restrictions: random() < 0.2 ? [nights] : [],
    account_user_ids: randomPeople(random, rota),
  };
}

const randomPeople = (random: Random, rota: Place) =>
  rota.ids(pick(random, ["A", "AB", "ABC", "CBA", "BDA", "DCBA", "ABAC"]));

/** A shift that is farther ahead than what a preview compares of a change with an effect before. */
function farShift(random: Random, rota: Place): Write {
  const start = wholeHour() + (45 + Math.floor(random() * 280)) * DAY;
  const body = {
    ...{ layer: 1, time_zone: "UTC", schedule_ids: [rota.scheduleId], priority: 1 },
    ...{ start_datetime: iso(start), end_datetime: iso(start + DAY) },
    account_user_ids: rota.ids(pick(random, ["A", "D"])),
  };
  return { method: "POST", path: "/events", body };
}

/** A random write on one of the schedule's events. */
export function randomWrite(random: Random, rota: Place, entries: readonly Entry[]): Write {
  const ahead = entries.filter((it) => Date.parse(it.end_time) > Date.now());
  const entry = pick(random, ahead.length > 0 ? ahead : entries);
  if (!entry || random() < 0.15) {
    if (random() < 0.3) return farShift(random, rota);
    const body = { schedule_ids: [rota.scheduleId], ...randomRule(random, rota) };
    return { method: "POST", path: "/events", body };
  }
  const path = `/events/${entry.event_id}`;
  const at = { action_time: entry.start_time };
  const people = { account_user_ids: randomPeople(random, rota) };
  const words = ["now", "next_handoff", "after_full_rotation", iso(wholeHour() + 30 * HOUR)];
  const end = Date.parse(entry.end_time);
  const override = {
    ...at,
    start_time: entry.start_time,
    end_time: iso(random() < 0.5 ? end : Date.parse(entry.start_time) + HOUR),
    layer: pick(random, [1, 2]),
    time_zone: "UTC",
    account_user_ids: rota.ids(pick(random, ["C", "D"])),
  };
  const by = pick(random, [-6, 1, 30]) * HOUR;
  const movedHours = {
    start_datetime: iso(Date.parse(entry.start_time) + by),
    end_datetime: iso(end + by),
  };
  const moved = { ...movedHours, extend_previous_shift: random() < 0.7 };
  const writes: readonly Write[] = [
    { method: "PUT", path, body: { ...people, effective_at: pick(random, words) } },
    { method: "PUT", path, body: people },
    { method: "PUT", path, body: { layer: pick(random, [1, 2]), priority: pick(random, [0, 1]) } },
    { method: "POST", path: `${path}/override`, body: override },
    { method: "POST", path: `${path}/override`, body: override },
    { method: "POST", path: `${path}/add_exception`, body: at },
    { method: "POST", path: `${path}/terminate_on`, body: at },
    { method: "POST", path: `${path}/remove_part`, body: at },
    { method: "POST", path: `${path}/move_part`, body: { ...at, ...movedHours } },
    { method: "POST", path: `${path}/change_following`, body: { ...at, ...people } },
    { method: "POST", path: `${path}/change_following`, body: { ...at, layer: 2 } },
    { method: "POST", path: `${path}/change_following`, body: { ...at, ...moved } },
    { method: "DELETE", path },
  ];
  return pick(random, writes);
}
