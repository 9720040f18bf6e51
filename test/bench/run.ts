// `npm run bench`: measures the performance budgets under `wrangler dev`, as ratios within one run.
// `--only storm` runs only the storm and the price of an alert; `--events 1000` makes the storm
// smaller.
import { parseArgs } from "node:util";
import { exitWhenStopped } from "../../src/setup/stopped.ts";
import { line, ms, paced, ratio, summary, thrice } from "./measure.ts";
import { benchOnCall } from "./oncall.ts";
import { operations } from "./operations.ts";
import { priceOf, type Report } from "./price.ts";
import { makeRota } from "./rota.ts";
import { EMAIL, prepare, type Server } from "./server.ts";
import { limitedStorm, storm, type Target } from "./storm.ts";
import { benchTypes } from "./types.ts";
import { makeWorld } from "./world.ts";

const COUNT = 200;
const PACE_MS = 20;
/** Number of alerts whose operations are counted. */
const PRICED_ALERTS = 20;

const { values } = parseArgs({
  options: { only: { type: "string" }, events: { type: "string", default: "10000" } },
});
/** More events than the rate limit of an integration allows in ten seconds. */
const OVER_THE_RATE = 3_000;
const settle = () => new Promise((done) => setTimeout(done, 3_000));

exitWhenStopped();
const bench = await prepare();
process.once("exit", bench.forget);
const faults = await measure();
for (const fault of faults) console.log(`NOT KEPT: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
if (values.only !== "storm") {
  benchOnCall();
  benchTypes();
}
process.exit();

/** Runs each part on its own server with its variables; returns the violated guarantees. */
async function measure(): Promise<string[]> {
  const unlimited = { RATE_LIMITS: "off", PAGES_AT_ONCE: "0" };
  if (values.only !== "storm") await bench.during(unlimited, budgets);
  await bench.during(unlimited, price);
  let target: Target | null = null;
  const faults = await bench.during({ RATE_LIMITS: "off" }, async (server) => {
    target = await targetOf(server);
    return storm(target, Number(values.events), async (email) => {
      const { calls } = await server.report();
      return calls.filter(({ to }) => to.includes(email)).length;
    });
  });
  const limited = await bench.during({ RATE_LIMITS: "on" }, ({ url }) =>
    limitedStorm({ ...(target as Target | null as Target), url }, OVER_THE_RATE),
  );
  return [...faults, ...limited];
}

async function targetOf(server: Server): Promise<Target> {
  const { url } = server;
  const { intake, integrationId } = await makeWorld(server);
  return { url, intake, integrationId, email: EMAIL };
}

/** Measures the cost of an alert, from its webhook to its resolution. */
async function price(server: Server): Promise<void> {
  const { url, post, reset, report } = server;
  const { intake, integrationId } = await makeWorld(server);
  const hook = (Id: string) => post(intake, { event_type: "create", Id, Title: "Disk full" });
  await hook("warm");
  await settle();
  await reset("rows");
  await paced(PRICED_ALERTS, 250, (i) => hook(`priced-${i}`));
  await settle();
  const found = await fetch(`${url}/bench/alerts?integration=${integrationId}`);
  const ids = ((await found.json()) as string[]).slice(-PRICED_ALERTS);
  for (const verb of ["acknowledge", "resolve"]) {
    await paced(ids.length, 100, (i) => post(`/api/v4/alerts/${ids[i]}/${verb}`, {}));
    await settle();
  }
  priceOf(await report(), ids.length);
}

async function budgets(server: Server): Promise<void> {
  const { url, headers, api, post, report, reset } = server;
  const { intake, teamId, people } = await makeWorld(server);
  const hook = (id: string, title = "Disk full") =>
    post(intake, { event_type: "create", Id: id, Title: title });
  let run = 0;
  const empty = () => paced(COUNT, PACE_MS, () => fetch(`${url}/bench/empty`));
  const createAlert = () =>
    post("/api/v4/alerts", {
      title: "Disk full",
      urgency: "high",
      destination_team_ids: [teamId],
    });

  await hook("warm");
  await (await createAlert()).arrayBuffer();
  await empty();
  await settle();

  console.log(`\n${line("what", "measured", "budget")}\n${"-".repeat(112)}`);
  const base = await thrice(empty);
  console.log(line("empty object call, paced", ms(base), "(the yardstick)"));
  const repeated = await thrice(() => {
    run += 1;
    return paced(COUNT, PACE_MS, () => hook(`repeat-${run}`));
  });
  console.log(
    line(
      "webhook accepted, one Id repeated",
      `${ms(repeated)} = ${ratio(repeated, base)}`,
      "median <= 1.5 x",
    ),
  );
  await settle();
  const fresh = await thrice(() => {
    run += 1;
    return paced(COUNT, PACE_MS * 2.5, (i) => hook(`fresh-${run}-${i}`));
  });
  console.log(
    line(
      "webhook accepted, each a new Id, drain on",
      `${ms(fresh)} = ${ratio(fresh, base)}`,
      "median <= 1.5 x",
    ),
  );
  await settle();
  const created = await thrice(() => paced(COUNT / 2, 50, createAlert));
  console.log(
    line("POST /alerts, paced 20/s", `${ms(created)} = ${ratio(created, base)}`, "(printed)"),
  );
  await settle();
  await reset();
  const paged = await firstCalls(hook, report);
  console.log(
    line(
      "webhook sent -> provider called, 20/s",
      `${ms(paged)} = ${ratio(paged, base)}`,
      "median <= 6 x, p99 <= 1 s",
    ),
  );

  const rota = (dead: number) => makeRota(api, people, dead);
  await operations({ reset, report, settle, hook, createAlert, rota, headers, url });
}

/** The time from sending a webhook to the provider's call, at 20 events per second. */
async function firstCalls(
  hook: (id: string, title: string) => Promise<Response>,
  report: () => Promise<Report>,
) {
  const sentAt = new Map<string, number>();
  await paced(COUNT, 50, (i) => {
    sentAt.set(`[HIGH] page ${i}`, Date.now());
    return hook(`page-${i}`, `page ${i}`);
  });
  await settle();
  const { calls } = await report();
  if (calls.length !== COUNT) console.log(`  ${calls.length} provider calls for ${COUNT} events`);
  return summary(calls.map(({ subject, at }) => at - (sentAt.get(subject) ?? at)));
}
