// Opsgenie's API as its own clients use it: the status of requests, alerts by each kind of identifier, lists, counts
// and heartbeats; and the records that a key cannot access.
import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { uuidOfId } from "../../../../src/domain/integrations/opsgenie-identifiers.ts";
import { integrationInbox } from "../../../../src/features/stubs.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { soon } from "../../../support/worker/faults.ts";
import { fewestTrips, untilQuiet } from "../../../support/worker/round-trips.ts";

type Integration = { id: string; prefix_id: string; intake_key: string };

let account: Account;
let integration: Integration;

async function makeIntegration(
  of: Account,
  fields: Record<string, unknown> = {},
): Promise<Integration> {
  const made = await of.api("POST", "/integrations", {
    name: "Legacy",
    urgency: "high",
    integration_type_id: "opsgenie",
    account_user_ids: [of.accountUserId],
    ...fields,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

beforeEach(async () => {
  account = await makeAccount();
  integration = await makeIntegration(account);
});

async function call(
  method: string,
  path: string,
  body?: object,
  key = integration.intake_key,
): Promise<{ status: number; headers: Headers; body: any }> {
  const response = await exports.default.fetch(`https://tocsin.test${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `GenieKey ${key}` },
    ...(body && { body: JSON.stringify(body) }),
    redirect: "manual",
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Sends a change and reads its request status at once, as SDKs do. */
async function submit(method: string, path: string, body: object = {}, key?: string): Promise<any> {
  const sent = await call(method, path, body, key);
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  expect(sent.headers.get("x-request-id")).toBe(sent.body.requestId);
  const status = await call("GET", `/v2/alerts/requests/${sent.body.requestId}`, undefined, key);
  expect(status.status, JSON.stringify(status.body)).toBe(200);
  return { requestId: sent.body.requestId, ...status.body.data };
}

const create = (body: object = {}, key?: string) =>
  submit("POST", "/v2/alerts", { message: "Disk full", alias: "db-1", ...body }, key);

/** Waits for data that is read from D1, where an alert appears with a delay. */
const waitForData = (path: string, expected: object, key?: string) =>
  vi.waitFor(async () => {
    const { status, body } = await call("GET", path, undefined, key);
    expect([status, body.data]).toEqual([200, expect.objectContaining(expected)]);
    return body.data;
  }, soon);

const totalOf = async (path: string) => (await account.api("GET", path)).body.total_count;

describe("requests", () => {
  test("return the status of a create and its alert at once", async () => {
    const status = await create({ priority: "P1" });
    expect(status).toMatchObject({
      success: true,
      isSuccess: true,
      action: "Create",
      status: "Created alert",
      integrationId: integration.id,
      alias: "db-1",
    });
    expect(new Date(status.processedAt).getTime()).toBeCloseTo(Date.now(), -5);
    expect((await account.api("GET", `/alerts/${status.alertId}`)).body.title).toBe("Disk full");
    const again = await create();
    expect(again).toMatchObject({ success: true, alertId: status.alertId });
    expect(again.requestId).not.toBe(status.requestId);
  });

  test("return the status and the reason of a failure, also after the log is written", async () => {
    const { alertId, requestId } = await create();
    await untilQuiet();
    await waitForData(`/v2/alerts/requests/${requestId}`, {
      alertId,
      alias: "db-1",
      action: "Create",
    });
    const path = "/v2/alerts/db-1";
    const by = "?identifierType=alias";
    const acknowledged = await submit("POST", `${path}/acknowledge${by}`);
    expect(acknowledged).toMatchObject({ action: "Acknowledge", success: true, alertId });
    expect(await submit("POST", `${path}/acknowledge${by}`)).toMatchObject({
      success: false,
      status: expect.stringContaining("Alert is already"),
    });
    expect(await submit("POST", `${path}/notes${by}`, { note: "Looking" })).toMatchObject({
      action: "AddNote",
      success: true,
      alertId,
    });
    expect(await submit("POST", `/v2/alerts/nothing/notes${by}`, { note: "x" })).toMatchObject({
      success: false,
      status: expect.stringContaining("There is no open alert"),
    });
    expect(await submit("POST", `${path}/close${by}`)).toMatchObject({ action: "Close" });
    expect(await submit("POST", `/v2/alerts/nothing/close${by}`)).toMatchObject({
      success: false,
      status: expect.stringContaining("There is no open alert"),
    });
    expect(await submit("POST", `${path}/unacknowledge${by}`)).toMatchObject({
      action: "UnAcknowledge",
      success: false,
      status: expect.stringMatching(/^(Alert is already|There is no open alert)/),
    });
  });

  test("are not found by an unknown id, in Opsgenie's error format", async () => {
    for (const id of ["7d1d6a2e-7a2b-4f43-9f3c-2f8f1f6f4c11", "x", "constructor"]) {
      const { status, body, headers } = await call("GET", `/v2/alerts/requests/${id}`);
      expect(status).toBe(404);
      expect(headers.get("x-opsgenie-errortype")).toBe("RequestNotProcessed");
      expect(body).toEqual({
        message: expect.any(String),
        took: expect.any(Number),
        requestId: expect.any(String),
      });
    }
  });
});

const MESSAGE = { message: "Another" };

describe("updates of an alert", () => {
  const by = "?identifierType=alias";
  const update = (field: string, body: object) =>
    submit("PUT", `/v2/alerts/db-1/${field}${by}`, body);
  const alertOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body;

  test("change the live alert; a higher priority raises its urgency and notifies", async () => {
    const { alertId } = await create({ priority: "P4" });
    await account.api("POST", `/alerts/${alertId}/acknowledge`);
    for (const [field, value, action] of [
      ["message", "Disks full", "UpdateMessage"],
      ["description", "All of them", "UpdateDescription"],
      ["priority", "P1", "UpdatePriority"],
    ] as const) {
      const status = await update(field, { [field]: value });
      expect(status).toMatchObject({ success: true, action, alertId, status: "Updated alert" });
    }
    await vi.waitFor(async () => {
      expect(await alertOf(alertId)).toMatchObject({
        ...{ title: "Disks full", description: "All of them", urgency: "critical" },
        status: "open",
      });
    }, soon);
    const again = await update("priority", { priority: "P1" });
    expect(again).toMatchObject({ success: true, status: "Updated alert" });
    const invalid = await call("PUT", `/v2/alerts/db-1/priority${by}`, { priority: "P9" });
    expect(invalid.status).toBe(422);
  });

  test("are answered by one status, at which a client stops to ask", async () => {
    const { alertId } = await create();
    const unacknowledge = () => submit("POST", `/v2/alerts/db-1/unacknowledge${by}`);
    expect(await unacknowledge()).toMatchObject({
      success: false,
      status: expect.stringContaining("Alert is already"),
    });
    await account.api("POST", `/alerts/${alertId}/acknowledge`);
    expect(await unacknowledge()).toMatchObject({ success: true, status: "Unacknowledged alert" });
    await vi.waitFor(async () => expect((await alertOf(alertId)).status).toBe("open"), soon);
    expect(await submit("PUT", `/v2/alerts/none/message${by}`, MESSAGE)).toMatchObject({
      success: false,
      status: expect.stringContaining("There is no open alert"),
    });
  });
});

describe("an alert", () => {
  const fields = {
    message: "Disk full",
    description: "97 %",
    priority: "P2",
    tags: ["db"],
    details: { region: "eu" },
    entity: "db-1",
    source: "nagios",
  };

  test("is found by its id, its request id, its tiny id and its alias", async () => {
    const { alertId, requestId } = await create(fields);
    const alert = await waitForData(`/v2/alerts/${alertId}`, {
      ...fields,
      id: alertId,
      alias: "db-1",
      status: "open",
      acknowledged: false,
      count: 1,
      responders: [{ type: "user", id: account.accountUserId }],
      integration: { id: integration.id, name: "Legacy", type: "API" },
    });
    const identifiers = [
      `${alertId}?identifierType=id`,
      requestId,
      `${alert.tinyId}?identifierType=tiny`,
      "db-1?identifierType=alias",
    ];
    for (const way of identifiers) await waitForData(`/v2/alerts/${way}`, { id: alertId });
    const missing = await call("GET", "/v2/alerts/other?identifierType=alias");
    expect([missing.status, missing.body.message]).toEqual([404, "Alert does not exist."]);
    const other = await call("GET", `/v2/alerts/${alertId}?identifierType=alias`);
    expect(other.status).toBe(404);
  });

  test.each(["id", "request", "tiny", "alias"] as const)(
    "is acknowledged, commented on and closed by its %s",
    async (way) => {
      const { alertId, requestId } = await create();
      const { tinyId } = await waitForData(`/v2/alerts/${alertId}`, { id: alertId });
      const path = {
        id: [alertId, ""],
        request: [requestId, ""],
        tiny: [tinyId, "?identifierType=tiny"],
        alias: ["db-1", "?identifierType=alias"],
      }[way];
      // After the request's log is written, its alert is found only in D1.
      if (way === "request") await untilQuiet();
      const act = (action: string, body = {}) =>
        submit("POST", `/v2/alerts/${path[0]}/${action}${path[1]}`, body);
      expect(await act("acknowledge")).toMatchObject({ success: true });
      await waitForData(`/v2/alerts/${alertId}`, { acknowledged: true, isSeen: true });
      expect(await act("notes", { note: "Looking" })).toMatchObject({ success: true });
      expect(await act("close")).toMatchObject({ success: true });
      await waitForData(`/v2/alerts/${alertId}`, { status: "closed", report: expect.any(Object) });
      const comments = await account.api("GET", `/alerts/${alertId}/comments`);
      expect(comments.body.data).toMatchObject([{ body: "Looking" }]);
      // After the close, the same alias creates another alert.
      expect((await create()).alertId).not.toBe(alertId);
    },
  );

  test.each(["id", "request", "tiny"] as const)(
    "whose alias the inbox has forgotten is acknowledged, commented on and closed by its %s",
    async (way) => {
      const { alertId, requestId } = await create();
      const { tinyId } = await waitForData(`/v2/alerts/${alertId}`, { id: alertId });
      await untilQuiet();
      const inbox = integrationInbox(env, integration.prefix_id);
      expect(await inbox.forgetAlert(alertId, "db-1")).toBe(true);
      const path = {
        id: [alertId, ""],
        request: [requestId, ""],
        tiny: [tinyId, "?identifierType=tiny"],
      }[way];
      const act = (action: string, body = {}) =>
        submit("POST", `/v2/alerts/${path[0]}/${action}${path[1]}`, body);
      expect(await act("acknowledge")).toMatchObject({ success: true, alertId });
      expect(await act("close")).toMatchObject({ success: true, alertId });
      await waitForData(`/v2/alerts/${alertId}`, { status: "closed" });
      expect(await act("notes", { note: "Solved" })).toMatchObject({ success: true, alertId });
      const alias = "db-1/notes?identifierType=alias";
      const noted = await submit("POST", `/v2/alerts/${alias}`, { note: "By alias" });
      expect(noted).toMatchObject({ success: true, alertId });
      const comments = await account.api("GET", `/alerts/${alertId}/comments?direction=asc`);
      expect(comments.body.data).toMatchObject([{ body: "Solved" }, { body: "By alias" }]);
      expect(await totalOf("/alerts")).toBe(1);
    },
  );

  test("without an alias is closed at once by the id of the request that created it", async () => {
    const sent = await call("POST", "/v2/alerts", { message: "Disk full" });
    const closed = await submit("POST", `/v2/alerts/${sent.body.requestId}/close`);
    expect(closed).toMatchObject({ success: true, action: "Close" });
    await waitForData(`/v2/alerts/${sent.body.requestId}`, { status: "closed" });
    expect(await totalOf("/alerts")).toBe(1);
  });

  test("is found by the link that Zabbix uses", async () => {
    const response = await exports.default.fetch("https://tocsin.test/alert/detail/X", {
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/alerts/X"]);
  });
});

describe("lists", () => {
  test("are searched, sorted and paged", async () => {
    await create({ alias: "a", message: "Disk full on web", priority: "P1", tags: ["web"] });
    await create({ alias: "b", message: "Disk full on db", priority: "P3", tags: ["db", "eu"] });
    await create({ alias: "c", message: "Load high", priority: "P5", tags: ["db"] });
    await submit("POST", "/v2/alerts/c/close?identifierType=alias");
    await submit("POST", "/v2/alerts/b/acknowledge?identifierType=alias");
    await waitForData("/v2/alerts/c?identifierType=alias", { status: "closed" });
    await waitForData("/v2/alerts/b?identifierType=alias", { acknowledged: true });
    const found = async (query: string) => {
      const { status, body } = await call("GET", `/v2/alerts?query=${encodeURIComponent(query)}`);
      expect(status, JSON.stringify(body)).toBe(200);
      const count = await call("GET", `/v2/alerts/count?query=${encodeURIComponent(query)}`);
      expect(count.body.data.count).toBe(body.data.length);
      return body.data.map((it: any) => it.alias).join("");
    };
    expect(await found("")).toBe("cba");
    expect(await found("status: open")).toBe("ba");
    expect(await found("status:closed OR alias = a")).toBe("ca");
    expect(await found("tag: db AND NOT status: closed")).toBe("b");
    expect(await found('message: "disk full" (tag:web OR tag:eu)')).toBe("ba");
    expect(await found("tag: (web OR eu)")).toBe("ba");
    expect(await found("disk")).toBe("ba");
    expect(await found("message: Load*")).toBe("c");
    expect(await found("acknowledged: true")).toBe("b");
    expect(await found("priority <= P3")).toBe("ba");
    expect(await found("createdAt > 1500000000000 AND createdAt < 2100-01-01T00:00:00Z")).toBe(
      "cba",
    );
    const page = await call("GET", "/v2/alerts?sort=alias&order=asc&limit=2&offset=1");
    expect(page.body.data.map((it: any) => it.alias)).toEqual(["b", "c"]);
    expect(page.body.paging.prev).toContain("offset=0");
    expect(page.body.paging.next).toBeUndefined();
    expect(page.body.data[0]).not.toHaveProperty("description");
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["offset=x", "offset"],
    ["sort=constructor", "sort"],
    ["order=up", "order"],
    ["query=nothing:1", "query"],
    ["query=constructor:1", "query"],
    ["query=status:constructor", "query"],
    ["query=(a", "query"],
    ["query=a)", "query"],
    ['query="a', "query"],
    ["query=priority:high", "query"],
    [`query=${"a ".repeat(21)}`, "query"],
    [`query=${"(".repeat(20)}`, "query"],
    ["searchIdentifier=mine", "searchIdentifier"],
  ])("%s is rejected with an error for %s", async (query, field) => {
    const { status, body } = await call("GET", `/v2/alerts?${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});

describe("a key", () => {
  test("accesses only alerts of its own integration, and creates nothing by reading", async () => {
    const mine = await create();
    const { tinyId } = await waitForData(`/v2/alerts/${mine.alertId}`, { id: mine.alertId });
    await untilQuiet();
    const beside = await makeIntegration(account);
    const elsewhere = await makeIntegration(await makeAccount());
    const before = await Promise.all(["/alerts", "/integrations"].map(totalOf));
    for (const { intake_key: key } of [beside, elsewhere]) {
      const paths = [
        mine.alertId,
        mine.requestId,
        `${tinyId}?identifierType=tiny`,
        "db-1?identifierType=alias",
        `requests/${mine.requestId}`,
      ];
      for (const path of paths) {
        expect((await call("GET", `/v2/alerts/${path}`, undefined, key)).status, path).toBe(404);
      }
      expect((await call("GET", "/v2/alerts", undefined, key)).body.data).toEqual([]);
      expect((await call("GET", "/v2/alerts/count", undefined, key)).body.data.count).toBe(0);
      for (const path of [mine.alertId, mine.requestId, `${tinyId}/?identifierType=tiny`]) {
        const [id, query = ""] = path.split("/");
        const closed = await submit("POST", `/v2/alerts/${id}/close${query}`, {}, key);
        expect(closed, path).toMatchObject({ success: false, alertId: "" });
      }
    }
    await waitForData(`/v2/alerts/${mine.alertId}`, { status: "open" });
    expect(await Promise.all(["/alerts", "/integrations"].map(totalOf))).toEqual(before);
  });

  test("accesses no other alert by a request whose log quotes that alert's id", async () => {
    const mine = await create();
    const { prefix_id: name } = (await account.api("GET", `/alerts/${mine.alertId}`)).body;
    const { intake_key: key } = await makeIntegration(account);
    const sent = await call(
      "PUT",
      `/v2/alerts/a/${name}/message?identifierType=alias`,
      MESSAGE,
      key,
    );
    const change = { routing_key: key, payload: { summary: `${name} alert ${name}` } };
    await call("POST", "/v2/change/enqueue", change, key);
    const quoting = await vi.waitFor(async () => {
      const logs = (await account.api("GET", "/logs?limit=100")).body.data;
      const found = logs.filter((log: any) => log.details.message.startsWith("Change event"));
      expect(found).toHaveLength(1);
      return found;
    }, soon);
    for (const requestId of [uuidOfId(quoting[0].id), sent.body.requestId]) {
      const closed = await submit("POST", `/v2/alerts/${requestId}/close`, {}, key);
      expect(closed).toMatchObject({ success: false, alertId: "" });
      const noted = await submit("POST", `/v2/alerts/${requestId}/notes`, { note: "x" }, key);
      expect(noted).toMatchObject({ success: false, alertId: "" });
      const asked = await call("GET", `/v2/alerts/requests/${requestId}`, undefined, key);
      expect(asked.body.data.alertId).toBe("");
    }
    await waitForData(`/v2/alerts/${mine.alertId}`, { status: "open" });
  });

  test("that is wrong, or of a disabled integration, is rejected", async () => {
    const tail = integration.intake_key.endsWith("0") ? "1" : "0";
    const paths = ["/v2/alerts", "/v2/alerts/count", "/v2/alerts/x", "/v2/heartbeats"];
    for (const key of ["", "x", "0".repeat(32), integration.intake_key.slice(0, -1) + tail]) {
      for (const path of paths) {
        const { status, body } = await call("GET", path, undefined, key);
        expect([status, body.message]).toEqual([401, "Could not authenticate"]);
      }
    }
    await account.api("PUT", `/integrations/${integration.id}`, { enabled: false });
    expect((await call("GET", "/v2/alerts")).status).toBe(403);
  });

  test("that no replica has yet is found in the primary", async () => {
    const database = Object.getPrototypeOf(env.DB) as D1Database;
    const real = database.withSession;
    const spy = vi.spyOn(database, "withSession").mockImplementation(function (
      this: D1Database,
      constraint,
    ) {
      const session = real.call(this, constraint);
      if (constraint === "first-primary") return session;
      const empty = async (statements: readonly D1PreparedStatement[]) =>
        (await session.batch([...statements])).map((result) => ({ ...result, results: [] }));
      return { prepare: (query: string) => session.prepare(query), batch: empty } as never;
    });
    expect((await call("GET", "/v2/alerts")).status).toBe(200);
    spy.mockRestore();
  });

  test("takes one D1 round trip to read, and none to create an alert", async () => {
    await create();
    // Background work of earlier tests adds round trips: the fewest of several runs count.
    for (const path of ["/v2/alerts?query=status:open", "/v2/alerts/db-1", "/v2/heartbeats"]) {
      expect((await fewestTrips(1, () => call("GET", path))).trips, path).toBe(1);
    }
    const accept = () => call("POST", "/v2/alerts", { message: "a", alias: "a" });
    expect((await fewestTrips(0, accept)).trips).toBe(0);
  });
});

describe("heartbeats", () => {
  const heartbeat = (fields: object = {}) =>
    makeIntegration(account, {
      name: "Nightly backup",
      integration_type_id: "heartbeat",
      option_interval_minutes: 5,
      ...fields,
    });
  const path = "/v2/heartbeats/Nightly%20backup";

  test("with that name and shared destinations are pinged, shown and listed", async () => {
    const { id } = await heartbeat();
    for (const method of ["GET", "POST", "PUT"]) {
      const { status, body } = await call(method, `${path}/ping`);
      expect([status, body.result]).toEqual([202, "PONG - Heartbeat received"]);
    }
    const expected = {
      name: "Nightly backup",
      interval: 5,
      intervalUnit: "minutes",
      enabled: true,
      expired: false,
    };
    await waitForData(path, expected);
    const { body } = await call("GET", "/v2/heartbeats");
    expect(body.data.heartbeats).toMatchObject([expected]);
    await vi.waitFor(async () => {
      const logs = await account.api("GET", `/logs?owner_id=${id}`);
      expect(logs.body.total_count).toBe(3);
    }, soon);
  });

  test("are not found by another name, or without shared destinations", async () => {
    const other = await account.api("POST", "/teams", {
      name: "Others",
      member_account_user_ids: [account.accountUserId],
      admin_account_user_ids: [account.accountUserId],
    });
    await heartbeat({ team_ids: [other.body.id] });
    const before = await totalOf("/integrations");
    for (const name of ["Nightly%20backup", "Hourly", "constructor"]) {
      for (const [method, rest] of [
        ["GET", ""],
        ["GET", "/ping"],
        ["POST", "/ping"],
      ] as const) {
        const { status, body } = await call(method, `/v2/heartbeats/${name}${rest}`);
        expect([status, body.message]).toEqual([404, "Heartbeat does not exist."]);
      }
    }
    expect((await call("GET", "/v2/heartbeats")).body.data.heartbeats).toEqual([]);
    expect(await totalOf("/integrations")).toBe(before);
  });

  test("cannot be changed with a key", async () => {
    await heartbeat();
    for (const [method, at] of [
      ["POST", "/v2/heartbeats"],
      ["PATCH", path],
      ["DELETE", path],
      ["POST", `${path}/disable`],
    ] as const) {
      expect((await call(method, at, { name: "x" })).status).toBe(403);
    }
    await waitForData(path, { enabled: true });
  });
});
