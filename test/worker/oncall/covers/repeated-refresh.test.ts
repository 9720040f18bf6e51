// Covers follow changes that are committed while they are being refreshed.
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { notifyOnCallChanges } from "../../../../src/objects/oncall/on-call-changes.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { untilQuiet } from "../../../support/worker/round-trips.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

afterEach(() => {
  vi.restoreAllMocks();
});

/** C is on call on each of some days, in a shift of its own; D covers A, who has none of them yet. */
async function makeDays(count: number) {
  const rota = await makeRota("ACD");
  const { api, accountId } = rota.account;
  const [ana, cleo, dan] = rota.ids("ACD");
  const start = Math.floor(Date.now() / DAY + 2) * DAY;
  const events: string[] = [];
  for (let day = 0; day < count; day += 1) {
    const times = {
      start_datetime: iso(start + day * DAY),
      end_datetime: iso(start + (day + 1) * DAY),
    };
    events.push((await rota.event("C", times)).id);
  }
  const cover = await api("POST", "/covers", {
    account_user_id: ana,
    start_datetime: iso(start),
    end_datetime: iso(start + count * DAY),
    covered_by: "person",
    covering_account_user_id: dan,
  });
  expect(cover.status, cover.text).toBe(201);
  await untilQuiet();
  /** Gives a day to A without notifying anything, as a writer that dies after its commit. */
  const giveToAna = (day: number) =>
    env.DB.batch([
      env.DB.prepare(
        "update event_attendees set account_user_id = ? where event_id = ? and account_user_id = ?",
      ).bind(ana, events[day], cleo),
      env.DB.prepare("update events set updated_at = updated_at + 1 where id = ?").bind(
        events[day],
      ),
    ]);
  const days = async () =>
    (await rota.window(iso(start), iso(start + count * DAY))).map((line) => line.at(-1)).join("");
  const recorded = async () =>
    Number(
      await env.DB.prepare("select count(*) as n from on_call_changes where account_id = ?")
        .bind(accountId)
        .first("n"),
    );
  return { accountId, giveToAna, days, recorded };
}

/** Runs something after each batch that covers have written their overrides with. */
function afterCovers(run: (written: number) => Promise<unknown>): void {
  const database = Object.getPrototypeOf(env.DB) as D1Database;
  const real = database.batch;
  let written = 0;
  vi.spyOn(database, "batch").mockImplementation(async function (
    this: D1Database,
    statements: D1PreparedStatement[],
  ) {
    const results = await real.call(this, statements);
    const texts = statements.map((it) => (it as unknown as { statement: string }).statement);
    if (texts.some((text) => /^insert into "changes"/i.test(text))) {
      written += 1;
      await run(written);
    }
    return results;
  } as D1Database["batch"]);
}

test("a change that is committed while covers are refreshed is followed in the same run", async () => {
  const { accountId, giveToAna, days, recorded } = await makeDays(3);
  expect(await days()).toBe("CCC");
  await giveToAna(0);
  afterCovers(async (written) => (written === 1 ? giveToAna(1) : null));
  await notifyOnCallChanges(env, accountId);
  expect(await days()).toBe("DDC");
  expect(await recorded()).toBe(0);
});

test("a run ends although changes do not, and leaves the rest to the next one", async () => {
  const { accountId, giveToAna, days, recorded } = await makeDays(7);
  await giveToAna(0);
  afterCovers(async (written) => (written < 7 ? giveToAna(written) : null));
  await notifyOnCallChanges(env, accountId);
  expect(await days()).toBe("DDDDDAC");
  expect(await recorded()).toBeGreaterThan(0);
  await notifyOnCallChanges(env, accountId);
  expect(await days()).toBe("DDDDDDD");
  expect(await recorded()).toBe(0);
});
