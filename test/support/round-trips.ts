// How often a request asks the database: what it waits for.
import { env } from "cloudflare:workers";
import { vi } from "vitest";

/** The round trips to D1 that are made while `act` runs. */
export async function roundTrips(act: () => Promise<unknown>): Promise<number> {
  const session = Object.getPrototypeOf(env.DB.withSession());
  const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
  const spies = [
    vi.spyOn(session, "batch"),
    ...["all", "first", "run", "raw"].map((name) => vi.spyOn(prepared, name)),
  ];
  await untilQuiet(() => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0));
  for (const spy of spies) spy.mockClear();
  await act();
  const made = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return made;
}

/** What earlier tests left running asks, too: their objects' alarms, their pages. */
async function untilQuiet(asked: () => number): Promise<void> {
  for (let tries = 0; tries < 40; tries += 1) {
    const before = asked();
    await scheduler.wait(200);
    if (asked() === before) return;
  }
}
