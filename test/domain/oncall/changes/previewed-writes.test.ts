/**
 * Previews of every kind of write, against what is on call in all schedules once the write is made
 * and absences apply anew. On a database in memory, so that there can be many.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { routes } from "../../../../src/routes.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import { makeLocalAccount } from "../../../support/local/local-api.ts";
import type { LocalRota, LocalWrite } from "../../../support/local/local-rota.ts";
import { absenceTexts } from "../../../support/local/random-absences.ts";
import { randomLocalWrite } from "../../../support/local/random-writes.ts";
import { type LocalDatabase, openDatabase } from "../../../support/local/sqlite-database.ts";
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

const CASES = sized(150, 3_000);
/** The bound of cases where a kind of write has not changed anything by then. */
const MOST_CASES = sized(3_000, 12_000);
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

type Window = Preview["window"];

/** The entries of each schedule. */
const entriesIn = ({ api, schedules }: LocalRota, { start, end }: Window): Promise<Entry[][]> =>
  Promise.all(
    schedules.map(async (id) => {
      const path = `/schedules/${id}/window_events?start=${start}&end=${end}`;
      const { status, body } = await api("GET", path);
      return status === 200 ? body : [];
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

type Compared = { readonly operation: string; readonly isChange: boolean };

type Step = {
  readonly random: Random;
  readonly rota: LocalRota;
  readonly database: LocalDatabase;
  readonly label: string;
  /** The operation to try, if it is possible; null: any. */
  readonly wanted: string | null;
};

/** The preview of a write, which writes nothing; null if it is refused, as the write then is. */
async function previewOf({ rota, database }: Step, write: LocalWrite, label: string) {
  const { method, path, body, by = 0 } = write;
  const rows = database.rowsWritten();
  const previewed = await rota.api(method, `${path}?preview=true`, body, by);
  expect(database.rowsWritten(), label).toBe(rows);
  if (previewed.status === 200) return previewed.body as Preview;
  const written = await rota.api(method, path, body, by);
  expect([written.status, written.fields], label).toEqual([previewed.status, previewed.fields]);
  return null;
}

/** Makes a write and what follows from it; the operation, or null if a request is not accepted. */
async function make({ rota }: Step, write: LocalWrite, label: string): Promise<string | null> {
  const { method, path, body, by = 0, acceptedBy } = write;
  const written = await rota.api(method, path, body, by);
  expect(written.status, `${label} ${JSON.stringify(written.body)}`).toBeTypeOf("number");
  if (acceptedBy !== undefined) {
    const accept = `/absences/${written.body.id}/accept`;
    const accepted = await rota.api("POST", accept, undefined, acceptedBy);
    if (accepted.status !== 200) return null;
  }
  await rota.follow();
  return written.operation;
}

/** Makes one random write with its preview; null if there was nothing to compare. */
async function tryWrite(step: Step): Promise<Compared | null> {
  const { random, rota, wanted } = step;
  const now = Date.now();
  await rota.follow();
  const wide = { start: iso(now - 10 * DAY), end: iso(now + 30 * DAY) };
  const entries = (await entriesIn(rota, wide)).flat();
  const write = await randomLocalWrite(random, rota, entries, wanted);
  if (!write) return null;
  const label = `${step.label} ${iso(now)} ${JSON.stringify(write)}`;
  const preview = await previewOf(step, write, label);
  if (!preview) return null;
  const before = await entriesIn(rota, preview.window);
  const operation = await make(step, write, label);
  if (operation === null) return null;
  const after = await entriesIn(rota, preview.window);
  for (const [at, id] of rota.schedules.entries()) {
    const own = happened(before[at] ?? [], after[at] ?? [], preview.window, now);
    const isNamed = preview.schedules.some((it) => it.schedule_id === id);
    const expected = isNamed ? own : { changes: own.changes };
    expect(announcedOf(preview, id), `${label} ${id}`).toMatchObject(expected);
  }
  const isChange = preview.schedules.some((it) => it.changes.length > 0);
  expect(preview.unchanged, label).toBe(!isChange);
  return { operation, isChange };
}

type Count = { cases: number; changes: number };

/** The counts of every operation that has a preview. */
const countsOfKinds = () =>
  new Map<string, Count>(
    routes
      .filter((it) => it.previews)
      .map(({ operation }) => [operation, { cases: 0, changes: 0 }]),
  );

/** The operation that has changed something least often. */
const rarestOf = (counts: ReadonlyMap<string, Count>) =>
  [...counts].sort(([, one], [, other]) => one.changes - other.changes)[0]?.[0] ?? null;

/** The operations that have not changed something often enough for the comparison to say much. */
const rareOnes = (counts: ReadonlyMap<string, Count>) =>
  [...counts].filter(([, { changes }]) => changes < sized(1, 20));

describe("the preview of a write", () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    // After a change, the service's objects would be told of it.
    vi.stubGlobal("scheduler", { wait: () => new Promise(() => {}) });
    vi.stubGlobal("fetch", async (url: string) => new Response(absenceTexts.get(url)));
    // Ids order what is otherwise equal: with the seed, they decide every case.
    const byte = randomGenerator();
    vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
      if (array instanceof Uint8Array) array.set(Array.from(array, () => byte() * 256));
      return array;
    });
  });
  afterAll(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("says what the write then does, in all schedules", async () => {
    const random = randomGenerator();
    const counts = countsOfKinds();
    let compared = 0;
    let database = openDatabase();
    // Goes on until every kind has changed something.
    const isEnough = () =>
      compared >= MOST_CASES || (compared >= CASES && rareOnes(counts).length === 0);
    for (let account = 0; !isEnough(); account++) {
      if (account % 50 === 49) database = openDatabase();
      vi.setSystemTime(Date.parse(`${pick(random, STARTS)}T09:00:00Z`));
      const rota = await makeRota(database);
      for (let step = 0; step < WRITES && !isEnough(); step++) {
        vi.setSystemTime(Date.now() + 60_000 + Math.floor(random() * 30) * HOUR);
        const wanted = step > 2 && random() < 0.5 ? rarestOf(counts) : null;
        const label = `${account}.${step}`;
        const done = await tryWrite({ random, rota, database, label, wanted });
        const count = done && counts.get(done.operation);
        if (!count) continue;
        compared += 1;
        count.cases += 1;
        count.changes += Number(done.isChange);
      }
    }
    const table = [...counts].map(([kind, it]) => `${kind} ${it.changes} of ${it.cases}`).sort();
    console.log(`Previews that announced a change, by kind of write:\n${table.join("\n")}`);
    expect(rareOnes(counts), table.join()).toEqual([]);
  });
});
