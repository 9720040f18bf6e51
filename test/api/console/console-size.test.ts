// The notice that the database is nearly full: for admins only, on every page.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Browser, signIn, signInAdmin } from "../../support/worker/console.ts";
import { makePerson } from "../../support/worker/world.ts";

let account: Account;
let admin: Browser;
beforeEach(async () => {
  account = await makeAccount();
  admin = await signInAdmin(account);
});
afterEach(async () => {
  await env.DB.prepare("delete from database_size").run();
});

/** Stores a share of D1's 10 GB as the size of the database. */
const use = (share: number, archiveFailedAt = 0) =>
  env.DB.prepare(
    `insert or replace into database_size (id, measured_at, bytes, archive_failed_at) values (1, 0, ?, ?)`,
  )
    .bind(share * 1e10, archiveFailedAt)
    .run();

/** The text of the notice; null if there is none. */
async function noticeOn(browser: Browser, path = "/alerts"): Promise<string | null> {
  const { status, text } = await browser.get(path);
  expect(status).toBe(200);
  const [notice] = /<span>The database is .*?<\/details>/s.exec(text) ?? [];
  return (
    notice
      ?.replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim() ?? null
  );
}

test("admins see it from 70 % on, on every page", async () => {
  expect(await noticeOn(admin)).toBeNull();
  await use(0.699);
  expect(await noticeOn(admin)).toBeNull();
  await use(0.749);
  for (const path of ["/alerts", "/on-call", "/configuration", "/settings"]) {
    expect(await noticeOn(admin, path)).toMatch(
      /^The database is 74 % full. From 80 % on, the oldest request logs, .* archived and removed. .*RETENTION_DAYS/,
    );
  }
});

test("it says that records are being removed, and that the archive fails", async () => {
  await use(0.81);
  expect(await noticeOn(admin)).toMatch(/81 % full. To free space, .* are being archived/);
  await use(0.91, Date.now());
  expect(await noticeOn(admin)).toMatch(/91 % full. The archive bucket refuses records/);
});

test("other members do not see it", async () => {
  await use(0.9);
  const member = await signIn((await makePerson(account, "Mia Member")).accountUserId);
  // The first page after the sign-in, and one that is rendered with the session's claim.
  expect([await noticeOn(member), await noticeOn(member)]).toEqual([null, null]);
});
