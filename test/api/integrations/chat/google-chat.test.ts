// A Google Chat app from end to end: messages that follow their alerts, buttons, dialogs, commands and
// replies, and who may use them.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, callAgain, makeAccount } from "../../../support/api/api.ts";
import { deliveriesOf, makeAlert } from "../../../support/integrations/outgoing.ts";
import {
  clicked,
  failing,
  type GoogleApp,
  type GoogleChat,
  type GoogleMessage,
  makeGoogleApp,
  openGoogleChat,
  wrote,
} from "../../../support/providers/chat/google-chat.ts";
import { actionsOf } from "../../../support/providers/chat/google-chat-message.ts";
import { linkIn } from "../../../support/providers/chat/linking.ts";
import { signToken } from "../../../support/providers/chat/maker-key.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { serveAt } from "../../../support/providers/outbound.ts";
import { signIn } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

let account: Account;
let ben: Person;
let chat: GoogleChat;
let app: GoogleApp;

beforeEach(async () => {
  openMailbox();
  chat = await openGoogleChat();
  account = await makeAccount("Ada Admin");
  ben = await makePerson(account, "Ben Backup");
  app = await makeGoogleApp(account, chat);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const forBen = () => ({ destination_account_user_ids: [ben.accountUserId] });

/** An alert that is posted, for Ben. */
async function open(more: Record<string, unknown> = {}) {
  const { id } = await makeAlert(account, forBen(), more);
  await vi.waitUntil(() => chat.rootOf(id), soon);
  return { id: String(id), message: chat.rootOf(id) as GoogleMessage };
}

const alertOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body;

async function link(user: string, accountUserId = ben.accountUserId): Promise<void> {
  const { body } = await app.send(wrote(user, "/oncall", { command: 1 }));
  const browser = await signIn(accountUserId);
  const shown = await browser.submit(linkIn(body.text));
  if (!shown.to.startsWith("/settings")) throw new Error(shown.text);
}

/** What is shown to the person alone. */
const told = ({ text, privateMessageViewer: viewer }: Record<string, any>, user = "ben") => {
  expect(viewer).toEqual({ name: `users/${user}` });
  return text as string;
};

const statusOf = ({ actionResponse: { type, dialogAction } }: Record<string, any>) => {
  expect(type).toBe("DIALOG");
  return dialogAction.actionStatus;
};

describe("the message of an alert", () => {
  test("follows it, and its thread has the steps and the comments", async () => {
    const { id, message } = await open({ title: "<b>Disk</b> full", description: "a < b" });
    const [{ card }] = message.body.cardsV2;
    expect(card.header.title).toBe("<b>Disk</b> full");
    expect(JSON.stringify(card)).toContain("a &lt; b");
    const all = ["acknowledge", "reject", "resolve", "snooze", "hand_off", "comment"];
    expect(actionsOf(message.body)).toEqual(all);
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => expect(actionsOf(message.body)).toEqual(all.slice(2)), soon);
    await account.api("POST", `/alerts/${id}/comments`, { body: "<users/all> on *it*" });
    await account.api("POST", `/alerts/${id}/resolve`);
    await vi.waitFor(() => {
      expect(chat.threadOf(message)).toEqual([
        "Acknowledged by Ada Admin",
        "Comment by Ada Admin\n<\u200busers/all> on *\u200bit*\u200b",
        "Resolved by Ada Admin",
      ]);
    }, soon);
    expect(actionsOf(message.body)).toEqual(["comment"]);
    expect(chat.tokens).toBe(1);
  });

  test("is posted again if somebody has deleted it", async () => {
    const { id } = await open();
    chat.messages.length = 0;
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await vi.waitFor(() => {
      expect(actionsOf(chat.rootOf(id)?.body ?? {})).toEqual([
        ...["resolve", "snooze", "hand_off", "comment"],
      ]);
    }, soon);
  });

  test.each([
    [failing(403, "PERMISSION_DENIED"), "failed", "Google Chat answered 403: PERMISSION_DENIED"],
    [failing(404, "NOT_FOUND"), "failed", "Google Chat answered 404: NOT_FOUND"],
    [failing(401, "UNAUTHENTICATED"), "queued", "Google Chat answered 401: UNAUTHENTICATED"],
    [failing(429, "RESOURCE_EXHAUSTED"), "queued", "Google Chat answered 429: RESOURCE_EXHAUSTED"],
    [() => new Response("<html>", { status: 403 }), "queued", "Google Chat answered 403"],
  ])(
    "that Google Chat does not take (%#) fails or is sent again",
    async (failure, status, reason) => {
      chat.failures.push(failure);
      await makeAlert(account, forBen());
      await vi.waitFor(async () => {
        expect(await deliveriesOf(account, app)).toMatchObject([{ status, reason }]);
      }, soon);
    },
  );

  test("has a new access token after one that was refused", async () => {
    await open();
    chat.failures.push(failing(401, "UNAUTHENTICATED"));
    const { id } = await makeAlert(account, forBen());
    await vi.waitUntil(() => chat.rootOf(id), soon);
    expect(chat.tokens).toBe(2);
  });

  test.each([
    ["no JSON", "the option service_account is not the JSON key of a service account"],
    [
      JSON.stringify({ client_email: "x@example.com", private_key: "-----BEGIN" }),
      "the option service_account is not the JSON key of a service account",
    ],
    [null, "the option service_account is not set"],
  ])("is not sent with the key %j", async (option_service_account, reason) => {
    const other = await makeGoogleApp(account, chat, { option_service_account });
    await makeAlert(account, forBen());
    await vi.waitFor(async () => {
      expect(await deliveriesOf(account, other)).toMatchObject([{ status: "failed", reason }]);
    }, soon);
  });

  test("is not sent with the key of somebody else", async () => {
    const key = { ...JSON.parse(chat.key), client_email: "other@example.com" };
    const other = await makeGoogleApp(account, { ...chat, key: JSON.stringify(key) });
    await makeAlert(account, forBen());
    await vi.waitFor(async () => {
      const reason = "Google gave no access token: 400: invalid_grant";
      expect(await deliveriesOf(account, other)).toMatchObject([{ status: "failed", reason }]);
    }, soon);
  });
});

describe("an event", () => {
  const added = { type: "ADDED_TO_SPACE" };

  test("is answered only with Google's token for the app's project", async () => {
    expect((await app.send(added)).body.text).toContain("Alerts are announced here");
    const past = Math.floor(Date.now() / 1000) - 1_000;
    for (const claims of [
      { aud: "210987654321" },
      { iss: "https://accounts.google.com" },
      { exp: past },
      { exp: undefined },
      { nbf: past + 3_000 },
    ]) {
      expect((await app.send(added, { claims })).status).toBe(401);
    }
    expect((await app.send(added, { forged: true })).status).toBe(401);
  });

  test("gives a link to whoever has not linked their account, and changes nothing", async () => {
    const { id, message } = await open();
    const { body } = await app.send(clicked(message, "acknowledge", "ben"));
    expect(told(body)).toContain("Link your Google Chat account to Tocsin first");
    const asked = await app.send(clicked(message, "snooze", "ben", { step: "REQUEST_DIALOG" }));
    expect(JSON.stringify(asked.body)).toContain('<a href=\\"https://tocsin.test/chat/link/');
    expect((await alertOf(id)).status).toBe("open");
    const browser = await signIn(ben.accountUserId);
    expect((await browser.submit(linkIn(told(body)))).to).toBe("/settings#chats");
    expect((await app.send(clicked(message, "acknowledge", "ben"))).body).toEqual({});
    expect((await alertOf(id)).status).toBe("acknowledged");
    expect((await app.sendAgain()).status).toBe(403);
  });

  test("of a button says who was first", async () => {
    const { id, message } = await open();
    await link("ben");
    await account.api("POST", `/alerts/${id}/resolve`);
    const { body } = await app.send(clicked(message, "acknowledge", "ben"));
    expect(told(body)).toMatch(/^Nothing was changed.*Resolved by Ada Admin at \d\d:\d\d\.$/s);
    expect(body.thread).toEqual({ name: message.thread });
  });

  test("of a dialog snoozes, hands the alert off by name, or stores a comment", async () => {
    const { id, message } = await open();
    await link("ben");
    const ask = async (action: string) =>
      (await app.send(clicked(message, action, "ben", { step: "REQUEST_DIALOG" }))).body
        .actionResponse.dialogAction.dialog.body;
    const submit = async (action: string, value: string) =>
      statusOf(
        (await app.send(clicked(message, action, "ben", { step: "SUBMIT_DIALOG", value }))).body,
      );
    expect((await ask("snooze")).sections[0].widgets[0].selectionInput.items).toHaveLength(6);
    expect(await submit("snooze", "61")).toMatchObject({ statusCode: "INVALID_ARGUMENT" });
    expect(await submit("snooze", "60")).toMatchObject({ statusCode: "OK" });
    expect((await alertOf(id)).status).toBe("acknowledged");
    const { textInput } = (await ask("hand_off")).sections[0].widgets[0];
    expect(textInput.initialSuggestions.items).toContainEqual({ text: "Ada Admin" });
    expect(await submit("hand_off", "Nobody")).toEqual({
      statusCode: "INVALID_ARGUMENT",
      userFacingMessage: "No team and no person has this name.",
    });
    expect(await submit("hand_off", "ada admin")).toMatchObject({ statusCode: "OK" });
    const workflows = await account.api("GET", `/alerts/${id}/workflows`);
    const reached = workflows.body.data.map((it: { destination_id: string }) => it.destination_id);
    expect(reached).toContain(account.accountUserId);
    expect((await ask("comment")).header.title).toBe("Comment");
    expect(await submit("comment", " rebooted ")).toMatchObject({ statusCode: "OK" });
    await vi.waitFor(() => {
      expect(chat.threadOf(message)).toContain("Comment by Ben Backup\nrebooted");
    }, soon);
    const cancelled = clicked(message, "comment", "ben", { step: "CANCEL_DIALOG" });
    expect((await app.send(cancelled)).body).toEqual({});
  });

  test("of a reply that mentions the app is a comment, once", async () => {
    const { id, message } = await open();
    const { thread } = message;
    expect(told((await app.send(wrote("ben", "it was me", { thread }))).body)).toContain(
      "/chat/link/",
    );
    await link("ben");
    const reply = wrote("ben", "it was me", { thread });
    expect((await app.send(reply)).body).toEqual({});
    const comments = async () => (await account.api("GET", `/alerts/${id}/comments`)).body.data;
    expect(await comments()).toMatchObject([{ body: "it was me", created_by_name: "Ben Backup" }]);
    expect((await app.sendAgain()).body).toEqual({});
    expect(await comments()).toHaveLength(1);
    expect(chat.threadOf(message)).toEqual([]);
    expect(told((await app.send(wrote("ben", "hello"))).body)).toContain("Write oncall");
  });

  test("of a command says who is on call, and pages by name or by mention", async () => {
    await link("ben");
    await link("ada", account.accountUserId);
    const onCall = await app.send(wrote("ben", "/oncall x", { command: 1 }));
    expect(told(onCall.body)).toBe("No team's name contains x.");
    const written = await app.send(wrote("ben", "oncall y"));
    expect(told(written.body)).toBe("No team's name contains y.");
    const paged = await app.send(wrote("ben", "/page Ada Admin *smoke*", { command: 2 }));
    expect(told(paged.body)).toMatch(
      /^Created: \*\u200bsmoke\*\u200b https:\/\/tocsin\.test\/alerts\//,
    );
    const mention = wrote("ben", "/page @ada fire", { command: 2, mentions: "ada" });
    expect(told((await app.send(mention)).body)).toMatch(/^Created: fire/);
    const stranger = wrote("ben", "/page @eve fire", { command: 2, mentions: "eve" });
    expect(told((await app.send(stranger)).body)).toContain("has not linked");
  });

  test("in a direct message is answered there", async () => {
    const direct = { ...wrote("ben", "oncall"), space: { name: "spaces/dm", type: "DM" } };
    const { body } = await app.send(direct);
    expect(body.privateMessageViewer).toBeUndefined();
    expect(body.text).toContain("/chat/link/");
  });

  test("of an unknown shape does nothing", async () => {
    const { id, message } = await open();
    await link("ben");
    const press = clicked(message, "acknowledge", "ben");
    for (const event of [
      { ...press, user: {} },
      { ...press, user: { ...press.user, type: "BOT" } },
      {
        ...press,
        action: { actionMethodName: "constructor", parameters: press.action.parameters },
      },
      { ...press, action: { actionMethodName: "acknowledge", parameters: {} } },
      { type: "REMOVED_FROM_SPACE" },
      {},
    ]) {
      expect((await app.send(event)).body).toEqual({});
    }
    expect((await alertOf(id)).status).toBe("open");
  });

  test("for another account, or a disabled or keyless app, changes nothing", async () => {
    const { message } = await open();
    const other = await makeAccount("Olga Other");
    const theirs = await makeGoogleApp(other, chat);
    await link("ben");
    expect(told((await theirs.send(clicked(message, "resolve", "ben"))).body)).toContain(
      "/chat/link/",
    );
    const keyless = await makeGoogleApp(account, chat, { option_project_number: null });
    expect((await keyless.send(added)).status).toBe(404);
    await account.api("PUT", `/integrations/${app.id}`, { enabled: false });
    expect((await app.send(added)).status).toBe(404);
  });
});

test("options are validated", async () => {
  const refused = await account.api("POST", "/integrations", {
    ...{ name: "Google Chat", urgency: "low", integration_type_id: "google_chat_app" },
    ...{ option_space: "AAAA", option_project_number: "tocsin" },
    account_user_ids: [account.accountUserId],
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors.map((it: { field: string }) => it.field)).toEqual([
    "option_space",
    "option_project_number",
  ]);
});

test("requests that cannot be verified while Google's keys are out of reach are counted", async () => {
  const { message } = await open();
  await app.send(clicked(message, "acknowledge", "ben"));
  let reads = 0;
  serveAt("www.googleapis.com", () => {
    reads += 1;
    return new Response(null, { status: 503 });
  });
  vi.spyOn(env, "RATE_LIMITS", "get").mockReturnValue("on" as "off");
  let counted = 0;
  vi.spyOn(env.STRANGER_RATE, "limit").mockImplementation(async () => {
    counted += 1;
    return { success: counted <= 5 };
  });
  vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ["Date"] });
  const token = await signToken({ exp: Math.floor(Date.now() / 1000) + 60 }, "of nobody");
  const statuses: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    const headers = { Authorization: `Bearer ${token}`, "cf-connecting-ip": "192.0.2.77" };
    statuses.push((await callAgain((it) => ({ headers: { ...it.headers, ...headers } }))).status);
  }
  vi.useRealTimers();
  expect(statuses).toEqual([503, 503, 503, 503, 503, 429, 429, 429]);
  expect(reads).toBe(1);
});
