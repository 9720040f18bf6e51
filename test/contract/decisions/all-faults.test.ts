// One 422 lists every error of a body (contract 1, Errors): missing parameters, rules across parameters and records
// that do not exist. A missing role is reported first, as a 403.
import { beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { parseValidPart } from "../../../src/kernel/http/valid-part.ts";
import { routes } from "../../../src/routes.ts";
import type { Account, Reply } from "../../support/api/api.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { addColleague, faultyFields } from "../../support/people/people.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

type Kind = keyof Inhabited["ids"];

/** The kind of record that a parameter refers to. */
const NAMED: Readonly<Record<string, Kind>> = {
  destination_team_ids: "team",
  destination_router_ids: "router",
  destination_account_user_ids: "account_user",
  reassign_team_ids: "team",
  reassign_account_user_ids: "account_user",
  member_account_user_ids: "account_user",
  admin_account_user_ids: "account_user",
  drop_notification_account_user_ids: "account_user",
  handoff_notification_account_user_ids: "account_user",
  account_user_ids: "account_user",
  covering_account_user_id: "account_user",
  schedule_id: "schedule",
  escalation_policy_id: "escalation_policy",
  schedule_ids: "schedule",
  team_ids: "team",
  router_ids: "router",
  member_team_ids: "team",
  notification_rule_id: "notification_rule",
  integration_ids: "integration",
  default_receiver_team_id: "team",
  default_receiver_router_id: "router",
  default_receiver_account_user_id: "account_user",
};

/** Operations that accept every body. */
const WITHOUT_INVALID = ["testIntegration"];

let world: Inhabited;
let member: Account["api"];
let teamAdmin: Account["api"];

beforeAll(async () => {
  world = await makeInhabited("faults");
  member = (await addColleague(world, "Mo")).api;
  const admin = await addColleague(world, "Pat");
  teamAdmin = admin.api;
  const admins = { admin_account_user_ids: [world.accountUserId, admin.id] };
  await world.api("PUT", `/teams/${world.ids.team.id}`, admins);
});

type Route = (typeof routes)[number];

const writing = routes.filter(({ method, body }) => body !== undefined && method !== "PATCH");
const titled = (some: readonly Route[]) =>
  some.map((route) => [`${route.method} ${route.path}`, route] as const);

/** The names of a body's parameters: those that its schema reads when sent alone. */
function parametersOf(route: Route): readonly string[] {
  const names = [...Object.keys(NAMED), "meta", "name", "title", "body", "note"];
  const empty = parseValidPart(route.body as z.ZodType, {});
  return names.filter((name) => {
    const list = name.endsWith("_ids") ? ["x"] : "x";
    const value = name === "meta" ? { a: 1 } : list;
    const read = parseValidPart(route.body as z.ZodType, { [name]: value });
    return Object.hasOwn(read, name) && !Object.hasOwn(empty, name);
  });
}

function pathOf({ path, operation }: Route): string {
  const { of } = sampleOf(operation);
  return path.replace(":id", of ? world.ids[of].id : "");
}

const sentAs = (name: string, id: string) => (name.endsWith("_ids") ? [id] : id);

describe("an empty body names every required parameter and rule", () => {
  const REQUIRED: Readonly<Record<string, readonly string[]>> = {
    createAbsenceCalendar: ["name", "url"],
    createAlert: ["destination_team_ids", "title", "urgency"],
    createAccountUser: ["user_attributes.emails_attributes", "user_attributes.name"],
    createUser: ["email", "name"],
    createBroadcast: ["destination_team_ids", "title"],
    createBulkOperation: ["action"],
    createSavedFilter: ["filter", "name"],
    createCalendarImport: ["name", "schedule_id", "url"],
    createComment: ["body"],
    createAlertComment: ["body"],
    createBroadcastComment: ["body"],
    createCommentComment: ["body"],
    createBroadcastResponse: ["broadcast_response_option_id"],
    createEscalationPolicy: ["name"],
    createCompanyHoliday: ["name", "start_date"],
    createAbsence: ["end_datetime", "start_datetime"],
    createEvent: ["account_user_ids", "end_datetime", "layer", "start_datetime", "time_zone"],
    createIntegration: ["integration_type_id", "name", "team_ids", "urgency"],
    createMaintenanceWindow: [
      ...["end_datetime", "integration_ids", "name", "start_datetime", "time_zone"],
    ],
    createNotificationRule: ["name"],
    createChannelAddress: ["channel"],
    createPushSubscription: ["endpoint", "keys"],
    createRouter: ["default_receiver_team_id", "name"],
    createSchedule: ["name"],
    createTeam: ["admin_account_user_ids", "member_account_user_ids", "name"],
    handOffAlert: ["destination_team_ids"],
    // These have no required parameters.
    createApiKey: [],
    createDrill: [],
    createScheduleFeed: [],
    createTeamFeed: [],
    createAccountUserFeed: [],
  };

  const creates = writing.filter(({ operation }) => /^create|^handOff/.test(operation));
  test.each(titled(creates))("%s", async (_, route) => {
    const required = REQUIRED[route.operation];
    expect(required, route.operation).toBeDefined();
    const reply = await world.api(route.method, pathOf(route), {});
    if (required?.length === 0) return expect(reply.status, reply.text).toBe(201);
    expect(reply.status, reply.text).toBe(422);
    expect(faultyFields(reply)).toEqual(required);
  });
});

describe("one answer names an invalid parameter and a record that does not exist", () => {
  const UNKNOWN_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const naming = writing.flatMap((route) => {
    const names = parametersOf(route);
    const wrong = ["meta", "note"].find((name) => names.includes(name));
    const references = names.filter((name) => Object.hasOwn(NAMED, name));
    return wrong ? references.map((name) => [route.operation, name, wrong, route] as const) : [];
  });

  test("covers many parameters", () => {
    expect(naming.length).toBeGreaterThan(30);
  });

  test.each(naming)("%s: %s", async (operation, name, wrong, route) => {
    const given = { ...sampleOf(operation).body?.(world), [name]: sentAs(name, UNKNOWN_ID) };
    // `team_ids` is an alias of `member_team_ids`; only one of them is sent.
    const body: Record<string, unknown> = { ...given, [wrong]: 5 };
    if (name === "member_team_ids") delete body.team_ids;
    const reply = await world.api(route.method, pathOf(route), body);
    expect(reply.status, reply.text).toBe(422);
    expect(faultyFields(reply)).toEqual(expect.arrayContaining([name, wrong].sort()));
  });
});

describe("rejects an id in the parameter of another kind of record", () => {
  const pairs = writing.flatMap((route) => {
    const names = parametersOf(route).filter((name) => Object.hasOwn(NAMED, name));
    return names.flatMap((right) =>
      names
        .filter((wrong) => NAMED[wrong] !== NAMED[right])
        .map((wrong) => [route.operation, right, wrong, route] as const),
    );
  });

  test("covers many pairs of parameters", () => {
    expect(pairs.length).toBeGreaterThan(40);
  });

  test.each(pairs)("%s: an id for %s in %s", async (operation, right, wrong, route) => {
    const { id } = world.ids[NAMED[right] as Kind];
    const body = {
      ...sampleOf(operation).body?.(world),
      // An absence names people to be asked, or one who serves.
      ...(operation === "createAbsence" && {
        instead: right === "covering_account_user_id" ? "person" : "ask",
      }),
      [right]: sentAs(right, id),
      [wrong]: sentAs(wrong, id),
    };
    const reply = await world.api(route.method, pathOf(route), body);
    expect(reply.status, reply.text).toBe(422);
    expect(faultyFields(reply)).toContain(wrong);
    // A router may have one default receiver, so both parameters are invalid.
    if (!operation.endsWith("Router")) expect(faultyFields(reply)).not.toContain(right);
  });
});

describe("a missing role is reported before the errors of a body", () => {
  /** A body with an invalid value for every parameter of the sample, and for some common ones. */
  function invalidBody(route: Route): Record<string, unknown> {
    const sample = sampleOf(route.operation).body?.(world) ?? {};
    const names = [...Object.keys(sample), ...parametersOf(route), "what", "name"];
    return Object.fromEntries(names.map((name) => [name, { a: [[{}]] }]));
  }
  const withRole = writing.filter(({ allow, operation }) => {
    return allow !== "everyone" && !WITHOUT_INVALID.includes(operation);
  });

  test.each(titled(withRole))("%s", async (_, route) => {
    const body = invalidBody(route);
    const ask = (api: Account["api"]): Promise<Reply> => api(route.method, pathOf(route), body);
    const refused = await ask(member);
    expect(refused.status, refused.text).toBe(403);
    const invalid = await ask(world.api);
    // An admin gets the errors of the body, a conflict with the record's state, or success if nothing is validated.
    expect([200, 409, 422], invalid.text).toContain(invalid.status);
    if (route.allow !== "team_admin" || route.method === "POST") return;
    expect((await ask(teamAdmin)).status).toBe(422);
  });

  test.each([
    ["updateUser", { name: 5 }],
    ["updateAccountUser", { roles: 5 }],
    ["confirmPhone", { code: {} }],
  ])("%s of another person", async (operation, body) => {
    const route = writing.find((it) => it.operation === operation) as Route;
    expect((await member(route.method, pathOf(route), body)).status).toBe(403);
    expect((await world.api(route.method, pathOf(route), body)).status).toBe(422);
  });

  test("createApiKey for another person", async () => {
    const body = { name: 5, account_user_id: world.ids.account_user.prefixId };
    expect((await member("POST", "/api_keys", body)).status).toBe(403);
    expect((await member("POST", "/api_keys", { name: 5 })).status).toBe(422);
    expect((await world.api("POST", "/api_keys", body)).status).toBe(422);
  });

  test("everybody gets the errors of a body for their own records, by every form of the id", async () => {
    const { api, id, userId } = await addColleague(world, "Own");
    const { prefix_id } = (await api("GET", `/users/${userId}`)).body;
    for (const path of [
      `/users/${userId}`,
      `/users/${prefix_id}`,
      `/users/${userId.toLowerCase()}`,
    ]) {
      expect((await api("PUT", path, { name: 5 })).status, path).toBe(422);
    }
    expect((await api("PUT", `/account_users/${id}`, { time_zone: 5 })).status).toBe(422);
  });

  test("a team admin gets the errors of a shift on their team's schedule", async () => {
    const body = { schedule_ids: [world.ids.schedule.id], layer: "top" };
    expect((await teamAdmin("POST", "/events", body)).status).toBe(422);
    expect((await member("POST", "/events", body)).status).toBe(403);
    expect((await teamAdmin("POST", "/events", { layer: "top" })).status).toBe(403);
  });

  test("a missing role is also reported before malformed JSON", async () => {
    const { id } = world.ids.integration;
    expect((await member("PUT", `/integrations/${id}`, "{")).status).toBe(403);
    expect((await world.api("PUT", `/integrations/${id}`, "{")).status).toBe(400);
  });
});
