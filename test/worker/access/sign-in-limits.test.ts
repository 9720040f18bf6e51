// Password guesses are slowed down, but lock nobody out: failed attempts delay a right password by at most half a
// minute, and not at all in a browser that the person has signed in with before.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { sized } from "../../support/generated/sizes.ts";
import {
  type Browser,
  givePassword,
  newBrowser,
  ORIGIN,
  PASSWORD,
} from "../../support/worker/console.ts";
import { slowStatements } from "../../support/worker/faults.ts";

const COOKIE = "__Host-tocsin_browser";
const HALF_A_MINUTE = 30_000;

let email: string;
let waits: number[];

/** An address of the attacker, whose /64 is another one in each test. */
let net = 0;
const attacker = (host: number) => `2001:db8:${net.toString(16)}:7::${host.toString(16)}`;

beforeEach(async () => {
  net += 1;
  email = await givePassword((await makeAccount()).accountUserId);
  waits = [];
});

afterEach(() => vi.restoreAllMocks());

/** Replaces each wait by making the stored attempts older. */
function letTimePass(): void {
  vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => {
    waits.push(ms);
    const aged = "update sign_in_attempts set attempted_at = attempted_at - ?1";
    await env.DB.prepare(aged).bind(ms).run();
  });
}

const from = (address: string) => ({ Origin: ORIGIN, "cf-connecting-ip": address });

const attempt = async (password: string, address: string, browser: Browser = newBrowser()) =>
  (await browser.post("/sign-in", { email, password }, from(address))).status;

const waited = () => waits.splice(0).reduce((sum, ms) => sum + ms, 0);

/** Sends `count` wrong passwords in sequence from the attacker's /64. */
async function guess(count: number): Promise<void> {
  for (let i = 1; i <= count; i += 1) expect(await attempt(`guess ${i}`, attacker(i))).toBe(401);
}

describe("after many wrong passwords from one IPv6 /64", () => {
  const MANY = sized(14, 100);

  test("the right one is accepted at once from elsewhere, and within half a minute from there", async () => {
    letTimePass();
    await guess(MANY);
    expect(waited()).toBeGreaterThan(HALF_A_MINUTE);
    expect(await attempt(PASSWORD, "2001:db8:ffff::1")).toBe(303);
    expect(await attempt(PASSWORD, "192.0.2.7")).toBe(303);
    expect(waited()).toBe(0);
    expect(await attempt(PASSWORD, attacker(0xabcdef))).toBe(303);
    expect(waited()).toBeLessThanOrEqual(HALF_A_MINUTE);
  });

  test("a browser that the person has signed in with before is not delayed, even from there", async () => {
    const browser = newBrowser();
    expect(await attempt(PASSWORD, "192.0.2.8", browser)).toBe(303);
    browser.cookies.delete("__Host-tocsin_session");
    letTimePass();
    await guess(MANY);
    waited();
    expect(await attempt(PASSWORD, attacker(1), browser)).toBe(303);
    expect(waited()).toBe(0);
  });

  test("all its addresses count as one, and each further guess takes longer", async () => {
    letTimePass();
    await guess(5);
    expect(waited()).toBe(0);
    await guess(7);
    expect(waits).toEqual(
      [1_000, 2_000, 4_000, 8_000, 16_000, 25_000, 25_000].map((ms) => expect.closeTo(ms, -3)),
    );
  });

  test("guesses at other people's passwords are delayed too", async () => {
    letTimePass();
    for (let i = 0; i < 22; i += 1) {
      await env.DB.prepare(
        "insert into sign_in_attempts (email_hash, address, attempted_at) values (?, ?, ?)",
      )
        .bind(`somebody ${i}`, `2001:db8:${net.toString(16)}:7::/64`, Date.now())
        .run();
    }
    expect(await attempt("guess", attacker(1))).toBe(401);
    expect(waited()).toBeGreaterThan(1_000);
  });
});

describe("the browser cookie", () => {
  async function browserOf(address: string, to: string): Promise<Browser> {
    const browser = newBrowser();
    const shown = await browser.post("/sign-in", { email: address, password: PASSWORD }, from(to));
    expect(shown.status).toBe(303);
    browser.cookies.delete("__Host-tocsin_session");
    return browser;
  }

  /** Whether a sign-in with the browser is delayed from the attacker's network. */
  async function isDelayed(browser: Browser): Promise<boolean> {
    waited();
    expect(await attempt(PASSWORD, attacker(9), browser)).toBe(303);
    return waited() > 0;
  }

  test("is long-lived, host-only and HttpOnly, and does not contain the address", async () => {
    const shown = await newBrowser().post("/sign-in", { email, password: PASSWORD });
    const cookie = shown.headers.getSetCookie().find((it) => it.startsWith(`${COOKIE}=`)) ?? "";
    for (const part of [/HttpOnly/i, /Secure/i, /SameSite=Lax/i, /Max-Age=34560000/i]) {
      expect(cookie).toMatch(part);
    }
    expect(cookie).not.toContain(email);
  });

  test("exempts only the people who have signed in with it", async () => {
    const mine = email;
    const shared = await browserOf(mine, "192.0.2.21");
    const other = await givePassword((await makeAccount()).accountUserId);
    const theirs = await browserOf(other, "192.0.2.22");
    const post = { email: other, password: PASSWORD };
    expect((await shared.post("/sign-in", post, from("192.0.2.23"))).status).toBe(303);
    letTimePass();
    await guess(8);
    expect(await isDelayed(theirs)).toBe(true);
    await guess(8);
    expect(await isDelayed(shared)).toBe(false);
  });

  test("is ignored if it is forged or changed", async () => {
    const browser = await browserOf(email, "192.0.2.24");
    const value = browser.cookies.get(COOKIE) ?? "";
    const [id = "", mark = ""] = value.split(".");
    const forged = [
      `${"A".repeat(22)}.${mark}`,
      `${id}.${mark.replace(/.$/, "_")}`,
      id,
      "x",
      `${id}.-`,
      "",
    ];
    letTimePass();
    await guess(8);
    for (const made of forged) {
      await guess(6);
      const fake = newBrowser();
      fake.cookies.set(COOKIE, made);
      expect([made, await isDelayed(fake)]).toEqual([made, true]);
    }
  });

  test("does not allow unlimited guesses with the browser", async () => {
    const browser = await browserOf(email, "192.0.2.25");
    letTimePass();
    for (let i = 0; i < 9; i += 1) expect(await attempt("guess", "192.0.2.25", browser)).toBe(401);
    expect(waited()).toBeGreaterThan(5_000);
    expect(await attempt(PASSWORD, "192.0.2.26")).toBe(303);
    expect(waited()).toBe(0);
  });
});

describe("concurrent password checks", () => {
  const running = async () => {
    const query = "select address, email_hash from sign_in_attempts where checking_until > ?";
    return (await env.DB.prepare(query).bind(Date.now()).all()).results;
  };

  const attackersNetwork = () => `2001:db8:${net.toString(16)}:7::/64`;

  /** Stores a check that counts as running until `until`. */
  const storeCheck = (who: string, place: string, until: number) =>
    env.DB.prepare(
      "insert into sign_in_attempts (email_hash, address, attempted_at, checking_until) values (?, ?, ?, ?)",
    )
      .bind(who, place, Date.now(), until)
      .run();

  /** The maximum number of concurrent checks while these requests are answered. */
  async function maxConcurrent(send: () => readonly Promise<number>[]): Promise<number> {
    // Checks that end at once would never be observed at the same time.
    slowStatements(/set checking_until = null/, 200);
    let isOver = false;
    let most = 0;
    const all = Promise.all(send()).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      most = Math.max(most, (await running()).length);
      await new Promise((done) => setTimeout(done, 30));
    }
    expect(new Set(await all)).toEqual(new Set([401]));
    return most;
  }

  test("are limited to two per network", async () => {
    const requests = () => Array.from({ length: 5 }, (_, i) => attempt(`guess ${i}`, attacker(i)));
    expect(await maxConcurrent(requests)).toBe(2);
    letTimePass();
    for (const until of [3_000, 3_000])
      await storeCheck("somebody", attackersNetwork(), Date.now() + until);
    expect(await attempt(PASSWORD, attacker(77))).toBe(303);
    expect(waited()).toBeGreaterThan(500);
  });

  test("are limited to four per person", async () => {
    const requests = () =>
      Array.from({ length: 9 }, (_, i) => attempt(`guess ${i}`, `198.51.100.${i}`));
    expect(await maxConcurrent(requests)).toBe(4);
  });

  test("reserve the last slot for a network without failures, and expire if they never end", async () => {
    letTimePass();
    await guess(1);
    const [row] = (
      await env.DB.prepare(
        "select email_hash from sign_in_attempts order by rowid desc limit 1",
      ).all()
    ).results;
    const who = String(row?.email_hash);
    await guess(3);
    for (const i of [1, 2, 3]) await storeCheck(who, `of another ${net} ${i}`, Date.now() + 3_000);
    expect(await attempt(PASSWORD, "192.0.2.31")).toBe(303);
    expect(waited()).toBe(0);
    expect(await attempt(PASSWORD, attacker(5))).toBe(303);
    expect(waited()).toBeGreaterThan(0);
  });
});
