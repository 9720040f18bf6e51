// The transfer size of an alert's page: it is limited for a timeline of any length, and all entries can be requested.

import { env } from "cloudflare:workers";
import { gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { alerts, notifications } from "../../../src/features/schema/alerts.ts";
import { comments } from "../../../src/features/schema/messages.ts";
import { build, statement } from "../../../src/kernel/db/database.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { newNotification } from "../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Browser, signInAdmin } from "../../support/worker/console.ts";
import { makePerson } from "../../support/worker/world.ts";

const MAX_BYTES = 60_000;

/** Text that no compression reduces below three quarters of its length. */
const noise = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(Math.min(length, 65_536))))
    .toString("base64")
    .slice(0, length);

type Sizes = {
  readonly description: number;
  readonly lines: number;
  readonly notifications: number;
  readonly comments: number;
  readonly length: number;
};

async function insert(queries: readonly Parameters<typeof statement>[1][]): Promise<void> {
  for (let at = 0; at < queries.length; at += 50) {
    await env.DB.batch(queries.slice(at, at + 50).map((query) => statement(env.DB, query)));
  }
}

/** Creates an alert with a timeline, notifications and comments of these numbers and lengths. */
async function makeAlert(account: Account, sizes: Sizes, text: (n: number) => string) {
  const { accountId, accountUserId } = account;
  const colleague = await makePerson(account, "Grace Hopper");
  const { body, status } = await account.api("POST", "/alerts", {
    title: `Disk full ${text(100)}`,
    description: text(sizes.description),
    urgency: "silent",
    tags: Array.from({ length: 40 }, (_, i) => `${i} ${text(200)}`),
    destination_account_user_ids: [accountUserId],
  });
  expect(status).toBe(201);
  const now = Date.now();
  const lines = Array.from({ length: sizes.lines }, (_, i) => [
    i * 1_000,
    `Line ${i}: Paged Grace Hopper by e-mail at 2026-11-21T10:00:00Z. ${text(sizes.length)}`,
  ]);
  await insert([
    sql`update ${alerts} set timeline = (select json_group_array(json(value)) from (
        select value from json_each(${alerts.timeline})
        union all select value from json_each(${JSON.stringify(lines)})))
      where ${alerts.id} = ${body.id}`,
    ...Array.from({ length: sizes.notifications }, (_, i) =>
      build.insert(notifications).values({
        ...newNotification(now + i),
        accountId,
        ownerId: body.id,
        effect: `:${i}`,
        accountUserId: colleague.accountUserId,
        channel: "email",
        to: `person.${i}@example.com`,
        event: "alert.open",
        status: "failed" as const,
        reason: `Reason ${i} ${text(sizes.length)}`,
      }),
    ),
    ...Array.from({ length: sizes.comments }, (_, i) =>
      build.insert(comments).values({
        ...newIdentity("comment", now + i),
        accountId,
        body: `Comment ${i}. ${text(sizes.length)}`,
        commentableType: "Alert",
        commentableId: body.id,
        accountUserId,
        createdByName: "Ada",
      }),
    ),
  ]);
  return `/alerts/${body.prefix_id}`;
}

const weightOf = async (browser: Browser, path: string) => {
  const { status, text } = await browser.get(path);
  expect(status).toBe(200);
  return { bytes: gzipSync(text).length, text };
};

describe("an alert's page", () => {
  test("with a long timeline is small, and shows the newest entries", async () => {
    const account = await makeAccount();
    const sizes = { description: 1_000, lines: 200, notifications: 50, comments: 30, length: 60 };
    const words = "the primary of the payments database does not answer on db-1 ";
    const path = await makeAlert(account, sizes, (n) => words.repeat(n / 20 + 1).slice(0, n));
    const browser = await signInAdmin(account);
    const { bytes, text } = await weightOf(browser, path);
    expect(bytes).toBeLessThan(MAX_BYTES / 4);
    expect(text).toContain("Line 199:");
    expect(text).toContain("Comment 29.");
    expect(text).toContain("Reason 49 ");
    expect(text).not.toContain("Line 0:");
    expect(text).toMatch(/Show \d+ earlier/);
  });

  test("stays within the limit for any amount of incompressible text", async () => {
    const account = await makeAccount();
    const sizes = {
      description: 65_000,
      lines: 600,
      notifications: 150,
      comments: 120,
      length: 2_000,
    };
    const path = await makeAlert(account, sizes, noise);
    const browser = await signInAdmin(account);
    const { bytes, text } = await weightOf(browser, path);
    expect(bytes).toBeLessThan(MAX_BYTES);
    for (const newest of ["Line 599:", "Comment 119.", "Reason 149 "]) {
      expect(text).toContain(newest);
    }
    const all = await weightOf(
      browser,
      `${path}?whole=timeline&whole=comments&whole=notifications&whole=description`,
    );
    for (const oldest of ["Line 0:", "Comment 0.", "Reason 0 "]) {
      expect(text).not.toContain(oldest);
      expect(all.text).toContain(oldest);
    }
    expect(all.text).not.toMatch(/Show \d+ earlier|Show the full/);
    expect(all.text.length).toBeGreaterThan(65_000 + 600 * 2_000);
  });

  test("with very many handoff targets lists them only on request", async () => {
    const account = await makeAccount();
    const path = await makeAlert(
      account,
      { description: 10, lines: 1, notifications: 0, comments: 0, length: 10 },
      noise,
    );
    const ids = Array.from({ length: 1_500 }, (_, i) => newIdentity("account_user", i).id);
    await insert(
      ids.flatMap((id, i) => [
        sql`insert into users (id, prefix_id, created_at, updated_at, name)
          values (${id}, ${`usr_${id}`}, 1, 1, ${`Somebody ${i} ${id}`})`,
        sql`insert into account_users (id, prefix_id, created_at, updated_at, account_id, user_id)
          values (${id}, ${`acu_${id}`}, 1, 1, ${account.accountId}, ${id})`,
      ]),
    );
    await env.DB.prepare("update alerts set status = 'open' where account_id = ?")
      .bind(account.accountId)
      .run();
    const browser = await signInAdmin(account);
    const { bytes, text } = await weightOf(browser, path);
    expect(bytes).toBeLessThan(MAX_BYTES / 4);
    expect(text).not.toContain("Somebody 700 ");
    expect(text).toContain("List all people and teams");
    expect((await weightOf(browser, `${path}?whole=handoff`)).text).toContain("Somebody 700 ");
  });
});
