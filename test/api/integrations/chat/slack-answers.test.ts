// Answers from Slack: by whom, with which permission, and what is said to somebody who may not.
import { env } from "cloudflare:workers";
import { verifySlackRequest } from "slack-edge";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chatLink } from "../../../../src/features/people/chat-accounts/chat-links.ts";
import { type Account, call, makeAccount } from "../../../support/api/api.ts";
import { makeAlert } from "../../../support/integrations/outgoing.ts";
import { linkIn, linkSlackUser } from "../../../support/providers/chat/linking.ts";
import {
  fromSlack,
  interactionOf,
  makeSlackApp,
  openSlack,
  pressed,
  SIGNING_SECRET,
  type Slack,
  type SlackIntegration,
  type SlackMessage,
  signedHeaders,
} from "../../../support/providers/chat/slack.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { newBrowser, signIn } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

const [ADA, BEN, EVE] = ["U0ADA", "U0BEN", "U0EVE"];

let account: Account;
let ben: Person;
let slack: Slack;
let integration: SlackIntegration;

beforeEach(async () => {
  slack = openSlack();
  account = await makeAccount("Ada Admin");
  ben = await makePerson(account, "Ben Backup");
  integration = await makeSlackApp(account, { option_everything: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** An alert that is posted, for Ben unless another person is named. */
async function open(to = ben.accountUserId): Promise<{ id: string; message: () => SlackMessage }> {
  const { id } = await makeAlert(account, { destination_account_user_ids: [to] });
  await vi.waitUntil(() => slack.rootOf(id), soon);
  return { id, message: () => slack.rootOf(id) as SlackMessage };
}

const alertOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body;
const press = (message: SlackMessage, action: string, user: string, value?: string) =>
  fromSlack(integration, "interactions", pressed(message, action, user, value));
const link = (user: string, accountUserId: string) =>
  linkSlackUser(integration, user, accountUserId);

describe("linking", () => {
  test("an account that nobody linked gets a link, and changes nothing", async () => {
    const { id, message } = await open();
    expect((await press(message(), "acknowledge", BEN)).status).toBe(200);
    expect(slack.told).toHaveLength(1);
    expect((await alertOf(id)).status).toBe("open");
    const path = linkIn(slack.told[0] ?? "");
    expect((await newBrowser().get(path)).to).toContain("/sign-in");
    const browser = await signIn(ben.accountUserId);
    const page = await browser.get(path);
    expect(page.text).toContain("u0ben");
    expect((await press(message(), "acknowledge", BEN)).status).toBe(200);
    expect((await alertOf(id)).status).toBe("open");
    expect((await browser.submit(path)).to).toBe("/settings#chats");
    await press(message(), "acknowledge", BEN);
    expect((await alertOf(id)).status).toBe("acknowledged");
    await vi.waitFor(() => {
      expect(message().body.text).toBe("Acknowledged by Ben Backup: Disk full");
    }, soon);
  });

  test("only a member of the account may follow it, while it is valid", async () => {
    const { message } = await open();
    await press(message(), "acknowledge", EVE);
    const path = linkIn(slack.told[0] ?? "");
    const other = await makeAccount("Olga Other");
    const stranger = await signIn(other.accountUserId);
    expect((await stranger.get(path)).status).toBe(403);
    expect((await stranger.submit(path)).status).toBe(403);
    const browser = await signIn(ben.accountUserId);
    expect((await browser.get(`${path}x`)).status).toBe(404);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    expect((await browser.get(path)).status).toBe(410);
    expect((await browser.submit(path)).status).toBe(410);
    vi.useRealTimers();
    const count = env.DB.prepare("select count(*) as n from chat_accounts where account_id = ?");
    expect(await count.bind(account.accountId).first("n")).toBe(0);
  });

  test("an account is one person's, until they unlink it or leave", async () => {
    const { id, message } = await open(account.accountUserId);
    const mailbox = openMailbox();
    await link(BEN, ben.accountUserId);
    const [linked] = (await benApi("GET", "/chat_accounts")).body.data;
    expect(linked).toMatchObject({ product: "slack", chat_user_id: BEN, name: "u0ben" });
    await vi.waitFor(() => {
      expect(mailbox.security.map(({ to, text }) => `${to}: ${text}`).join()).toContain(
        "The chat account u0ben in Slack can now act as you",
      );
    }, soon);
    // The link of the first button, followed by another member.
    const person = { workspaceId: "T0123456789", userId: BEN, name: "u0ben" };
    const subject = { accountId: account.accountId, product: "slack", person } as const;
    const url = await chatLink(env, subject, Date.now());
    const ada = await signIn(account.accountUserId);
    expect((await ada.submit(linkIn(url ?? ""))).status).toBe(409);
    const settings = await signIn(ben.accountUserId);
    expect((await settings.get("/settings")).text).toContain("Slack: u0ben");
    await settings.submit(`/settings/chats/${linked.id}/remove`);
    await press(message(), "resolve", BEN);
    expect((await alertOf(id)).status).toBe("open");
    await link(BEN, ben.accountUserId);
    expect((await account.api("DELETE", `/account_users/${ben.accountUserId}`)).status).toBe(204);
    await press(message(), "resolve", BEN);
    expect((await alertOf(id)).status).toBe("open");
    expect(slack.told.at(-1)).toContain("/chat/link/");
  });

  test("an account of a pending membership does not work", async () => {
    const { id, message } = await open();
    await link(BEN, ben.accountUserId);
    await env.DB.prepare("update account_users set state = 'pending' where id = ?")
      .bind(ben.accountUserId)
      .run();
    await press(message(), "resolve", BEN);
    expect((await alertOf(id)).status).toBe("open");
  });

  const benApi = (method: string, path: string) => call(method, `/api/v4${path}`, { key: ben.key });
});

describe("the buttons", () => {
  beforeEach(async () => {
    await link(BEN, ben.accountUserId);
    slack.told.length = 0;
  });

  test("acknowledge, then resolve", async () => {
    const { id, message } = await open();
    await press(message(), "acknowledge", BEN);
    expect((await alertOf(id)).status).toBe("acknowledged");
    await vi.waitFor(() => expect(message().body.text).toContain("Acknowledged by Ben"), soon);
    await press(message(), "resolve", BEN);
    expect((await alertOf(id)).status).toBe("resolved");
    expect(slack.told).toEqual([]);
  });

  test("reject", async () => {
    const { id, message } = await open();
    await press(message(), "reject", BEN);
    const { body } = await account.api("GET", `/alerts/${id}/workflows`);
    expect(body.data.map((it: { state: string }) => it.state)).toEqual(["rejected"]);
    await press(message(), "reject", BEN);
    expect(slack.told).toEqual([expect.stringMatching(/^Passed on, already by you at <!date/)]);
  });

  test("snooze for the chosen time", async () => {
    const { id, message } = await open();
    await press(message(), "snooze", BEN, "60");
    const { snoozed_until: until } = await alertOf(id);
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(59 * 60_000);
    expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(60 * 60_000);
    await press(message(), "snooze", BEN, "1");
    expect((await alertOf(id)).snoozed_until).toBe(until);
  });

  test("hand off to a team or person that the menu finds", async () => {
    const { id, message } = await open();
    const search = (user: string, value: string) =>
      fromSlack(
        integration,
        "choices",
        interactionOf({
          ...{ type: "block_suggestion", action_id: "hand_off", block_id: `alert:${id}`, value },
          user: { id: user, username: user },
        }),
      );
    expect((await search(EVE, "")).body).toEqual({ options: [] });
    const { options } = (await search(BEN, "ADMIN")).body;
    expect(options).toMatchObject([{ text: { type: "plain_text", text: "Ada Admin" } }]);
    // Slack takes the first by Enter: somebody whose name begins so, not one that contains it.
    for (const name of ["Adriána Zoll", "Hana Mori", "Ana Lima"]) await makePerson(account, name);
    const found = (await search(BEN, "ána")).body.options.map((it: any) => it.text.text);
    expect(found).toEqual(["Ana Lima", "Adriána Zoll", "Hana Mori"]);
    await press(message(), "hand_off", BEN, options[0].value);
    const { body } = await account.api("GET", `/alerts/${id}/workflows`);
    const running = body.data.filter((it: { state: string }) => it.state === "open");
    expect(running).toMatchObject([{ destination_id: account.accountUserId }]);
  });

  test("a late tap says who was first, and when", async () => {
    await link(ADA, account.accountUserId);
    const { id, message } = await open();
    const before = message();
    const body = { ...before, body: structuredClone(before.body) };
    await press(body, "acknowledge", BEN);
    await press(body, "acknowledge", ADA);
    expect((await alertOf(id)).status).toBe("acknowledged");
    expect(slack.told).toEqual([
      expect.stringMatching(
        /Acknowledged by Ben Backup.* at <!date\^\d+\^\{time\}\|\d\d:\d\d UTC>\.$/,
      ),
    ]);
  });

  test("a button of another account's alert does nothing", async () => {
    const other = await makeAccount("Olga Other");
    const foreign = await makeAlert(other, { destination_account_user_ids: [other.accountUserId] });
    const { message } = await open();
    const body = JSON.parse(
      JSON.stringify(message().body).replaceAll(/alert:[0-9A-Z]{26}/g, `alert:${foreign.id}`),
    );
    await press({ ...message(), body }, "acknowledge", BEN);
    expect(slack.told).toEqual(["Nothing was changed. No such alert."]);
    expect((await other.api("GET", `/alerts/${foreign.id}`)).body.status).toBe("open");
  });

  test("a link is only acknowledged, and an unknown shape ignored", async () => {
    const { message } = await open();
    expect((await press(message(), "open", BEN)).status).toBe(200);
    for (const payload of [
      {},
      { type: "view_submission" },
      { user: { id: BEN } },
      { actions: 1 },
    ]) {
      const { status } = await fromSlack(integration, "interactions", interactionOf(payload));
      expect(status).toBe(200);
    }
    expect((await fromSlack(integration, "interactions", "payload=%7B")).status).toBe(200);
    expect((await fromSlack(integration, "interactions", "x=1")).status).toBe(400);
  });

  test("an answer for the person is only sent to Slack", async () => {
    const { message } = await open();
    const payload = new URLSearchParams(pressed(message(), "acknowledge", EVE)).get("payload");
    const forged = payload?.replace("hooks.slack.com", "hooks.slack.com.evil.example.com") ?? "";
    const body = new URLSearchParams({ payload: forged }).toString();
    expect((await fromSlack(integration, "interactions", body)).status).toBe(200);
    expect(slack.told).toEqual([]);
  });
});

describe("a request", () => {
  test("is signed as Slack's own library checks", async () => {
    const body = interactionOf({ type: "block_actions" });
    const headers = new Headers(signedHeaders(body));
    expect(await verifySlackRequest(SIGNING_SECRET, headers, body)).toBe(true);
    expect((await fromSlack(integration, "interactions", body)).status).toBe(200);
  });

  test("that is forged, changed or old is refused", async () => {
    await link(BEN, ben.accountUserId);
    const { id, message } = await open();
    const body = pressed(message(), "resolve", BEN);
    const old = Date.now() - 310_000;
    const cases: Record<string, string>[] = [
      {},
      signedHeaders(body, { secret: "another secret" }),
      signedHeaders(`${body}&x=1`),
      signedHeaders(body, { at: old }),
      signedHeaders(body, { at: Date.now() + 310_000 }),
      { ...signedHeaders(body), "X-Slack-Request-Timestamp": String(Math.floor(old / 1000)) },
      { ...signedHeaders(body), "X-Slack-Signature": "v0=" },
    ];
    for (const headers of cases) {
      for (const path of ["interactions", "choices", "commands", "events"] as const) {
        expect((await fromSlack(integration, path, body, headers)).status).toBe(403);
      }
    }
    expect((await alertOf(id)).status).toBe("open");
  });

  test("that comes again is refused", async () => {
    await link(BEN, ben.accountUserId);
    const { id, message } = await open();
    const body = pressed(message(), "resolve", BEN);
    const headers = signedHeaders(body);
    expect((await fromSlack(integration, "interactions", body, headers)).status).toBe(200);
    await account.api("POST", `/alerts/${id}/reopen`);
    expect((await fromSlack(integration, "interactions", body, headers)).status).toBe(403);
    expect((await alertOf(id)).status).toBe("open");
  });

  test("to an unknown, disabled or unsigned integration, or one of another type, finds nothing", async () => {
    const body = interactionOf({ type: "block_actions" });
    const unsigned = await makeSlackApp(account, { option_signing_secret: null });
    const made = await account.api("POST", "/integrations", {
      ...{ name: "Hook", urgency: "low", integration_type_id: "webhook" },
      account_user_ids: [account.accountUserId],
    });
    await account.api("PUT", `/integrations/${integration.id}`, { enabled: false });
    for (const prefixId of [
      ...["int_AAAAAAAAAAAAAA", "x", made.body.prefix_id],
      ...[unsigned.prefixId, integration.prefixId],
    ]) {
      const { status } = await fromSlack({ id: "", prefixId }, "interactions", body);
      expect(status).toBe(404);
    }
  });
});
