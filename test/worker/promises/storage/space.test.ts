// A database that is nearly full loses what is oldest and least wanted, no more than needed, and says so.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { retire } from "../../../../src/features/operations/retention/retention.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { soon } from "../../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../../support/worker/world.ts";

const DAY = 86_400_000;
const LOGS = 24;
const LIMITS = { batch: 2, rounds: 50, ms: 60_000, rows: 100 };

let account: Account;
let integration: Integration;
let teamId: string;
let start: number;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }])).id;
  integration = await makeIntegration(account, [teamId]);
  start = Date.now();
  const body = { event_type: "nonsense", text: "x".repeat(8_000) };
  for (let i = 0; i < LOGS; i += 1) await integration.send(body);
  await vi.waitFor(async () => expect(await logTotal()).toBe(LOGS), soon);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await env.DB.prepare("delete from database_size").run();
  await env.DB.prepare("delete from logs").run();
});

const logTotal = async () =>
  (await account.api("GET", "/logs?owner_type=Integration")).body.total_count as number;

const passDays = (days: number) => vi.useFakeTimers({ toFake: ["Date"], now: start + days * DAY });

async function makeResolved(title: string): Promise<string> {
  const alert = { title, urgency: "silent", destination_team_ids: [teamId] };
  const { body } = await account.api("POST", "/alerts", alert);
  expect((await account.api("POST", `/alerts/${body.id}/resolve`)).status).toBe(200);
  return body.id;
}

const bytesNow = async () => (await env.DB.prepare("select 1").run()).meta.size_after;

/** The service with a limit of which the database has used this share. */
const usedTo = async (share: number) => ({
  ...env,
  DATABASE_LIMIT_MB: String((await bytesNow()) / share / 1_000_000),
});

const stored = () =>
  env.DB.prepare("select bytes, freed, reclaiming from database_size").first<{
    bytes: number;
    freed: number;
    reclaiming: number;
  }>();

test("from 80 % of the limit request logs are removed until less than 78 % is used, and no alert", async () => {
  const id = await makeResolved("Stays");
  passDays(2);
  const nearlyFull = await usedTo(0.81);
  await retire(nearlyFull, Date.now(), LIMITS);
  const left = await logTotal();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(LOGS);
  expect((await account.api("GET", `/alerts/${id}`)).status).toBe(200);
  const used = (await bytesNow()) / Number(nearlyFull.DATABASE_LIMIT_MB) / 1_000_000;
  expect([used < 0.78, used > 0.75]).toEqual([true, true]);
  expect(await stored()).toMatchObject({ freed: 0, reclaiming: 0 });
  // Nothing more is removed, although it could be.
  await retire(nearlyFull, Date.now(), LIMITS);
  expect(await logTotal()).toBe(left);
});

test("ended alerts follow when no request log is left, but not those of the last day", async () => {
  const old = await makeResolved("Old");
  passDays(2);
  const recent = await makeResolved("Recent");
  const nearlyFull = await usedTo(2);
  await retire(nearlyFull, Date.now(), LIMITS);
  expect(await logTotal()).toBe(0);
  expect((await account.api("GET", `/alerts/${old}`)).status).toBe(404);
  expect((await account.api("GET", `/alerts/${recent}`)).status).toBe(200);
  expect(await stored()).toMatchObject({ reclaiming: 1 });
});

test("removal goes on in the next run until 78 %, and does not start below 80 %", async () => {
  passDays(2);
  await retire(await usedTo(0.79), Date.now(), LIMITS);
  expect(await logTotal()).toBe(LOGS);
  const nearlyFull = await usedTo(0.81);
  // A day and one batch.
  await retire(nearlyFull, Date.now(), { ...LIMITS, rounds: 2 });
  expect(await logTotal()).toBe(LOGS - 2);
  await retire(nearlyFull, Date.now(), LIMITS);
  const used = (await bytesNow()) / Number(nearlyFull.DATABASE_LIMIT_MB) / 1_000_000;
  expect(used).toBeLessThan(0.78);
});

test("removal stops by estimate where the reported size stays, and starts again when it grows", async () => {
  passDays(2);
  const nearlyFull = await usedTo(0.81);
  let reported = await bytesNow();
  const database = Object.getPrototypeOf(env.DB) as D1Database;
  const real = database.batch;
  vi.spyOn(database, "batch").mockImplementation(async function (this: D1Database, statements) {
    const results = await real.call(this, statements);
    return results.map((it) => ({ ...it, meta: { ...it.meta, size_after: reported } }));
  } as D1Database["batch"]);
  await retire(nearlyFull, Date.now(), LIMITS);
  const left = await logTotal();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(LOGS);
  await retire(nearlyFull, Date.now(), LIMITS);
  expect(await logTotal()).toBe(left);
  reported *= 1.01;
  await retire(nearlyFull, Date.now(), LIMITS);
  expect(await logTotal()).toBeLessThan(left);
});

test("from 70 % the log warns once an hour", async () => {
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => {});
  const below = await usedTo(0.69);
  const above = await usedTo(0.745);
  const lines = () =>
    warnings.mock.calls
      .map(([line]) => line)
      .filter((line) => line?.message === "the database is nearly full");
  await retire(below, Date.now());
  expect(lines()).toEqual([]);
  for (const minutes of [0, 1, 59, 61]) {
    vi.useFakeTimers({ toFake: ["Date"], now: start + minutes * 60_000 });
    await retire(above, Date.now());
    expect([minutes, lines().length]).toEqual([minutes, minutes > 60 ? 2 : 1]);
  }
  expect(lines()[0]).toMatchObject({ percent: 74, removing: false });
  expect(await logTotal()).toBe(LOGS);
});
