// Direct messages in Slack from end to end: an address is proven, an alert is sent by the account's app and
// answered by its buttons, and a person who cannot be reached leads to the next channel.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";
import { linkSlackUser } from "../../support/providers/chat/linking.ts";
import {
  DIRECT,
  failing,
  fromSlack,
  MEMBER,
  makeSlackApp,
  openSlack,
  pressed,
  rateLimited,
  type Slack,
  type SlackIntegration,
  type SlackMessage,
} from "../../support/providers/chat/slack.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let slack: Slack;
let app: SlackIntegration;

beforeEach(async () => {
  openMailbox();
  slack = openSlack();
  account = await makeAccount();
  app = await makeSlackApp(account);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const isDirect = ({ body }: SlackMessage) => [MEMBER, DIRECT].includes(body.channel);
const direct = (): SlackMessage[] => slack.messages.filter(isDirect);

test("is offered in My settings while the account has an enabled app", async () => {
  const browser = await signInAdmin(account);
  const offers = async () => {
    const { text } = await browser.get("/settings");
    return ["ntfy", "slack", "teams"].filter((channel) =>
      text.includes(`href="/settings?channel=${channel}#addresses"`),
    );
  };
  expect(await offers()).toEqual(["ntfy", "slack"]);
  await account.api("PUT", `/integrations/${app.id}`, { enabled: false });
  expect(await offers()).toEqual(["ntfy"]);
});

/** A person with a confirmed address in Slack, and e-mail. */
async function makeOwner(notify_email = false): Promise<Colleague> {
  const person = await addColleague(account, "Sally Slack");
  const settings = { member_id: MEMBER };
  const made = await person.api("POST", "/channel_addresses", { channel: "slack", settings });
  expect(made.status, made.text).toBe(201);
  const path = `/channel_addresses/${made.body.id}`;
  expect((await person.api("POST", `${path}/send_code`)).body.sent).toBe(true);
  const code = /^\d{6}/.exec(direct().at(-1)?.body.text)?.[0];
  expect((await person.api("POST", `${path}/confirm`, { code })).body.confirmed_at).not.toBeNull();
  await person.api("PUT", `/users/${person.userId}`, { notify_email, notify_push: false });
  slack.messages.length = 0;
  return person;
}

async function alertFor({ id }: Colleague): Promise<string> {
  const { body, status, text } = await account.api("POST", "/alerts", {
    ...{ title: "Disk <full>", urgency: "high", destination_account_user_ids: [id] },
  });
  expect(status, text).toBe(201);
  return body.id;
}

const statusOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body.status;

const untilShown = (alertId: string, expected: readonly object[]) =>
  vi.waitFor(async () => {
    const { body } = await account.api("GET", `/alerts/${alertId}/notifications`);
    expect(body.data).toMatchObject(expected);
  }, soon);

/** The message of a person's alert, once it is sent. */
async function open(): Promise<{ id: string; message: SlackMessage; owner: Colleague }> {
  const owner = await makeOwner();
  const id = await alertFor(owner);
  await untilShown(id, [{ channel: "slack", status: "sent" }]);
  return { id, message: direct()[0] as SlackMessage, owner };
}

test("an alert is answered by the buttons of its message, once the account is linked", async () => {
  const { id, message, owner } = await open();
  expect(message.body.text).toBe("Disk &lt;full&gt;");
  await fromSlack(app, "interactions", pressed(message, "acknowledge", MEMBER));
  expect(slack.told.at(-1)).toContain("Link your Slack account to Tocsin first");
  expect(await statusOf(id)).toBe("open");
  await linkSlackUser(app, MEMBER, owner.id);
  await fromSlack(app, "interactions", pressed(message, "acknowledge", MEMBER));
  expect(await statusOf(id)).toBe("acknowledged");
  await vi.waitFor(() => {
    expect(message.body.text).toMatch(/^Acknowledged by Sally Slack .*: Disk &lt;full&gt;$/);
    expect(message.body.blocks).toHaveLength(1);
  }, soon);
});

test("an answer elsewhere replaces the buttons; a late press says who was first", async () => {
  const { id, message, owner } = await open();
  await linkSlackUser(app, MEMBER, owner.id);
  const late = pressed(message, "reject", MEMBER);
  await account.api("POST", `/alerts/${id}/acknowledge`);
  await vi.waitFor(() => expect(message.body.text).toMatch(/^Acknowledged by .*: Disk/), soon);
  await fromSlack(app, "interactions", late);
  await vi.waitFor(() => {
    expect(slack.told.at(-1)).toMatch(/^Nothing was changed.*Acknowledged by/s);
  }, soon);
});

test("a person whom Slack does not know leads to the next channel", async () => {
  const owner = await makeOwner(true);
  slack.failures.push(failing("user_not_found"));
  const id = await alertFor(owner);
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", `/alerts/${id}/notifications`);
    expect(body.data).toContainEqual(
      expect.objectContaining({
        ...{ channel: "slack", status: "failed", reason: "Slack answered user_not_found" },
      }),
    );
    expect(body.data).toContainEqual(expect.objectContaining({ channel: "email", status: "sent" }));
  }, soon);
  const { body } = await owner.api("GET", "/channel_addresses");
  expect(body.data[0].failure).toBe("Slack answered user_not_found");
});

test("a rate limit is waited for", async () => {
  const owner = await makeOwner();
  slack.failures.push(rateLimited(1));
  const id = await alertFor(owner);
  await untilShown(id, [{ channel: "slack", status: "sent" }]);
  expect(direct()).toHaveLength(1);
});

test("without the account's app nothing can be added or sent", async () => {
  const owner = await makeOwner();
  await account.api("PUT", `/integrations/${app.id}`, { enabled: false });
  const id = await alertFor(owner);
  const reason = "this account has no enabled Slack app integration with a token";
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", `/alerts/${id}/notifications`);
    expect(body.data).toContainEqual(
      expect.objectContaining({ channel: "slack", status: "failed", reason }),
    );
  }, soon);
  const settings = { member_id: MEMBER };
  const refused = await owner.api("POST", "/channel_addresses", { channel: "slack", settings });
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("no enabled Slack app"),
  ]);
});

test("a member's ID has a form", async () => {
  const person = await addColleague(account, "Sally Slack");
  const settings = { member_id: "@sally" };
  const refused = await person.api("POST", "/channel_addresses", { channel: "slack", settings });
  expect([refused.status, refused.body.errors[0].field]).toEqual([422, "settings.member_id"]);
});
