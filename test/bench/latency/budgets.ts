// Measures the latency budgets, as ratios to an empty object call, and what each operation costs.
import type { Report } from "../instruments/report.ts";
import { line, ms, paced, ratio, summary, thrice } from "../measure.ts";
import type { Server } from "../server.ts";
import { makeWorld } from "../world.ts";
import { operations } from "./operations.ts";
import { makeRota } from "./rota.ts";

const COUNT = 200;
const PACE_MS = 20;

const settle = () => new Promise((done) => setTimeout(done, 3_000));

/** Prints the section. */
export async function budgets(server: Server): Promise<void> {
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
