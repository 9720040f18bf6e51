// What a standby logs of a primary that it cannot use, and when it asks again.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

const BACKUP_KEY = "the key of the tests' backups, with many characters";
const NEVER = { message: "the primary does not answer its standby" };
const DISAGREES = { message: "the primary and its standby do not agree" };

beforeAll(async () => {
  // Which migrations there were, as a snapshot says.
  const migrations = "create table if not exists d1_migrations (id integer primary key, name text)";
  await env.DB.prepare(migrations).run();
});
beforeEach(() => {
  vi.spyOn(env, "BACKUP_KEY", "get").mockReturnValue(BACKUP_KEY);
  vi.spyOn(env, "STANDBY_OF", "get").mockReturnValue("https://primary.example.com");
});
afterEach(() => {
  vi.restoreAllMocks();
});

const standby = () => env.STANDBY.getByName("standby") as DurableObjectStub;

/** The standby asks once. Returns what it logs. */
async function ask(answer: (path: string) => Response | Promise<never>): Promise<unknown[]> {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url) =>
    answer(new URL(String(url)).pathname),
  );
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  logged.mockClear();
  await runInDurableObject(standby(), (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  await runDurableObjectAlarm(standby());
  return logged.mock.calls.flat();
}

test("a primary that answers is said to answer, and why the two do not agree", async () => {
  const { schema, ...origin } = { format: 2, schema: "", linkSecret: "another", pushKey: null };
  const migration = "select name from d1_migrations order by id desc limit 1";
  const here = (await env.DB.prepare(migration).first<string>("name")) ?? schema;
  const snapshot = { parts: [], next: null, origin: { ...origin, schema: here } };
  const answers = (path: string) =>
    Response.json(path === "/standby/snapshot" ? snapshot : { settled: [], done: [] });
  expect(await ask(answers)).toMatchObject([
    { ...DISAGREES, error: expect.stringContaining("LINK_SECRET differs") },
  ]);
  expect(await ask(() => new Response("", { status: 401 }))).toMatchObject([
    { ...DISAGREES, error: expect.stringContaining("BACKUP_KEY differs") },
  ]);
  expect(await ask(() => new Response("", { status: 404 }))).toMatchObject([DISAGREES]);
});

test("a primary that does not answer, or not with an answer of its own, is said not to", async () => {
  const failures = [
    () => Promise.reject(new Error("no route")),
    () => new Response("", { status: 502 }),
  ];
  for (const failure of failures) expect(await ask(failure)).toMatchObject([NEVER]);
});

test.each(["0.001", "-1", "never", "0"])("every %s seconds is no interval", async (seconds) => {
  vi.spyOn(env, "STANDBY_SECONDS", "get").mockReturnValue(seconds as "20");
  const before = Date.now();
  await ask(() => new Response("", { status: 502 }));
  const next = await runInDurableObject(standby(), (_, { storage }) => storage.getAlarm());
  expect(next).toBeGreaterThanOrEqual(before + 20_000);
});
