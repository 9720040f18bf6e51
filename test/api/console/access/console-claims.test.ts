// The claim that a browser sends for its session grants nothing: the database rows decide what is shown, at once, even
// if the claim is validly signed.

import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { statement } from "../../../../src/kernel/db/database.ts";
import { readTogether } from "../../../../src/kernel/db/reads-together.ts";
import { type Browser, newBrowser, signIn, signInAdmin } from "../../../support/worker/console.ts";
import { type Inhabited, makeInhabited } from "../../../support/worker/inhabited.ts";
import { countTrips, fewestTrips, untilQuiet } from "../../../support/worker/round-trips.ts";
import { makePerson } from "../../../support/worker/world.ts";

const SESSION = "__Host-tocsin_session";
const CLAIM = "__Host-tocsin_claim";

let mine: Inhabited;
let theirs: Inhabited;
beforeAll(async () => {
  mine = await makeInhabited("ownword");
  theirs = await makeInhabited("foreignword");
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  (env as { RATE_LIMITS: string }).RATE_LIMITS = "off";
});

/** Pages that contain the account's own word. */
const pagesOf = ({ ids }: Inhabited) => [
  "/alerts?status=all",
  `/alerts/${ids.alert.prefixId}`,
  "/on-call",
  `/schedules/${ids.schedule.prefixId}/calendar?from=2030-01-01T00:00&to=2030-01-02T00:00`,
  `/integrations/${ids.integration.prefixId}`,
  "/people",
  "/settings",
  "/reports/by-person",
];

/** A browser that is signed in and has the claim of its session. */
async function returning(accountUserId: string): Promise<Browser> {
  const browser = await signIn(accountUserId);
  await browser.get("/alerts");
  expect(browser.cookies.get(CLAIM)).toMatch(/^[\w-]+\.[\w-]{43}$/);
  return browser;
}

const claimOf = (browser: Browser) => browser.cookies.get(CLAIM) ?? "";

/** The claim with changed contents and its original signature. */
function altered(claim: string, change: (text: string) => string): string {
  const [payload = "", signature = ""] = claim.split(".");
  const text = Buffer.from(payload, "base64url").toString();
  expect(change(text)).not.toBe(text);
  return `${Buffer.from(change(text)).toString("base64url")}.${signature}`;
}

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

/** Changes a person's role directly in the database. */
const setAdmin = (accountUserId: string, admin: boolean) =>
  run("update account_users set admin = ? where id = ?", Number(admin), accountUserId);

describe("a session that was ended elsewhere", () => {
  test("shows nothing at once, on every page, even with a validly signed claim", async () => {
    for (const path of pagesOf(mine)) {
      const browser = await returning(mine.accountUserId);
      const cookies = new Map(browser.cookies);
      expect((await browser.get(path)).status).toBe(200);
      await run("delete from sessions where account_user_id = ?", mine.accountUserId);
      const { status, to, text } = await browser.get(path);
      expect([path, status]).toEqual([path, 303]);
      expect(to).toMatch(/^\/sign-in\?to=/);
      expect([path, text]).toEqual([path, ""]);
      expect([browser.cookies.has(SESSION), browser.cookies.has(CLAIM)]).toEqual([false, false]);
      // Also not to a browser that keeps its cookies.
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      expect((await browser.get(path)).text).toBe("");
    }
  });

  test("shows nothing after it expires, and after a sign-out of all sessions", async () => {
    const [one, other] = [await returning(mine.accountUserId), await returning(mine.accountUserId)];
    await one.submit("/settings/sessions", { id: "all" });
    expect((await other.get("/alerts")).status).toBe(303);
    const third = await returning(mine.accountUserId);
    await run("update sessions set expires_at = 1 where account_user_id = ?", mine.accountUserId);
    expect((await third.get("/alerts")).status).toBe(303);
  });
});

describe("an outdated claim", () => {
  test("shows nothing to a person who has left the account", async () => {
    const person = await makePerson(mine, "Leaver");
    const browser = await returning(person.accountUserId);
    expect((await browser.get("/people")).text).toContain(mine.word);
    await run("update account_users set state = 'pending' where id = ?", person.accountUserId);
    for (const path of pagesOf(mine)) expect((await browser.get(path)).text).toBe("");
  });

  test("does not delay a revoked or granted role past the next request", async () => {
    const person = await makePerson(mine, "Riser", { admin: true });
    const browser = await returning(person.accountUserId);
    const form = "/integrations/new?type=webhook";
    expect((await browser.get(form)).status).toBe(200);
    await setAdmin(person.accountUserId, false);
    expect((await browser.get(form)).status).toBe(403);
    expect((await browser.get("/teams/new")).status).toBe(403);
    await setAdmin(person.accountUserId, true);
    expect((await browser.get(form)).status).toBe(200);
  });

  test("shows the account that the session was switched to elsewhere", async () => {
    const person = await makePerson(mine, "Of both");
    // A sign-in is to the account that the person was in first.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const other = await makePerson(theirs, "Of both too");
    await run(
      `update account_users set user_id = (select user_id from account_users where id = ?1)
        where id = ?2`,
      person.accountUserId,
      other.accountUserId,
    );
    const browser = await returning(person.accountUserId);
    expect((await browser.get("/people")).text).toContain(mine.word);
    await run(
      "update sessions set account_user_id = ? where account_user_id = ?",
      other.accountUserId,
      person.accountUserId,
    );
    const { text } = await browser.get("/people");
    expect(text).toContain(theirs.word);
    expect(text).not.toContain(`${mine.word} Colleague`);
  });
});

describe("a claim that does not match the session", () => {
  test("shows the session's own account if it belongs to another person", async () => {
    const browser = await returning(mine.accountUserId);
    const stranger = await returning(theirs.accountUserId);
    browser.cookies.set(CLAIM, claimOf(stranger));
    for (const path of [...pagesOf(mine), ...pagesOf(theirs)]) {
      const { text } = await browser.get(path);
      expect([path, text.includes(theirs.word)]).toEqual([path, false]);
      browser.cookies.set(CLAIM, claimOf(stranger));
    }
  });

  test("is ignored if it is altered, truncated or forged", async () => {
    const person = await makePerson(mine, "Plain");
    const browser = await returning(person.accountUserId);
    const claim = claimOf(browser);
    const admin = altered(claim, (text) => text.replace('"admin":false', '"admin":true'));
    const foreign = altered(claim, (text) => text.replaceAll(mine.accountId, theirs.accountId));
    const key = createHmac("sha256", "another secret").update("claims of the console").digest();
    const [payload = ""] = admin.split(".");
    const resigned = createHmac("sha256", key)
      .update(`${browser.cookies.get(SESSION)} ${payload}`)
      .digest("base64url");
    const made = [
      admin,
      foreign,
      `${payload}.${resigned}`,
      claim.slice(0, -1),
      "x",
      ".",
      "e30.e30",
    ];
    for (const cookie of made) {
      const { trips, result } = await fewestTrips(2, () => {
        browser.cookies.set(CLAIM, cookie);
        return browser.get("/teams/new");
      });
      expect([cookie, result.status]).toEqual([cookie, 403]);
      expect(trips).toBe(2);
      const { text } = await browser.get("/people");
      expect(text).toContain(mine.word);
      expect(text).not.toContain(theirs.word);
    }
  });

  test("shows nothing if there is no session", async () => {
    const browser = await returning(mine.accountUserId);
    const other = newBrowser();
    other.cookies.set(CLAIM, claimOf(browser));
    for (const path of pagesOf(mine)) expect((await other.get(path)).text).toBe("");
  });
});

describe("a request for a page", () => {
  test("reads from the primary at least twice a minute, otherwise from the nearest replica", async () => {
    const browser = await returning(mine.accountUserId);
    await untilQuiet();
    const now = Date.now();
    const database = Object.getPrototypeOf(env.DB) as D1Database;
    const withSession = vi.spyOn(database, "withSession");
    const readConstraint = async () => {
      withSession.mockClear();
      await browser.get("/on-call");
      return withSession.mock.calls.map(([constraint]) => constraint).at(-1);
    };
    vi.useFakeTimers({ now: now + 20_000, toFake: ["Date"] });
    expect(await readConstraint()).not.toBe("first-primary");
    vi.setSystemTime(now + 40_000);
    expect(await readConstraint()).toBe("first-primary");
    expect(await readConstraint()).not.toBe("first-primary");
    vi.setSystemTime(now + 80_000);
    expect(await readConstraint()).toBe("first-primary");
  });

  test("counts as one request against the person's rate limit", async () => {
    const browser = await returning(mine.accountUserId);
    const keys: string[] = [];
    let success = true;
    (env as { RATE_LIMITS: string }).RATE_LIMITS = "on";
    vi.spyOn(env.API_RATE, "limit").mockImplementation(async ({ key }) => {
      keys.push(key);
      return { success };
    });
    await untilQuiet();
    const { trips } = await countTrips(() => browser.get(`/alerts/${mine.ids.alert.prefixId}`));
    expect([trips, keys.length]).toEqual([1, 1]);
    success = false;
    const refused = await browser.get(`/alerts/${mine.ids.alert.prefixId}`);
    expect(refused.status).toBe(429);
    expect(refused.text).not.toContain(`${mine.word} alert`);
  });

  test("works without claims if there is no signing secret", async () => {
    const browser = await signInAdmin(mine);
    const secret = env.LINK_SECRET ?? "";
    (env as { LINK_SECRET: string }).LINK_SECRET = "";
    try {
      expect((await browser.get("/people")).text).toContain(mine.word);
      expect(browser.cookies.has(CLAIM)).toBe(false);
    } finally {
      (env as { LINK_SECRET: string }).LINK_SECRET = secret;
    }
  });
});

describe("reads that are sent together", () => {
  const together = () => readTogether(env.DB.withSession());

  test("take one round trip, and each gets its own results", async () => {
    await untilQuiet();
    const db = together();
    const { trips, result } = await countTrips(() =>
      Promise.all([
        statement(db, sql`select ${1} as n`).first(),
        db.batch([
          statement(db, sql`select 2 as n`),
          statement(db, sql`select 3 as n union select 4`),
        ]),
        statement(db, sql`select 5 as n`).all(),
        statement(db, sql`select 6 as n`).first("n"),
        statement(db, sql`select 7 as n where false`).first(),
      ]),
    );
    const [one, [two, three], five, six, none] = result;
    expect([one, two?.results, three?.results, five.results, six, none]).toEqual([
      { n: 1 },
      [{ n: 2 }],
      [{ n: 3 }, { n: 4 }],
      [{ n: 5 }],
      6,
      null,
    ]);
    expect(trips).toBe(1);
    expect(await statement(db, sql`select 8 as n`).first("n")).toBe(8);
  });

  test("all fail if one of them fails, and later reads succeed", async () => {
    const db = together();
    const asked = await Promise.allSettled([
      statement(db, sql`select 1 as n`).first(),
      statement(db, sql`select n from nowhere`).first(),
    ]);
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await statement(db, sql`select 1 as n`).first("n")).toBe(1);
  });

  test("never write", () => {
    const db = together();
    for (const query of [
      "delete from users",
      "insert into users (id) values (1)",
      " update users set name = 'x'",
      "with old as (select 1) delete from users",
      "with old as (select 1) insert into users select * from old",
      "pragma foreign_keys = off",
    ]) {
      expect(() => db.prepare(query)).toThrow("does not write");
    }
    expect(() =>
      db.prepare("with some as (select 1 as n) select updated_at from users"),
    ).not.toThrow();
  });
});
