// A test per row of the tables of contract 2, Teams, and contract 2, Schedules.
import { beforeAll, describe, expect, test } from "vitest";
import { faultyFields } from "../../support/people/people.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { putOnCall } from "../../support/worker/world.ts";

let world: Inhabited;
let team: any;
const AUDIENCES = ["none", "team_all", "team_admins", "oncall_rotation", "specific_users"];

const people = () => ({
  member_account_user_ids: [world.ids.account_user.id],
  admin_account_user_ids: [world.accountUserId],
});
const create = (body: Record<string, unknown> = {}) =>
  world.api("POST", "/teams", { name: "Payments", ...people(), ...body });

beforeAll(async () => {
  world = await makeInhabited("spec-teams");
  const made = await create({
    notes: "Call the bank first",
    meta: { floor: 3 },
    drop_notifications: "specific_users",
    handoff_notifications: "specific_users",
    drop_notification_account_user_ids: [world.ids.account_user.prefixId],
    handoff_notification_account_user_ids: [world.accountUserId],
    attachments: [{ filename: "runbook.pdf", url: "https://example.com/runbook.pdf" }],
  });
  expect(made.status, made.text).toBe(201);
  team = made.body;
});

describe("Field: Team", () => {
  test("name: string", () => expect(team.name).toBe("Payments"));
  test("escalation_policy_id: the active policy", async () => {
    const policy = await world.api("GET", `/escalation_policies/${team.escalation_policy_id}`);
    expect(policy.body.team_ids).toEqual([team.id]);
  });
  test("schedule_id: the active schedule", async () => {
    expect((await world.api("GET", `/schedules/${team.schedule_id}`)).status).toBe(200);
  });
  test("member_account_user_ids", () =>
    expect(team.member_account_user_ids).toEqual([world.ids.account_user.id]));
  test("admin_account_user_ids", () =>
    expect(team.admin_account_user_ids).toEqual([world.accountUserId]));
  test.each(["drop_notifications", "handoff_notifications"])("%s: one of five", async (name) => {
    for (const value of AUDIENCES) {
      const reply = await world.api("PUT", `/teams/${world.ids.team.id}`, { [name]: value });
      expect([reply.status, reply.body[name]]).toEqual([200, value]);
    }
    const refused = await create({ [name]: "everybody" });
    expect([refused.status, faultyFields(refused)]).toEqual([422, [name]]);
  });
  test("drop_notification_account_user_ids", () =>
    expect(team.drop_notification_account_user_ids).toEqual([world.ids.account_user.id]));
  test("handoff_notification_account_user_ids", () =>
    expect(team.handoff_notification_account_user_ids).toEqual([world.accountUserId]));
  test("notes: string", () => expect(team.notes).toBe("Call the bank first"));
  test("attachments: filename and url", () =>
    expect(team.attachments).toEqual([
      { filename: "runbook.pdf", url: "https://example.com/runbook.pdf" },
    ]));
  test("meta, as it was given", () => expect(team.meta).toEqual({ floor: 3 }));
});

describe("Create parameters: Team", () => {
  test.each(["name", "member_account_user_ids", "admin_account_user_ids"])(
    "%s is required",
    async (name) => {
      for (const nothing of [undefined, null, name === "name" ? " " : []]) {
        const reply = await create({ [name]: nothing });
        expect([reply.status, faultyFields(reply)], String(nothing)).toEqual([422, [name]]);
      }
    },
  );
  test("a default schedule and a default escalation policy are created for it", async () => {
    const { body } = await create({ name: "Fresh" });
    const schedule = await world.api("GET", `/schedules/${body.schedule_id}`);
    expect(schedule.body.name).toContain("Fresh");
    const policy = await world.api("GET", `/escalation_policies/${body.escalation_policy_id}`);
    expect(policy.body.escalation_layers.map((it: any) => it.timeout)).toEqual([5, 10, 15]);
  });
});

describe("Endpoints: Teams", () => {
  test("POST /teams", () => expect(team.prefix_id).toMatch(/^tem_/));
  test("GET /teams/:id: returns the team", async () =>
    expect((await world.api("GET", `/teams/${team.id}`)).body).toEqual(team));
  test("PUT /teams/:id", async () => {
    const { body } = await create();
    const reply = await world.api("PUT", `/teams/${body.id}`, { notes: "New" });
    const { updated_at: _, ...rest } = reply.body;
    const { updated_at: __, ...before } = body;
    expect([reply.status, rest]).toEqual([200, { ...before, notes: "New" }]);
  });
  test("DELETE /teams/:id", async () => {
    const { body } = await create();
    const reply = await world.api("DELETE", `/teams/${body.id}`);
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect((await world.api("GET", `/teams/${body.id}`)).status).toBe(404);
  });
  test("GET /teams: list", async () => {
    const { body } = await world.api("GET", "/teams?limit=100");
    expect(body.data.map((it: any) => it.id)).toContain(team.id);
  });
  test("GET /teams/:id/current_oncall: a shortcut for the schedule's", async () => {
    const { body } = await create();
    await putOnCall(world, body.schedule_id, 1, [world.accountUserId]);
    const byTeam = await world.api("GET", `/teams/${body.id}/current_oncall`);
    const bySchedule = await world.api("GET", `/schedules/${body.schedule_id}/current_oncall`);
    expect(byTeam.body).toHaveLength(1);
    expect(byTeam.body[0].attendees[0].attendee_id).toBe(world.accountUserId);
    expect(bySchedule.body).toEqual(byTeam.body);
  });
  test("GET /teams/:id/alerts: the alerts assigned to this team", async () => {
    const { body } = await world.api("GET", `/teams/${world.ids.team.id}/alerts`);
    expect(body.data.map((it: any) => it.id)).toEqual([world.ids.alert.id]);
    expect((await world.api("GET", `/teams/${team.id}/alerts`)).body.data).toEqual([]);
  });
});

describe("Schedules", () => {
  let schedule: any;
  beforeAll(async () => {
    schedule = (await world.api("POST", "/schedules", { name: "Nights" })).body;
  });
  const shift = (day: number, more: Record<string, unknown> = {}) => ({
    start_datetime: `2026-01-0${day}T09:00:00Z`,
    end_datetime: `2026-01-0${day}T17:00:00Z`,
    layer: 1,
    time_zone: "UTC",
    schedule_ids: [schedule.id],
    account_user_ids: [world.accountUserId],
    ...more,
  });

  test("Field: Schedule.name: required on create", async () => {
    expect(schedule.name).toBe("Nights");
    const reply = await world.api("POST", "/schedules", {});
    expect([reply.status, faultyFields(reply)]).toEqual([422, ["name"]]);
  });
  test("POST /schedules: body: name", () => expect(schedule.prefix_id).toMatch(/^skd_/));
  test("GET /schedules/:id: returns the schedule", async () =>
    expect((await world.api("GET", `/schedules/${schedule.prefix_id}`)).body).toEqual(schedule));
  test("PUT /schedules/:id: body: name", async () => {
    const path = `/schedules/${world.ids.schedule.id}`;
    expect((await world.api("PUT", path, { name: "Days" })).body.name).toBe("Days");
  });
  test("DELETE /schedules/:id", async () => {
    const { body } = await world.api("POST", "/schedules", { name: "Short" });
    expect((await world.api("DELETE", `/schedules/${body.id}`)).status).toBe(204);
    expect((await world.api("GET", `/schedules/${body.id}`)).status).toBe(404);
  });
  test("GET /schedules: list", async () => {
    const { body } = await world.api("GET", "/schedules?limit=100");
    expect(body.data.map((it: any) => it.id)).toContain(schedule.id);
  });
  test("DELETE /schedules/:id/flush: removes all events from the schedule", async () => {
    const { body } = await world.api("POST", "/schedules", { name: "Flushed" });
    await world.api("POST", "/events", shift(1, { schedule_ids: [body.id] }));
    expect((await world.api("DELETE", `/schedules/${body.id}/flush`)).status).toBe(204);
    expect((await world.api("GET", `/schedules/${body.id}/events`)).body.total_count).toBe(0);
    expect((await world.api("GET", `/schedules/${body.id}`)).status).toBe(200);
  });
  test("GET /schedules/:id/current_oncall: repeating events and rotations", async () => {
    const { body } = await world.api("POST", "/schedules", { name: "Rota" });
    const event = await world.api("POST", "/events", {
      ...shift(1, { schedule_ids: [body.id] }),
      start_datetime: "2020-01-01T00:00:00Z",
      end_datetime: "2020-01-02T00:00:00Z",
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
      account_user_ids: [world.accountUserId, world.ids.account_user.id],
    });
    expect(event.status, event.text).toBe(201);
    const day = Math.floor((Date.now() - Date.UTC(2020, 0, 1)) / 86_400_000);
    const turn = [world.accountUserId, world.ids.account_user.id][day % 2];
    const now = await world.api("GET", `/schedules/${body.id}/current_oncall`);
    expect(now.body).toMatchObject([{ layer: 1, attendees: [{ attendee_id: turn }] }]);
    expect(now.body[0].attendees).toHaveLength(1);
  });
  test("GET /schedules/:id/window_events: start and end, YYYY-MM-DD HH:mm:ss, UTC", async () => {
    await world.api("POST", "/events", shift(1));
    const path = `/schedules/${schedule.id}/window_events`;
    const within = "start=2026-01-01 16:59:59&end=2026-01-01 23:00:00";
    const after = "start=2026-01-01 17:00:00&end=2026-01-01 23:00:00";
    expect((await world.api("GET", `${path}?${within}`)).body).toHaveLength(1);
    expect((await world.api("GET", `${path}?${after}`)).body).toEqual([]);
    expect((await world.api("GET", path)).status).toBe(422);
    expect((await world.api("GET", `${path}?start=x&end=y`)).status).toBe(400);
  });
  test("GET /schedules/:id/events: unprocessed, with filters", async () => {
    await world.api(
      "POST",
      "/events",
      shift(5, { repeat: true, frequency: 1, frequency_unit: "daily" }),
    );
    await world.api("POST", "/events", shift(7));
    const filter = new URLSearchParams({
      ops: "start_datetime:gte,end_datetime:lte",
      start_datetime: "2026-01-05 00:00:00",
      end_datetime: "2026-01-06 00:00:00",
    });
    const { body } = await world.api("GET", `/schedules/${schedule.id}/events?${filter}`);
    expect(body.data).toMatchObject([
      { start_datetime: "2026-01-05T09:00:00.000Z", repeat: true, frequency: 1 },
    ]);
  });
});
