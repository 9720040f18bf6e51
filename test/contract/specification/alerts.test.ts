// A test per row of the tables of contract 3, Attributes, and contract 3, States.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "../../support/api/api.ts";
import { faultyFields } from "../../support/people/people.ts";
import { soon } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import {
  makeIntegration,
  makePerson,
  makeTeam,
  type Person,
  type Team,
} from "../../support/worker/world.ts";

let world: Inhabited;
let team: Team;
let responder: Person;
let alert: any;

const create = (body: Record<string, unknown> = {}) =>
  world.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "silent",
    destination_account_user_ids: [world.ids.account_user.id],
    ...body,
  });
const act = (id: string, verb: string) => world.api("POST", `/alerts/${id}/${verb}`);

/** Creates an alert in a status. */
async function inStatus(status: string): Promise<any> {
  const destinations = {
    dropped: { destination_team_ids: [emptyTeamId] },
    suppressed: { destination_router_ids: [world.ids.router.id] },
  }[status];
  const made = await create(destinations && { destination_account_user_ids: [], ...destinations });
  if (status === "acknowledged") return (await act(made.body.id, "acknowledge")).body;
  if (status === "resolved") return (await act(made.body.id, "resolve")).body;
  expect(made.body.status, made.text).toBe(status);
  return made.body;
}
/** A team with nobody on call: its alerts are dropped at once. (The world's router ignores every alert.) */
let emptyTeamId: string;

beforeAll(async () => {
  world = await makeInhabited("spec-alerts");
  responder = await makePerson(world, "Sam Second");
  team = await makeTeam(world, [{ seconds: 600, people: [responder.accountUserId] }]);
  emptyTeamId = (await makeTeam(world, [], { name: "Nobody" })).id;
  const made = await create({
    description: "On db-1",
    tags: ["disk", "db"],
    thirdparty_id: "disk-1",
    dedup_keys: ["db-1"],
    destination_team_ids: [team.id],
    meta: { incident: true, incident_severity: "SEV-2", incident_message: "All hands" },
  });
  expect(made.status, made.text).toBe(201);
  alert = made.body;
});

describe("Field: Alert", () => {
  test("title", () => expect(alert.title).toBe("Disk full"));
  test("description", () => expect(alert.description).toBe("On db-1"));
  test("tag_list: taken as tags[]", () => expect(alert.tag_list).toEqual(["disk", "db"]));
  test("urgency: one of low, medium, high, critical", async () => {
    for (const urgency of ["low", "medium", "high", "critical"]) {
      expect((await create({ urgency })).body.urgency).toBe(urgency);
    }
    const refused = await create({ urgency: "urgent" });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["urgency"]]);
  });
  test("status", () => expect(alert.status).toBe("open"));
  test("source_id and source_type: the account user who created it", () =>
    expect(alert).toMatchObject({ source_id: world.accountUserId, source_type: "AccountUser" }));
  test("source_log_id: present only when an integration created it", async () => {
    expect(alert.source_log_id).toBeNull();
    const integration = await makeIntegration(world, [team.id]);
    const { body } = await integration.send({ event_type: "create", Id: "log-1", Title: "x" });
    await vi.waitFor(async () => {
      const list = await world.api("GET", "/alerts?thirdparty_id=log-1");
      expect(list.body.data[0]).toMatchObject({
        source_log_id: body.log_id,
        source_type: "Integration",
        source_id: integration.id,
      });
    }, soon);
  });
  test("thirdparty_id", () => expect(alert.thirdparty_id).toBe("disk-1"));
  test("acknowledged_at: the first acknowledgement, not reset", async () => {
    const first = await inStatus("acknowledged");
    expect(first.acknowledged_at).toMatch(/Z$/);
    const resolved = await act(first.id, "resolve");
    expect(resolved.body.acknowledged_at).toBe(first.acknowledged_at);
  });
  test("resolved_at", async () => {
    expect(alert.resolved_at).toBeNull();
    expect((await inStatus("resolved")).resolved_at).toMatch(/Z$/);
  });
  test("dedup_keys", () => expect(alert.dedup_keys).toEqual(["db-1"]));
});

describe("Incident flags, in meta", () => {
  test("incident", () => expect([alert.incident, alert.meta.incident]).toEqual([true, true]));
  test("incident_severity: one of six", async () => {
    for (const severity of ["SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "SEV-UNKNOWN"]) {
      const { body } = await create({ meta: { incident: true, incident_severity: severity } });
      expect([body.incident_severity, body.meta.incident_severity]).toEqual([severity, severity]);
    }
    const refused = await create({ meta: { incident: true, incident_severity: "SEV-9" } });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["meta.incident_severity"]]);
  });
  test("incident_message", () =>
    expect([alert.incident_message, alert.meta.incident_message]).toEqual([
      "All hands",
      "All hands",
    ]));
});

describe("Create parameters: Alert", () => {
  test.each(["title", "urgency"])("%s is required", async (name) => {
    for (const nothing of [undefined, null, ""]) {
      const reply = await create({ [name]: nothing });
      expect([reply.status, faultyFields(reply)]).toEqual([422, [name]]);
    }
  });
  test("at least one destination is required", async () => {
    expect((await create({ destination_account_user_ids: [] })).status).toBe(422);
    expect((await create({ destination_account_user_ids: undefined })).status).toBe(422);
  });
  test("destination_team_ids[]", () => expect(alert.destination_team_ids).toEqual([team.id]));
  test("destination_router_ids[]", async () => {
    const made = await inStatus("suppressed");
    expect(made.destination_router_ids).toEqual([world.ids.router.id]);
  });
  test("destination_account_user_ids[]", () =>
    expect(alert.destination_account_user_ids).toEqual([world.ids.account_user.id]));
});

describe("States and transitions", () => {
  test.each(["open", "dropped", "suppressed"])("%s: acknowledge", async (status) => {
    const { id } = await inStatus(status);
    const reply = await act(id, "acknowledge");
    expect([reply.status, reply.body.status]).toEqual([200, "acknowledged"]);
  });
  test.each(["open", "dropped", "acknowledged"])(
    "%s: resolve; resolved_at is set",
    async (status) => {
      const { id } = await inStatus(status);
      const reply = await act(id, "resolve");
      expect([reply.status, reply.body.status]).toEqual([200, "resolved"]);
      expect(reply.body.resolved_at).not.toBeNull();
    },
  );
  test("reject: by a user of the API key with an open workflow", async () => {
    const { body } = await create({ destination_team_ids: [team.id] });
    const path = `/api/v4/alerts/${body.id}/reject`;
    const reply = await call("POST", path, { key: responder.key });
    expect([reply.status, reply.body.status]).toEqual([200, "open"]);
    expect((await call("POST", path, { key: responder.key })).status).toBe(409);
  });
  test.each([
    ["acknowledge", "acknowledged"],
    ["resolve", "resolved"],
  ])("an inbound webhook with event_type %s", async (event_type, status) => {
    const integration = await makeIntegration(world, [team.id]);
    const Id = `hook-${event_type}`;
    const current = async () =>
      (await world.api("GET", `/alerts?thirdparty_id=${Id}`)).body.data[0]?.status;
    await integration.send({ event_type: "create", Id, Title: "x" });
    await vi.waitFor(async () => expect(await current()).toBe("open"), soon);
    await integration.send({ event_type, Id });
    await vi.waitFor(async () => expect(await current()).toBe(status), soon);
  });
});

describe("Condition", () => {
  test.each(["acknowledged", "resolved"])(
    "Acknowledge on an alert not open, dropped or suppressed: %s",
    async (status) => {
      const { id } = await inStatus(status);
      const reply = await act(id, "acknowledge");
      expect(reply.status).toBe(409);
      expect(reply.body.errors[0].message).toContain(status);
    },
  );
  test.each(["suppressed", "resolved"])(
    "Resolve on an alert not open, dropped or acknowledged: %s",
    async (status) => {
      const { id, resolved_at } = await inStatus(status);
      const reply = await act(id, "resolve");
      expect(reply.status).toBe(409);
      expect(reply.body.errors[0].message).toContain(status);
      expect((await world.api("GET", `/alerts/${id}`)).body.resolved_at).toBe(resolved_at);
    },
  );
  test("Reject by a user without an open workflow for the alert", async () => {
    expect((await act(alert.id, "reject")).status).toBe(409);
  });
});

describe("Endpoints: Alerts", () => {
  test("POST /alerts", () => expect(alert.prefix_id).toMatch(/^alt_/));
  test("GET /alerts/:id: returns the alert", async () =>
    expect((await world.api("GET", `/alerts/${alert.prefix_id}`)).body).toEqual(alert));
  test("PUT /alerts/:id", async () => {
    const { body } = await create();
    const reply = await world.api("PUT", `/alerts/${body.id}`, { title: "Disk nearly full" });
    expect(reply.body).toMatchObject({ title: "Disk nearly full", urgency: "silent" });
  });
  test("DELETE /alerts/:id", async () => {
    const { body } = await create();
    expect((await world.api("DELETE", `/alerts/${body.id}`)).status).toBe(204);
    expect((await world.api("GET", `/alerts/${body.id}`)).status).toBe(404);
  });
  test("GET /alerts: list", async () => {
    const { body } = await world.api("GET", "/alerts?thirdparty_id=disk-1");
    expect(body.data).toEqual([alert]);
  });
  test.each(["acknowledge", "resolve"])("POST /alerts/:id/%s: no parameters", async (verb) => {
    const { id } = await inStatus("open");
    const reply = await world.api("POST", `/alerts/${id}/${verb}`, { status: "open", title: "no" });
    expect(reply.status).toBe(200);
    expect(reply.body.title).toBe("Disk full");
  });
});
