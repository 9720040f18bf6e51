// What the product's readers of who is on call have to agree about.
import { expect, vi } from "vitest";
import type { Entry } from "../../../support/oncall/previewed.ts";
import type { Rota } from "../../../support/oncall/rota.ts";
import { DAY } from "./clock.ts";
import { readable, type Served, unitePeople } from "./model.ts";
import { currentOf, feedOf, gapsOf, minutesOf, personWindowOf, servedOf } from "./reads.ts";
import { type Hours, subtract, unite } from "./recurrence.ts";

/**
 * Compares current entries, coverage, feeds, hours and persons' windows with the window, around
 * now.
 *
 * @param known the entries of a wider window
 * @param present people who have not left
 */
export async function agree(
  rota: Rota,
  known: readonly Entry[],
  feed: string,
  present: string,
  label: string,
): Promise<void> {
  const now = Date.now();
  const today = Math.floor(now / DAY) * DAY;
  const window = { from: today - 7 * DAY, to: today + 21 * DAY };
  const entries = known.filter(
    (it) => Date.parse(it.start_time) < window.to && Date.parse(it.end_time) > window.from,
  );
  const served = servedOf(rota, entries);
  const inside = served.map((it) => ({ ...it, ...clip(it, window) }));

  const gaps = await gapsOf(rota, window);
  for (const layer of new Set(inside.map((it) => it.layer))) {
    const covered = unite(inside.filter((it) => it.layer === layer));
    // Hours before a layer's first shift may be no gap.
    const since = { ...window, from: covered[0]?.from ?? window.to };
    const found = gaps.get(layer)?.filter(({ from }) => from >= since.from);
    expect(found, `${label}: gaps of layer ${layer}`).toEqual(subtract(since, covered));
  }

  const minutes: Record<string, number> = {};
  for (const person of new Set(inside.flatMap(({ who }) => [...who]))) {
    const hours = unite(inside.filter(({ who }) => who.includes(person)));
    minutes[person] = hours.reduce((sum, { from, to }) => sum + (to - from) / 60_000, 0);
  }
  expect(rounded(await minutesOf(rota, window)), `${label}: hours`).toEqual(rounded(minutes));

  const there = Object.keys(minutes).filter((it) => present.includes(it));
  const person = there[Math.floor(now / 1_000) % Math.max(1, there.length)];
  if (person !== undefined) {
    const own = entries.filter((it) =>
      rota.letters(it.attendees.map((one) => one.attendee_id)).includes(person),
    );
    const shown = await personWindowOf(rota, person, window);
    const lines = (all: readonly Entry[]) =>
      all.map((it) => `${it.layer} ${it.start_time} ${it.end_time} ${it.event_id}`).sort();
    expect(lines(shown), `${label}: the window of ${person}`).toEqual(lines(own));
  }

  const inFeed = (await feedOf(feed, window)).map(({ from, to }) => `${from} ${to}`);
  // Somebody who serves the same hours by two shifts of one event has them once.
  const shifts = new Set(
    served.map(({ from, to, who }, index) => [entries[index]?.event_id, who, from, to].join(" ")),
  );
  expect(inFeed.sort(), `${label}: the feed`).toEqual(
    [...shifts].map((it) => it.split(" ").slice(-2).join(" ")).sort(),
  );

  const ahead = { from: now + 1_000, to: window.to };
  await agreeAtHandoffs(rota, served, ahead, label);
}

/** Who is on call now, and from the next boundary in a window. */
async function agreeAtHandoffs(
  rota: Rota,
  served: readonly Served[],
  ahead: Hours,
  label: string,
): Promise<void> {
  const now = Date.now();
  const edges = served.flatMap(({ from, to }) => [from, to]);
  const next = edges.filter((at) => at > ahead.from && at < ahead.to);
  const instants = next.length > 0 ? [now, Math.min(...next)] : [now];
  for (const at of instants) {
    vi.setSystemTime(at);
    const moment = { from: at, to: at + 1 };
    const current = readable(unitePeople(servedOf(rota, await currentOf(rota)), moment));
    const expected = readable(unitePeople(served, moment));
    expect(current, `${label}: on call at ${new Date(at).toISOString()}`).toEqual(expected);
  }
  vi.setSystemTime(now);
}

const clip = (hours: Hours, window: Hours): Hours => ({
  from: Math.max(hours.from, window.from),
  to: Math.min(hours.to, window.to),
});

const rounded = (minutes: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(minutes).map(([person, it]) => [person, Math.round(it * 10) / 10]),
  );
