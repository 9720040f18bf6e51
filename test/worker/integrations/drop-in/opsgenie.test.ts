// Opsgenie's API as its own clients use it: requests that are asked about, alerts by each kind of identifier, lists,
// counts and heartbeats; and what a key must not reach.
import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { uuidOfId } from "../../../../src/domain/integrations/opsgenie-identifiers.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { soon } from "../../../support/worker/faults.ts";
import { fewestTrips, untilQuiet } from "../../../support/worker/round-trips.ts";

type Integration = { id: string; intake_key: string };

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

async function ask(
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

/** Sends a change and asks at once what became of it, as SDKs do. */
async function done(method: string, path: string, body: object = {}, key?: string): Promise<any> {
  const sent = await ask(method, path, body, key);
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  expect(sent.headers.get("x-request-id")).toBe(sent.body.requestId);
  const status = await ask("GET", `/v2/alerts/requests/${sent.body.requestId}`, undefined, key);
  expect(status.status, JSON.stringify(status.body)).toBe(200);
  return { requestId: sent.body.requestId, ...status.body.data };
}

const create = (body: object = {}, key?: string) =>
  done("POST", "/v2/alerts", { message: "Disk full", alias: "db-1", ...body }, key);

/** Reads from D1, where an alert arrives a moment later. */
const shown = (path: string, expected: object, key?: string) =>
  vi.waitFor(async () => {
    const { status, body } = await ask("GET", path, undefined, key);
    expect([status, body.data]).toEqual([200, expect.objectContaining(expected)]);
    return body.data;
  }, soon);

const numberOf = async (path: string) => (await account.api("GET", path)).body.total_count;

describe("requests", () => {
  test("a create, asked about at once, names its alert", async () => {
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

  test("each is still known once its log is written, and says what failed", async () => {
    const { alertId, requestId } = await create();
    await untilQuiet();
    await shown(`/v2/alerts/requests/${requestId}`, { alertId, alias: "db-1", action: "Create" });
    const path = "/v2/alerts/db-1";
    const by = "?identifierType=alias";
    const acknowledged = await done("POST", `${path}/acknowledge${by}`);
    expect(acknowledged).toMatchObject({ action: "Acknowledge", success: true, alertId });
    expect(await done("POST", `${path}/acknowledge${by}`)).toMatchObject({
      success: false,
      status: expect.stringContaining("Alert is already"),
    });
    expect(await done("POST", `${path}/notes${by}`, { note: "Looking" })).toMatchObject({
      action: "AddNote",
      success: true,
      alertId,
    });
    expect(await done("POST", `/v2/alerts/nothing/notes${by}`, { note: "x" })).toMatchObject({
      success: false,
      status: expect.stringContaining("There is no open alert"),
    });
    expect(await done("POST", `${path}/close${by}`)).toMatchObject({ action: "Close" });
    expect(await done("POST", `/v2/alerts/nothing/close${by}`)).toMatchObject({
      success: false,
      status: expect.stringContaining("There is no open alert"),
    });
    expect(await done("POST", `${path}/unacknowledge${by}`)).toMatchObject({
      success: false,
      status: "unacknowledge changes nothing here",
    });
  });

  test("one that never was is not found, in that API's shape", async () => {
    for (const id of ["7d1d6a2e-7a2b-4f43-9f3c-2f8f1f6f4c11", "x", "constructor"]) {
      const { status, body, headers } = await ask("GET", `/v2/alerts/requests/${id}`);
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

describe("an alert", () => {
  const whole = {
    message: "Disk full",
    description: "97 %",
    priority: "P2",
    tags: ["db"],
    details: { region: "eu" },
    entity: "db-1",
    source: "nagios",
  };

  test("is found by its id, its request's, its short number, its alias", async () => {
    const { alertId, requestId } = await create(whole);
    const alert = await shown(`/v2/alerts/${alertId}`, {
      ...whole,
      id: alertId,
      alias: "db-1",
      status: "open",
      acknowledged: false,
      count: 1,
      responders: [{ type: "user", id: account.accountUserId }],
      integration: { id: integration.id, name: "Legacy", type: "API" },
    });
    const ways = [
      `${alertId}?identifierType=id`,
      requestId,
      `${alert.tinyId}?identifierType=tiny`,
      "db-1?identifierType=alias",
    ];
    for (const way of ways) await shown(`/v2/alerts/${way}`, { id: alertId });
    const missing = await ask("GET", "/v2/alerts/other?identifierType=alias");
    expect([missing.status, missing.body.message]).toEqual([404, "Alert does not exist."]);
    const other = await ask("GET", `/v2/alerts/${alertId}?identifierType=alias`);
    expect(other.status).toBe(404);
  });

  test.each(["id", "request", "tiny", "alias"] as const)(
    "is acknowledged, noted and closed by its %s",
    async (way) => {
      const { alertId, requestId } = await create();
      const { tinyId } = await shown(`/v2/alerts/${alertId}`, { id: alertId });
      const path = {
        id: [alertId, ""],
        request: [requestId, ""],
        tiny: [tinyId, "?identifierType=tiny"],
        alias: ["db-1", "?identifierType=alias"],
      }[way];
      // The request's log is written by now: what it named is in D1 alone.
      if (way === "request") await untilQuiet();
      const act = (action: string, body = {}) =>
        done("POST", `/v2/alerts/${path[0]}/${action}${path[1]}`, body);
      expect(await act("acknowledge")).toMatchObject({ success: true });
      await shown(`/v2/alerts/${alertId}`, { acknowledged: true, isSeen: true });
      expect(await act("notes", { note: "Looking" })).toMatchObject({ success: true });
      expect(await act("close")).toMatchObject({ success: true });
      await shown(`/v2/alerts/${alertId}`, { status: "closed", report: expect.any(Object) });
      const comments = await account.api("GET", `/alerts/${alertId}/comments`);
      expect(comments.body.data).toMatchObject([{ body: "Looking" }]);
      // The closed one is over: the next of its alias is another.
      expect((await create()).alertId).not.toBe(alertId);
    },
  );

  test("without an alias is closed by the request that created it, sent at once", async () => {
    const sent = await ask("POST", "/v2/alerts", { message: "Disk full" });
    const closed = await done("POST", `/v2/alerts/${sent.body.requestId}/close`);
    expect(closed).toMatchObject({ success: true, action: "Close" });
    await shown(`/v2/alerts/${sent.body.requestId}`, { status: "closed" });
    expect(await numberOf("/alerts")).toBe(1);
  });

  test("is linked to as Zabbix links to it", async () => {
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
    await done("POST", "/v2/alerts/c/close?identifierType=alias");
    await done("POST", "/v2/alerts/b/acknowledge?identifierType=alias");
    await shown("/v2/alerts/c?identifierType=alias", { status: "closed" });
    await shown("/v2/alerts/b?identifierType=alias", { acknowledged: true });
    const found = async (query: string) => {
      const { status, body } = await ask("GET", `/v2/alerts?query=${encodeURIComponent(query)}`);
      expect(status, JSON.stringify(body)).toBe(200);
      const count = await ask("GET", `/v2/alerts/count?query=${encodeURIComponent(query)}`);
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
    const page = await ask("GET", "/v2/alerts?sort=alias&order=asc&limit=2&offset=1");
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
  ])("%s is refused, naming %s", async (query, field) => {
    const { status, body } = await ask("GET", `/v2/alerts?${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});

describe("a key", () => {
  test("reaches no alert but those of its own integration, and makes nothing by reading", async () => {
    const mine = await create();
    const { tinyId } = await shown(`/v2/alerts/${mine.alertId}`, { id: mine.alertId });
    await untilQuiet();
    const beside = await makeIntegration(account);
    const elsewhere = await makeIntegration(await makeAccount());
    const before = await Promise.all(["/alerts", "/integrations"].map(numberOf));
    for (const { intake_key: key } of [beside, elsewhere]) {
      const paths = [
        mine.alertId,
        mine.requestId,
        `${tinyId}?identifierType=tiny`,
        "db-1?identifierType=alias",
        `requests/${mine.requestId}`,
      ];
      for (const path of paths) {
        expect((await ask("GET", `/v2/alerts/${path}`, undefined, key)).status, path).toBe(404);
      }
      expect((await ask("GET", "/v2/alerts", undefined, key)).body.data).toEqual([]);
      expect((await ask("GET", "/v2/alerts/count", undefined, key)).body.data.count).toBe(0);
      for (const path of [mine.alertId, mine.requestId, `${tinyId}/?identifierType=tiny`]) {
        const [id, query = ""] = path.split("/");
        const closed = await done("POST", `/v2/alerts/${id}/close${query}`, {}, key);
        expect(closed, path).toMatchObject({ success: false, alertId: "" });
      }
    }
    await shown(`/v2/alerts/${mine.alertId}`, { status: "open" });
    expect(await Promise.all(["/alerts", "/integrations"].map(numberOf))).toEqual(before);
  });

  test("reaches no other alert by a request whose log quotes its name", async () => {
    const mine = await create();
    const { prefix_id: name } = (await account.api("GET", `/alerts/${mine.alertId}`)).body;
    const { intake_key: key } = await makeIntegration(account);
    const sent = await ask("PUT", `/v2/alerts/a/${name}/message?identifierType=alias`, {}, key);
    const change = { routing_key: key, payload: { summary: `${name} alert ${name}` } };
    await ask("POST", "/v2/change/enqueue", change, key);
    const quoting = await vi.waitFor(async () => {
      const logs = (await account.api("GET", "/logs?limit=100")).body.data;
      const found = logs.filter((log: any) => log.details.message.startsWith("Change event"));
      expect(found).toHaveLength(1);
      return found;
    }, soon);
    for (const requestId of [uuidOfId(quoting[0].id), sent.body.requestId]) {
      const closed = await done("POST", `/v2/alerts/${requestId}/close`, {}, key);
      expect(closed).toMatchObject({ success: false, alertId: "" });
      const noted = await done("POST", `/v2/alerts/${requestId}/notes`, { note: "x" }, key);
      expect(noted).toMatchObject({ success: false, alertId: "" });
      const asked = await ask("GET", `/v2/alerts/requests/${requestId}`, undefined, key);
      expect(asked.body.data.alertId).toBe("");
    }
    await shown(`/v2/alerts/${mine.alertId}`, { status: "open" });
  });

  test("that is wrong, or of a disabled integration, reads nothing", async () => {
    const tail = integration.intake_key.endsWith("0") ? "1" : "0";
    const paths = ["/v2/alerts", "/v2/alerts/count", "/v2/alerts/x", "/v2/heartbeats"];
    for (const key of ["", "x", "0".repeat(32), integration.intake_key.slice(0, -1) + tail]) {
      for (const path of paths) {
        const { status, body } = await ask("GET", path, undefined, key);
        expect([status, body.message]).toEqual([401, "Could not authenticate"]);
      }
    }
    await account.api("PUT", `/integrations/${integration.id}`, { enabled: false });
    expect((await ask("GET", "/v2/alerts")).status).toBe(403);
  });

  test("costs one trip to D1 for a read, and none for an alert accepted", async () => {
    await create();
    // What earlier tests have left running asks too: the fewest of a few tries are the request's own.
    for (const path of ["/v2/alerts?query=status:open", "/v2/alerts/db-1", "/v2/heartbeats"]) {
      expect((await fewestTrips(1, () => ask("GET", path))).trips, path).toBe(1);
    }
    const accept = () => ask("POST", "/v2/alerts", { message: "a", alias: "a" });
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

  test("of that name that share the destinations are pinged, shown and listed", async () => {
    const { id } = await heartbeat();
    for (const method of ["GET", "POST", "PUT"]) {
      const { status, body } = await ask(method, `${path}/ping`);
      expect([status, body.result]).toEqual([202, "PONG - Heartbeat received"]);
    }
    const known = {
      name: "Nightly backup",
      interval: 5,
      intervalUnit: "minutes",
      enabled: true,
      expired: false,
    };
    await shown(path, known);
    const { body } = await ask("GET", "/v2/heartbeats");
    expect(body.data.heartbeats).toMatchObject([known]);
    await vi.waitFor(async () => {
      const logs = await account.api("GET", `/logs?owner_id=${id}`);
      expect(logs.body.total_count).toBe(3);
    }, soon);
  });

  test("are not found under another name, or with destinations that the key has not", async () => {
    const other = await account.api("POST", "/teams", {
      name: "Others",
      member_account_user_ids: [account.accountUserId],
      admin_account_user_ids: [account.accountUserId],
    });
    await heartbeat({ team_ids: [other.body.id] });
    const before = await numberOf("/integrations");
    for (const name of ["Nightly%20backup", "Hourly", "constructor"]) {
      for (const [method, rest] of [
        ["GET", ""],
        ["GET", "/ping"],
        ["POST", "/ping"],
      ] as const) {
        const { status, body } = await ask(method, `/v2/heartbeats/${name}${rest}`);
        expect([status, body.message]).toEqual([404, "Heartbeat does not exist."]);
      }
    }
    expect((await ask("GET", "/v2/heartbeats")).body.data.heartbeats).toEqual([]);
    expect(await numberOf("/integrations")).toBe(before);
  });

  test("are not changed by a key", async () => {
    await heartbeat();
    for (const [method, at] of [
      ["POST", "/v2/heartbeats"],
      ["PATCH", path],
      ["DELETE", path],
      ["POST", `${path}/disable`],
    ] as const) {
      expect((await ask(method, at, { name: "x" })).status).toBe(403);
    }
    await shown(path, { enabled: true });
  });
});
