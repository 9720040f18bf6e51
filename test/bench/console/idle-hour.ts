// Counts what a page of the console that nobody touches costs in an hour while it is connected: the
// page's clock and the worker's are set ahead in small steps, and every request, row and alarm of
// the hour happens.
import type { BrowserContext } from "playwright-core";
import type { Report } from "../instruments/report.ts";
import type { Server } from "../server.ts";
import { openConnected, type Traffic, watchTraffic } from "./visitor.ts";

const HOUR_MS = 3_600_000;
/** As long as the interval between a page's pings: each is answered before its timeout passes. */
const STEP_MS = 30_000;

export type IdleHour = {
  readonly report: Report;
  /** WebSocket messages that the page sent. */
  readonly messages: number;
  /** Times that it had to connect again. */
  readonly reconnections: number;
};

/** How far one measurement sets the clock ahead (ms). The next one starts there: clocks do not go back. */
export const PASSED_MS = 2 * HOUR_MS + STEP_MS;

/**
 * Opens a page, and counts its second hour: the first one has the costs of opening it.
 *
 * @param live the name of the account's live object
 * @param ahead how far the worker's clock is ahead of the real one (ms)
 */
export async function idleHour(
  server: Server,
  context: BrowserContext,
  path: string,
  live: string,
  ahead: number,
): Promise<IdleHour> {
  await server.setClockAhead(ahead);
  const page = await context.newPage();
  const traffic = watchTraffic(page);
  await page.clock.install({ time: Date.now() + ahead });
  await openConnected(page, path);
  await page.clock.pauseAt(Date.now() + ahead + STEP_MS);
  const hour = (from: number) => passHour(server, page.clock, traffic, live, from);
  await hour(ahead + STEP_MS);
  await server.reset("rows");
  const before = { messages: traffic.messages(), connections: traffic.connections() };
  await hour(ahead + HOUR_MS + STEP_MS);
  const report = await server.report();
  await page.close();
  return {
    report,
    messages: traffic.messages() - before.messages,
    reconnections: traffic.connections() - before.connections,
  };
}

async function passHour(
  server: Server,
  clock: { runFor: (ms: number) => Promise<void> },
  { settled }: Traffic,
  live: string,
  from: number,
): Promise<void> {
  for (let passed = STEP_MS; passed <= HOUR_MS; passed += STEP_MS) {
    await server.setClockAhead(from + passed);
    await clock.runFor(STEP_MS);
    await settled();
    await server.fireAlarms({ LIVE: [live] });
  }
}
