// How often a request asks the database: what it waits for.
import { env } from "cloudflare:workers";
import { vi } from "vitest";

/** Everything that may ask D1, spied on. */
function watchDatabase() {
  const session = Object.getPrototypeOf(env.DB.withSession());
  const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
  const spies = [
    vi.spyOn(session, "batch"),
    ...["all", "first", "run", "raw"].map((name) => vi.spyOn(prepared, name)),
  ];
  return {
    asked: () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0),
    stop: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/** Waits for what earlier requests left running: objects' alarms, pages, schedules that look again. */
export async function untilQuiet(): Promise<void> {
  const { asked, stop } = watchDatabase();
  for (let tries = 0; tries < 40; tries += 1) {
    const before = asked();
    await scheduler.wait(150);
    if (asked() === before) break;
  }
  stop();
}

/** The round trips to D1 that are made while `act` runs. */
export async function roundTrips(act: () => Promise<unknown>): Promise<number> {
  await untilQuiet();
  const { asked, stop } = watchDatabase();
  await act();
  const made = asked();
  stop();
  return made;
}
