/**
 * Previews of every kind of write, against what is on call in all schedules once the write is made
 * and the covers have been decided anew. On a database in memory, so that there can be many.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { routes } from "../../../../src/routes.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import { makeLocalAccount } from "../../../support/local/local-api.ts";
import { type LocalRota, randomLocalWrite } from "../../../support/local/random-writes.ts";
import { type LocalDatabase, openDatabase } from "../../../support/local/sqlite-database.ts";
import { patience } from "../../../support/oncall/oncall-random.ts";
import {
  announced,
  DAY,
  differences,
  type Entry,
  HOUR,
  hoursIn,
  iso,
  type Preview,
} from "../../../support/oncall/previewed.ts";
import { pick, type Random } from "../../../support/oncall/roster-random.ts";

/** With those of the worker's tests: over 10,000 at full size. */
const CASES = Number(process.env.CASES ?? 0) || sized(120, 9_000);
const WRITES = 16;

/** Clocks change soon after some of them. */
const STARTS = ["2026-01-12", "2026-03-03", "2026-03-24", "2026-07-01", "2026-10-20"];

async function makeRota(database: LocalDatabase): Promise<LocalRota> {
  const account = await makeLocalAccount(database, 4);
  const [admin = "", ...members] = account.people;
  const made = [];
  for (const name of ["Payments", "Search"]) {
    const team = await account.api("POST", "/teams", {
      ...{ name, member_account_user_ids: members, admin_account_user_ids: [admin] },
    });
    made.push(team.body);
  }
  return {
    ...account,
    teams: made.map(({ id }) => id),
    schedules: made.map((it) => it.schedule_id),
  };
}

const LOG: unknown[] = [];
type Window = Preview["window"];

/** The entries of each schedule. */
const entriesIn = ({ api, schedules }: LocalRota, { start, end }: Window): Promise<Entry[][]> =>
  Promise.all(
    schedules.map(async (id) => {
      const path = `/schedules/${id}/window_events?start=${start}&end=${end}`;
      return (await api("GET", path)).body;
    }),
  );

const NONE = { changes: [], gaps_opened: [], gaps_closed: [], hours: [], shifts: [] };

/** What a preview says of one schedule, as texts. */
function announcedOf({ schedules }: Preview, id: string) {
  const of = schedules.filter((it) => it.schedule_id === id);
  const [own = NONE] = of;
  const texts = (changes: Preview["schedules"][number]["changes"]) =>
    announced({ schedules: [{ changes }] }).sort();
  return {
    changes: texts(own.changes),
    opened: texts(own.gaps_opened),
    closed: texts(own.gaps_closed),
    hours: own.hours.map((it) => `${it.account_user_id} ${it.before} ${it.after}`).sort(),
    shifts: own.shifts
      .map((it) => `${it.start_time} ${it.end_time} ${it.layer}  > ${it.account_user_ids.join()}`)
      .sort(),
  };
}

/** The same, of what was on call before and is after. */
function happened(before: readonly Entry[], after: readonly Entry[], window: Window, now: number) {
  const changes = differences(before, after, window).sort();
  const [was, is] = [hoursIn(before, window), hoursIn(after, window)];
  const people = [...new Set([...was.keys(), ...is.keys()])];
  return {
    changes,
    opened: changes.filter((it) => it.endsWith("> ")),
    closed: changes.filter((it) => it.includes("  > ")),
    hours: people.map((id) => `${id} ${was.get(id) ?? 0} ${is.get(id) ?? 0}`).sort(),
    shifts: differences([], after, { start: iso(now), end: window.end }).sort(),
  };
}

/** Makes one random write with its preview; the operation, or null if there was nothing to compare. */
async function tryWrite(random: Random, rota: LocalRota, database: LocalDatabase, step: string) {
  const now = Date.now();
  const wide = { start: iso(now - 10 * DAY), end: iso(now + 30 * DAY) };
  const entries = (await entriesIn(rota, wide)).flat();
  const write = await randomLocalWrite(random, rota, entries);
  if (!write) return null;
  const { method, path, body, by = 0, acceptedBy } = write;
  const label = `${step} ${iso(now)} ${JSON.stringify(write)}`;
  {
    const w = { start: iso(now - 28 * DAY), end: iso(now + 42 * DAY) };
    const b = await entriesIn(rota, w);
    await rota.follow();
    const a = await entriesIn(rota, w);
    const d = b.map((it, i) => differences(it, a[i] ?? [], w));
    if (d.flat().length) {
      const away = (await rota.api("GET", "/unavailabilities")).body.data.map((u: any) => [u.account_user_id, u.start_datetime, u.end_datetime]);
      console.log("IDLE", label, JSON.stringify(d), JSON.stringify(away), JSON.stringify(LOG.slice(-6)));
    }
  }
  LOG.push([iso(now), method, path, body]);
  const rows = database.rowsWritten();
  const previewed = await rota.api(method, `${path}?preview=true`, body, by);
  expect(database.rowsWritten(), label).toBe(rows);
  if (previewed.status !== 200) {
    const written = await rota.api(method, path, body, by);
    expect([written.status, written.fields], label).toEqual([previewed.status, previewed.fields]);
    return null;
  }
  const preview: Preview = previewed.body;
  const before = await entriesIn(rota, preview.window);
  const written = await rota.api(method, path, body, by);
  expect(written.status, `${label} ${JSON.stringify(written.body)}`).toBeTypeOf("number");
  if (acceptedBy !== undefined) {
    const accept = `/cover_requests/${written.body.id}/accept`;
    const accepted = await rota.api("POST", accept, undefined, acceptedBy);
    if (accepted.status !== 200) return null;
  }
  await rota.follow();
  const after = await entriesIn(rota, preview.window);
  if (rota.schedules.some((id, at) => JSON.stringify(announcedOf(preview, id).changes) !== JSON.stringify(happened(before[at] ?? [], after[at] ?? [], preview.window, now).changes))) {
      const away = (await rota.api("GET", "/unavailabilities")).body.data.map((u: any) => [u.account_user_id, u.start_datetime, u.end_datetime]);
      const covers = (await rota.api("GET", "/covers")).body.data;
      const events = (await rota.api("GET", "/events")).body.data;
      console.log("FAIL", label, "\nAWAY", JSON.stringify(away), "\nCOVERS", JSON.stringify(covers),"\nEVENTS", events.map((e: any) => JSON.stringify(e)).join("\n"), "\nLOG", LOG.slice(-16).map((e) => JSON.stringify(e)).join("\n"));
  }
  for (const [at, id] of rota.schedules.entries()) {
    const own = happened(before[at] ?? [], after[at] ?? [], preview.window, now);
    const isNamed = preview.schedules.some((it) => it.schedule_id === id);
    const expected = isNamed ? own : { changes: own.changes };
    expect(announcedOf(preview, id), `${label} ${id}`).toMatchObject(expected);
  }
  expect(preview.unchanged, label).toBe(preview.schedules.every((it) => it.changes.length === 0));
  return written.operation;
}

describe("the preview of a write", () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    // After a change, the service's objects would be told of it.
    vi.stubGlobal("scheduler", { wait: () => new Promise(() => {}) });
  });
  afterAll(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("says what the write then does, in all schedules", patience, async () => {
    const random = randomGenerator();
    const done = new Map<string, number>();
    let compared = 0;
    let database = openDatabase();
    for (let account = 0; compared < CASES; account++) {
      if (account % 50 === 49) database = openDatabase();
      vi.setSystemTime(Date.parse(`${pick(random, STARTS)}T09:00:00Z`));
      const rota = await makeRota(database);
      for (let step = 0; step < WRITES && compared < CASES; step++) {
        vi.setSystemTime(Date.now() + 60_000 + Math.floor(random() * 30) * HOUR);
        const operation = await tryWrite(random, rota, database, `${account}.${step}`);
        if (operation === null) continue;
        compared += 1;
        done.set(operation, (done.get(operation) ?? 0) + 1);
      }
    }
    const all = routes.filter((it) => it.previews).map(({ operation }) => operation);
    const missing = all.filter((it) => (done.get(it) ?? 0) < sized(0, 50));
    expect(missing, JSON.stringify([...done])).toEqual([]);
    expect(done.size).toBeGreaterThan(sized(8, 17));
  });
});
