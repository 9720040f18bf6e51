// A Mattermost app from end to end: posts that follow their alerts, buttons, dialogs and commands, and
// who may use them.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../../support/api/api.ts";
import {
  deliveriesOf,
  makeAlert,
  runDueDeliveries,
} from "../../../support/integrations/outgoing.ts";
import { linkIn } from "../../../support/providers/chat/linking.ts";
import {
  actionOf,
  CHANNEL,
  command,
  failing,
  type Mattermost,
  type MattermostIntegration,
  makeMattermostApp,
  openMattermost,
  type Post,
  press,
  SERVER,
  send,
  submitDialog,
  userId,
} from "../../../support/providers/chat/mattermost.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { signIn } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

let account: Account;
let ben: Person;
let mattermost: Mattermost;
let integration: MattermostIntegration;

beforeEach(async () => {
  openMailbox();
  mattermost = openMattermost();
  account = await makeAccount("Ada Admin");
  ben = await makePerson(account, "Ben Backup");
  integration = await makeMattermostApp(account);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** An alert that is posted, for Ben. */
async function open(more: Record<string, unknown> = {}): Promise<{ id: string; post: Post }> {
  const { id } = await makeAlert(
    account,
    { destination_account_user_ids: [ben.accountUserId] },
    more,
  );
  await vi.waitUntil(() => mattermost.rootOf(id), soon);
  return { id, post: mattermost.rootOf(id) as Post };
}

const alertOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body;

/** Links a user to a member by the link in the answer of a command. */
async function link(user: string, accountUserId = ben.accountUserId): Promise<void> {
  await command(integration, "/oncall", "", user);
  const browser = await signIn(accountUserId);
  const shown = await browser.submit(linkSentTo(user));
  if (!shown.to.startsWith("/settings")) throw new Error(shown.text);
}

/** The path of the link that the bot has sent to a user, which is in no answer. */
function linkSentTo(user: string): string {
  const sent = mattermost.direct.findLast((it) => it.userId === userId(user));
  return linkIn(sent?.text ?? "");
}

const actionIds = ({ body }: Post): string[] =>
  (body.props.attachments[0].actions ?? []).map((it: { id: string }) => it.id);

describe("the post of an alert", () => {
  test("follows it, and its thread has the steps and the comments", async () => {
    const { id, post } = await open({ title: "*Disk* @all full" });
    expect(post.body).toMatchObject({
      channel_id: CHANNEL,
      props: { attachments: [{ title: "\\*Disk\\* @\u200ball full", pretext: "Open" }] },
    });
    const open_ = ["acknowledge", "reject", "resolve", "snooze", "handoff", "comment"];
    expect(actionIds(post)).toEqual(open_);
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => expect(actionIds(post)).toEqual(open_.slice(2)), soon);
    await account.api("POST", `/alerts/${id}/comments`, { body: "on *it*" });
    await account.api("POST", `/alerts/${id}/resolve`);
    await vi.waitFor(() => {
      expect(mattermost.threadOf(post.id)).toEqual([
        "Acknowledged by Ada Admin",
        "Comment by Ada Admin\non \\*it\\*",
        "Resolved by Ada Admin",
      ]);
    }, soon);
    expect(actionIds(post)).toEqual(["comment"]);
    expect(mattermost.posts.filter(({ root }) => root === null)).toHaveLength(1);
  });

  test("is posted again if somebody has deleted it", async () => {
    const { id } = await open();
    mattermost.posts.length = 0;
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => {
      const [attachment] = mattermost.rootOf(id)?.body.props.attachments ?? [];
      expect(attachment?.pretext).toBe("Acknowledged by Ada Admin");
    }, soon);
  });

  test("fails at once for a refusal, by the name of the error alone, and without a token", async () => {
    mattermost.failures.push(failing(403, "api.context.permissions.app_error"));
    await makeAlert(account, { destination_account_user_ids: [ben.accountUserId] });
    await vi.waitFor(async () => {
      expect(await deliveriesOf(account, integration)).toMatchObject([
        { status: "failed", reason: "Mattermost answered 403: api.context.permissions.app_error" },
      ]);
    }, soon);
    const other = await makeMattermostApp(account, { option_bot_token: null });
    await makeAlert(account, { destination_account_user_ids: [ben.accountUserId] });
    await vi.waitFor(async () => {
      const [first] = await deliveriesOf(account, other);
      expect(first).toMatchObject({ status: "failed", reason: "the option bot_token is not set" });
    }, soon);
  });

  // Of a proxy: it has no error of Mattermost's.
  test.each([502, 404])("is sent again after an outage (%i)", async (status) => {
    const outage = () => new Response("<html>", { status });
    // Over several attempts, so that the reason is still shown when this reads it.
    mattermost.failures.push(...Array(20).fill(outage));
    await makeAlert(account, { destination_account_user_ids: [ben.accountUserId] });
    const shows = (shown: object) =>
      vi.waitFor(async () => {
        expect(await deliveriesOf(account, integration)).toMatchObject([shown]);
      }, soon);
    await shows({ status: "queued", reason: `Mattermost answered ${status}` });
    mattermost.failures.length = 0;
    await runDueDeliveries(integration);
    await shows({ status: "delivered", reason: null });
  });
});

describe("a button", () => {
  test("gives a link to whoever has not linked their account, and changes nothing", async () => {
    const { id, post } = await open();
    const { status, body } = await press(post, "acknowledge", "ben");
    expect(status).toBe(200);
    expect(body.ephemeral_text).toContain("Link your Mattermost account to Tocsin first");
    expect(body.ephemeral_text).not.toContain("/chat/link/");
    const path = linkSentTo("ben");
    expect((await alertOf(id)).status).toBe("open");
    const browser = await signIn(ben.accountUserId);
    expect((await browser.submit(path)).to).toBe("/settings#chats");
    expect((await press(post, "acknowledge", "ben")).body).toEqual({});
    expect((await alertOf(id)).status).toBe("acknowledged");
    const linked = await call("GET", "/api/v4/chat_accounts", { key: ben.key });
    expect(linked.body.data).toMatchObject([
      {
        product: "mattermost",
        workspace_id: new URL(SERVER).host,
        chat_user_id: userId("ben"),
        name: "ben",
      },
    ]);
  });

  test("answers as the person, and says who was first", async () => {
    const { id, post } = await open();
    await link("ben");
    await account.api("POST", `/alerts/${id}/resolve`);
    const late = await press(post, "acknowledge", "ben");
    expect(late.body.ephemeral_text).toMatch(
      /^Nothing was changed.*Resolved by Ada Admin at \d\d:\d\d/s,
    );
    const other = await open();
    expect((await press(other.post, "snooze", "ben", "60")).body).toEqual({});
    expect((await alertOf(other.id)).status).toBe("acknowledged");
    const lines = await account.api("GET", `/logs?limit=50`);
    expect(JSON.stringify(lines.body)).toContain("Ben Backup");
  });

  test.each([
    ["another token", { token: "x" }, "acknowledge"],
    ["no token", { token: undefined }, "acknowledge"],
    ["the token of another alert", { alert: "01JJ5E6V7P8Q9R0STVWXYZ0123" }, "acknowledge"],
  ])("with %s is refused", async (_, context, action) => {
    const { id, post } = await open();
    await link("ben");
    expect((await press(post, action, "ben", undefined, context)).status).toBe(403);
    expect((await alertOf(id)).status).toBe("open");
  });

  test("of another or a disabled integration is refused", async () => {
    const { post } = await open();
    await link("ben");
    const other = await makeMattermostApp(account);
    const { integration: target } = actionOf(post, "acknowledge");
    const body = { user_id: userId("ben"), context: target.context };
    const there = target.url.replace(integration.prefixId, other.prefixId);
    expect((await send(there, body)).status).toBe(403);
    expect((await send(target.url.replace(integration.prefixId, "int_none"), body)).status).toBe(
      404,
    );
    await account.api("PUT", `/integrations/${integration.id}`, { enabled: false });
    expect((await send(target.url, body)).status).toBe(404);
  });

  test("that is none is malformed", async () => {
    const { post } = await open();
    const { integration: target } = actionOf(post, "acknowledge");
    const { context } = target;
    for (const body of [
      { user_id: "x", context },
      { context },
      { user_id: userId("ben"), context: { ...context, action: "constructor" } },
      { user_id: userId("ben"), context: { ...context, action: "snooze", selected_option: "1" } },
    ]) {
      expect((await send(target.url, body)).status).toBe(400);
    }
  });
});

describe("a dialog", () => {
  beforeEach(() => link("ben"));

  test("hands an alert off to a team or a person", async () => {
    const { id, post } = await open();
    expect((await press(post, "handoff", "ben")).body).toEqual({});
    const [{ dialog, trigger_id }] = mattermost.dialogs as [Record<string, any>];
    expect(trigger_id).toBe("trigger-handoff");
    const options = dialog.elements[0].options.map((it: { text: string }) => it.text);
    expect(options).toEqual(["Ada Admin", "Ben Backup"]);
    const { value } = dialog.elements[0].options[0];
    expect((await submitDialog(mattermost, "ben", value)).body).toEqual({});
    const workflows = await account.api("GET", `/alerts/${id}/workflows`);
    const asked = workflows.body.data.map((it: { destination_id: string }) => it.destination_id);
    expect(asked).toContain(account.accountUserId);
  });

  test("stores a comment, which is shown in the thread too", async () => {
    const { id, post } = await open();
    await press(post, "comment", "ben");
    expect((await submitDialog(mattermost, "ben", "  rebooted it ")).body).toEqual({});
    const comments = await account.api("GET", `/alerts/${id}/comments`);
    expect(comments.body.data).toMatchObject([
      { body: "rebooted it", created_by_name: "Ben Backup" },
    ]);
    await vi.waitFor(() => {
      expect(mattermost.threadOf(post.id)).toEqual(["Comment by Ben Backup\nrebooted it"]);
    }, soon);
    await press(post, "comment", "ben");
    expect((await submitDialog(mattermost, "ben", " ")).body.error).toBe("The comment is empty.");
  });

  test("says why nothing was changed, and does nothing for others or when it is cancelled", async () => {
    const { id, post } = await open();
    await press(post, "handoff", "ben");
    const to = mattermost.dialogs[0]?.dialog.elements[0].options[0].value;
    expect((await submitDialog(mattermost, "eve", to)).status).toBe(403);
    expect((await submitDialog(mattermost, "ben", to, { cancelled: true })).status).toBe(400);
    expect((await submitDialog(mattermost, "ben", to, { state: "{}" })).status).toBe(403);
    expect((await submitDialog(mattermost, "ben", "nobody")).status).toBe(400);
    await account.api("POST", `/alerts/${id}/resolve`);
    expect((await submitDialog(mattermost, "ben", to)).body.error).toContain(
      "Nothing was changed.",
    );
  });

  test("that cannot be opened is told", async () => {
    const { post } = await open();
    mattermost.failures.push(failing(400, "api.command.open_dialog.app_error"));
    const { body } = await press(post, "comment", "ben");
    expect(body.ephemeral_text).toBe("The dialog could not be opened. Try again.");
  });
});

describe("a command", () => {
  test("says who is on call, and pages a person, by name or by mention", async () => {
    await link("ben");
    await link("ada", account.accountUserId);
    const onCall = await command(integration, "/oncall", "", "ben");
    expect(onCall.body).toMatchObject({ response_type: "ephemeral", text: "There are no teams." });
    const paged = await command(integration, "/page", '"Ada Admin" *smoke*', "ben");
    expect(paged.body.text).toMatch(/^Created: \\\*smoke\\\* https:\/\/tocsin\.test\/alerts\/alt_/);
    const mention = { user_mentions: "ada", user_mentions_ids: userId("ada") };
    const mentioned = await command(integration, "/page", "@ada fire", "ben", mention);
    expect(mentioned.body.text).toMatch(/^Created: fire/);
    const unknown = { user_mentions_ids: userId("eve") };
    const { body } = await command(integration, "/page", "@eve fire", "ben", unknown);
    expect(body.text).toBe("That person has not linked their account yet.");
    const alerts = await account.api("GET", "/alerts?limit=10");
    expect(alerts.body.data.map((it: { title: string }) => it.title).sort()).toEqual([
      "*smoke*",
      "fire",
    ]);
  });

  test("needs a token of the integration's", async () => {
    for (const token of ["", "another2", "x".repeat(26)]) {
      const { status } = await command(integration, "/oncall", "", "ben", { token });
      expect(status).toBe(403);
    }
    expect((await command(integration, "/oncall", "", "ben", { token: "another" })).status).toBe(
      200,
    );
    const silent = await makeMattermostApp(account, { option_command_tokens: null });
    expect((await command(silent, "/oncall", "", "ben")).status).toBe(404);
  });
});

test("an account of another server is another person", async () => {
  await link("ben");
  const host = "mattermost2.tocsin-tests.example.com";
  const elsewhere = await makeMattermostApp(account, { option_server: `https://${host}` });
  const { body } = await command(elsewhere, "/oncall", "", "ben");
  expect(body.text).toContain("Link your Mattermost account");
});

test("options are validated, and the tokens are not shown", async () => {
  const refused = await account.api("POST", "/integrations", {
    ...{ name: "Mattermost", urgency: "low", integration_type_id: "mattermost_app" },
    ...{ option_server: "http://10.0.0.1", option_channel: "town-square" },
    account_user_ids: [account.accountUserId],
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors.map((it: { field: string }) => it.field).sort()).toEqual([
    "option_channel",
    "option_server",
  ]);
  const { text } = await account.api("GET", `/integrations/${integration.id}`);
  expect(text).not.toContain("w5o5bq");
  expect(text).not.toContain("gr8edh");
  expect(env.PUBLIC_URL).toBe("https://tocsin.test");
});
