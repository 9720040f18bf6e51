// A Discord app from end to end: messages that follow their alerts, buttons, forms and commands, and who
// may use them.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { deliveriesOf, makeAlert } from "../../../support/integrations/outgoing.ts";
import {
  CHANNEL,
  commanded,
  type Discord,
  type DiscordApp,
  type DiscordMessage,
  failing,
  makeDiscordApp,
  openDiscord,
  pressed,
  submitted,
  userId,
} from "../../../support/providers/chat/discord.ts";
import { actionsOf } from "../../../support/providers/chat/discord-message.ts";
import { linkIn } from "../../../support/providers/chat/linking.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { signIn } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

let account: Account;
let ben: Person;
let discord: Discord;
let app: DiscordApp;

beforeEach(async () => {
  openMailbox();
  discord = openDiscord();
  account = await makeAccount("Ada Admin");
  ben = await makePerson(account, "Ben Backup");
  app = await makeDiscordApp(account);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const forBen = () => ({ destination_account_user_ids: [ben.accountUserId] });

/** An alert that is posted, for Ben. */
async function open(more: Record<string, unknown> = {}) {
  const { id } = await makeAlert(account, forBen(), more);
  await vi.waitUntil(() => discord.rootOf(id), soon);
  return { id: String(id), message: discord.rootOf(id) as DiscordMessage };
}

const alertOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body;

async function link(user: string, accountUserId = ben.accountUserId): Promise<void> {
  const { body } = await app.send(commanded("oncall", {}, user));
  const browser = await signIn(accountUserId);
  const shown = await browser.submit(linkIn(body.data.content));
  if (!shown.to.startsWith("/settings")) throw new Error(shown.text);
}

/** What is shown to the person alone. */
const told = ({ type, data }: { type: number; data: { content: string; flags: number } }) => {
  expect([type, data.flags]).toEqual([4, 64]);
  return data.content;
};

describe("the message of an alert", () => {
  test("follows it, and its thread has the steps and the comments", async () => {
    const { id, message } = await open({ title: "*Disk* @everyone full" });
    expect(message.channel).toBe(CHANNEL);
    const [embed] = message.body.embeds;
    expect(embed).toMatchObject({ title: "\\*Disk\\* \\@everyone full", description: "Open" });
    const all = ["acknowledge", "reject", "resolve", "hand_off", "comment", "snooze"];
    expect(actionsOf(message.body)).toEqual(all);
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => expect(actionsOf(message.body)).toEqual(all.slice(2)), soon);
    await account.api("POST", `/alerts/${id}/comments`, { body: "on *it*" });
    await account.api("POST", `/alerts/${id}/resolve`);
    await vi.waitFor(() => {
      expect(discord.threadOf(message.id)).toEqual([
        "Acknowledged by Ada Admin",
        "Comment by Ada Admin\non \\*it\\*",
        "Resolved by Ada Admin",
      ]);
    }, soon);
    expect(actionsOf(message.body)).toEqual(["comment"]);
    expect(discord.messages.filter(({ channel }) => channel === CHANNEL)).toHaveLength(1);
  });

  test("is posted again if somebody has deleted it", async () => {
    const { id } = await open();
    discord.messages.length = 0;
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => {
      const [embed] = discord.rootOf(id)?.body.embeds ?? [];
      expect(embed?.description).toBe("Acknowledged by Ada Admin");
    }, soon);
  });

  test.each([
    [failing(403, 50_001), "failed", "Discord answered 403: 50001"],
    [failing(401, 0), "failed", "Discord answered 401"],
    [failing(429, 20_028), "queued", "Discord answered 429: 20028"],
    [() => new Response("<html>", { status: 403 }), "queued", "Discord answered 403"],
  ])("that Discord does not take (%#) fails or is sent again", async (failure, status, reason) => {
    discord.failures.push(failure);
    await makeAlert(account, forBen());
    await vi.waitFor(async () => {
      expect(await deliveriesOf(account, app)).toMatchObject([{ status, reason }]);
    }, soon);
  });
});

describe("an interaction", () => {
  test("to verify the URL is answered, and 401 where it is not signed", async () => {
    expect((await app.send({ type: 1 })).body).toEqual({ type: 1 });
    expect((await app.send({ type: 1 }, { forged: true })).status).toBe(401);
    expect((await app.send({ type: 1 }, { at: Date.now() - 600_000 })).status).toBe(401);
  });

  test("gives a link to whoever has not linked their account, and changes nothing", async () => {
    const { id, message } = await open();
    const { body } = await app.send(pressed(message, "acknowledge", "ben"));
    expect(told(body)).toContain("Link your Discord account to Tocsin first");
    expect((await alertOf(id)).status).toBe("open");
    const browser = await signIn(ben.accountUserId);
    expect((await browser.submit(linkIn(told(body)))).to).toBe("/settings#chats");
    const again = await app.send(pressed(message, "acknowledge", "ben"), { at: Date.now() + 2000 });
    expect(again.body).toEqual({ type: 6 });
    expect((await alertOf(id)).status).toBe("acknowledged");
    expect((await app.sendAgain()).status).toBe(403);
  });

  test("snoozes, and says who was first", async () => {
    const { id, message } = await open();
    await link("ben");
    expect((await app.send(pressed(message, "snooze", "ben", "60"))).body).toEqual({ type: 6 });
    expect((await alertOf(id)).status).toBe("acknowledged");
    const other = await open();
    await account.api("POST", `/alerts/${other.id}/resolve`);
    const { body } = await app.send(pressed(other.message, "acknowledge", "ben"));
    expect(told(body)).toMatch(/^Nothing was changed.*Resolved by Ada Admin at <t:\d+:t>\.$/s);
  });

  test("of a form hands the alert off by name, or stores a comment", async () => {
    const { id, message } = await open();
    await link("ben");
    const handOff = await app.send(pressed(message, "hand_off", "ben"));
    expect(handOff.body).toMatchObject({ type: 9, data: { title: "Hand off" } });
    const form = handOff.body.data;
    const nobody = await app.send(submitted(form, "ben", "Nobody"));
    expect(told(nobody.body)).toBe("No team and no person has this name.");
    expect((await app.send(submitted(form, "ben", "ada admin"))).body).toEqual({ type: 6 });
    const workflows = await account.api("GET", `/alerts/${id}/workflows`);
    const asked = workflows.body.data.map((it: { destination_id: string }) => it.destination_id);
    expect(asked).toContain(account.accountUserId);
    const comment = (await app.send(pressed(message, "comment", "ben"))).body.data;
    expect((await app.send(submitted(comment, "ben", " rebooted "))).body).toEqual({ type: 6 });
    await vi.waitFor(() => {
      expect(discord.threadOf(message.id)).toContain("Comment by Ben Backup\nrebooted");
    }, soon);
    const stranger = await app.send(submitted(comment, "eve", "x"));
    expect(told(stranger.body)).toContain("/chat/link/");
  });

  test("of a command says who is on call, and pages by name or by mention", async () => {
    await link("ben");
    await link("ada", account.accountUserId);
    const onCall = await app.send(commanded("oncall", { team: "x" }, "ben"));
    expect(told(onCall.body)).toBe("No team's name contains x.");
    const paged = await app.send(commanded("page", { to: "Ada Admin", title: "*smoke*" }, "ben"));
    expect(told(paged.body)).toMatch(/^Created\\: \\\*smoke\\\* https:\/\/tocsin\.test\/alerts\//);
    const mention = { to: `<@${userId("ada")}>`, title: "fire" };
    expect(told((await app.send(commanded("page", mention, "ben"))).body)).toMatch(
      /^Created\\: fire/,
    );
    const nobody = await app.send(commanded("page", { to: "Nobody", title: "x" }, "ben"));
    expect(told(nobody.body)).toContain("Nothing was created");
  });

  test("of an unknown shape, or outside of a server, does nothing", async () => {
    const { id, message } = await open();
    await link("ben");
    const press = pressed(message, "acknowledge", "ben");
    for (const interaction of [
      { ...press, guild_id: null },
      { ...press, member: {} },
      { ...press, data: { custom_id: `constructor:${id}` } },
      { ...press, data: { custom_id: "acknowledge:x" } },
      { ...pressed(message, "snooze", "ben", "61") },
      { type: 99 },
    ]) {
      expect(told((await app.send(interaction)).body)).toBe("This does nothing here.");
    }
    expect((await alertOf(id)).status).toBe("open");
  });

  test("of another account's alert, or of a disabled or keyless app, changes nothing", async () => {
    const { message } = await open();
    const other = await makeAccount("Olga Other");
    const theirs = await makeDiscordApp(other);
    await link("ben");
    const { body } = await theirs.send(pressed(message, "resolve", "ben"));
    expect(told(body)).toContain("/chat/link/");
    const keyless = await makeDiscordApp(account, { option_public_key: null });
    expect((await keyless.send({ type: 1 })).status).toBe(404);
    await account.api("PUT", `/integrations/${app.id}`, { enabled: false });
    expect((await app.send({ type: 1 })).status).toBe(404);
  });
});

test("options are validated", async () => {
  const refused = await account.api("POST", "/integrations", {
    ...{ name: "Discord", urgency: "low", integration_type_id: "discord_app" },
    ...{ option_channel: "general", option_public_key: "abc" },
    account_user_ids: [account.accountUserId],
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors.map((it: { field: string }) => it.field)).toEqual([
    "option_channel",
    "option_public_key",
  ]);
});
