// Coverage of a window by a schedule: shares, gaps, overlaps and hours per person.
import { beforeAll, describe, expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { makeRota, type Rota } from "../../support/oncall/rota.ts";
import { fewestTrips } from "../../support/worker/round-trips.ts";

describe("coverage", () => {
  let rota: Rota;
  const events: string[] = [];
  const day = "start=2026-03-02 00:00:00&end=2026-03-03 00:00:00";

  const coverage = (query: string, scheduleId = rota.scheduleId) =>
    rota.account.api("GET", `/schedules/${scheduleId}/coverage?${query}`);

  beforeAll(async () => {
    rota = await makeRota("ABC");
    const shift = async (who: string, layer: number, from: string, to: string) => {
      const { id } = await rota.event(who, {
        layer,
        start_datetime: `2026-03-02T${from}:00Z`,
        end_datetime: `2026-03-02T${to}:00Z`,
        repeat: true,
        frequency: 1,
        frequency_unit: "daily",
      });
      events.push(id);
    };
    await shift("A", 1, "06:00", "12:00");
    await shift("BA", 1, "10:00", "18:00");
    await shift("C", 4, "00:00", "03:00");
  });

  test("returns each layer's share, gaps and overlaps, and counts each person's hours once", async () => {
    const { status, body, text } = await coverage(day);
    expect(status, text).toBe(200);
    const whole = { start_time: "2026-03-02T00:00:00.000Z", end_time: "2026-03-03T00:00:00.000Z" };
    const none = (layer: number) => ({
      ...{ layer, share: 0, has_shifts: false },
      ...{ gaps: [], overlaps: [] },
    });
    expect(body).toEqual({
      schedule_id: rota.scheduleId,
      ...whole,
      layers: [
        {
          layer: 1,
          share: 0.5,
          has_shifts: true,
          // Not the time before: the first shift of the schedule is that of layer 4.
          gaps: [
            { start_time: whole.start_time, end_time: "2026-03-02T06:00:00.000Z" },
            { start_time: "2026-03-02T18:00:00.000Z", end_time: whole.end_time },
          ],
          overlaps: [
            {
              start_time: "2026-03-02T10:00:00.000Z",
              end_time: "2026-03-02T12:00:00.000Z",
              event_ids: [events[0], events[1]],
            },
          ],
        },
        // Layers of the team's policy are listed even if they have no shifts.
        none(2),
        none(3),
        {
          layer: 4,
          share: 0.125,
          has_shifts: true,
          gaps: [{ start_time: "2026-03-02T03:00:00.000Z", end_time: whole.end_time }],
          overlaps: [],
        },
      ],
      people: [..."ABC"]
        .map((letter, i) => ({ account_user_id: rota.ids(letter)[0], hours: [12, 8, 3][i] }))
        .sort((one, other) =>
          (one.account_user_id ?? "") < (other.account_user_id ?? "") ? -1 : 1,
        ),
    });
  });

  test("counts an override's person instead of the parent's", async () => {
    const times = { start_time: "2026-03-05 06:00", end_time: "2026-03-05 08:00" };
    const made = await rota.amend(events[0] ?? "", "override", {
      ...times,
      action_time: "2026-03-05T06:00:00Z",
      layer: 2,
      time_zone: "UTC",
      account_user_ids: rota.ids("C"),
    });
    expect(made.status, made.text).toBe(201);
    const { body } = await coverage("start=2026-03-05 06:00:00&end=2026-03-05 10:00:00");
    expect(body.layers.map(({ share }: { share: number }) => share)).toEqual([0.5, 0.5, 0, 0]);
    const people = body.people.map((it: { account_user_id: string; hours: number }) => [
      rota.letters([it.account_user_id]),
      it.hours,
    ]);
    expect(Object.fromEntries(people)).toEqual({ A: 2, C: 2 });
  });

  test("returns no layers without events or teams, and 404 for another account's schedule", async () => {
    const { body: empty } = await rota.account.api("POST", "/schedules", { name: "Empty" });
    expect((await coverage(day, empty.prefix_id)).body).toMatchObject({ layers: [], people: [] });
    const stranger = await makeAccount();
    const path = `/schedules/${rota.scheduleId}/coverage?${day}`;
    expect((await stranger.api("GET", path)).status).toBe(404);
    expect((await rota.colleagues.get("C")?.api("GET", path))?.status).toBe(200);
  });

  test.each([
    ["", 422],
    ["start=soon&end=2026-03-03", 400],
    ["start=2026-03-02 00:00:00&end=2026-03-02 00:00:00", 422],
    ["start=2026-01-05 12:00:00&end=2027-01-06 12:00:01", 422],
    ["start=2026-01-05 12:00:00&end=2027-01-06 12:00:00", 200],
  ])("answers the query %j with %d", async (query, status) => {
    expect((await coverage(query)).status).toBe(status);
  });
});

describe("gaps", () => {
  const iso = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const window = () => `start=${iso(-3)}&end=${iso(3)}`;

  /** The first gap of each layer, as "from" and "until" in days from now; null: none. */
  async function gapsOf(rota: Rota) {
    const read = (
      await rota.account.api("GET", `/schedules/${rota.scheduleId}/coverage?${window()}`)
    ).body.layers;
    const { body: teams } = await rota.account.api("GET", `/oncall?${window()}`);
    const own = teams.find(({ team_id }: any) => team_id === rota.teamId).layers;
    const days = (text: string) => Math.round((Date.parse(text) - Date.now()) / 86_400_000) || 0;
    const [one, other] = [read, own].map((layers: any[]) =>
      layers.map(({ gaps: [gap] }) => gap && [days(gap.start_time), days(gap.end_time)]),
    );
    expect(other, "both answers count the same").toEqual(one);
    return one;
  }

  const RULE = { repeat: true, frequency: 1, frequency_unit: "weekly", rotation: true };

  test("are counted from the first shift on, and none on layers that never had one", async () => {
    const rota = await makeRota("AB");
    expect(await gapsOf(rota)).toEqual([undefined, undefined, undefined]);
    // As the console makes rotations: the turn began days ago, its people begin now.
    const { id } = await rota.event("AB", {
      ...{ ...RULE, start_datetime: iso(-2), end_datetime: iso(5) },
      effective_at: "now",
    });
    expect(await gapsOf(rota)).toEqual([undefined, undefined, undefined]);
    await rota.account.api("DELETE", `/events/${id}`);
    expect(await gapsOf(rota)).toEqual([[0, 3], undefined, undefined]);
  });

  test("are answered for one team by its id, and for none by another", async () => {
    const [rota, other] = [await makeRota("A"), await makeRota("A")];
    await rota.account.api("POST", "/teams", {
      ...{ name: "Second", member_account_user_ids: rota.ids("A") },
      admin_account_user_ids: rota.ids("A"),
    });
    const { body: team } = await rota.account.api("GET", `/teams/${rota.teamId}`);
    const listed = async (id: string) =>
      (await rota.account.api("GET", `/oncall?${window()}&team_id=${id}`)).body.map(
        (it: any) => it.team_id,
      );
    expect(await listed(team.id)).toEqual([team.id]);
    expect(await listed(team.prefix_id)).toEqual([team.id]);
    for (const id of [other.teamId, "nothing", ""]) expect(await listed(id)).toEqual([]);
  });

  test("are those of a schedule that had shifts and lost them", async () => {
    const rota = await makeRota("AB");
    const times = { start_datetime: iso(-2), end_datetime: iso(5) };
    const { id } = await rota.event("AB", { ...RULE, ...times });
    await rota.event("B", { ...RULE, ...times, layer: 2 });
    expect(await gapsOf(rota)).toEqual([undefined, undefined, undefined]);
    expect((await rota.account.api("DELETE", `/events/${id}`)).status).toBe(204);
    expect((await gapsOf(rota))?.[0]).toEqual([-2, 3]);
    const flushed = await rota.account.api("DELETE", `/schedules/${rota.scheduleId}/flush`);
    expect(flushed.status).toBe(204);
    expect((await gapsOf(rota))?.[0]).toEqual([-2, 3]);
    const later = `start=${iso(1)}&end=${iso(3)}`;
    const { body } = await rota.account.api(
      "GET",
      `/schedules/${rota.scheduleId}/coverage?${later}`,
    );
    expect(body.layers.map(({ gaps }: any) => gaps.length)).toEqual([1, 0, 0]);
    // A shift that is added for later does not hide it.
    await rota.event("A", { start_datetime: iso(2), end_datetime: iso(4) });
    const { body: added } = await rota.account.api(
      "GET",
      `/schedules/${rota.scheduleId}/coverage?${later}`,
    );
    expect(added.layers[0].has_shifts).toBe(true);
    expect(added.layers[0].share).toBeCloseTo(0.5, 3);
    expect(added.layers[0].gaps).toHaveLength(1);
  });

  test("are those of people who have all left the rotation", async () => {
    const rota = await makeRota("AB");
    await rota.event("B", { ...RULE, start_datetime: iso(-20), end_datetime: iso(-13) });
    const left = await rota.account.api("DELETE", `/account_users/${rota.people.get("B")}`);
    expect(left.status).toBeLessThan(300);
    const later = `start=${iso(1)}&end=${iso(3)}`;
    const { body } = await rota.account.api(
      "GET",
      `/schedules/${rota.scheduleId}/coverage?${later}`,
    );
    expect(body.layers[0]).toMatchObject({ share: 0 });
    expect(body.layers[0].gaps).toHaveLength(1);
  });
});

test("coverage takes one round trip", async () => {
  const rota = await makeRota("A");
  const path = `/schedules/${rota.scheduleId}/coverage`;
  const query = "start=2026-03-02 00:00:00&end=2026-03-03 00:00:00";
  expect((await fewestTrips(1, () => rota.account.api("GET", `${path}?${query}`))).trips).toBe(1);
});
