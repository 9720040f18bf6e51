// The decisions of contract 2, and of related sections, where the interface specification is silent: a test each.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "../../support/api/api.ts";
import { addColleague, faultyFields, freshEmail } from "../../support/people/people.ts";
import { soon } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { makeIntegration } from "../../support/worker/world.ts";

let world: Inhabited;
beforeAll(async () => {
  world = await makeInhabited("resources");
});
afterEach(() => {
  vi.restoreAllMocks();
});

const RULES = "rules:\n  - match: { always: true }\n    actions: [{ type: ignore }]\n";

describe("Account users", () => {
  const create = (body: Record<string, unknown> = {}) =>
    world.api("POST", "/account_users", {
      user_attributes: { name: "Grace", emails_attributes: [{ email: freshEmail() }] },
      ...body,
    });

  test("fields", async () => {
    const { body } = await create({
      user_attributes: {
        name: "Grace",
        notify_sms: true,
        emails_attributes: [{ email: freshEmail() }],
        phones_attributes: [{ phone: "+14155550199" }],
      },
      roles: { admin: false, billing: true },
      notification_rule_id: world.ids.notification_rule.prefixId,
      time_zone: "Berlin",
      preferred_language: "de",
    });
    expect(body).toMatchObject({
      roles: { admin: false, billing: true, broadcaster: false, communicator: false },
      notification_rule_id: world.ids.notification_rule.id,
      user: {
        id: expect.any(String),
        prefix_id: expect.stringMatching(/^usr_/),
        name: "Grace",
        time_zone: "Berlin",
        preferred_language: "de",
        notify_sms: true,
        emails: [{ primary: true }],
        phones: [{ phone: "+14155550199", primary: true }],
      },
    });
  });
  test("user_attributes.name and emails_attributes are required", async () => {
    const reply = await create({ user_attributes: {} });
    expect([reply.status, faultyFields(reply)]).toEqual([
      422,
      ["user_attributes.emails_attributes", "user_attributes.name"],
    ]);
  });
  test.each(["member_team_ids", "team_ids"])("%s[]", async (name) => {
    const { body } = await create({ [name]: [world.ids.team.prefixId] });
    expect([body.member_team_ids, body.team_ids]).toEqual([
      [world.ids.team.id],
      [world.ids.team.id],
    ]);
    const team = await world.api("GET", `/teams/${world.ids.team.id}`);
    expect(team.body.member_account_user_ids).toContain(body.id);
  });
  test("DELETE removes the membership: teams, events and policies drop the person", async () => {
    const { body } = await create({ team_ids: [world.ids.team.id] });
    const policy = await world.api("POST", "/escalation_policies", {
      name: "x",
      reassign_account_user_ids: [body.id],
    });
    const event = await world.api("POST", "/events", {
      start_datetime: "2027-01-05T09:00:00Z",
      end_datetime: "2027-01-05T17:00:00Z",
      layer: 1,
      time_zone: "UTC",
      schedule_ids: [world.ids.schedule.id],
      account_user_ids: [body.id],
    });
    expect((await world.api("DELETE", `/account_users/${body.id}`)).status).toBe(204);
    const read = async (path: string) => (await world.api("GET", path)).body;
    expect((await read(`/teams/${world.ids.team.id}`)).member_account_user_ids).not.toContain(
      body.id,
    );
    expect(
      (await read(`/escalation_policies/${policy.body.id}`)).reassign_account_user_ids,
    ).toEqual([]);
    expect((await read(`/events/${event.body.id}`)).event_attendees).toEqual([]);
  });
});

describe("Logs", () => {
  const readLog = (id: string) =>
    vi.waitFor(async () => {
      const reply = await world.api("GET", `/logs/${id}`);
      expect(reply.status).toBe(200);
      return reply.body;
    }, soon);

  test("every inbound webhook leaves one: url, method, headers, params, body, outcome", async () => {
    const integration = await makeIntegration(world, [world.ids.team.id]);
    const body = { event_type: "create", Id: "logged", Title: "Logged", password: "hunter2" };
    const headers = { "cf-connecting-ip": "192.0.2.7", "x-api-key": "letmein" };
    const path = `/integration/${integration.prefixId}?colour=red&token=opensesame`;
    const sent = await call("POST", path, { body, headers });
    const log = await readLog(sent.body.log_id);
    expect(log).toMatchObject({
      format: "json",
      level: "info",
      owner_type: "Integration",
      owner_id: integration.id,
      details: { message: expect.any(String), sublogs: expect.any(Array) },
    });
    expect(log.details.request).toMatchObject({
      method: "POST",
      remote_ip: "192.0.2.7",
      body: { Title: "Logged" },
    });
    const shown = JSON.stringify(log);
    expect(shown).toContain("colour");
    for (const secret of ["hunter2", "letmein", "opensesame"]) expect(shown).not.toContain(secret);
  });
  test("also one that was refused, or matched no alert", async () => {
    const integration = await makeIntegration(world, [world.ids.team.id]);
    await integration.send({ event_type: "create", Id: "untitled" });
    await integration.send({ event_type: "resolve", Id: "unheard-of" });
    await vi.waitFor(async () => {
      const { body } = await world.api("GET", `/logs?owner_id=${integration.id}&direction=asc`);
      expect(body.data.map((it: any) => it.details.message)).toEqual([
        expect.stringMatching(/^Refused: /),
        expect.stringMatching(/^Unmatched/),
      ]);
      expect(body.data[0].level).toBe("warn");
    }, soon);
  });
  test("every step of an alert leaves a sublog", async () => {
    const made = await world.api("POST", "/alerts", {
      title: "x",
      urgency: "silent",
      destination_account_user_ids: [world.accountUserId],
    });
    await world.api("POST", `/alerts/${made.body.id}/acknowledge`);
    await world.api("POST", `/alerts/${made.body.id}/resolve`);
    const { body } = await world.api("GET", `/logs/${made.body.id}`);
    expect(body.owner_type).toBe("Alert");
    const messages = body.details.sublogs.map((it: any) => it.message);
    for (const word of ["Created", "Acknowledged", "Resolved"]) {
      expect(
        messages.some((message: string) => message.startsWith(word)),
        word,
      ).toBe(true);
    }
    expect(body.details.sublogs[0]).toEqual({
      time: expect.stringMatching(/Z$/),
      level: "info",
      message: expect.any(String),
    });
  });
});

describe("Maintenance windows", () => {
  test.each(["name", "start_datetime", "end_datetime", "time_zone", "integration_ids"])(
    "%s is required",
    async (name) => {
      const reply = await world.api("POST", "/maintenance_windows", {
        name: "Upgrade",
        start_datetime: "2031-01-01T00:00:00Z",
        end_datetime: "2031-01-02T00:00:00Z",
        time_zone: "UTC",
        integration_ids: [world.ids.integration.id],
        [name]: undefined,
      });
      expect([reply.status, faultyFields(reply)]).toEqual([422, [name]]);
    },
  );
});

describe.each([
  ["Notification rules", "/notification_rules", {}],
  ["Routers", "/routers", { default_receiver: true }],
] as const)("%s", (_, path, more) => {
  const create = (body: Record<string, unknown>) =>
    world.api("POST", path, {
      name: "Rules",
      ...(more &&
        "default_receiver" in more && { default_receiver_team_id: world.ids.team.prefixId }),
      ...body,
    });

  test("name is required; enabled and rules are returned as written", async () => {
    const missing = await create({ name: undefined });
    expect([missing.status, faultyFields(missing)]).toEqual([422, ["name"]]);
    const { body } = await create({ enabled: false, rules: RULES });
    expect(body).toMatchObject({ name: "Rules", enabled: false, rules: RULES });
    expect((await create({})).body.enabled).toBe(true);
  });
  test("full CRUD", async () => {
    const { body } = await create({});
    const changed = await world.api("PUT", `${path}/${body.prefix_id}`, { name: "Renamed" });
    expect(changed.body.name).toBe("Renamed");
    expect((await world.api("DELETE", `${path}/${body.id}`)).status).toBe(204);
    expect((await world.api("GET", `${path}/${body.id}`)).status).toBe(404);
  });
  test("validated on save, with line and column in the error", async () => {
    for (const rules of [
      "rules: [",
      "rules:\n  - match: {",
      "rules: 5",
      '{"rules": [{"match": 1}]}',
    ]) {
      const reply = await create({ rules });
      expect([reply.status, [...new Set(faultyFields(reply))]], rules).toEqual([422, ["rules"]]);
      expect(reply.body.errors[0].message, rules).toMatch(/line \d+, column \d+/);
    }
  });
  test.each(["$where", "$expr", "$function", "$near"])(
    "the operator %s is refused",
    async (name) => {
      const match = JSON.stringify({ "alert.title": { [name]: "1" } });
      const reply = await create({
        rules: `rules:\n  - match: ${match}\n    actions: [{type: ignore}]`,
      });
      expect([reply.status, faultyFields(reply)[0]]).toEqual([422, "rules"]);
    },
  );
});

describe("Routers", () => {
  test.each(["team", "router", "account_user"] as const)("default_receiver_%s_id", async (kind) => {
    const name = `default_receiver_${kind}_id`;
    const { body } = await world.api("POST", "/routers", {
      name: "x",
      [name]: world.ids[kind].prefixId,
    });
    expect(body[name]).toBe(world.ids[kind].id);
  });
  test("one default receiver is required", async () => {
    expect((await world.api("POST", "/routers", { name: "x" })).status).toBe(422);
  });
  test("loops are refused on save", async () => {
    const first = await world.api("POST", "/routers", {
      name: "first",
      default_receiver_team_id: world.ids.team.id,
    });
    const second = await world.api("POST", "/routers", {
      name: "second",
      default_receiver_router_id: first.body.id,
    });
    const reply = await world.api("PUT", `/routers/${first.body.id}`, {
      default_receiver_team_id: null,
      default_receiver_router_id: second.body.id,
    });
    expect([reply.status, faultyFields(reply)]).toEqual([422, ["default_receiver_router_id"]]);
  });
});

test("Integration types: id, name, title, description, options, supports", async () => {
  const { body } = await world.api("GET", "/integration_types?limit=100");
  for (const type of body.data) {
    expect(type).toMatchObject({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      name: expect.stringMatching(/^[a-z0-9_]+$/),
      title: expect.any(String),
      description: expect.any(String),
      supports: {
        create: expect.any(Boolean),
        acknowledge: expect.any(Boolean),
        resolve: expect.any(Boolean),
      },
    });
    const keys = type.options.map((option: any) => Object.keys(option).sort().join());
    expect(new Set(keys)).toEqual(new Set(["default,help,key,required,type"]));
  }
});

test("Alert workflows: one per destination", async () => {
  const { alert, team, account_user } = world.ids;
  const { body } = await world.api("GET", `/alerts/${alert.id}/workflows`);
  expect(body.data).toMatchObject([
    {
      destination_type: "team",
      destination_id: team.id,
      state: expect.stringMatching(/^(open|acknowledged|rejected|timed_out|cancelled)$/),
      layer: 1,
      pass: 1,
      next_step_at: expect.stringMatching(/Z$/),
      account_user_ids: expect.any(Array),
    },
  ]);
  const { body: two } = await world.api("POST", "/alerts", {
    title: "x",
    urgency: "silent",
    destination_team_ids: [team.id],
    destination_account_user_ids: [account_user.id],
  });
  expect((await world.api("GET", `/alerts/${two.id}/workflows`)).body.total_count).toBe(2);
});

describe("Notifications", () => {
  test("one per attempt to reach a person", async () => {
    const { body } = await world.api("GET", `/alerts/${world.ids.alert.id}/notifications`);
    expect(body.data).toMatchObject([
      {
        account_user_id: world.ids.account_user.id,
        channel: "email",
        to: "resources@example.com",
        event: "alert.open",
        status: "sent",
        reason: null,
        provider_id: null,
      },
    ]);
    const broadcast = `/broadcasts/${world.ids.broadcast.id}/notifications`;
    expect((await world.api("GET", broadcast)).status).toBe(200);
  });
  test("to is masked for non-admins, who cannot filter by it", async () => {
    const { api } = await addColleague(world, "Mo Member");
    const path = `/alerts/${world.ids.alert.id}/notifications`;
    const { body } = await api("GET", path);
    expect(body.data[0].to).not.toContain("resources@");
    const reply = await api("GET", `${path}?to=resources@example.com`);
    expect(reply.status).toBe(422);
  });
});

describe("Teams", () => {
  const people = () => ({
    member_account_user_ids: [world.accountUserId],
    admin_account_user_ids: [world.accountUserId],
  });
  test("POST and PUT also accept schedule_id and escalation_policy_id", async () => {
    const { schedule, escalation_policy } = world.ids;
    const own = {
      schedule_id: schedule.prefixId,
      escalation_policy_id: escalation_policy.prefixId,
    };
    const { body } = await world.api("POST", "/teams", { name: "x", ...people(), ...own });
    expect(body).toMatchObject({
      schedule_id: schedule.id,
      escalation_policy_id: escalation_policy.id,
    });
    const other = await world.api("POST", "/teams", { name: "y", ...people() });
    const path = `/teams/${other.body.id}`;
    expect((await world.api("PUT", path, own)).body.schedule_id).toBe(schedule.id);
  });
  test("drop_notifications defaults to team_admins, handoff_notifications to none", async () => {
    const { body } = await world.api("POST", "/teams", { name: "x", ...people() });
    expect([body.drop_notifications, body.handoff_notifications]).toEqual(["team_admins", "none"]);
  });
  test("attachments: https only", async () => {
    const attachments = [{ filename: "x", url: "http://example.com" }];
    const reply = await world.api("POST", "/teams", { name: "x", ...people(), attachments });
    expect([reply.status, faultyFields(reply)]).toEqual([422, ["attachments[0].url"]]);
  });
  test("/teams/:id/alerts: every alert that has, or had, a workflow of the team", async () => {
    const { team } = world.ids;
    const integration = await makeIntegration(world, [team.id]);
    await integration.send({ event_type: "create", Id: "team-alert", Title: "x" });
    await vi.waitFor(async () => {
      const { body } = await world.api("GET", `/teams/${team.id}/alerts?thirdparty_id=team-alert`);
      expect(body.total_count).toBe(1);
    }, soon);
    await integration.send({ event_type: "resolve", Id: "team-alert" });
    await vi.waitFor(async () => {
      const { body } = await world.api("GET", `/teams/${team.id}/alerts?status=resolved`);
      expect(body.data.map((it: any) => it.thirdparty_id)).toContain("team-alert");
    }, soon);
  });
  test("flush: events left in no schedule are deleted, others stay", async () => {
    const [one, other] = [
      (await world.api("POST", "/schedules", { name: "one" })).body.id,
      (await world.api("POST", "/schedules", { name: "other" })).body.id,
    ];
    const event = async (schedule_ids: string[]) =>
      (
        await world.api("POST", "/events", {
          start_datetime: "2027-01-05T09:00:00Z",
          end_datetime: "2027-01-05T17:00:00Z",
          layer: 1,
          time_zone: "UTC",
          schedule_ids,
          account_user_ids: [world.accountUserId],
        })
      ).body.id;
    const [alone, shared] = [await event([one]), await event([one, other])];
    await world.api("DELETE", `/schedules/${one}/flush`);
    expect((await world.api("GET", `/events/${alone}`)).status).toBe(404);
    expect((await world.api("GET", `/events/${shared}`)).body.schedule_ids).toEqual([other]);
  });
});

describe("Types that the specification leaves open", () => {
  test.each([
    ["/escalation_policies", { name: "x", repeat: 4 }, "repeat"],
    ["/escalation_policies", { name: "x", repeat: -1 }, "repeat"],
    [
      "/escalation_policies",
      { name: "x", escalation_layers_attributes: [{ layer: 1, timeout: 0 }] },
      "escalation_layers_attributes[0].timeout",
    ],
    [
      "/escalation_policies",
      {
        name: "x",
        escalation_layers_attributes: [{ layer: 1, timeout: 1, timeout_unit: "weeks" }],
      },
      "escalation_layers_attributes[0].timeout_unit",
    ],
    ["/users", { name: "x", email: "x@example.com", notify_push: "maybe" }, "notify_push"],
    ["/integrations", { name: "x", urgency: "urgent", integration_type_id: "webhook" }, "urgency"],
  ])("%s %j → 422 %s", async (path, body, field) => {
    const reply = await world.api("POST", path, body);
    expect(reply.status).toBe(422);
    expect(faultyFields(reply)).toContain(field);
  });
  test("new people: notify_email and notify_push true", async () => {
    const { body } = await world.api("POST", "/users", { name: "x", email: freshEmail() });
    expect(body).toMatchObject({
      notify_email: true,
      notify_push: true,
      notify_sms: false,
      notify_voice: false,
      notify_voice_repeat: true,
    });
  });
  test.each(["silent", "low", "medium", "high", "critical"])(
    "integration urgency %s",
    async (it) => {
      const path = `/integrations/${world.ids.integration.id}`;
      expect((await world.api("PUT", path, { urgency: it })).body.urgency).toBe(it);
    },
  );
});

describe("Integrations: options and intake key", () => {
  test("token is a secret; capture_additional_data is false", async () => {
    const { body } = await world.api("GET", `/integrations/${world.ids.integration.id}`);
    expect(body.options).toMatchObject({ token: "***", capture_additional_data: false });
    const row = await env.DB.prepare("select * from integrations where id = ?")
      .bind(body.id)
      .first();
    expect(JSON.stringify(row)).not.toContain("resources token");
  });
  test("intake_key: 32 lower-case letters and digits, for admins", async () => {
    const path = `/integrations/${world.ids.integration.id}`;
    expect((await world.api("GET", path)).body.intake_key).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
    const { api } = await addColleague(world, "Mo Member");
    expect((await api("GET", path)).body).not.toHaveProperty("intake_key");
  });
});
