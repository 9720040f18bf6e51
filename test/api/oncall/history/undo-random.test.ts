// Every kind of write on random schedules, undone: from now on everybody is on call as before it,
// and what was served since stays. Some writes are made to lie in the past.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { randomGenerator, rounds, sized } from "../../../support/generated/sizes.ts";
import {
  announced,
  DAY,
  differences,
  entriesOf,
  iso,
  randomWrite,
} from "../../../support/oncall/previewed.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";

const SCHEDULES = sized(3, 30);
/** How many kinds of writes are seen. */
const KINDS = 5;
const WRITES = 10;
const DAYS_AGO = 9;

/** Everything stored of the account's events, apart from when it was last written. */
async function stored({ account }: Rota): Promise<string> {
  const columns = `e.*, (select json_group_array(json_array(account_user_id, position) order by position, account_user_id)
      from event_attendees where event_id = e.id) as people,
    (select json_group_array(json_array(until_at, attendees, cuts, turn_offset, rotation, empty_positions) order by until_at)
      from event_rosters where event_id = e.id) as rosters,
    (select json_group_array(start_at order by start_at) from event_exceptions
      where event_id = e.id) as exceptions,
    (select json_group_array(json_array(schedule_id, active_until) order by schedule_id)
      from event_schedules where event_id = e.id) as places`;
  const sql = `select ${columns} from events e where account_id = ? order by id`;
  const { results } = await env.DB.prepare(sql).bind(account.accountId).all();
  return JSON.stringify(results.map(({ updated_at: _, ...row }) => row));
}

async function latestChange(rota: Rota) {
  const { body } = await rota.account.api("GET", `/schedules/${rota.scheduleId}/changes?limit=1`);
  return body.data[0];
}

const run = (sql: string, ...values: readonly unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** Makes all events older: what was just made has served nothing worth keeping. */
const age = (accountId: string) =>
  run("update events set created_at = created_at - ? where account_id = ?", 20 * DAY, accountId);

/** Makes the latest change older: it was made at an instant (epoch ms), and so were its events. */
async function putBack(accountId: string, changeId: string, since: number): Promise<void> {
  await run(
    "update changes set created_at = ? where account_id = ? and id = ?",
    since,
    accountId,
    changeId,
  );
  await run(
    "update events set created_at = ? where account_id = ? and created_at > ?",
    ...[since, accountId, Date.now() - DAY],
  );
  await run("update past_events set until_at = ? where change_id = ?", since, changeId);
  await run("delete from past_events where account_id = ? and until_at <= from_at", accountId);
}

describe("an undo", () => {
  test("restores every window, for every kind of write", async () => {
    const random = randomGenerator();
    const done = new Map<string, number>();
    let [restored, kept] = [0, 0];
    // Without served hours in between, the rows are the same.
    const isEnough = () => done.size >= KINDS && restored > kept / 5;
    for (const schedule of rounds(SCHEDULES, isEnough)) {
      const rota = await makeRota("ABCD");
      const { api, accountId } = rota.account;
      const window = { start: iso(Date.now() - 20 * DAY), end: iso(Date.now() + 41 * DAY) };
      for (let step = 0; step < WRITES; step++) {
        await age(accountId);
        const before = await entriesOf(rota, window);
        const rowsBefore = await stored(rota);
        const write = randomWrite(random, rota, before);
        const { method, path, body } = write;
        const written = await api(method, path, body);
        if (written.status >= 300) continue;
        const label = `${schedule}.${step} ${JSON.stringify(write)}`;
        const change = await latestChange(rota);
        if (!change || change.verb === "undo" || change.undone_by_id) continue;
        const isOld = random() < 0.5;
        const since = isOld ? Date.now() - DAYS_AGO * DAY : Date.parse(change.created_at);
        if (isOld) await putBack(accountId, change.id, since);
        const after = await entriesOf(rota, window);
        const undo = `/schedules/${rota.scheduleId}/changes/${change.id}/undo`;
        const preview = await api("POST", `${undo}?preview=true`);
        const undone = await api("POST", undo);
        expect(undone.status, `${label} ${undone.text}`).toBe(201);
        expect(preview.status, label).toBe(200);
        const now = Date.parse(undone.body.created_at);
        expect(undone.body).toMatchObject({ verb: "undo", undoes_id: change.id });
        const then = await entriesOf(rota, window);
        const within = (from: number, to: number) => ({ start: iso(from), end: iso(to) });
        const [start, end] = [Date.parse(window.start), Date.parse(window.end)];
        expect(differences(before, then, within(now, end)), label).toEqual([]);
        expect(differences(before, then, within(start, since)), label).toEqual([]);
        // The preview was computed some milliseconds earlier.
        expect(differences(after, then, within(since, now - 1_000)), label).toEqual([]);
        const inPreview = { start: preview.body.window.start, end: preview.body.window.end };
        const exact = (lines: readonly string[]) =>
          lines.map((it) => it.replaceAll(NOW, "now")).sort();
        const [wide, wideThen] = [after, then];
        const happened = differences(
          wide,
          wideThen,
          within(
            Math.max(start, Date.parse(inPreview.start)),
            Math.min(end, Date.parse(inPreview.end)),
          ),
        );
        const said = announced(preview.body);
        if (start <= Date.parse(inPreview.start))
          expect(exact(said), label).toEqual(exact(happened));
        if (!isOld) restored += Number((await stored(rota)) === rowsBefore);
        kept += 1;
        const kind = `${method} ${path.split("/")[3] ?? ""}`;
        done.set(kind, (done.get(kind) ?? 0) + 1);
        // Half of the time the change is made again.
        if (random() < 0.5) {
          const redo = `/schedules/${rota.scheduleId}/changes/${undone.body.id}/undo`;
          const redone = await api("POST", redo);
          expect(redone.status, `${label} ${redone.text}`).toBe(201);
          const again = await entriesOf(rota, window);
          const from = Date.parse(redone.body.created_at);
          expect(differences(after, again, within(from, end)), label).toEqual([]);
        }
      }
    }
    expect(done.size, [...done.keys()].join()).toBeGreaterThanOrEqual(KINDS);
    expect(restored).toBeGreaterThan(kept / 5);
  });
});

/** An instant that is not on the hour: only that of \`now\` is. */
const NOW = /\d{4}-\d\d-\d\dT(?!\d\d:00:00\.000Z)\d\d:\d\d:\d\d\.\d{3}Z/g;
