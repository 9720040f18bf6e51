// `npm run bench`: what the budgets are about, measured through `wrangler dev`, as ratios within one run.
import { line, ms, paced, ratio, summary, thrice } from "./measure.ts";
import { benchOnCall } from "./oncall.ts";
import { makeRota } from "./rota.ts";
import { type Server, startServer } from "./server.ts";
import { benchTypes } from "./types.ts";

const PORT = Number(process.env.BENCH_PORT ?? 8790);
const COUNT = 200;
const PACE_MS = 20;

type Report = {
  d1: Record<string, { trips: number; queries: number; rowsRead: number; rowsWritten: number }>;
  objectCalls: number;
  queueMessages: number;
  calls: { subject: string; at: number }[];
};

const server = await startServer(PORT);
try {
  await bench(server);
} finally {
  await server.stop();
}
benchOnCall();
benchTypes();
process.exit(0);

async function bench({ url, key, accountUserId }: Server): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const post = (path: string, body: unknown) =>
    fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const api = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const response = await post(`/api/v4${path}`, body);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json() as Promise<Record<string, string>>;
  };
  const report = async (): Promise<Report> =>
    (await fetch(`${url}/bench/report`)).json() as Promise<Report>;
  const reset = () => fetch(`${url}/bench/reset`);
  const settle = () => new Promise((done) => setTimeout(done, 3_000));

  const people = [accountUserId];
  const team = await api("/teams", {
    name: "Bench",
    member_account_user_ids: people,
    admin_account_user_ids: people,
  });
  await api("/events", {
    start_datetime: new Date(Date.now() - 3_600_000).toISOString(),
    end_datetime: new Date(Date.now() + 86_400_000).toISOString(),
    layer: 1,
    time_zone: "UTC",
    schedule_ids: [team.schedule_id],
    account_user_ids: people,
  });
  const type = await fetch(`${url}/api/v4/integration_types/webhook`, { headers });
  const webhook = (await type.json()) as { id: string };
  const integration = await api("/integrations", {
    name: "Bench",
    urgency: "high",
    integration_type_id: webhook.id,
    team_ids: [team.id],
  });
  const intake = `/integration/${integration.prefix_id}`;
  const hook = (id: string, title = "Disk full") =>
    post(intake, { event_type: "create", Id: id, Title: title });
  let run = 0;
  const empty = () => paced(COUNT, PACE_MS, () => fetch(`${url}/bench/empty`));
  const createAlert = () =>
    post("/api/v4/alerts", {
      title: "Disk full",
      urgency: "high",
      destination_team_ids: [team.id],
    });

  await hook("warm");
  await (await createAlert()).arrayBuffer();
  await empty();
  await settle();

  console.log(`\n${line("what", "measured", "budget")}\n${"-".repeat(112)}`);
  const base = await thrice(empty);
  console.log(line("empty object call, paced", ms(base), "(the yardstick)"));
  const again = await thrice(() => {
    run += 1;
    return paced(COUNT, PACE_MS, () => hook(`repeat-${run}`));
  });
  console.log(
    line(
      "webhook accepted, one Id repeated",
      `${ms(again)} = ${ratio(again, base)}`,
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
  const made = await thrice(() => paced(COUNT / 2, 50, createAlert));
  console.log(line("POST /alerts, paced 20/s", `${ms(made)} = ${ratio(made, base)}`, "(printed)"));
  await settle();
  await reset();
  const paged = await firstCalls(hook, report, settle);
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

/** From before a webhook is sent to the provider's first call, at 20 events a second. */
async function firstCalls(
  hook: (id: string, title: string) => Promise<Response>,
  report: () => Promise<Report>,
  settle: () => Promise<unknown>,
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

type Tools = {
  reset: () => Promise<unknown>;
  report: () => Promise<Report>;
  settle: () => Promise<unknown>;
  hook: (id: string) => Promise<Response>;
  createAlert: () => Promise<Response>;
  /** A schedule with so many events that are over; its id. */
  rota: (dead: number) => Promise<string>;
  headers: Record<string, string>;
  url: string;
};

/** What each operation costs in D1 trips, rows, object calls and queue messages. */
async function operations(tools: Tools): Promise<void> {
  const { reset, report, settle, hook, createAlert, rota, headers, url } = tools;
  const each = async (what: string, times: number, act: (i: number) => Promise<unknown>) => {
    await settle();
    await reset();
    for (let i = 0; i < times; i += 1) await act(i);
    await settle();
    const { d1, objectCalls, queueMessages } = await report();
    const per = (n: number) => (n / times).toFixed(1);
    const total = { trips: 0, rowsRead: 0, rowsWritten: 0 };
    for (const it of Object.values(d1)) {
      total.trips += it.trips;
      total.rowsRead += it.rowsRead;
      total.rowsWritten += it.rowsWritten;
    }
    const where = Object.entries(d1).map(([who, it]) => `${who} ${per(it.trips)}`);
    console.log(
      `${what.padEnd(34)} D1 trips ${per(total.trips)} (${where.join(", ")}), rows read ${per(total.rowsRead)}, ` +
        `rows written ${per(total.rowsWritten)}, object calls ${per(objectCalls)}, queue messages ${per(queueMessages)}`,
    );
  };
  const act = (id: string, what: string) =>
    fetch(`${url}/api/v4/alerts/${id}/${what}`, { method: "POST", headers });
  const lately: string[] = [];
  console.log("\nper operation");
  await each("webhook, the same Id again", 20, () => hook("warm"));
  await each("webhook, a new Id, paged", 20, (i) => hook(`operation-${i}`));
  await each("POST /alerts, paged", 20, async () => {
    const alert = (await (await createAlert()).json()) as { id: string };
    lately.push(alert.id);
  });
  await each("acknowledge", 20, (i) => act(lately[i] ?? "", "acknowledge"));
  await each("resolve", 20, (i) => act(lately[i] ?? "", "resolve"));
  await each("GET /alerts/:id", 20, (i) => fetch(`${url}/api/v4/alerts/${lately[i]}`, { headers }));
  await each("GET /alerts", 20, () => fetch(`${url}/api/v4/alerts`, { headers }));
  await each("GET /alerts?status=open", 20, () =>
    fetch(`${url}/api/v4/alerts?status=open`, { headers }),
  );
  for (const dead of [0, 1_000]) {
    const schedule = await rota(dead);
    await each(`current_oncall, ${dead} dead events`, 20, () =>
      fetch(`${url}/api/v4/schedules/${schedule}/current_oncall`, { headers }),
    );
  }
}
