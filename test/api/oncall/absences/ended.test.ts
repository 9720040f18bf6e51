// Absences leave the database with the retention period.
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { retire } from "../../../../src/features/operations/retention/retention.ts";
import { makeRota } from "../../../support/oncall/rota.ts";

const DAY = 86_400_000;
const LIMITS = { batch: 10, rounds: 1, ms: 60_000, rows: 1_000 };
const iso = (at: number) => new Date(at).toISOString();

afterEach(() => {
  vi.useRealTimers();
});

test("what ended before it is deleted, and what was served stays", async () => {
  const rota = await makeRota("ABC");
  const { api, accountId } = rota.account;
  const [ana, ben, cleo] = rota.ids("ABC");
  const start = Math.floor(Date.now() / DAY + 2) * DAY;
  const times = { start_datetime: iso(start), end_datetime: iso(start + DAY) };
  const later = {
    start_datetime: iso(start + 20 * DAY),
    end_datetime: iso(start + 21 * DAY),
  };
  await rota.event("A", { ...times, end_datetime: iso(start + 30 * DAY) });
  const make = async (path: string, body: Record<string, unknown>) => {
    const reply = await api("POST", path, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  };
  const substitute = { instead: "person", covering_account_user_id: ben };
  for (const hours of [times, later]) {
    await make("/absences", { ...hours, ...substitute, account_user_id: ana });
    await make("/absences", { ...hours, account_user_id: cleo, reason: "Surgery" });
  }
  const asked = { instead: "ask", account_user_id: ana, account_user_ids: [ben] };
  await make("/absences", {
    ...asked,
    start_datetime: iso(start + 2 * DAY),
    end_datetime: iso(start + 3 * DAY),
  });
  await make("/absences", {
    ...asked,
    start_datetime: iso(start + 22 * DAY),
    end_datetime: iso(start + 23 * DAY),
  });
  const served = await rota.window(iso(start), iso(start + DAY));
  expect(served.map((line) => line.at(-1)).join("")).toBe("B");

  const tables = ["absences", "absence_people"];
  const rows = async () => {
    const counts = await env.DB.batch<{ n: number }>(
      tables.map((table) =>
        env.DB.prepare(`select count(*) as n from ${table} where account_id = ?`).bind(accountId),
      ),
    );
    return counts.map(({ results }) => results[0]?.n);
  };
  expect(await rows()).toEqual([6, 2]);
  vi.useFakeTimers({ toFake: ["Date"], now: start + 399 * DAY });
  await retire(env, Date.now(), LIMITS);
  expect(await rows()).toEqual([6, 2]);
  vi.setSystemTime(start + 410 * DAY);
  await retire({ ...env, RETENTION_DAYS: "off" }, Date.now(), LIMITS);
  expect(await rows()).toEqual([6, 2]);
  await retire(env, Date.now(), LIMITS);
  expect(await rows()).toEqual([3, 1]);
  vi.useRealTimers();
  const left = await api("GET", "/absences?sort=start_datetime&direction=asc");
  expect(left.body).toMatchObject({ total_count: 3, data: [later, later, { instead: "ask" }] });
  expect(await rota.window(iso(start), iso(start + DAY))).toEqual(served);
  expect((await api("GET", "/events")).body.total_count).toBe(1);
});
