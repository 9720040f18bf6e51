// Counts an alert's life, from its webhook through retirement, and what it leaves in storage.
// Returns the costs above their budgets.
import { addReports, type Report } from "../instruments/report.ts";
import { paced } from "../measure.ts";
import type { Server } from "../server.ts";
import { makeWorld } from "../world.ts";
import { readObjectSizes, readTreeSizes } from "./bytes.ts";
import { countedUses, printFreeDay } from "./free-day.ts";
import { growthPerAlert } from "./growth.ts";
import { type Alert, bodyOf, expectOk, listAlerts, settled, sideBySide } from "./life.ts";
import { exceeded, ofAlerts } from "./prices.ts";
import { printPrice } from "./print.ts";
import { retireUntilQuiet } from "./retirement.ts";

/** Number of alerts whose life is counted, one after the other. */
const COUNTED = 40;
/** Number of runs of the cron, and of requests of the API, that are counted. */
const CALLS = 20;
/** Number of alerts in flight while the database fills. */
const CONCURRENCY = 24;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After these, request logs and ended alerts are retired. */
const RETIREMENTS_MS = { requestLogs: 31 * DAY_MS, alerts: 402 * DAY_MS };
/** A timer that sets another is fired again, at most so often. */
const MAX_ROUNDS = 5;

/** Prints the section. `filling`: the number of alerts whose bytes are measured. */
export async function price(server: Server, filling: number): Promise<string[]> {
  const { intake, integration, person } = await makeWorld(server);
  const hook = (Id: string) => server.post(intake, bodyOf(Id));
  await expectOk(hook("warm"));
  await settled(server);
  // An account's first life makes its counters. Left open, it would escalate while others are counted.
  const [warm] = await listAlerts(server);
  for (const verb of ["acknowledge", "resolve"]) {
    await expectOk(act(server, warm?.id ?? "", verb));
  }
  await settled(server);
  const empty = readTreeSizes(server.state);

  const life = await countedLives(server, hook);
  const listing = await countedCalls(server, () => server.get("/alerts?limit=25"));
  const cron = await countedCalls(server, server.runCron);

  const known = (await listAlerts(server)).length;
  const names = Array.from({ length: filling }, (_, i) => `filling-${i}`);
  await sideBySide(names, CONCURRENCY, (Id) => expectOk(hook(Id)));
  await settled(server);
  const filled = (await listAlerts(server)).slice(0, filling);
  await sideBySide(filled, CONCURRENCY, ({ id }) => expectOk(act(server, id, "acknowledge")));
  await sideBySide(filled, CONCURRENCY, ({ id }) => expectOk(act(server, id, "resolve")));
  const alerts = await listAlerts(server);
  if (alerts.length !== known + filling) throw new Error(`${alerts.length} alerts in the list`);
  await settled(server);
  await anHourLater(server, alerts, { INTEGRATION_INBOX: [integration], PERSON: [person] });
  const full = readTreeSizes(server.state);
  const objects = readObjectSizes(server.state, "AlertObject");

  const logsGone = await retireUntilQuiet(server, RETIREMENTS_MS.requestLogs);
  const left = readTreeSizes(server.state);
  const alertsGone = await retireUntilQuiet(server, RETIREMENTS_MS.alerts);
  const retirement = ofAlerts(addReports(logsGone, alertsGone));
  const retiredObjects = readObjectSizes(server.state, "AlertObject");
  const remaining = (await listAlerts(server)).length;

  const growth = growthPerAlert(empty, full, left, alerts.length - 1);
  const costs = printPrice({
    ...{ life, lives: COUNTED, retirement, retirements: alerts.length },
    ...{ growth, objects, retiredObjects },
  });
  const uses = countedUses({
    life,
    lives: COUNTED,
    retirement,
    retirements: alerts.length,
    listing,
    cron,
    calls: CALLS,
  });
  return [
    ...exceeded(costs),
    ...printFreeDay(uses),
    ...(remaining > 0 ? [`${remaining} of ${alerts.length} alerts were not retired`] : []),
  ];
}

/** Counts some alerts' lives, without the requests that list them. */
async function countedLives(
  server: Server,
  hook: (Id: string) => Promise<Response>,
): Promise<Report> {
  const counted = async (work: () => Promise<unknown>) => {
    await server.reset("rows");
    await work();
    await settled(server);
    return server.report();
  };
  const opening = await counted(() => paced(COUNTED, 250, (i) => hook(`counted-${i}`)));
  const alerts = (await listAlerts(server)).slice(0, COUNTED);
  const ending = await counted(async () => {
    for (const verb of ["acknowledge", "resolve"]) {
      await paced(COUNTED, 100, (i) => act(server, alerts[i]?.id ?? "", verb));
      await settled(server);
    }
  });
  const emptying = await counted(() => anHourLater(server, alerts, {}));
  await server.setClockAhead(0);
  return [ending, emptying].reduce(addReports, opening);
}

/** Counts what runs some times, one after the other. */
async function countedCalls(server: Server, call: () => Promise<unknown>): Promise<Report> {
  // The first one has what is left of before.
  await call();
  await settled(server);
  await server.reset("rows");
  for (let i = 0; i < CALLS; i += 1) await call();
  await settled(server);
  return server.report();
}

const act = (server: Server, id: string, verb: string) =>
  server.post(`/api/v4/alerts/${id}/${verb}`, {});

/** Sets the clock ahead by an hour, and fires what is due by then. */
async function anHourLater(
  server: Server,
  alerts: readonly Alert[],
  others: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  await server.setClockAhead(HOUR_MS);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    let fired = await server.fireAlarms(others);
    for (let i = 0; i < alerts.length; i += 100) {
      const names = alerts.slice(i, i + 100).map((it) => it.prefix_id);
      fired += await server.fireAlarms({ ALERT: names });
    }
    await settled(server);
    if (fired === 0) return;
  }
}
