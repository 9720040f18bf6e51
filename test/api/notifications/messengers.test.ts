// Messengers from end to end: an address is proven, an alert notifies its person there, the person
// answers there where the provider can say so, and is notified on another channel if it fails.
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { updateSecret } from "../../../src/products/messengers/telegram.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import {
  type MessengerRequest,
  type Messengers,
  openMessengers,
  SECRET,
  SETTINGS,
  updateBot,
} from "../../support/providers/messengers.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let messengers: Messengers;
let mailbox: Mailbox;

beforeAll(async () => {
  account = await makeAccount();
});
beforeEach(() => {
  messengers = openMessengers();
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Field = keyof typeof SETTINGS;
type Owner = Colleague & { readonly addressId: string };

const NO_DEFAULTS = { notify_push: false, notify_email: false };
const BOT_SECRET = updateSecret(env.TELEGRAM_BOT_TOKEN ?? "");

async function makePerson(): Promise<Colleague> {
  const person = await addColleague(account, "Nora Night");
  await person.api("PUT", `/users/${person.userId}`, NO_DEFAULTS);
  return person;
}

/** What a provider took. Another may still be told about the alert of the test before, such as to stop ringing. */
const takenBy = (provider: MessengerRequest["provider"]) =>
  messengers.taken.filter((it) => it.provider === provider);

/** The only or last request that a provider took. */
const lastTaken = (provider: MessengerRequest["provider"]): MessengerRequest => {
  const last = takenBy(provider).at(-1);
  if (last === undefined) throw new Error("nothing was sent");
  return last;
};

/** A person with a confirmed address. */
async function makeOwner(channel: Field): Promise<Owner> {
  const person = await makePerson();
  const settings = SETTINGS[channel];
  const made = await person.api("POST", "/channel_addresses", { channel, settings });
  if (made.status !== 201) throw new Error(made.text);
  const path = `/channel_addresses/${made.body.id}`;
  const sent = await person.api("POST", `${path}/send_code`);
  if (sent.body.sent !== true) throw new Error(sent.text);
  const code = /\b\d{6}\b/.exec(lastTaken(channel).text)?.[0];
  const confirmed = await person.api("POST", `${path}/confirm`, { code });
  if (!confirmed.body.confirmed_at) throw new Error(confirmed.text);
  messengers.taken.length = 0;
  return { ...person, addressId: made.body.id };
}

/** A person whose private chat is linked with the bot. */
async function makeChatter(chatId: number): Promise<Owner> {
  const person = await makePerson();
  const made = await person.api("POST", "/channel_addresses", { channel: "telegram" });
  const { body } = await person.api("POST", `/channel_addresses/${made.body.id}/send_code`);
  const [, payload] =
    /^https:\/\/t\.me\/tocsin_bot\?start=([\w-]{1,64})$/.exec(body.link_url) ?? [];
  const reply = await updateBot(BOT_SECRET, startOf(payload ?? "", chatId));
  if (!reply.text.includes("is linked")) throw new Error(reply.text);
  messengers.taken.length = 0;
  return { ...person, addressId: made.body.id };
}

const startOf = (payload: string, id: number, type = "private") => ({
  update_id: 1,
  message: { message_id: 1, chat: { id, type }, text: `/start ${payload}` },
});

async function alertFor({ id }: Colleague, title = "Disk full"): Promise<string> {
  const { body, status, text } = await account.api("POST", "/alerts", {
    title,
    description: "97 % of /var",
    urgency: "critical",
    destination_account_user_ids: [id],
  });
  if (status !== 201) throw new Error(text);
  return body.id;
}

/** An emergency that rings at Pushover, and its receipt there. */
async function ringAtPushover() {
  const alertId = await alertFor(await makeOwner("pushover"));
  await vi.waitFor(async () => {
    expect(await notificationsOf(alertId)).toMatchObject([{ status: "sent" }]);
  }, soon);
  return { alertId, receipt: (await notificationsOf(alertId))[0]?.provider_id };
}

const statusOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body.status;

const notificationsOf = async (id: string) =>
  (await account.api("GET", `/alerts/${id}/notifications`)).body.data as {
    channel: string;
    status: string;
    reason: string | null;
    provider_id: string | null;
  }[];

const prefixOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body.prefix_id;

/** The data of a button of a Telegram message. */
function buttonOf(body: MessengerRequest["body"], label: string): string | undefined {
  const { inline_keyboard } = body.reply_markup as {
    inline_keyboard: { text: string; callback_data?: string }[][];
  };
  return inline_keyboard.flat().find(({ text }) => text === label)?.callback_data;
}

describe("an address", () => {
  test("is the person's own, is used once it is confirmed, and never shows its secrets", async () => {
    const owner = await makePerson();
    const settings = SETTINGS.ntfy;
    const made = await owner.api("POST", "/channel_addresses", { channel: "ntfy", settings });
    expect(made.body).toMatchObject({
      prefix_id: expect.stringMatching(/^cad_/),
      settings: { ...settings, token: "***" },
      confirmed_at: null,
    });
    const path = `/channel_addresses/${made.body.id}`;
    const early = await alertFor(owner);
    await vi.waitFor(async () => {
      expect((await notificationsOf(early)).map((it) => it.channel)).toEqual(["email"]);
    }, soon);
    expect((await owner.api("POST", `${path}/confirm`, { code: "123456" })).status).toBe(409);
    expect((await owner.api("POST", `${path}/send_code`)).body).toEqual({
      sent: true,
      link_url: null,
    });
    expect((await owner.api("POST", `${path}/send_code`)).status).toBe(429);
    const code = /\d{6}/.exec(lastTaken("ntfy").text)?.[0] ?? "";
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await owner.api("POST", `${path}/confirm`, { code: wrong })).status).toBe(422);
    expect((await owner.api("POST", `${path}/confirm`, { code })).status).toBe(200);
    expect((await account.api("GET", path)).status).toBe(404);
    expect((await account.api("DELETE", path)).status).toBe(404);
    const people = await account.api("GET", "/readiness/people?limit=100");
    const listed = people.body.data.find((it: { id: string }) => it.id === owner.id);
    expect(listed).toMatchObject({ reach: "wakeable", channels: ["email", "ntfy"] });
    expect((await owner.api("DELETE", path)).status).toBe(204);
  });

  test("is told to its person by mail when it is confirmed and when it is removed", async () => {
    const owner = await makeOwner("ntfy");
    const settings = { ...SETTINGS.gotify, token: "unused" };
    const unproven = await owner.api("POST", "/channel_addresses", { channel: "gotify", settings });
    for (const id of [unproven.body.id, owner.addressId]) {
      expect((await owner.api("DELETE", `/channel_addresses/${id}`)).status).toBe(204);
    }
    const chatter = await makeChatter(771);
    const told = ({ email }: Colleague) =>
      mailbox.security
        .filter(({ to }) => to === email)
        .flatMap(({ text }) => text.match(/Notifications (can|are) .+ sent to .+/g) ?? []);
    const ofOwner = [
      "Notifications can now be sent to ntfy",
      "Notifications are no longer sent to ntfy",
    ];
    await vi.waitFor(() => {
      for (const line of ofOwner) expect(told(owner).join("\n")).toContain(line);
      expect(told(chatter).join("\n")).toContain("Notifications can now be sent to Telegram");
    }, soon);
    expect(told(owner)).toHaveLength(2);
    expect(mailbox.security.map(({ text }) => text).join()).not.toContain(SETTINGS.ntfy.topic);
  });

  test("is refused with every wrong field named, and at internal hosts", async () => {
    const settings = { server: "https://10.0.0.1", room_id: "room", token: " " };
    const reply = await account.api("POST", "/channel_addresses", { channel: "matrix", settings });
    expect(reply.status).toBe(422);
    expect(reply.body.errors.map((it: { field: string }) => it.field)).toEqual([
      "settings.server",
      "settings.room_id",
      "settings.token",
    ]);
  });
});

describe("a page", () => {
  test.each(["ntfy", "gotify", "matrix", "webhook"] as const)(
    "is sent by %s, with a link that answers the alert",
    async (channel) => {
      const owner = await makeOwner(channel);
      const alertId = await alertFor(owner);
      await vi.waitFor(() => expect(takenBy(channel)).toHaveLength(1), soon);
      const { text, headers, body } = lastTaken(channel);
      expect(text).toContain("Disk full");
      const link = /https:\/\/tocsin\.test(\/a\/[\w.-]+)/.exec(text)?.[1] ?? "";
      if (channel === "webhook") {
        const verified = new Webhook(SECRET).verify(text, Object.fromEntries(headers));
        expect(verified).toMatchObject({ type: "alert.open", data: { urgency: "critical" } });
      }
      if (channel === "ntfy") expect(body).toMatchObject({ priority: 5 });
      await call("POST", link, {
        body: "action=acknowledge",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
      expect(await statusOf(alertId)).toBe("acknowledged");
    },
  );

  test("that is refused for good leads to the next channel, and the address is failing", async () => {
    const owner = await makeOwner("gotify");
    messengers.refusals.set("gotify", () => new Response(null, { status: 401 }));
    const alertId = await alertFor(owner);
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
    const reason = "Gotify answered 401: the application token was refused";
    expect(await notificationsOf(alertId)).toContainEqual(
      expect.objectContaining({ channel: "gotify", status: "failed", reason }),
    );
    const path = `/channel_addresses/${owner.addressId}`;
    expect((await owner.api("GET", path)).body).toMatchObject({
      failing_since: expect.any(String),
      failure: reason,
    });
    messengers.refusals.clear();
    await alertFor(owner);
    await vi.waitFor(async () => {
      const { failing_since, failure } = (await owner.api("GET", path)).body;
      expect([failing_since, failure]).toEqual([null, null]);
    }, soon);
  });

  test("of high urgency rings at Pushover until it is acknowledged there, on behalf of the person", async () => {
    const owner = await makeOwner("pushover");
    const alertId = await alertFor(owner);
    await vi.waitFor(() => expect(takenBy("pushover")).toHaveLength(1), soon);
    const { body } = lastTaken("pushover");
    expect(body).toMatchObject({ priority: "2", title: "Disk full", url_title: "Open" });
    const callback = new URL(String(body.callback)).pathname;
    const acknowledge = (path: string, acknowledged = "1") =>
      call("POST", path, {
        body: new URLSearchParams({ receipt: "r", acknowledged }).toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
    expect((await acknowledge(`${callback.slice(0, -2)}xx`)).status).toBe(403);
    const link = new URL(String(body.url)).pathname.replace("/a/", "/callbacks/pushover/");
    expect((await acknowledge(link)).status).toBe(403);
    expect((await acknowledge(callback, "0")).status).toBe(204);
    expect(await statusOf(alertId)).toBe("open");
    expect((await acknowledge(callback)).status).toBe(204);
    expect((await acknowledge(callback)).status).toBe(204);
    expect(await statusOf(alertId)).toBe("acknowledged");
    const { body: log } = await account.api(
      "GET",
      `/logs/log_${(await prefixOf(alertId)).slice(4)}`,
    );
    const lines = log.details.sublogs.map((it: { message: string }) => it.message).join("\n");
    expect(lines.match(/Acknowledged by Nora Night/g)).toHaveLength(1);
  });

  test("is answered by a button in Telegram, only in the chat it was sent to", async () => {
    const chatId = 4_242;
    const owner = await makeChatter(chatId);
    const alertId = await alertFor(owner, "<b>Disk</b>\n_full_");
    await vi.waitFor(() => expect(takenBy("telegram")).toHaveLength(1), soon);
    const { body } = lastTaken("telegram");
    expect(body).toMatchObject({ chat_id: String(chatId) });
    expect(body.text).toMatch(/^<b>Disk<\/b> _full_\n/);
    const press = (id: number, secret = BOT_SECRET, query = "q") =>
      updateBot(secret, {
        update_id: 2,
        callback_query: { id: query, from: { id }, data: buttonOf(body, "Acknowledge") },
      });
    for (const forged of ["forged", "\u00fc".repeat(BOT_SECRET.length)]) {
      expect((await press(chatId, forged)).status).toBe(403);
    }
    expect((await press(chatId + 1)).body.text).toContain("no longer assigned");
    expect(await statusOf(alertId)).toBe("open");
    expect((await press(chatId)).body).toEqual({
      method: "answerCallbackQuery",
      callback_query_id: "q",
      text: "Acknowledged",
    });
    expect(await statusOf(alertId)).toBe("acknowledged");
    expect((await press(chatId)).body.text).toBe("Your answer was received before.");
    const again = await press(chatId, BOT_SECRET, "q2");
    expect(again.body.text).toMatch(/^Acknowledged, already by you at \d\d:\d\d\.$/);
    // The buttons go from the message.
    await vi.waitFor(() => expect(lastTaken("telegram").path).toMatch(/\/editMessageText$/), soon);
    expect(lastTaken("telegram").body).toMatchObject({
      text: "Acknowledged by Nora Night for Nora Night: <b>Disk</b> _full_",
      reply_markup: { inline_keyboard: [] },
    });
  });

  test("stops ringing at Pushover when somebody answers elsewhere", async () => {
    const { alertId, receipt } = await ringAtPushover();
    await account.api("POST", `/alerts/${alertId}/acknowledge`);
    const ended = () => messengers.taken.map((it) => it.path).filter((it) => it.includes("cancel"));
    const once = [`/1/receipts/${receipt}/cancel.json`];
    await vi.waitFor(() => expect(ended()).toEqual(once), { timeout: 2_000, interval: 20 });
    await account.api("POST", `/alerts/${alertId}/resolve`);
    await scheduler.wait(100);
    expect(ended()).toEqual(once);
  });

  test("stops ringing at Pushover when the alert is deleted, also if Pushover fails at first", async () => {
    const { alertId, receipt } = await ringAtPushover();
    const failing = vi.fn(() => {
      messengers.refusals.clear();
      return new Response(null, { status: 502 });
    });
    messengers.refusals.set("pushover", failing);
    messengers.taken.length = 0;
    expect((await account.api("DELETE", `/alerts/${alertId}`)).status).toBe(204);
    await vi.waitFor(() => {
      const paths = messengers.taken.map((it) => it.path);
      expect(paths).toEqual([`/1/receipts/${receipt}/cancel.json`]);
    }, soon);
    expect(failing).toHaveBeenCalledOnce();
  });

  test("over the rate is sent again when the provider says so", async () => {
    const owner = await makeOwner("ntfy");
    const limited = vi.fn(() => {
      messengers.refusals.clear();
      return new Response(null, { status: 429, headers: { "Retry-After": "1" } });
    });
    messengers.refusals.set("ntfy", limited);
    const alertId = await alertFor(owner);
    await vi.waitFor(() => expect(takenBy("ntfy")).toHaveLength(1), soon);
    expect(limited).toHaveBeenCalledOnce();
    // Recorded once the provider's answer was read.
    await vi.waitFor(async () => {
      expect(await notificationsOf(alertId)).toMatchObject([{ channel: "ntfy", status: "sent" }]);
    }, soon);
  });
});
