// Measures the D1 round trips, rows, object calls and queue messages of operations.
import type { Report } from "../instruments/report.ts";

type Tools = {
  reset: () => Promise<unknown>;
  report: () => Promise<Report>;
  settle: () => Promise<unknown>;
  hook: (id: string) => Promise<Response>;
  createAlert: () => Promise<Response>;
  /** Creates a schedule with `dead` past events; returns its id. */
  rota: (dead: number) => Promise<string>;
  headers: Record<string, string>;
  url: string;
};

/** Prints the cost of each operation. */
export async function operations(tools: Tools): Promise<void> {
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
  const alertIds: string[] = [];
  console.log("\nper operation");
  await each("webhook, the same Id again", 20, () => hook("warm"));
  await each("webhook, a new Id, paged", 20, (i) => hook(`operation-${i}`));
  await each("POST /alerts, paged", 20, async () => {
    const alert = (await (await createAlert()).json()) as { id: string };
    alertIds.push(alert.id);
  });
  await each("acknowledge", 20, (i) => act(alertIds[i] ?? "", "acknowledge"));
  await each("resolve", 20, (i) => act(alertIds[i] ?? "", "resolve"));
  await each("GET /alerts/:id", 20, (i) =>
    fetch(`${url}/api/v4/alerts/${alertIds[i]}`, { headers }),
  );
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
