// Taking over: a member takes a shift of their teams onto themselves, and nothing more.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { addColleague, type Colleague, keyOf } from "../../../support/people/people.ts";
import { soon } from "../../../support/worker/faults.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

let rota: Rota;
/** The start of the running shift of A, of a day; B and C follow. */
let start: number;
let series: string;

/** A, B and C take daily turns; A has been on call for an hour, or as long as it is past an hour. */
beforeEach(async () => {
  rota = await makeRota("ABC");
  start = Math.floor(Date.now() / HOUR) * HOUR - HOUR;
  const event = await rota.event("ABC", {
    start_datetime: iso(start),
    end_datetime: iso(start + DAY),
    ...{ repeat: true, rotation: true, frequency: 1, frequency_unit: "daily" },
  });
  series = event.id;
});

const colleague = (letter: string): Colleague => {
  const found = rota.colleagues.get(letter);
  if (!found) throw new Error(`there is no ${letter}`);
  return found;
};

const take = (api: Colleague["api"], more: Record<string, unknown> = {}, id = series) =>
  api("POST", `/events/${id}/take_over`, { action_time: iso(start), ...more });

const changesPath = () => `/schedules/${rota.scheduleId}/changes`;

/** The entry of the latest take-over. */
async function takeOver() {
  const { body } = await rota.account.api("GET", `${changesPath()}?verb=take_over`);
  return body.data[0];
}

const undo = (api: Colleague["api"], id: string) =>
  api("POST", `${changesPath()}/${id}/undo`, undefined);

/** Who is on call in the middle of the hours from now on, by day. */
const days = async () => {
  const lines = await rota.window(iso(start), iso(start + 3 * DAY));
  return lines.map((line) => line.split(" ")[2]).join("");
};

describe("a member who takes a running shift", () => {
  test("is on call from now on, until its end, and the past stays", async () => {
    const before = Date.now();
    const { status, body, text } = await take(colleague("B").api);
    expect(status, text).toBe(201);
    expect(body).toMatchObject({
      parent_id: series,
      account_user_ids: rota.ids("B"),
      end_datetime: iso(start + DAY),
      layer: 1,
    });
    expect(Date.parse(body.start_datetime)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.start_datetime)).toBeLessThanOrEqual(Date.now());
    expect(await rota.now()).toEqual(["1 B"]);
    expect(await days()).toBe("ABBC");
    expect(await takeOver()).toMatchObject({
      account_user_id: colleague("B").id,
      relieved_account_user_ids: rota.ids("A"),
      verb: "take_over",
      event_ids: [body.id],
      undoable: true,
    });
  });

  test("sees the same before, by a preview that writes nothing", async () => {
    const { api } = colleague("C");
    const path = `/events/${series}/take_over?preview=true`;
    const { status, body } = await api("POST", path, { action_time: iso(start) });
    expect(status).toBe(200);
    expect(body.schedules[0].changes).toMatchObject([
      {
        account_user_ids_before: rota.ids("A"),
        account_user_ids_after: rota.ids("C"),
        end_time: iso(start + DAY),
      },
    ]);
    expect(await rota.now()).toEqual(["1 A"]);
  });

  test("takes nobody else along, whatever the body names", async () => {
    const others = { account_user_ids: rota.ids("C"), layer: 3, start_time: iso(start) };
    const { body } = await take(colleague("B").api, others);
    expect(body).toMatchObject({ account_user_ids: rota.ids("B"), layer: 1 });
    expect(await days()).toBe("ABBC");
  });

  test("takes a coming one whole, also of another turn", async () => {
    const taken = await take(colleague("B").api, { action_time: iso(start + 2 * DAY) });
    expect(taken.status, taken.text).toBe(201);
    expect(await days()).toBe("ABB");
  });

  test("of two at once one gets it, and the other relieves nobody", async () => {
    const replies = await Promise.all(["B", "C"].map((it) => take(colleague(it).api)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
    const winner = replies[0]?.status === 201 ? "B" : "C";
    expect(await rota.now()).toEqual([`1 ${winner}`]);
    expect((await takeOver()).relieved_account_user_ids).toEqual(rota.ids("A"));
  });

  test("takes an override, too, from whom it put on call", async () => {
    const override = await rota.amend(series, "override", {
      ...{ action_time: iso(start), start_time: iso(start + DAY / 2), end_time: iso(start + DAY) },
      ...{ layer: 1, time_zone: "UTC", account_user_ids: rota.ids("C") },
    });
    const half = { action_time: iso(start + DAY / 2) };
    const taken = await take(colleague("B").api, half, override.body.id);
    expect(taken.status, taken.text).toBe(201);
    expect((await takeOver()).relieved_account_user_ids).toEqual(rota.ids("C"));
    expect(await days()).toBe("ABBC");
  });
});

test("a member relieves who covers for an absent person, and an undo brings them back", async () => {
  const { api } = rota.account;
  const cover = await api("POST", "/absences", {
    ...{ account_user_id: rota.ids("A")[0], instead: "person" },
    covering_account_user_id: colleague("C").id,
    ...{ start_datetime: iso(start + DAY / 2), end_datetime: iso(start + 2 * DAY) },
  });
  expect(cover.status, cover.text).toBe(201);
  expect(await days()).toBe("ACBC");
  const half = { action_time: iso(start + DAY / 2) };
  expect((await take(colleague("C").api, half)).status).toBe(422);
  const taken = await take(colleague("B").api, half);
  expect(taken.status, taken.text).toBe(201);
  expect(await days()).toBe("ABBC");
  const { id, relieved_account_user_ids } = await takeOver();
  expect(relieved_account_user_ids).toEqual(rota.ids("C"));
  expect((await undo(colleague("C").api, id)).status).toBe(201);
  expect(await days()).toBe("ACBC");
});

describe("nobody takes", () => {
  test.each([
    ["a shift that has ended", (): Record<string, unknown> => ({ action_time: iso(start - DAY) })],
    ["their own", (): Record<string, unknown> => ({ action_time: iso(start + DAY) })],
    ["one in five weeks", (): Record<string, unknown> => ({ action_time: iso(start + 36 * DAY) })],
  ])("%s", async (_, more) => {
    const reply = await take(colleague("B").api, more());
    expect(reply.status, reply.text).toBe(422);
  });

  test("the one that somebody has just taken, by the event that had it", async () => {
    expect((await take(colleague("B").api)).status).toBe(201);
    expect((await take(colleague("C").api)).status).toBe(422);
    expect(await rota.now()).toEqual(["1 B"]);
  });

  test("any other hours by an override, not even for themselves", async () => {
    const { api, id } = colleague("B");
    const override = await api("POST", `/events/${series}/override`, {
      ...{ action_time: iso(start), start_time: iso(Date.now()), end_time: iso(start + DAY) },
      ...{ layer: 1, time_zone: "UTC", account_user_ids: [id] },
    });
    expect(override.status).toBe(403);
  });
});

describe("who may take a shift", () => {
  /** A team that uses the schedule, or one of its own. */
  async function makeTeam(more: Record<string, unknown>) {
    const { account } = rota;
    const { body, status, text } = await account.api("POST", "/teams", {
      name: `Team ${crypto.randomUUID()}`,
      admin_account_user_ids: [account.accountUserId],
      member_account_user_ids: [account.accountUserId],
      ...more,
    });
    expect(status, text).toBe(201);
    return body;
  }

  test("members and admins of any team that uses its schedule", async () => {
    const [member, admin] = [
      await addColleague(rota.account, "Mia Member"),
      await addColleague(rota.account, "Tom Admin"),
    ];
    const { scheduleId: schedule_id } = rota;
    await makeTeam({ schedule_id, member_account_user_ids: [member.id] });
    await makeTeam({ schedule_id, admin_account_user_ids: [admin.id] });
    expect((await take(member.api)).status).toBe(201);
    const tomorrow = { action_time: iso(start + DAY) };
    expect((await take(admin.api, tomorrow)).status).toBe(201);
  });

  test("nobody of other teams, nobody who is only told of handoffs, no key that only reads", async () => {
    const { account, scheduleId: schedule_id } = rota;
    const outsider = await addColleague(account, "Otto Other");
    await makeTeam({ member_account_user_ids: [outsider.id] });
    await makeTeam({
      ...{ schedule_id, handoff_notifications: "specific_users" },
      handoff_notification_account_user_ids: [outsider.id],
    });
    const reply = await take(outsider.api);
    expect(reply.status).toBe(403);
    expect(reply.text).toContain("a team of every schedule concerned");
    const readOnly = await keyOf(account.accountId, colleague("B").id, true);
    expect((await take(readOnly)).status).toBe(403);
    expect(await rota.now()).toEqual(["1 A"]);
  });

  test("of a shift in two schedules, who is in a team of both", async () => {
    const { id, schedule_id: other } = await makeTeam({});
    const shared = await rota.event("A", {
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
      ...{ layer: 2, schedule_ids: [rota.scheduleId, other] },
    });
    const { api, id: person } = colleague("B");
    expect((await take(api, {}, shared.id)).status).toBe(403);
    await rota.account.api("PUT", `/teams/${id}`, { member_account_user_ids: [person] });
    expect((await take(api, {}, shared.id)).status).toBe(201);
    const { body } = await rota.account.api("GET", `/schedules/${other}/current_oncall`);
    expect(body.map((it: any) => it.attendees[0].attendee_id)).toEqual([person]);
  });

  test("nobody who left the team, or is not active", async () => {
    const { account, teamId } = rota;
    const [left, pending] = [colleague("B"), colleague("C")];
    const member_account_user_ids = [account.accountUserId, pending.id];
    await account.api("PUT", `/teams/${teamId}`, { member_account_user_ids });
    expect((await take(left.api)).status).toBe(403);
    await env.DB.prepare(
      `update account_users set state = 'pending', invited_name = 'C Person',
        invited_email = 'c.person@example.com' where id = ?`,
    )
      .bind(pending.id)
      .run();
    expect((await take(pending.api)).status).toBe(401);
    expect(await rota.now()).toEqual(["1 A"]);
  });
});

describe("a take-over is undone", () => {
  test("by who took over, from now on: what was served stays", async () => {
    const { api } = colleague("B");
    await env.DB.prepare("update events set created_at = created_at - ? where account_id = ?")
      .bind(DAY, rota.account.accountId)
      .run();
    const { body: taken } = await take(api);
    const { id } = await takeOver();
    const startedAt = Date.parse(taken.start_datetime);
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(startedAt), soon);
    const undone = await undo(api, id);
    expect(undone.status, undone.text).toBe(201);
    expect(undone.body).toMatchObject({ verb: "undo", undoes_id: id });
    expect(await rota.now()).toEqual(["1 A"]);
    expect(await days()).toBe("ABABC");
  });

  test("by who was relieved", async () => {
    expect((await take(colleague("C").api, { action_time: iso(start + DAY) })).status).toBe(201);
    expect(await days()).toBe("ACC");
    const undone = await undo(colleague("B").api, (await takeOver()).id);
    expect(undone.status, undone.text).toBe(201);
    expect(await days()).toBe("ABC");
  });

  test("by nobody else but admins, and members undo nothing else", async () => {
    await take(colleague("B").api);
    const { id } = await takeOver();
    const { account } = rota;
    expect((await undo(colleague("C").api, id)).status).toBe(403);
    const { body } = await account.api("GET", `${changesPath()}?verb=create&record_id=${series}`);
    for (const letter of ["B", "C"]) {
      expect((await undo(colleague(letter).api, body.data[0].id)).status, letter).toBe(403);
    }
    const undone = await undo(account.api, id);
    expect(undone.status).toBe(201);
    expect((await undo(colleague("B").api, undone.body.id)).status).toBe(403);
  });

  test("not after a later change of the same hours", async () => {
    const { body } = await take(colleague("B").api);
    expect((await take(colleague("C").api, {}, body.id)).status).toBe(422);
    const now = { action_time: body.start_datetime };
    expect((await take(colleague("C").api, now, body.id)).status).toBe(201);
    expect(await rota.now()).toEqual(["1 C"]);
    const { data } = (await rota.account.api("GET", `${changesPath()}?verb=take_over`)).body;
    expect(data.map((it: any) => it.undoable)).toEqual([true, false]);
    expect((await undo(colleague("B").api, data[1].id)).status).toBe(409);
    // B was relieved by C.
    expect((await undo(colleague("B").api, data[0].id)).status).toBe(201);
    expect(await rota.now()).toEqual(["1 B"]);
  });
});
