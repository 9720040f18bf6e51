// The requests of the vendor's command-line client, with its exact headers and bodies, and the fields that it reads.
import { beforeAll, describe, expect, test } from "vitest";
import { call, type Reply } from "../../support/api/api.ts";
import { freshEmail } from "../../support/people/people.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let world: Inhabited;
let responder: Person;
let teamId: string;

beforeAll(async () => {
  world = await makeInhabited("commands");
  responder = await makePerson(world, "Sam Responder");
  teamId = (await makeTeam(world, [{ seconds: 600, people: [responder.accountUserId] }])).id;
});

/** Sends a request as the client does: with a JSON content type even without a body. */
async function cli(method: string, path: string, body?: unknown, key = world.key): Promise<Reply> {
  const reply = await call(method, `/api/v4${path}`, {
    key,
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "PagerTree-Python-CLI-Client/1.0",
      Accept: "*/*",
      "Accept-Encoding": "gzip, deflate",
    },
    ...(body !== undefined && { body }),
  });
  expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300);
  return reply;
}

/** Expects the fields that the client reads, given as paths: `user.emails.0.email`. */
function expectFields(record: unknown, ...paths: readonly string[]): void {
  for (const path of paths) {
    let value: any = record;
    for (const part of path.split(".")) {
      expect(value, `${path} of ${JSON.stringify(record)}`).toBeInstanceOf(Object);
      expect(Object.keys(value), path).toContain(part);
      value = value[part];
    }
  }
}

const newAlert = (more: Record<string, unknown> = {}) => ({
  title: "From the command line",
  destination_team_ids: [teamId],
  urgency: "medium",
  tags: [],
  meta: { incident: false, incident_severity: null, incident_message: null },
  ...more,
});

describe("alerts", () => {
  test("create: without a description, with empty lists and nulls in meta", async () => {
    const { body } = await cli("POST", "/alerts", newAlert());
    expectFields(body, "id");
    expect(body.description).toBeNull();
  });
  test("create: every option, and the client's misspelled parameter for routers", async () => {
    const { body } = await cli(
      "POST",
      "/alerts",
      newAlert({
        description: "Long story",
        destination_team_ids: [],
        destination_route_ids: [world.ids.router.id],
        destination_account_user_ids: [responder.accountUserId],
        urgency: "silent",
        tags: ["a", "b"],
        thirdparty_id: "cli-1",
        meta: { incident: true, incident_severity: "SEV-1", incident_message: "All hands" },
      }),
    );
    expectFields(body, "id");
    expect(body).toMatchObject({ thirdparty_id: "cli-1", tags: ["a", "b"], urgency: "silent" });
  });
  test("list: limit, offset, status, q, thirdparty_id", async () => {
    const plain = await cli("GET", "/alerts?limit=10&offset=0");
    expectFields(plain.body, "data", "total_count", "has_more");
    for (const status of ["open", "acknowledged", "resolved", "dropped"]) {
      await cli("GET", `/alerts?limit=10&offset=0&status=${status}&q=command`);
    }
    const { body } = await cli("POST", "/alerts", newAlert({ thirdparty_id: "alias-1" }));
    const byAlias = await cli("GET", "/alerts?limit=1&offset=0&thirdparty_id=alias-1");
    expect(byAlias.body.data[0].id).toBe(body.id);
  });
  test("show", async () => {
    const { body } = await cli("GET", `/alerts/${world.ids.alert.id}`);
    expectFields(
      body,
      ..."id status urgency tags thirdparty_id destination_team_ids title".split(" "),
      ..."destination_router_ids destination_account_user_ids description created_at".split(" "),
    );
  });
  test.each(["acknowledge", "reject", "resolve"])(
    "%s: an empty body with a JSON content type",
    async (verb) => {
      const { body: alert } = await cli("POST", "/alerts", newAlert({ urgency: "silent" }));
      const { body } = await cli("POST", `/alerts/${alert.prefix_id}/${verb}`, "", responder.key);
      expect(body.id).toBe(alert.id);
    },
  );
  test("delete: an empty answer", async () => {
    const { body } = await cli("POST", "/alerts", newAlert());
    expect((await cli("DELETE", `/alerts/${body.id}`)).text).toBe("");
  });
  test("comment and comments", async () => {
    const path = `/alerts/${world.ids.alert.id}/comments`;
    expectFields((await cli("POST", path, { body: "Looking" })).body, "id");
    const { body } = await cli("GET", `${path}?limit=10&offset=0`);
    expectFields(body.data[0], "created_at", "created_by_name", "body");
  });
});

describe("broadcasts", () => {
  test("create: each list may be empty", async () => {
    const { body } = await cli("POST", "/broadcasts", {
      title: "Office closed",
      destination_account_user_ids: [],
      destination_team_ids: [teamId],
    });
    expectFields(body, "id");
  });
  test("list", async () => {
    const { body } = await cli("GET", "/broadcasts?limit=10&offset=0");
    expectFields(body.data[0], "id", "title", "status", "created_at");
  });
  test("update: with meta, and with known and unknown parameters", async () => {
    const path = `/broadcasts/${world.ids.broadcast.id}`;
    await cli("PUT", path, { title: "Open again", meta: {} });
    const { body } = await cli("PUT", path, {
      description: "Roads are clear",
      destinations: ["nobody"],
      response_requested: true,
      response_requested_by: "2031-01-01T00:00:00Z",
      status: "open",
      meta: { notify_sms: true, notify_slack: false, notify_whatsapp: false },
    });
    expect(body).toMatchObject({ title: "Open again", description: "Roads are clear" });
  });
});

describe("integrations", () => {
  test.each(["", "&q=commands", "&enabled=true", "&enabled=false", "&enabled=1"])(
    "list: limit, offset%s",
    async (more) => {
      const { body } = await cli("GET", `/integrations?limit=10&offset=0${more}`);
      for (const row of body.data)
        expectFields(row, "id", "name", "integration_type.name", "enabled");
      expect(body.data).toHaveLength(more === "&enabled=false" ? 0 : 1);
    },
  );
  test("show", async () => {
    const { body } = await cli("GET", `/integrations/${world.ids.integration.id}`);
    expectFields(
      body,
      "id",
      "name",
      "integration_type.name",
      "enabled",
      "created_at",
      "updated_at",
    );
  });
  test("enable and disable", async () => {
    const path = `/integrations/${world.ids.integration.id}`;
    expect((await cli("PUT", path, { enabled: false })).body.enabled).toBe(false);
    expect((await cli("PUT", path, { enabled: true })).body.enabled).toBe(true);
  });
});

describe("teams", () => {
  const newTeam = (more: Record<string, unknown> = {}) => ({
    name: "Payments",
    member_account_user_ids: [responder.accountUserId],
    admin_account_user_ids: [world.accountUserId],
    ...more,
  });
  test("create", async () => {
    expectFields((await cli("POST", "/teams", newTeam({ notes: "Call first" }))).body, "id");
  });
  test("list and show", async () => {
    const shown = [
      ..."id name notes created_at updated_at".split(" "),
      ..."member_account_user_ids admin_account_user_ids".split(" "),
    ];
    expectFields((await cli("GET", "/teams?limit=10&offset=0&q=team")).body.data[0], ...shown);
    expectFields((await cli("GET", `/teams/${teamId}`)).body, ...shown);
  });
  test("update and delete", async () => {
    const { body } = await cli("POST", "/teams", newTeam());
    expect((await cli("PUT", `/teams/${body.id}`, { name: "Paid" })).body.name).toBe("Paid");
    expect((await cli("DELETE", `/teams/${body.id}`)).text).toBe("");
  });
  test("on call: a bare array with attendees", async () => {
    const { body } = await cli("GET", `/teams/${teamId}/current_oncall`);
    expect(body).toBeInstanceOf(Array);
    const attending = body.flatMap((it: any) => it.attendees.map((who: any) => who.attendee_id));
    expect(attending).toEqual([responder.accountUserId]);
  });
  test("alerts of a team", async () => {
    await cli("POST", "/alerts", newAlert());
    const { body } = await cli("GET", `/teams/${teamId}/alerts?limit=10&offset=0`);
    expectFields(body, "data", "total_count", "has_more");
    expect(body.data.length).toBeGreaterThan(0);
  });
});

describe("account users", () => {
  test("create: team_ids, roles, one address", async () => {
    const email = freshEmail("cli");
    const { body } = await cli("POST", "/account_users", {
      user_attributes: { name: "Grace", emails_attributes: [{ email }] },
      roles: { admin: false, broadcaster: true },
      team_ids: [teamId],
    });
    expectFields(body, "id");
    expect(body.member_team_ids).toEqual([teamId]);
    const empty = {
      user_attributes: { name: "Ada", emails_attributes: [{ email: freshEmail() }] },
    };
    await cli("POST", "/account_users", { ...empty, roles: {}, team_ids: [] });
  });
  test("list and show", async () => {
    const shown = ["id", "user.name", "user.emails", "user.phones", "roles.admin", "created_at"];
    const { body } = await cli("GET", "/account_users?limit=10&offset=0&q=commands");
    for (const row of body.data) expectFields(row, ...shown);
    const one = await cli("GET", `/account_users/${world.ids.account_user.id}`);
    expectFields(one.body, ...shown);
    expectFields(one.body.user.emails[0], "email", "primary");
    expectFields(one.body.user.phones[0], "phone", "primary");
  });
  test("update and delete", async () => {
    const { body } = await cli("POST", "/account_users", {
      user_attributes: { name: "Grace", emails_attributes: [{ email: freshEmail() }] },
      roles: {},
      team_ids: [],
    });
    const path = `/account_users/${body.id}`;
    const renamed = await cli("PUT", path, { user_attributes: { name: "Grace H." } });
    expect(renamed.body.user.name).toBe("Grace H.");
    expect((await cli("DELETE", path)).text).toBe("");
  });
});

test("a refused request: every error has the message that the client prints", async () => {
  const reply = await world.api("POST", "/alerts", { title: "x" });
  expect(reply.status).toBe(422);
  for (const error of reply.body.errors) expect(error.message).toBeTypeOf("string");
});
