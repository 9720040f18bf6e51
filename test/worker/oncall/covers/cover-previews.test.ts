// Previews with covers: of every write of covers, and of changes of events that covers follow.
// Generated: what a preview announces is what has happened once the covers have been decided anew.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { randomGenerator, rounds, sized } from "../../../support/generated/sizes.ts";
import {
  announced,
  DAY,
  differences,
  entriesOf,
  HOUR,
  iso,
  randomWrite,
  type Write,
  wholeHour,
} from "../../../support/oncall/previewed.ts";
import { pick, type Random } from "../../../support/oncall/roster-random.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { soon } from "../../../support/worker/faults.ts";

const SCHEDULES = sized(2, 12);
/** How many kinds of writes of covers are seen. */
const KINDS = sized(2, 4);
const WRITES = 14;

/** Waits until everything that follows from a change of who is on call has happened. */
async function settled({ account }: Rota): Promise<void> {
  const query = "select count(*) as n from on_call_changes where account_id = ?";
  await vi.waitFor(async () => {
    const row = await env.DB.prepare(query).bind(account.accountId).first<{ n: number }>();
    expect(row?.n).toBe(0);
  }, soon);
}

function randomCover(random: Random, rota: Rota): Record<string, unknown> {
  const start = wholeHour() + Math.floor(random() * 20 * 24 - 5 * 24) * HOUR;
  const by = pick(random, ["person", "person", "next_in_line", "nobody"]);
  const [absent = "", substitute = ""] = pick(random, ["AB", "BA", "CD", "DA", "BC"]);
  return {
    account_user_id: rota.ids(absent)[0],
    start_datetime: iso(start),
    end_datetime: iso(Math.max(start, Date.now()) + (1 + Math.floor(random() * 10)) * DAY),
    covered_by: by,
    covering_account_user_id: by === "person" ? rota.ids(substitute)[0] : null,
  };
}

function randomCoverWrite(random: Random, rota: Rota, ids: readonly string[]): Write {
  const path = `/covers/${pick(random, ids)}`;
  if (ids.length === 0 || random() < 0.5) {
    return { method: "POST", path: "/covers", body: randomCover(random, rota) };
  }
  return pick<Write>(random, [
    { method: "PUT", path, body: randomCover(random, rota) },
    { method: "PUT", path, body: { covered_by: "nobody", covering_account_user_id: null } },
    { method: "POST", path: `${path}/refresh` },
    { method: "DELETE", path },
  ]);
}

test("a preview announces what then happens, with covers", { timeout: 1_200_000 }, async () => {
  const random = randomGenerator();
  const done = new Map<string, number>();
  const ofCovers = () => [...done.keys()].filter((kind) => kind.includes("/covers")).length;
  for (const schedule of rounds(SCHEDULES, () => ofCovers() >= KINDS)) {
    const rota = await makeRota("ABCD");
    const { api } = rota.account;
    const wide = { start: iso(Date.now() - 27 * DAY), end: iso(Date.now() + 41 * DAY) };
    for (let step = 0; step < WRITES; step++) {
      const { body: covers } = await api("GET", "/covers?limit=100");
      const ids = covers.data.map(({ id }: { id: string }) => id);
      const entries = await entriesOf(rota, wide);
      const isOfCover = step > 2 && random() < 0.5;
      const write = isOfCover
        ? randomCoverWrite(random, rota, ids)
        : randomWrite(random, rota, entries);
      const { method, path, body } = write;
      const preview = await api(method, `${path}?preview=true`, body);
      const label = `${schedule}.${step} ${JSON.stringify(write)} ${preview.text.slice(0, 200)}`;
      if (preview.status !== 200) continue;
      const before = await entriesOf(rota, preview.body.window);
      const written = await api(method, path, body);
      expect(written.status, `${label} ${written.text}`).toBeLessThan(300);
      await settled(rota);
      const after = await entriesOf(rota, preview.body.window);
      const happened = differences(before, after, preview.body.window);
      const exact = (lines: readonly string[]) => lines.map((it) => it.replaceAll(NOW, "now"));
      expect(exact(announced(preview.body)).sort(), label).toEqual(exact(happened).sort());
      const kind = `${method} ${path.replace(/[0-9A-Z]{26}/, ":id")}`;
      done.set(kind, (done.get(kind) ?? 0) + 1);
    }
  }
  expect(ofCovers(), [...done].join(" ")).toBeGreaterThanOrEqual(KINDS);
});

test("the preview of an undo gives a cover the hours back that it had let go", async () => {
  const rota = await makeRota("AB");
  const { api } = rota.account;
  const start = wholeHour() + DAY;
  const shift = { start_datetime: iso(start), end_datetime: iso(start + DAY) };
  await rota.event("A", shift);
  const [absent, substitute] = rota.ids("AB");
  const cover = await api("POST", "/covers", {
    ...shift,
    ...{ account_user_id: absent, covered_by: "person", covering_account_user_id: substitute },
  });
  expect(cover.status, cover.text).toBe(201);
  await settled(rota);
  const window = { start: iso(start), end: iso(start + DAY) };
  const [override] = await entriesOf(rota, window);
  await api("DELETE", `/events/${override?.event_id}`);
  await settled(rota);
  const changes = `/schedules/${rota.scheduleId}/changes`;
  const { body: listed } = await api("GET", changes);
  const entry = listed.data.find(({ verb }: { verb: string }) => verb === "delete");
  const before = await entriesOf(rota, window);
  const preview = await api("POST", `${changes}/${entry.id}/undo?preview=true`);
  expect(announced(preview.body)).toEqual([
    `${iso(start)} ${iso(start + DAY)} 1 ${absent} > ${substitute}`,
  ]);
  expect((await api("POST", `${changes}/${entry.id}/undo`)).status).toBeLessThan(300);
  await settled(rota);
  const after = await entriesOf(rota, window);
  expect(differences(before, after, window)).toEqual(announced(preview.body));
});

/** An instant that is not on the hour: only that of `now` is. */
const NOW = /\d{4}-\d\d-\d\dT(?!\d\d:00:00\.000Z)\d\d:\d\d:\d\d\.\d{3}Z/g;
