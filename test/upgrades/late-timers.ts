// Whether layers timed out when they were due, as the timelines of all alerts say.
import { inDatabase } from "../crash/load/remains.ts";

/** A timer that is as late (ms) was lost, and something else woke its object. `latestMs` is printed. */
const LOST_MS = 60_000;

type Entry = readonly [after: number, message: string];

/** A version before wrote "layer". */
const ASKED = /^(.+), (?:step|layer) (\d+): notifying .*next step at (\S+Z)$/;
const TIMED_OUT = /^(.+), (?:step|layer) (\d+): nobody acknowledged in time$/;

/** How late each time-out of an alert was (ms); negative: early. NaN: nothing was due. */
function latenessOf(createdAt: number, entries: readonly Entry[]): number[] {
  const dueAt = new Map<string, number>();
  return entries.flatMap(([after, message]) => {
    const [, asked, step, next] = ASKED.exec(message) ?? [];
    if (next !== undefined) dueAt.set(`${asked} ${step}`, Date.parse(next));
    const [, whose, ended] = TIMED_OUT.exec(message) ?? [];
    if (ended === undefined) return [];
    const due = dueAt.get(`${whose} ${ended}`);
    dueAt.delete(`${whose} ${ended}`);
    return [createdAt + after - (due ?? Number.NaN)];
  });
}

/** Compares the time-outs of a stopped worker's storage with the instants at which they were due. */
export function findLateTimers(state: string) {
  const rows = inDatabase(
    state,
    "select id, created_at, timeline from alerts where timeline_from = 0",
  );
  const late = rows.flatMap(({ id, created_at, timeline }) =>
    latenessOf(Number(created_at), JSON.parse(String(timeline))).map((ms) => ({ id, ms })),
  );
  const faults = late
    .filter(({ ms }) => !(ms >= 0 && ms < LOST_MS))
    .map(({ id, ms }) => `a layer of alert ${id} timed out ${ms} ms after it was due`);
  return { count: late.length, latestMs: Math.max(0, ...late.map(({ ms }) => ms)), faults };
}
