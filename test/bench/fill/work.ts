// What the work of a day reads beside many ended alerts: an alert's life, a sweep and a retirement.
import type { Rows } from "../instruments/report.ts";
import { line } from "../measure.ts";
import { type Alert, expectOk, settled, sideBySide } from "../price/life.ts";
import type { Server } from "../server.ts";

const ALERTS = 40;
const CONCURRENCY = 4;
/** A statement that reads more rows than this per run depends on how many alerts there are. */
const MOST_READ = 200;
/** Number of statements that are printed. */
const PRINTED = 5;

type Statements = Readonly<Record<string, Rows>>;

/** Does the work; returns the rows that each statement read. */
async function work(server: Server, intake: string): Promise<Statements> {
  await server.reset();
  const names = Array.from({ length: ALERTS }, (_, n) => `work-${n}`);
  for (const Title of ["Disk full", "Disk still full"]) {
    await sideBySide(names, CONCURRENCY, (Id) =>
      expectOk(server.post(intake, { event_type: "create", Id, Title })),
    );
    await settled(server);
  }
  const { data: alerts } = await server.get<{ data: Alert[] }>(`/alerts?limit=${ALERTS}`);
  for (const verb of ["acknowledge", "resolve"]) {
    await sideBySide(alerts, CONCURRENCY, ({ id }) =>
      expectOk(server.post(`/api/v4/alerts/${id}/${verb}`, {})),
    );
  }
  const [first] = alerts;
  if (first) await expectOk(server.post("/api/v4/comments", { alert_id: first.id, body: "Done" }));
  await settled(server);
  await server.sweep();
  await server.retire();
  return (await server.report()).statements;
}

/** Prints the statements that read most; returns those that read too much. */
export async function measureWork(server: Server, intake: string): Promise<string[]> {
  const perRun = Object.entries(await work(server, intake))
    .map(([name, { read, runs }]) => ({ name, read: read / runs }))
    .sort((a, b) => b.read - a.read);
  console.log(
    `\n${line("an alert's life, a sweep, a retirement", "rows read by a statement", "")}`,
  );
  for (const { name, read } of perRun.slice(0, PRINTED)) {
    console.log(line(`  ${name}`, read.toFixed(0), `<= ${MOST_READ}`));
  }
  return perRun
    .filter(({ read }) => read > MOST_READ)
    .map(({ name, read }) => `${name} reads ${read.toFixed(0)} rows`);
}
