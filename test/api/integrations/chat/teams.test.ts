// A Teams app from end to end: messages that follow their alerts, actions, commands and replies, and who
// may use them.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { deliveriesOf, makeAlert } from "../../../support/integrations/outgoing.ts";
import { linkIn } from "../../../support/providers/chat/linking.ts";
import {
  failing,
  makeTeamsApp,
  openTeams,
  overheard,
  personal,
  pressed,
  type Teams,
  type TeamsApp,
  type TeamsMessage,
  wrote,
  wroteInPrivate,
} from "../../../support/providers/chat/teams.ts";
import { actionsOf } from "../../../support/providers/chat/teams-message.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { signIn } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

let account: Account;
let ben: Person;
let teams: Teams;
let app: TeamsApp;

beforeEach(async () => {
  openMailbox();
  teams = openTeams();
  account = await makeAccount("Ada Admin");
  ben = await makePerson(account, "Ben Backup");
  app = await makeTeamsApp(account);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const CHANNEL_THREAD = "19:0123456789abcdef0123456789abcdef@thread.tacv2;messageid=";

const forBen = () => ({ destination_account_user_ids: [ben.accountUserId] });

/** An alert that is posted, for Ben. */
async function open(more: Record<string, unknown> = {}) {
  const { id } = await makeAlert(account, forBen(), more);
  await vi.waitUntil(() => teams.rootOf(id), soon);
  return { id: String(id), message: teams.rootOf(id) as TeamsMessage };
}

const alertOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body;
const commentsOn = async (id: string) =>
  (await account.api("GET", `/alerts/${id}/comments`)).body.data;

/** The latest text that the bot has written to a person alone. */
const toldInPrivate = (user: string): string => teams.textsIn(personal(user)).at(-1) ?? "";

async function link(user: string, accountUserId = ben.accountUserId): Promise<void> {
  await app.send(wroteInPrivate(user, "oncall"));
  const browser = await signIn(accountUserId);
  const shown = await browser.submit(linkIn(toldInPrivate(user)));
  if (!shown.to.startsWith("/settings")) throw new Error(shown.text);
}

/** What an action is answered to the person alone. */
const told = ({ statusCode, type, value }: Record<string, any>): string => {
  expect([statusCode, type]).toEqual([200, "application/vnd.microsoft.activity.message"]);
  return value;
};

describe("the message of an alert", () => {
  test("follows it, and its thread has the steps and the comments", async () => {
    const { id, message } = await open({ title: "**Disk** full" });
    const { content } = message.body.attachments[0];
    expect(content.body[1].inlines[0].text).toBe("**Disk** full");
    const all = ["acknowledge", "reject", "resolve", "snooze", "hand_off", "comment"];
    expect(actionsOf(message.body)).toEqual(all);
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => expect(actionsOf(message.body)).toEqual(all.slice(2)), soon);
    await account.api("POST", `/alerts/${id}/comments`, { body: "on *it*" });
    await account.api("POST", `/alerts/${id}/resolve`);
    await vi.waitFor(() => {
      expect(teams.textsIn(message.conversation)).toEqual([
        "Acknowledged by Ada Admin",
        "Comment by Ada Admin\non *it*",
        "Resolved by Ada Admin",
      ]);
    }, soon);
    expect(actionsOf(message.body)).toEqual(["comment"]);
  });

  test("is posted again if somebody has deleted it", async () => {
    const { id } = await open();
    teams.messages.length = 0;
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => {
      expect(actionsOf(teams.rootOf(id)?.body ?? {})).toContain("resolve");
    }, soon);
  });

  test.each([
    [
      failing(403, "BotNotInConversationRoster"),
      "failed",
      "Teams answered 403: BotNotInConversationRoster",
    ],
    [failing(401, "Unauthorized"), "queued", "Teams answered 401: Unauthorized"],
    [failing(412, "PreconditionFailed"), "queued", "Teams answered 412: PreconditionFailed"],
    [failing(429, "TooManyRequests"), "queued", "Teams answered 429: TooManyRequests"],
    [() => new Response("<html>", { status: 403 }), "queued", "Teams answered 403"],
  ])("that Teams does not take (%#) fails or is sent again", async (failure, status, reason) => {
    teams.failures.push(failure);
    await makeAlert(account, forBen());
    await vi.waitFor(async () => {
      expect(await deliveriesOf(account, app)).toMatchObject([{ status, reason }]);
    }, soon);
  });

  test.each([
    ["wrong", "Microsoft gave no access token: 401: invalid_client"],
    [null, "the option client_secret is not set"],
  ])("is not sent with the secret %j", async (option_client_secret, reason) => {
    const other = await makeTeamsApp(account, { option_client_secret });
    await makeAlert(account, forBen());
    await vi.waitFor(async () => {
      expect(await deliveriesOf(account, other)).toMatchObject([{ status: "failed", reason }]);
    }, soon);
  });
});

describe("an activity", () => {
  const installed = { type: "installationUpdate", action: "add" };

  test("is answered only with the Bot Connector's token for the app and the URL", async () => {
    expect((await app.send(installed)).body).toEqual({});
    const past = Math.floor(Date.now() / 1000) - 1_000;
    for (const claims of [
      { aud: "00000000-7777-8888-9999-aaaaaaaaaaaa" },
      { iss: "https://sts.windows.net/" },
      { serviceurl: "https://evil.example/" },
      { serviceurl: undefined },
      { exp: past },
    ]) {
      expect((await app.send(installed, { claims })).status).toBe(403);
    }
    expect((await app.send(installed, { forged: true })).status).toBe(403);
    const elsewhere = { ...installed, serviceUrl: "https://evil.example/" };
    expect((await app.send(elsewhere)).status).toBe(403);
  });

  test("gives a link to whoever has not linked their account, in their own chat", async () => {
    const { id, message } = await open();
    const { body } = await app.send(pressed(message, "acknowledge", "ben"));
    expect(told(body)).toMatch(/^Link your .* in your chat with it\.$/);
    expect(teams.textsIn(message.conversation)).toEqual([]);
    expect((await alertOf(id)).status).toBe("open");
    const browser = await signIn(ben.accountUserId);
    expect((await browser.submit(linkIn(toldInPrivate("ben")))).to).toBe("/settings#chats");
    expect(told((await app.send(pressed(message, "acknowledge", "ben"))).body)).toBe("Done.");
    expect((await alertOf(id)).status).toBe("acknowledged");
    expect((await app.sendAgain()).status).toBe(403);
  });

  test("says how to link an account where the bot cannot write to the person", async () => {
    const { message } = await open();
    teams.isInstalled = false;
    const { body } = await app.send(pressed(message, "acknowledge", "ben"));
    expect(told(body)).toContain("write to the app in a chat of your own");
  });

  test("snoozes, and says who was first", async () => {
    const { id, message } = await open();
    await link("ben");
    expect(told((await app.send(pressed(message, "snooze", "ben", "60"))).body)).toBe("Done.");
    expect((await alertOf(id)).status).toBe("acknowledged");
    const other = await open();
    await account.api("POST", `/alerts/${other.id}/resolve`);
    const { body } = await app.send(pressed(other.message, "reject", "ben"));
    expect(told(body)).toMatch(/^Nothing was changed.*Resolved by Ada Admin at \d\d:\d\d\.$/s);
  });

  test("hands the alert off by name, or stores a comment", async () => {
    const { id, message } = await open();
    await link("ben");
    const handOff = async (to: string) =>
      told((await app.send(pressed(message, "hand_off", "ben", to))).body);
    expect(await handOff("Nobody")).toBe("No team and no person has this name.");
    expect(await handOff("ada admin")).toBe("Done.");
    const workflows = await account.api("GET", `/alerts/${id}/workflows`);
    const reached = workflows.body.data.map((it: { destination_id: string }) => it.destination_id);
    expect(reached).toContain(account.accountUserId);
    const comment = async (text: string) =>
      told((await app.send(pressed(message, "comment", "ben", text))).body);
    expect(await comment(" ")).toBe("The comment is empty.");
    expect(await comment(" rebooted ")).toBe("Done.");
    await vi.waitFor(() => {
      expect(teams.textsIn(message.conversation)).toContain("Comment by Ben Backup\nrebooted");
    }, soon);
  });

  test("of a command says who is on call, and pages by name or by mention", async () => {
    await link("ben");
    await link("ada", account.accountUserId);
    const say = async (activity: Record<string, any>) => {
      const { conversation } = activity;
      teams.messages.push({
        id: "0",
        conversation: conversation.id,
        body: { attachments: [{ content: {} }] },
      });
      expect((await app.send(activity)).status).toBe(200);
      return teams.textsIn(conversation.id).at(-1);
    };
    expect(await say(wrote("ben", "oncall x"))).toBe("No team's name contains x.");
    expect(await say(wroteInPrivate("ben", "/oncall y"))).toBe("No team's name contains y.");
    expect(await say(wrote("ben", "page Ada Admin smoke"))).toMatch(
      /^Created: smoke https:\/\/tocsin\.test\/alerts\//,
    );
    expect(await say(wrote("ben", "page <at>ada</at> fire", { mentions: "ada" }))).toMatch(
      /^Created: fire/,
    );
    expect(await say(wrote("ben", "page <at>eve</at> fire", { mentions: "eve" }))).toContain(
      "has not linked",
    );
    expect(await say(wrote("eve", "oncall"))).toMatch(/^Link your .* in your chat with it\.$/);
    expect(toldInPrivate("eve")).toContain("/chat/link/");
    expect(await say(wrote("ben", "hello"))).toContain("Write oncall");
    expect(await say(wroteInPrivate("eve", "hello"))).toContain("/chat/link/");
  });

  test("of a reply in an alert's thread is a comment, also of one among people", async () => {
    const { id, message } = await open();
    const { conversation } = message;
    await app.send(overheard("ben", "seen it", conversation));
    expect(toldInPrivate("ben")).toContain("/chat/link/");
    await app.send(overheard("ben", "again", conversation));
    expect(teams.textsIn(personal("ben"))).toHaveLength(1);
    await link("ben");
    await app.send(overheard("ben", "it was me", conversation));
    expect((await app.sendAgain()).status).toBe(200);
    await app.send(wrote("ben", "and fixed", { conversation }));
    expect((await commentsOn(id)).map(({ body }: { body: string }) => body).sort()).toEqual([
      "and fixed",
      "it was me",
    ]);
    // They are there already.
    expect(teams.textsIn(conversation)).toEqual([]);
  });

  test("among people elsewhere is none of the bot's", async () => {
    await link("ben");
    const before = teams.messages.length;
    await app.send(overheard("ben", "oncall", `${CHANNEL_THREAD}1`));
    await app.send(overheard("eve", "lunch?", `${CHANNEL_THREAD}2`));
    expect(teams.messages).toHaveLength(before);
  });

  test("of an unknown shape, or of another tenant, does nothing", async () => {
    const { id, message } = await open();
    await link("ben");
    const press = pressed(message, "acknowledge", "ben");
    const { action } = press.value;
    for (const value of [
      {},
      { action: { ...action, verb: "constructor" } },
      { action: { verb: "resolve" } },
    ]) {
      expect((await app.send({ ...press, value })).body).toMatchObject({ statusCode: 400 });
    }
    const other = { ...press.conversation, tenantId: "99999999-2222-3333-4444-555555555555" };
    for (const activity of [
      { ...press, conversation: other },
      { ...press, from: { id: "28:bot" } },
      { ...press, name: "task/fetch" },
      { type: "conversationUpdate" },
      {},
    ]) {
      expect((await app.send(activity)).body).toEqual({});
    }
    expect((await alertOf(id)).status).toBe("open");
  });

  test("for another account, or a disabled app, changes nothing", async () => {
    const { message } = await open();
    const other = await makeAccount("Olga Other");
    const theirs = await makeTeamsApp(other);
    await link("ben");
    expect(told((await theirs.send(pressed(message, "resolve", "ben"))).body)).toContain(
      "Link your",
    );
    await account.api("PUT", `/integrations/${app.id}`, { enabled: false });
    expect((await app.send(installed)).status).toBe(404);
  });
});

test("options are validated", async () => {
  const refused = await account.api("POST", "/integrations", {
    ...{ name: "Teams", urgency: "low", integration_type_id: "teams_app" },
    ...{ option_channel: "General", option_tenant: "contoso", option_app_id: "x" },
    option_service_url: "http://x",
    account_user_ids: [account.accountUserId],
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors.map((it: { field: string }) => it.field)).toEqual([
    ...["option_channel", "option_tenant", "option_app_id", "option_service_url"],
  ]);
});
