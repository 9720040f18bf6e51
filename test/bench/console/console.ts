// Counts what an open console costs while nothing happens, and measures how soon it shows a change.
import { chromiumPath } from "../../browser/chromium.ts";
import { line, paced, thrice } from "../measure.ts";
import { expectOk, settled } from "../price/life.ts";
import type { Server } from "../server.ts";
import { makeWorld } from "../world.ts";
import { type IdleHour, idleHour, PASSED_MS } from "./idle-hour.ts";
import { liveLatency } from "./latency.ts";
import {
  BUDGETS,
  costNames,
  costsOf,
  exceeded,
  priceOfMonth,
  priceOfThousandHours,
} from "./prices.ts";
import { signIn, withBrowser } from "./visitor.ts";

/** Unresolved alerts that the list shows. */
const ALERTS = 25;

const YARDSTICK = { count: 200, everyMs: 20 };

/** Prints the section; returns what is above its budget. */
export async function consoles(server: Server): Promise<string[]> {
  if (chromiumPath === null) {
    console.log("\nconsole: not measured, since no Chromium is installed");
    return [];
  }
  const { url, accountUserId } = server;
  const { teamId } = await makeWorld(server);
  const alert = await acknowledgedAlerts(server, teamId);
  const { account_id: live } = await server.get<{ account_id: string }>(
    `/account_users/${accountUserId}`,
  );
  const empty = () => paced(YARDSTICK.count, YARDSTICK.everyMs, () => fetch(`${url}/bench/empty`));
  const base = await thrice(empty);
  return withBrowser(chromiumPath, async (browser) => {
    const context = await signIn(browser, url);
    const faults = await liveLatency(server, context, teamId, base);
    for (const [nth, [path, shown]] of [
      ["/alerts", `/alerts, with ${ALERTS} alerts`] as const,
      [`/alerts/${alert}`, "an alert's page"] as const,
    ].entries()) {
      await settled(server);
      const hour = await idleHour(server, context, path, live, nth * PASSED_MS);
      faults.push(...printHour(shown, hour));
    }
    return faults;
  });
}

/** Creates alerts that are acknowledged and so wait for nothing; returns the `prefix_id` of one. */
async function acknowledgedAlerts(server: Server, teamId: string): Promise<string> {
  let last = "";
  for (let i = 0; i < ALERTS; i += 1) {
    const title = `Disk full on db-${i}`;
    const alert = await server.api("/alerts", {
      ...{ title, urgency: "high", destination_team_ids: [teamId] },
    });
    await expectOk(server.post(`/api/v4/alerts/${alert.id}/acknowledge`, {}));
    last = alert.prefix_id ?? "";
  }
  await settled(server);
  return last;
}

function printHour(page: string, hour: IdleHour): string[] {
  const costs = costsOf(hour);
  console.log(`\n${line(`idle and connected: ${page}`, "in an hour", "budget")}`);
  for (const name of costNames) {
    console.log(line(name, String(costs[name]), `<= ${BUDGETS[name]}`));
  }
  console.log(line("WebSocket messages sent (pings)", String(hour.messages), "(20 are a request)"));
  const thousand = `$${priceOfThousandHours(hour).toFixed(3)}`;
  console.log(line("a thousand connected hours, at list price", thousand, "(printed)"));
  console.log(line("connected all month", `$${priceOfMonth(hour).toFixed(4)}`, "(printed)"));
  return exceeded(page, costs);
}
