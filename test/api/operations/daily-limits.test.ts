// Cloudflare's free plan: pages come first while a day's limits are near, and when the platform refuses more. What an
// isolate has met counts for the rest of the day, so the refusals come last here.
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runEveryMinute } from "../../../src/cron.ts";
import { startOfDay } from "../../../src/domain/shared/daily-limits.ts";
import { HOUR } from "../../../src/domain/shared/time.ts";
import {
  selectWatched,
  watchAccount,
} from "../../../src/features/alerts/object/watched-account-rows.ts";
import { addToDay } from "../../../src/features/operations/limits/day-rows.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { batch, first } from "../../../src/kernel/db/select.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import {
  fillDatabase,
  inboxStub,
  interceptQueue,
  rowsOf,
  soon,
} from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
  type Person,
} from "../../support/worker/world.ts";

const EVERYTHING = "removal 0, live 0, reports 0, logs 0";
const NOTHING = "removal 100, live 100, reports 100, logs 100, warning 100";

let mailbox: Mailbox;
let account: Account;
let person: Person;
let integration: Integration;

beforeEach(async () => {
  mailbox = openMailbox();
  vi.spyOn(console, "error").mockImplementation(() => {});
  account = await makeAccount();
  person = await makePerson(account, "Grace");
  const { id } = await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }]);
  integration = await makeIntegration(account, [id]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function onFreePlan(shares: string): void {
  vi.spyOn(env, "CLOUDFLARE_PLAN", "get").mockReturnValue("free");
  vi.spyOn(env, "FREE_PLAN_SHARES", "get").mockReturnValue(shares);
}

const health = async () => (await exports.default.fetch("https://tocsin.test/health")).json();
const reports = () =>
  account.api("GET", "/reports/alerts?start=2026-11-01T00:00:00Z&end=2026-11-02T00:00:00Z");
const event = (Id: string) => integration.send({ event_type: "create", Id, Title: Id });
const logTotal = async () =>
  (await account.api("GET", "/logs?owner_type=Integration")).body.total_count;

const mailsAbout = (Id: string) =>
  mailbox.mails.filter(({ to, subject }) => to === person.email && subject.includes(Id)).length;
const isPaged = (Id: string) => vi.waitFor(() => expect(mailsAbout(Id)).toBe(1), soon);

/** Writes a record that is to be removed; returns whether it still is there. */
async function expiredKey(): Promise<() => Promise<boolean>> {
  const { accountId } = account;
  const of = "from idempotency_keys where account_id = ?1 and key = 'old'";
  await env.DB.prepare(
    `insert into idempotency_keys (account_id, api_key_id, key, request_hash, record_id, claimed_until, expires_at)
     values (?1, 'k', 'old', '', '', 0, 1)`,
  )
    .bind(accountId)
    .run();
  return async () => (await env.DB.prepare(`select 1 ${of}`).bind(accountId).first()) !== null;
}

/** Has a console watch the account; returns whether the row that says so is there. */
async function watch(): Promise<() => Promise<boolean>> {
  const { accountId } = account;
  await statement(env.DB, watchAccount(accountId, Date.now() + HOUR)).run();
  return async () => (await first(env.DB, selectWatched(accountId, Date.now()))) !== null;
}

test("on the paid plan nothing is stored, said or paused", async () => {
  vi.spyOn(env, "FREE_PLAN_SHARES", "get").mockReturnValue(EVERYTHING);
  await runEveryMinute(env, Date.now());
  expect(await health()).toEqual({ status: "ok", version: expect.any(String) });
  expect((await reports()).status).not.toBe(503);
  expect(await env.DB.prepare("select 1 from daily_use").first()).toBeNull();
});

test("passwords are compared in an object, which has more CPU time than a request", async () => {
  onFreePlan(NOTHING);
  const objects = vi.spyOn(Object.getPrototypeOf(env.ACCESS_MAIL), "getByName");
  await signInAdmin(account);
  expect(objects).toHaveBeenCalledWith("passwords");
});

describe("near a limit", () => {
  test("reports are refused until midnight", async () => {
    onFreePlan(EVERYTHING);
    const { status, text, headers } = await reports();
    expect([status, text]).toEqual([503, expect.stringContaining("until 00:00 UTC")]);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(86_400);
  });

  test("an event pages, while no log is written and no console is notified", async () => {
    await event("warm");
    await vi.waitFor(async () => expect(await logTotal()).toBe(1), soon);
    onFreePlan(NOTHING);
    const isWatched = await watch();
    await event("logged");
    await isPaged("logged");
    await vi.waitFor(async () => expect(await logTotal()).toBe(2), soon);
    // The object, which nobody is connected to, ends the watch when it is notified.
    await vi.waitFor(async () => expect(await isWatched()).toBe(false), soon);

    onFreePlan(EVERYTHING);
    const isStillWatched = await watch();
    expect((await event("paged")).status).toBe(200);
    await isPaged("paged");
    const { body } = await account.api("GET", "/alerts?thirdparty_id=paged");
    const { status } = await account.api("POST", `/alerts/${body.data[0].id}/resolve`, {});
    expect(status).toBe(200);
    // The inbox has handled the event, and what its log would have been.
    const inbox = inboxStub(integration.prefixId);
    const isEmpty = async () => expect(await rowsOf(inbox, "select 1 from events")).toEqual([]);
    await vi.waitFor(isEmpty, soon);
    onFreePlan(NOTHING);
    await event("later");
    await isPaged("later");
    await vi.waitFor(async () => expect(await logTotal()).toBe(3), soon);
    await vi.waitFor(async () => expect(await isStillWatched()).toBe(false), soon);
  });

  test("what is old stays until the limits begin anew", async () => {
    const isThere = await expiredKey();
    onFreePlan(EVERYTHING);
    await runEveryMinute(env, Date.now());
    expect(await isThere()).toBe(true);
    onFreePlan(NOTHING);
    await runEveryMinute(env, Date.now());
    expect(await isThere()).toBe(false);
  });

  test("admins are told: on every page, in /health, and by one mail a day", async () => {
    const admin = await makePerson(account, "Ada", { admin: true });
    const toldAdmin = () =>
      mailbox.mails.filter(({ to, subject }) => to === admin.email && /free plan/.test(subject));
    onFreePlan("removal 100, live 100, reports 100, logs 100, warning 0");
    const now = Date.now();
    // Earlier tests have had their mail of today.
    const day = now + 72 * HOUR;
    await runEveryMinute(env, day);
    await runEveryMinute(env, day);
    expect(toldAdmin()).toHaveLength(1);
    expect(toldAdmin()[0]?.text).toContain("The limits begin anew at ");
    await runEveryMinute(env, day + 24 * HOUR);
    expect(toldAdmin()).toHaveLength(2);
    const page = await (await signInAdmin(account)).get("/alerts");
    expect(page.text).toMatch(/Cloudflare(?:&#39;|&#x27;|’|')s free plan: /);
    expect(page.text).toContain("The limits begin anew at 00:00 UTC");
    expect(await health()).toMatchObject({
      status: "ok",
      daily_limits: {
        used_up: [],
        resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
      },
    });
  });

  test("alerts and messages are counted once, with those of the day before left out", async () => {
    onFreePlan(NOTHING);
    const today = startOfDay(Date.now()) + 48 * HOUR;
    vi.useFakeTimers({ toFake: ["Date"], now: today - 36 * HOUR });
    const counted = () => env.DB.prepare("select * from daily_use").first();
    await batch(env.DB, addToDay(today - 24 * HOUR, { alerts: 7, messages: 9 }, "x"));
    await batch(env.DB, addToDay(today, { alerts: 2, messages: 3 }, "y"));
    await batch(env.DB, addToDay(today, { alerts: 1, messages: 1 }, "z"));
    expect(await counted()).toMatchObject({ day: today, alerts: 3, messages: 4, counted_to: "z" });
    await event("counted");
    await isPaged("counted");
    await runEveryMinute(env, Date.now() + HOUR);
    const once = await counted();
    expect(Number(once?.alerts)).toBeGreaterThanOrEqual(1);
    expect(Number(once?.messages)).toBeGreaterThanOrEqual(1);
    await runEveryMinute(env, Date.now() + HOUR);
    expect(await counted()).toEqual(once);
  });
});

describe("when the platform refuses", () => {
  beforeEach(() => onFreePlan(NOTHING));

  test("a webhook that cannot be stored is refused so that its sender repeats it", async () => {
    const words = "Exceeded allowed rows written in Durable Objects free tier.";
    const inboxes = Object.getPrototypeOf(env.INTEGRATION_INBOX) as DurableObjectNamespace;
    const receive = () => Promise.reject(new Error(words));
    const stub = { receive } as unknown as DurableObjectStub;
    const broken = vi.spyOn(inboxes, "getByName").mockReturnValue(stub);
    const refused = await event("refused");
    broken.mockRestore();
    expect(refused.status).toBe(503);
    const after = Number(refused.headers.get("Retry-After"));
    expect(after).toBeGreaterThan(0);
    expect(after).toBeLessThanOrEqual(300);
    expect(await health()).toMatchObject({
      status: "limited",
      daily_limits: { nearest: "object rows written", used_percent: 100 },
    });
    // The sender's repetition, after the reset.
    expect((await event("refused")).status).toBe(200);
    await isPaged("refused");
  });

  test("a request of the API is answered 503", async () => {
    const words =
      "D1_ERROR: Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.";
    const faults = fillDatabase(/./, words);
    const { status, text, headers } = await account.api("POST", "/teams", {
      ...{ name: "Late", member_account_user_ids: [person.accountUserId] },
      admin_account_user_ids: [person.accountUserId],
    });
    faults.mend();
    expect([status, text]).toEqual([503, expect.stringContaining("D1 rows written")]);
    expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(300);
  });

  test("a page goes without the queue that takes no more messages", async () => {
    const queue = interceptQueue(async () => {
      throw new Error(
        "You have exceeded the daily write operations limit in Queues free tier (10253)",
      );
    });
    expect((await event("direct")).status).toBe(200);
    await isPaged("direct");
    expect(queue).toHaveBeenCalled();
    expect(await health()).toMatchObject({
      daily_limits: { used_up: expect.arrayContaining(["queue operations"]) },
    });
  });
});
