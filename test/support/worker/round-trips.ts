// How often a request asks the database: what it waits for.
import { env } from "cloudflare:workers";
import { vi } from "vitest";

type Trip = { readonly began: number; ended: number };

/** Everything that may ask D1, with each trip noted; instants are counted, not timed. */
function watchDatabase() {
  const session = Object.getPrototypeOf(env.DB.withSession());
  const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
  const trips: Trip[] = [];
  let clock = 0;
  const watched = (owner: object, name: string) => {
    const ask = Reflect.get(owner, name) as (...given: unknown[]) => Promise<unknown>;
    return vi.spyOn(owner as Record<string, () => unknown>, name).mockImplementation(function (
      this: unknown,
      ...given: unknown[]
    ) {
      const trip = { began: ++clock, ended: Number.POSITIVE_INFINITY };
      trips.push(trip);
      return ask.apply(this, given).finally(() => {
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

/** How many trips the longest chain of them has, each of which began when the one before it had ended. */
function depthOf(trips: readonly Trip[]): number {
  const depths: number[] = [];
  for (const [i, { began }] of trips.entries()) {
    const before = trips.slice(0, i).map((it, at) => (it.ended < began ? (depths[at] ?? 0) : 0));
    depths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths);
}

/** Without a trip for so long (ms), nothing of earlier requests is running any more. */
const QUIET_MS = 600;
const PATIENCE_MS = 60_000;

/** Waits for what earlier requests left running: objects' alarms, pages, schedules that look again. */
export async function untilQuiet(): Promise<void> {
  const { trips, stop } = watchDatabase();
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (let seen = -1; seen !== trips.length && Date.now() < giveUpAt; ) {
    seen = trips.length;
    await scheduler.wait(QUIET_MS);
  }
  stop();
}

/** The round trips to D1 that are made while `act` runs. */
export async function roundTrips(act: () => Promise<unknown>): Promise<number> {
  await untilQuiet();
  return (await countTrips(act)).trips;
}

/** The same without waiting for quiet before, and how many of the trips wait for one another. */
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
