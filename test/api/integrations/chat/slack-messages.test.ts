// Alerts in Slack: one message for each, which is updated in place, with a thread of its steps.
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import worker from "../../../../src/index.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import {
  alarmOf,
  deliveriesOf,
  makeAlert,
  runDueDeliveries,
} from "../../../support/integrations/outgoing.ts";
import {
  CHANNEL,
  failing,
  makeSlackApp,
  openSlack,
  rateLimited,
  type Slack,
  type SlackIntegration,
  type SlackMessage,
  TOKEN,
} from "../../../support/providers/chat/slack.ts";
import { soon } from "../../../support/worker/faults.ts";

let account: Account;
let slack: Slack;
let integration: SlackIntegration;

beforeEach(async () => {
  slack = openSlack();
  account = await makeAccount("Ada Admin");
  integration = await makeSlackApp(account);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const open = (more: Record<string, unknown> = {}) =>
  makeAlert(account, { destination_account_user_ids: [account.accountUserId] }, more);

async function posted(alertId: string): Promise<SlackMessage> {
  return vi.waitUntil(() => slack.rootOf(alertId), soon);
}

const actionsOf = ({ body }: SlackMessage): string[] =>
  (body.blocks.find((it: { type: string }) => it.type === "actions")?.elements ?? []).map(
    (it: { action_id: string }) => it.action_id,
  );

const statusOf = async () => (await deliveriesOf(account, integration)).map(({ status }) => status);

describe("an alert", () => {
  test("is posted once, with its state, destinations and buttons", async () => {
    const { id } = await open({ description: "97 % of /var" });
    const { body } = await posted(id);
    expect(body).toMatchObject({ channel: CHANNEL, text: "Open: Disk full", parse: "none" });
    const text = JSON.stringify(body.blocks);
    for (const part of ["Disk full", "Open", "silent", "Ada Admin", "97 % of /var"]) {
      expect(text).toContain(part);
    }
    expect(actionsOf(await posted(id))).toEqual([
      ...["acknowledge", "reject", "resolve", "snooze", "hand_off", "open"],
    ]);
    await vi.waitFor(async () => expect(await statusOf()).toEqual(["delivered"]), soon);
  });

  test("is updated in place as it moves, with a thread of the steps", async () => {
    const { id } = await open();
    const { ts } = await posted(id);
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => expect(slack.threadOf(ts)).toEqual(["Acknowledged by Ada Admin"]), soon);
    expect(slack.rootOf(id)?.body.text).toBe("Acknowledged by Ada Admin: Disk full");
    expect(actionsOf(await posted(id))).toEqual(["resolve", "snooze", "hand_off", "open"]);
    await account.api("POST", `/alerts/${id}/resolve`);
    await vi.waitFor(() => expect(slack.threadOf(ts)).toHaveLength(2), soon);
    expect(actionsOf(await posted(id))).toEqual(["open"]);
    expect(slack.rootOf(id)?.ts).toBe(ts);
  });

  test("gets another message if somebody deleted its own", async () => {
    const { id } = await open();
    const { ts } = await posted(id);
    slack.messages.length = 0;
    await account.api("POST", `/alerts/${id}/resolve`);
    const again = await posted(id);
    expect(again.ts).not.toBe(ts);
    expect(again.body.text).toContain("Resolved by Ada Admin");
    await account.api("POST", `/alerts/${id}/reopen`);
    await vi.waitFor(() => expect(slack.threadOf(again.ts)).toHaveLength(1), soon);
  });

  test("has no markup, links or mentions of its sender's", async () => {
    const title = "<!channel> @channel <https://evil.example.com|ok> *b* & `c`";
    const { id } = await open({
      title: `${title} ${"x".repeat(900)}`,
      description: "<!here> ".repeat(1_000),
    });
    const { body } = await posted(id);
    expect(body.text).toContain("&lt;!channel&gt;");
    expect(body.text).not.toMatch(/<[!@#h]/);
    expect([body.parse, body.link_names]).toEqual(["none", false]);
    const kinds = JSON.stringify(body.blocks);
    expect(kinds).not.toContain('"mrkdwn"');
    expect(body.blocks[0].text.text).toHaveLength(150);
  });
});

test("comments made here appear in the thread, whatever they say", async () => {
  const { id } = await open();
  const { ts } = await posted(id);
  await account.api("POST", `/alerts/${id}/comments`, { body: "<!channel> rolled back" });
  await vi.waitFor(() => {
    expect(slack.threadOf(ts)).toEqual(["Comment by Ada Admin\n&lt;!channel&gt; rolled back"]);
  }, soon);
  expect(slack.calls.filter(({ method }) => method === "chat.update")).toEqual([]);
});

test("a test message is posted to the channel", async () => {
  await account.api("POST", `/integrations/${integration.id}/test`);
  await vi.waitFor(() => {
    expect(JSON.stringify(slack.roots())).toContain("This is a test of Slack");
  }, soon);
});

describe("Slack's refusals", () => {
  test("a rate limit pauses for as long as it asks, and loses nothing", async () => {
    slack.failures.push(rateLimited(30));
    const { id } = await open();
    await vi.waitFor(async () => expect(await statusOf()).toEqual(["queued"]), soon);
    await vi.waitFor(async () => {
      const [delivery] = await deliveriesOf(account, integration);
      expect(delivery?.attempts).toBe(1);
    }, soon);
    await vi.waitFor(async () => {
      expect(await alarmOf(integration)).toBeGreaterThan(Date.now() + 20_000);
    }, soon);
    await runDueDeliveries(integration);
    await posted(id);
    await vi.waitFor(async () => expect(await statusOf()).toEqual(["delivered"]), soon);
  });

  test.each([
    failing("internal_error"),
    () => Response.json({ ok: false, error: "service_unavailable" }, { status: 503 }),
    () => new Response("<html>", { status: 502 }),
    () => new Response("<html>"),
  ])("a temporary one is retried (%#)", async (failure) => {
    slack.failures.push(failure);
    const { id } = await open();
    await vi.waitFor(() => expect(slack.calls).toHaveLength(1), soon);
    await runDueDeliveries(integration);
    await posted(id);
  });

  test.each([
    "invalid_auth",
    "channel_not_found",
    "is_archived",
    "token_revoked",
    "not_in_channel",
  ])("%s is permanent, and visible", async (error) => {
    slack.failures.push(failing(error));
    await open();
    await vi.waitFor(async () => expect(await statusOf()).toEqual(["failed"]), soon);
    const [delivery] = await deliveriesOf(account, integration);
    expect(delivery).toMatchObject({ attempts: 1, reason: `Slack answered ${error}` });
    expect(slack.calls).toHaveLength(1);
  });

  test("a call that is done is not repeated with one that failed after it", async () => {
    const { id } = await open();
    const { ts } = await posted(id);
    slack.calls.length = 0;
    const update = () => Response.json({ ok: true, channel: CHANNEL, ts });
    slack.failures.push(update, failing("internal_error"));
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => expect(slack.calls).toHaveLength(2), soon);
    await runDueDeliveries(integration);
    await vi.waitFor(() => expect(slack.threadOf(ts)).toHaveLength(1), soon);
    expect(slack.calls.map(({ method }) => method)).toEqual([
      ...["chat.update", "chat.postMessage", "chat.postMessage"],
    ]);
  });

  test("without a token, nothing is sent, and the reason says so", async () => {
    const bare = await makeSlackApp(account, { option_bot_token: null });
    await open();
    await vi.waitFor(async () => {
      expect(await deliveriesOf(account, bare)).toMatchObject([
        { status: "failed", reason: "the option bot_token is not set" },
      ]);
    }, soon);
  });
});

test("a message that was posted but could not be noted is not posted again", async () => {
  await env.DB.exec(
    "create trigger no_notes before insert on chat_messages begin select raise(abort, 'no'); end",
  );
  const { id } = await open();
  await vi.waitFor(async () => {
    expect(await deliveriesOf(account, integration)).toMatchObject([
      { attempts: 1, reason: "the database cannot be reached" },
    ]);
  }, soon);
  await env.DB.exec("drop trigger no_notes");
  await runDueDeliveries(integration);
  await vi.waitFor(async () => expect(await statusOf()).toEqual(["delivered"]), soon);
  const { ts } = await posted(id);
  const calls = slack.calls.filter(({ body }) => JSON.stringify(body).includes(id));
  expect(calls.map(({ method }) => method)).toEqual(["chat.postMessage"]);
  await account.api("POST", `/alerts/${id}/resolve`);
  await vi.waitFor(() => expect(slack.threadOf(ts)).toHaveLength(1), soon);
});

test("the tokens are in no answer and no log", async () => {
  const logged: unknown[] = [];
  for (const method of ["log", "warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((...parameters) => void logged.push(parameters));
  }
  slack.failures.push(() => new Response(TOKEN, { status: 500 }));
  await open();
  await vi.waitFor(async () => expect((await statusOf()).length).toBe(1), soon);
  await vi.waitFor(() => expect(slack.calls.length).toBeGreaterThan(0), soon);
  const paths = [`/integrations/${integration.id}`, "/integrations", "/deliveries", "/logs"];
  const texts = await Promise.all(paths.map((path) => account.api("GET", path)));
  const all = [...texts.map(({ text }) => text), JSON.stringify(logged)].join("\n");
  expect(all).not.toContain(TOKEN);
  expect(all).not.toContain("8f742231b10e8888");
});

test.each(["alerts", "#general", "D0123456789", "c0123456789"])(
  "%s is no channel's ID",
  async (channel) => {
    const body = { name: "S", urgency: "low", integration_type_id: "slack_app" };
    const made = await account.api("POST", "/integrations", { ...body, option_channel: channel });
    expect([made.status, made.body.errors[0].field]).toEqual([422, "option_channel"]);
  },
);

test("the message of an alert is forgotten with the alert", async () => {
  const { id } = await open();
  await posted(id);
  await account.api("POST", `/alerts/${id}/resolve`);
  const count = env.DB.prepare("select count(*) as n from chat_messages where alert_id = ?");
  await vi.waitFor(async () => expect(await statusOf()).toEqual(["delivered", "delivered"]), soon);
  expect(await count.bind(id).first("n")).toBe(1);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 500 * 86_400_000 });
  await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);
  vi.useRealTimers();
  await vi.waitFor(async () => expect(await count.bind(id).first("n")).toBe(0), soon);
});

test("an account without such an integration stores nothing of it", async () => {
  const other = await makeAccount("Olga Other");
  await makeAlert(other, { destination_account_user_ids: [other.accountUserId] });
  const count = env.DB.prepare("select count(*) as n from chat_messages where account_id = ?");
  expect(await count.bind(other.accountId).first("n")).toBe(0);
});
