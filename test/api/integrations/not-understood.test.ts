// An event that its integration's type does not understand is logged as a warning, and shown at the integration until
// somebody has read it.
import { beforeEach, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let integration: { id: string; prefix_id: string; url: string };
beforeEach(async () => {
  account = await makeAccount();
  const { body } = await account.api("POST", "/integrations", {
    name: "Shop tickets",
    urgency: "high",
    integration_type_id: "zendesk",
    account_user_ids: [account.accountUserId],
  });
  integration = body;
});

const ticket = (id: string, event_type: string) => ({ id, event_type, title: `Ticket ${id}` });
const send = async (body: unknown) => {
  const { status } = await call("POST", new URL(integration.url).pathname, { body });
  expect(status).toBe(200);
};
const shown = async () => (await account.api("GET", `/integrations/${integration.id}`)).body;

test("an unknown state is a warning at the integration until it is read, and again after", async () => {
  expect(await shown()).toMatchObject({ not_understood_at: null });
  await send(ticket("1", "escalated"));
  await vi.waitFor(async () => {
    expect((await shown()).not_understood_at).toMatch(/^\d{4}-/);
  }, soon);
  const { body } = await account.api("GET", `/logs?owner_id=${integration.id}&level=warn`);
  expect(body.data[0].details.message).toBe("Not understood: unknown event_type escalated");
  const read = await account.api("PUT", `/integrations/${integration.id}`, {
    not_understood_at: null,
  });
  expect(read.body).toMatchObject({ name: "Shop tickets", not_understood_at: null });
  await send(ticket("1", "comment"));
  await send(ticket("2", "escalated"));
  await vi.waitFor(async () => {
    expect((await shown()).not_understood_at).toMatch(/^\d{4}-/);
  }, soon);
});

test("nobody can set when it was", async () => {
  const { status, body } = await account.api("PUT", `/integrations/${integration.id}`, {
    not_understood_at: "2026-01-01T00:00:00Z",
  });
  expect(status).toBe(422);
  expect(body.errors[0].field).toBe("not_understood_at");
});

test("of a list, the events that are understood act, and the log warns of the others", async () => {
  await send([ticket("1", "escalated"), ticket("2", "create"), { event_type: "resolve" }]);
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", `/logs?owner_id=${integration.id}`);
    const messages = body.data[0].details.sublogs.map((it: { message: string }) => it.message);
    expect(messages).toEqual([
      expect.stringMatching(/^Created alert /),
      "Not understood: unknown event_type escalated; the payload has no identifier of the alert to resolve",
    ]);
    expect((await shown()).not_understood_at).not.toBeNull();
  }, soon);
  expect((await account.api("GET", "/alerts")).body.total_count).toBe(1);
});

test("the console shows it at the integration and in the list, until it is marked as read", async () => {
  const browser = await signInAdmin(account);
  const path = `/integrations/${integration.prefix_id}`;
  expect((await browser.get(path)).text).not.toContain("was not understood");
  await send(ticket("1", "escalated"));
  await vi.waitFor(async () => {
    const { text } = await browser.get(path);
    expect(text).toContain("An event was not understood.");
    expect(text).toContain("Not understood: unknown event_type escalated");
  }, soon);
  expect((await browser.get("/integrations")).text).toContain("not understood");
  await browser.submit(`${path}/read`);
  expect((await browser.get(path)).text).not.toContain("An event was not understood.");
  expect((await browser.get("/integrations")).text).not.toContain("not understood");
});
