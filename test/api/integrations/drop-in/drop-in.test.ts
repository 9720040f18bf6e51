// The endpoints that imitate other services: PagerDuty's Events APIs v1 and v2, VictorOps' REST endpoint and Opsgenie's
// Alert API, called with an integration's intake key as those services' clients do.
import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { soon } from "../../../support/worker/faults.ts";

/** A POST as those clients send it. The response is documented by those services, not by our reference. */
async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(`https://tocsin.test${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as any };
}

let account: Account;
let integration: { id: string; intake_key: string };
beforeEach(async () => {
  account = await makeAccount();
  const made = await account.api("POST", "/integrations", {
    name: "Legacy",
    urgency: "high",
    integration_type_id: "webhook",
    option_token: "never asked of a key",
    account_user_ids: [account.accountUserId],
  });
  integration = made.body;
});

const alert = async (id: string) =>
  (await account.api("GET", `/alerts?thirdparty_id=${id}`)).body.data[0];
const waitForAlert = (id: string, expected: object) =>
  vi.waitFor(async () => expect(await alert(id)).toMatchObject(expected), soon);

describe("PagerDuty Events API v2", () => {
  const send = (event: object) => post("/v2/enqueue", event);
  const trigger = () => ({
    routing_key: integration.intake_key,
    event_action: "trigger",
    dedup_key: "srv01/http",
    payload: { summary: "Down", source: "srv01", severity: "warning" },
  });

  test("triggers, acknowledges and resolves an alert", async () => {
    const { status, body } = await send(trigger());
    expect([status, body]).toEqual([
      202,
      { status: "success", message: "Event processed", dedup_key: "srv01/http" },
    ]);
    await waitForAlert("srv01/http", { status: "open", title: "Down", urgency: "medium" });
    const { routing_key, dedup_key } = trigger();
    await send({ routing_key, dedup_key, event_action: "acknowledge" });
    await waitForAlert("srv01/http", { status: "acknowledged" });
    await send({ routing_key, dedup_key, event_action: "resolve" });
    await waitForAlert("srv01/http", { status: "resolved" });
  });

  test("generates and returns a dedup_key if there is none", async () => {
    const { dedup_key: _, ...event } = trigger();
    const { status, body } = await send(event);
    expect(status).toBe(202);
    await waitForAlert(body.dedup_key, { title: "Down" });
  });

  test("reports errors in PagerDuty's words", async () => {
    const { status, body } = await send({ event_action: "trigger", payload: { severity: "bad" } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: "invalid event", message: "Event object is invalid" });
    expect(body.errors).toHaveLength(4);
    const tail = integration.intake_key.slice(0, -1);
    const other = tail + (integration.intake_key.endsWith("0") ? "1" : "0");
    for (const routing_key of ["x", other, "0".repeat(32)]) {
      const refused = await send({ ...trigger(), routing_key });
      expect([refused.status, refused.body.errors]).toEqual([400, ["'routing_key' is invalid"]]);
    }
    expect((await post("/v2/enqueue", [1])).status).toBe(400);
  });

  test("accepts and logs change events, and creates no alert", async () => {
    const routing_key = integration.intake_key;
    const body = { routing_key, payload: { summary: "Build 42 deployed", source: "ci" } };
    const { status, body: answer } = await post("/v2/change/enqueue", body);
    expect([status, answer.message]).toEqual([202, "Change event processed"]);
    expect((await account.api("GET", "/alerts")).body.total_count).toBe(0);
    await vi.waitFor(async () => {
      const { data } = (await account.api("GET", `/logs?owner_id=${integration.id}`)).body;
      const message = "Change event: Build 42 deployed (ci)";
      expect(data).toMatchObject([{ details: { message } }]);
    }, soon);
    const invalid = await post("/v2/change/enqueue", { payload: {} });
    expect([invalid.status, invalid.body.errors]).toEqual([
      400,
      ["'routing_key' is missing or blank", "'payload.summary' is missing or blank"],
    ]);
  });
});

describe("PagerDuty Events API v1", () => {
  const send = (event: object) => post("/generic/2010-04-15/create_event.json", event);
  const trigger = () => ({
    service_key: integration.intake_key,
    event_type: "trigger",
    incident_key: "srv01/HTTP",
    description: "HTTP is down on srv01",
    client: "Healthchecks",
    details: { Project: "Ops", last: { status: 500 } },
  });

  test("triggers, acknowledges and resolves an alert", async () => {
    const { status, body } = await send(trigger());
    expect([status, body]).toEqual([
      200,
      { status: "success", message: "Event processed", incident_key: "srv01/HTTP" },
    ]);
    await waitForAlert("srv01/HTTP", {
      status: "open",
      title: "HTTP is down on srv01",
      description: "Project: Ops\nlast:\n  status: 500",
      urgency: "high",
    });
    await send({ ...trigger(), event_type: "acknowledge" });
    await waitForAlert("srv01/HTTP", { status: "acknowledged" });
    await send({ ...trigger(), event_type: "resolve" });
    await waitForAlert("srv01/HTTP", { status: "resolved" });
  });

  test("generates and returns an incident_key if it is missing or blank", async () => {
    const { incident_key: _, ...bare } = trigger();
    for (const event of [bare, { ...bare, incident_key: "" }]) {
      const { status, body } = await send(event);
      expect(status).toBe(200);
      await waitForAlert(body.incident_key, { title: "HTTP is down on srv01" });
    }
  });

  test("reports errors in PagerDuty's words", async () => {
    const { status, body } = await send({ event_type: "resolve" });
    expect([status, body]).toEqual([
      400,
      {
        status: "invalid event",
        message: "Event object is invalid",
        errors: ["'service_key' is missing or blank", "'incident_key' is missing or blank"],
      },
    ]);
    const wrong = await send({ ...trigger(), service_key: "0".repeat(32) });
    expect([wrong.status, wrong.body.errors]).toEqual([400, ["'service_key' is invalid"]]);
    const untitled = await send({ ...trigger(), event_type: "trigger", description: " " });
    expect(untitled.body.errors).toEqual(["'description' is missing or blank"]);
    expect((await send({ ...trigger(), event_type: "snooze" })).status).toBe(400);
    expect((await send({ ...trigger(), incident_key: "x".repeat(256) })).status).toBe(400);
  });
});

describe("VictorOps REST endpoint", () => {
  const send = (body: unknown, key = integration.intake_key) =>
    post(`/integrations/generic/20131114/alert/${key}/everyone`, body);

  test("opens, acknowledges and resolves an alert by entity_id", async () => {
    const about = { entity_id: "db-1/disk", entity_display_name: "Disk full" };
    const { status, body } = await send({ message_type: "CRITICAL", ...about });
    expect([status, body]).toEqual([200, { result: "success", entity_id: "db-1/disk" }]);
    await waitForAlert("db-1/disk", { status: "open", title: "Disk full", urgency: "critical" });
    await send({ message_type: "ACKNOWLEDGEMENT", ...about });
    await waitForAlert("db-1/disk", { status: "acknowledged" });
    await send({ message_type: "RECOVERY", ...about });
    await waitForAlert("db-1/disk", { status: "resolved" });
  });

  test("generates and returns an entity_id if there is none", async () => {
    const { body } = await send({ message_type: "warning", entity_display_name: "Slow" });
    await waitForAlert(body.entity_id, { title: "Slow", urgency: "medium" });
  });

  test("creates no alert from INFO, and does not show the key in the log", async () => {
    expect((await send({ message_type: "INFO", entity_id: "deploy" })).status).toBe(200);
    const logs = await vi.waitFor(async () => {
      const { body, text } = await account.api("GET", `/logs?owner_id=${integration.id}`);
      expect(body.total_count).toBe(1);
      return text;
    }, soon);
    expect(logs).toContain("/alert/***/everyone");
    expect(logs).not.toContain(integration.intake_key);
    expect((await account.api("GET", "/alerts")).body.total_count).toBe(0);
  });

  test("rejects a wrong key and invalid messages", async () => {
    const wrong = await send({ message_type: "CRITICAL" }, "0".repeat(32));
    expect([wrong.status, wrong.body.result]).toEqual([404, "failure"]);
    expect((await send({ message_type: "LOUD" })).status).toBe(400);
    expect((await send([1])).status).toBe(400);
  });
});

describe("Opsgenie Alert API", () => {
  const send = (path: string, body: object, key = integration.intake_key) =>
    post(`/v2/alerts${path}`, body, { authorization: `GenieKey ${key}` });

  test("creates, comments on, acknowledges and closes an alert by alias", async () => {
    const { status, body } = await send("", { message: "Down", alias: "srv 1", priority: "P1" });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      result: "Request will be processed",
      requestId: expect.any(String),
    });
    expect((await send("/srv%201/notes?identifierType=alias", { note: "Looking" })).status).toBe(
      202,
    );
    await waitForAlert("srv%201", { status: "open", title: "Down", urgency: "critical" });
    const { id } = await alert("srv%201");
    const comments = await account.api("GET", `/alerts/${id}/comments`);
    expect(comments.body.data).toMatchObject([{ body: "Looking", created_by_name: "Legacy" }]);
    await send("/srv%201/acknowledge?identifierType=alias", {});
    await waitForAlert("srv%201", { status: "acknowledged" });
    await send("/srv%201/close?identifierType=alias", {});
    await waitForAlert("srv%201", { status: "resolved" });
  });

  test("accepts an alias with slashes, and changes that have no effect", async () => {
    await send("", { message: "Down", alias: "shop/web 1" });
    await waitForAlert("shop/web%201", { status: "open" });
    const headers = { authorization: `GenieKey ${integration.intake_key}` };
    const changes = [
      ["POST", "shop/web%201/snooze?identifierType=alias"],
      ["DELETE", "shop%2Fweb%201/tags?identifierType=alias&tags=a"],
    ] as const;
    for (const [method, path] of changes) {
      const url = `https://tocsin.test/v2/alerts/${path}`;
      expect((await exports.default.fetch(url, { method, headers })).status, path).toBe(202);
    }
    await waitForAlert("shop/web%201", { status: "open", title: "Down" });
    await send("/shop/web%201/close/?identifierType=alias", {});
    await waitForAlert("shop/web%201", { status: "resolved" });
  });

  test("rejects a wrong key and a missing message", async () => {
    const wrong = await send("", { message: "Down" }, "0".repeat(32));
    expect([wrong.status, wrong.body.message]).toEqual([401, "Could not authenticate"]);
    const empty = await send("", {});
    expect([empty.status, empty.body.errors]).toEqual([422, { message: "message is missing" }]);
  });
});
