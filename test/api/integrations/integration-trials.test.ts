// Testing an integration before use: a preview stores nothing, and a test event creates an alert. Signing secrets are
// stored, verified and never shown.
import { createHmac } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
beforeEach(async () => {
  account = await makeAccount();
});

async function make(type: string, options: object = {}) {
  const { status, body, text } = await account.api("POST", "/integrations", {
    name: "Shop",
    urgency: "low",
    integration_type_id: type,
    account_user_ids: [account.accountUserId],
    ...options,
  });
  if (status !== 201) throw new Error(text);
  return body;
}

const alerts = async () => (await account.api("GET", "/alerts")).body.data;

test("a preview shows the events of a payload with unsaved options, and stores nothing", async () => {
  const { id } = await make("custom_webhook", { option_title_expression: "text" });
  const preview = (body: object) => account.api("POST", `/integrations/${id}/preview`, body);
  const { status, body } = await preview({
    payload: { text: "Down", state: "ok", n: 7 },
    option_title_template: "{{title}} again",
  });
  expect(status).toBe(200);
  expect(body.events).toMatchObject([{ kind: "create", title: "Down again", urgency: "low" }]);
  const other = await preview({
    payload: { text: "Down", state: "ok", n: 7 },
    option_event_type_expression: "state",
    option_id_expression: "n",
  });
  expect(other.body.events).toMatchObject([{ kind: "resolve", thirdparty_id: "7" }]);
  const wrong = await preview({ payload: {}, option_id_expression: "a.[" });
  expect(wrong.status).toBe(422);
  expect(wrong.body.errors).toMatchObject([{ field: "option_id_expression" }]);
  expect(await alerts()).toEqual([]);
  expect((await account.api("GET", "/logs")).body.total_count).toBe(0);
});

test("invalid expressions are rejected on save", async () => {
  const { status, body } = await account.api("POST", "/integrations", {
    name: "Shop",
    urgency: "low",
    integration_type_id: "custom_webhook",
    account_user_ids: [account.accountUserId],
    option_title_expression: "a |",
    option_title_template: "{{#a}}",
  });
  expect(status).toBe(422);
  expect(body.errors.map((error: { field: string }) => error.field).sort()).toEqual([
    "option_title_expression",
    "option_title_template",
  ]);
});

test("a test event is in the sender's format and creates an alert of its own, without a token", async () => {
  const { id } = await make("grafana", {
    option_token: "s3cret",
    option_title_template: "{{title}}!",
  });
  const { status, body } = await account.api("POST", `/integrations/${id}/test`, {});
  expect(status).toBe(200);
  await vi.waitFor(async () => {
    const expected = {
      title: "Test of Shop: High CPU: CPU of web1 is over 90%!",
      thirdparty_id: body.thirdparty_id,
      source_log_id: body.log_id,
      tags: expect.arrayContaining(["severity:critical", "test"]),
    };
    expect(await alerts()).toMatchObject([expected]);
  }, soon);
  await vi.waitFor(async () => {
    const log = (await account.api("GET", `/logs/${body.log_id}`)).body;
    const [alert] = await alerts();
    expect(log.details.sublogs).toMatchObject([{ alert_id: alert.id }]);
    expect(log.details.request.body.groupKey).toMatch(/\S/);
  }, soon);
  await account.api("PUT", `/integrations/${id}`, { enabled: false });
  expect((await account.api("POST", `/integrations/${id}/test`, {})).status).toBe(409);
});

test("a test event needs no signature of the sender, and opens the integration to nobody", async () => {
  const signed = await make("sentry", { option_client_secret: "k3y" });
  const byTopic = await make("aws_cloudwatch", { name: "Cloud" });
  const heartbeat = await make("heartbeat", { name: "Backup", option_interval_minutes: 60 });
  const custom = await make("custom_webhook", { name: "Own", option_title_expression: "text" });
  const made = [signed, byTopic, heartbeat, custom];
  const sent = await Promise.all(
    made.map(({ id }) => account.api("POST", `/integrations/${id}/test`, {})),
  );
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await vi.waitFor(async () => {
    const titles = (await alerts()).map((it: { title: string }) => it.title).sort();
    expect(titles).toEqual([
      "Test of Backup: Test event",
      "Test of Cloud: db-cpu",
      "Test of Own: Test event",
      "Test of Shop: ReferenceError: blooopy is not defined",
    ]);
  }, soon);
  const sample = (await account.api("GET", "/integration_types/aws_cloudwatch")).body.set_up.sample;
  const forged = await call("POST", new URL(byTopic.url).pathname, {
    body: JSON.stringify({ ...sample.body, SigningCertURL: "https://example.com/key.pem" }),
    headers: sample.headers,
  });
  expect(forged.status).toBe(401);
});

test("a signing secret is verified, never shown, and unchanged by ***", async () => {
  const made = await make("sentry", { option_client_secret: "k3y" });
  expect(made.options.client_secret).toBe("***");
  const path = new URL(made.url).pathname;
  const body = JSON.stringify({ id: "1", event: { title: "Oops" }, message: "Oops" });
  const send = (key: string) => {
    const signature = createHmac("sha256", key).update(body).digest("hex");
    const headers = { "content-type": "application/json", "sentry-hook-signature": signature };
    return call("POST", path, { body, headers });
  };
  expect((await send("wrong")).status).toBe(401);
  expect((await send("k3y")).status).toBe(200);
  const changed = await account.api("PUT", `/integrations/${made.id}`, {
    option_client_secret: "***",
    name: "Shop 2",
  });
  expect(changed.body.options.client_secret).toBe("***");
  expect(changed.text).not.toContain("k3y");
  expect((await send("k3y")).status).toBe(200);
  await vi.waitFor(async () => {
    const logs = await account.api("GET", "/logs");
    expect(logs.body.total_count).toBeGreaterThan(2);
    expect(logs.text).not.toContain("k3y");
  }, soon);
});
