// Previews with absences: of every write of them, and of changes of events that they
// concern. Generated: what a preview announces is what has happened once the write is answered; and no
// write of an absence changes who was on call.
import { expect, test } from "vitest";
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

const SCHEDULES = sized(2, 12);
/** How many kinds of writes of absences are seen. */
const KINDS = sized(2, 3);
const WRITES = 14;

function randomHours(random: Random) {
  const start = wholeHour() + Math.floor(random() * 20 * 24 - 5 * 24) * HOUR;
  const end = Math.max(start, Date.now()) + (1 + Math.floor(random() * 10)) * DAY;
  return { start_datetime: iso(start), end_datetime: iso(end) };
}

function randomCover(random: Random, rota: Rota): Record<string, unknown> {
  const by = pick(random, ["person", "person", "next_in_line", "nobody"]);
  const [absent = "", substitute = ""] = pick(random, ["AB", "BA", "CD", "DA", "BC"]);
  return {
    account_user_id: rota.ids(absent)[0],
    ...randomHours(random),
    instead: by,
    covering_account_user_id: by === "person" ? rota.ids(substitute)[0] : null,
  };
}

async function idsOf({ account }: Rota, path: string): Promise<readonly string[]> {
  const { body } = await account.api("GET", path);
  return body.data.map(({ id }: { id: string }) => id);
}

function randomCoverWrite(random: Random, rota: Rota, ids: readonly string[]): Write {
  const path = `/absences/${pick(random, ids)}`;
  if (ids.length === 0 || random() < 0.5) {
    return { method: "POST", path: "/absences", body: randomCover(random, rota) };
  }
  return pick<Write>(random, [
    { method: "PUT", path, body: randomCover(random, rota) },
    { method: "PUT", path, body: { instead: "empty", covering_account_user_id: null } },
    { method: "POST", path: `${path}/refresh` },
    { method: "DELETE", path },
  ]);
}

/** A write of an unavailability, or a rotation that begins to skip who is away, or ends it. */
function randomAbsenceWrite(
  random: Random,
  rota: Rota,
  ids: readonly string[],
  eventIds: readonly string[],
): Write {
  if (eventIds.length > 0 && random() < 0.3) {
    const body = { when_away: random() < 0.7 ? "next_in_line" : "stay" };
    return { method: "PUT", path: `/events/${pick(random, eventIds)}`, body };
  }
  const body = randomHours(random);
  if (ids.length === 0 || random() < 0.5) {
    const away = { ...body, account_user_id: rota.ids(pick(random, ["A", "B", "C"]))[0] };
    return { method: "POST", path: "/absences", body: away };
  }
  const path = `/absences/${pick(random, ids)}`;
  return pick<Write>(random, [
    { method: "PUT", path, body },
    { method: "DELETE", path },
  ]);
}

const isOfAbsence = ({ path, body }: Write) =>
  !path.startsWith("/events") || (body !== undefined && "when_away" in body);

test("a preview announces what then happens, with absences", async () => {
  const random = randomGenerator();
  const done = new Map<string, number>();
  const ofAbsences = () => [...done.keys()].filter((kind) => kind.includes("/absences")).length;
  for (const schedule of rounds(SCHEDULES, () => ofAbsences() >= KINDS)) {
    const rota = await makeRota("ABCD");
    const { api } = rota.account;
    const wide = { start: iso(Date.now() - 27 * DAY), end: iso(Date.now() + 41 * DAY) };
    for (let step = 0; step < WRITES; step++) {
      const entries = await entriesOf(rota, wide);
      const kind = step > 2 ? random() : 1;
      const write =
        kind < 0.4
          ? randomCoverWrite(random, rota, await idsOf(rota, "/absences"))
          : kind < 0.7
            ? randomAbsenceWrite(
                random,
                rota,
                await idsOf(rota, "/absences"),
                await idsOf(rota, "/events?repeat=true"),
              )
            : randomWrite(random, rota, entries);
      const { method, path, body } = write;
      const preview = await api(method, `${path}?preview=true`, body);
      const label = `${schedule}.${step} ${JSON.stringify(write)} ${preview.text.slice(0, 200)}`;
      if (preview.status !== 200) continue;
      const before = await entriesOf(rota, preview.body.window);
      const past = { start: wide.start, end: iso(Date.now()) };
      const served = await entriesOf(rota, past);
      const written = await api(method, path, body);
      expect(written.status, `${label} ${written.text}`).toBeLessThan(300);
      const after = await entriesOf(rota, preview.body.window);
      const happened = differences(before, after, preview.body.window);
      const exact = (lines: readonly string[]) => lines.map((it) => it.replaceAll(NOW, "now"));
      expect(exact(announced(preview.body)).sort(), label).toEqual(exact(happened).sort());
      if (isOfAbsence(write)) {
        expect(differences(served, await entriesOf(rota, past), past), label).toEqual([]);
      }
      const operation = `${method} ${path.replace(/[0-9A-Z]{26}/, ":id")}`;
      done.set(operation, (done.get(operation) ?? 0) + 1);
    }
  }
  expect(ofAbsences(), [...done].join(" ")).toBeGreaterThanOrEqual(KINDS);
});

test("the preview of an undo gives a cover the hours back that it had let go", async () => {
  const rota = await makeRota("AB");
  const { api } = rota.account;
  const start = wholeHour() + DAY;
  const shift = { start_datetime: iso(start), end_datetime: iso(start + DAY) };
  const { id } = await rota.event("A", shift);
  const [absent, substitute] = rota.ids("AB");
  const cover = await api("POST", "/absences", {
    ...shift,
    ...{ account_user_id: absent, instead: "person", covering_account_user_id: substitute },
  });
  expect(cover.status, cover.text).toBe(201);
  const window = { start: iso(start), end: iso(start + DAY) };
  const byHand = await rota.amend(id, "override", {
    ...{ action_time: iso(start), start_time: iso(start), end_time: iso(start + DAY) },
    ...{ layer: 1, time_zone: "UTC", account_user_ids: [absent] },
  });
  expect(byHand.status, byHand.text).toBe(201);
  const changes = `/schedules/${rota.scheduleId}/changes`;
  const { body: listed } = await api("GET", changes);
  const entry = listed.data.find(
    (it: { record_id: string | null }) => it.record_id === byHand.body.id,
  );
  const before = await entriesOf(rota, window);
  const preview = await api("POST", `${changes}/${entry.id}/undo?preview=true`);
  expect(announced(preview.body), preview.text).toEqual([
    `${iso(start)} ${iso(start + DAY)} 1 ${absent} > ${substitute}`,
  ]);
  expect((await api("POST", `${changes}/${entry.id}/undo`)).status).toBeLessThan(300);
  const after = await entriesOf(rota, window);
  expect(differences(before, after, window)).toEqual(announced(preview.body));
});

/** An instant that is not on the hour: only that of `now` is. */
const NOW = /\d{4}-\d\d-\d\dT(?!\d\d:00:00\.000Z)\d\d:\d\d:\d\d\.\d{3}Z/g;
