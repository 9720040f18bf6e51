// Counts a request's round trips to D1.
import { env } from "cloudflare:workers";
import { vi } from "vitest";

type Trip = { readonly began: number; ended: number };

/** Records every call to D1. The clock is a counter of begins and ends, not time. */
function watchDatabase() {
  const session = Object.getPrototypeOf(env.DB.withSession());
  const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
  const trips: Trip[] = [];
  let clock = 0;
  const watched = (owner: object, name: string) => {
    const query = Reflect.get(owner, name) as (...parameters: unknown[]) => Promise<unknown>;
    return vi.spyOn(owner as Record<string, () => unknown>, name).mockImplementation(function (
      this: unknown,
      ...parameters: unknown[]
    ) {
      const trip = { began: ++clock, ended: Number.POSITIVE_INFINITY };
      trips.push(trip);
      return query.apply(this, parameters).finally(() => {
        trip.ended = ++clock;
      });
    });
  };
  const spies = [
    watched(session, "batch"),
    ...["all", "first", "run", "raw"].map((name) => watched(prepared, name)),
  ];
  return {
    trips: trips as readonly Trip[],
    stop: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/** The length of the longest chain of trips in which each begins after the previous one ended. */
function depthOf(trips: readonly Trip[]): number {
  const depths: number[] = [];
  for (const [i, { began }] of trips.entries()) {
    const before = trips.slice(0, i).map((it, at) => (it.ended < began ? (depths[at] ?? 0) : 0));
    depths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths);
}

/**
 * How often the database is asked, with pauses, and nothing else may ask it meanwhile, until no work
 * of earlier requests is running. A busy machine takes longer to answer, and so the wait is longer.
 */
const FENCES = 12;
const PAUSE_MS = 50;
const PATIENCE_MS = 60_000;

/** Waits for background work of earlier requests: objects' alarms, pages, schedule checks. */
export async function untilQuiet(): Promise<void> {
  const { trips, stop } = watchDatabase();
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (let seen = -1; seen !== trips.length && Date.now() < giveUpAt; ) {
    seen = trips.length;
    for (let i = 0; i < FENCES; i += 1) {
      await scheduler.wait(PAUSE_MS);
      // Not watched.
      await env.DB.exec("select 1");
    }
  }
  stop();
}

/** Counts the round trips to D1 while `act` runs. */
export async function roundTrips(act: () => Promise<unknown>): Promise<number> {
  await untilQuiet();
  return (await countTrips(act)).trips;
}

const MOST_ATTEMPTS = 4;

/**
 * Counts the round trips of something that can be repeated. Background work of earlier requests only
 * adds trips, so a run with the expected number is proof; after one with more, it waits for that work
 * to end and tries again.
 */
export async function fewestTrips<Result>(
  expected: number,
  act: () => Promise<Result>,
): ReturnType<typeof countTrips<Result>> {
  for (let attempts = 1; ; attempts += 1) {
    const counted = await countTrips(act);
    if (counted.trips <= expected || attempts === MOST_ATTEMPTS) return counted;
    await untilQuiet();
  }
}

/** Like `roundTrips` without waiting first; `depth` is the number of sequential trips. */
export async function countTrips<Result>(
  act: () => Promise<Result>,
): Promise<{ readonly trips: number; readonly depth: number; readonly result: Result }> {
  const { trips, stop } = watchDatabase();
  try {
    const result = await act();
    return { trips: trips.length, depth: depthOf(trips), result };
  } finally {
    stop();
  }
}
