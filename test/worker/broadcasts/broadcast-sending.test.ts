// Sending of broadcasts: one notification per recipient, responses by link, the exact deadline; and no notification
// lost or repeated when the queue, the database or the object fails.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BroadcastObject } from "../../../src/features/broadcasts/broadcasts/object.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { open, press } from "../../support/api/links.ts";
import { freshNumber, givePhone } from "../../support/people/phones.ts";
import { type Mailbox, openMailbox, refusal } from "../../support/providers/mailbox.ts";
import { linksIn, parseReceivedMail } from "../../support/providers/received.ts";
import { openTwilio, text } from "../../support/providers/twilio.ts";
import { evict, failDatabase, interceptQueue, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let account: Account;
let mailbox: Mailbox;
let ada: Person;
let bo: Person;
let cy: Person;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  ada = await makePerson(account, "Ada");
  bo = await makePerson(account, "Bo");
  cy = await makePerson(account, "Cy");
});

afterEach(() => {
  vi.restoreAllMocks();
});

type Broadcast = {
  readonly id: string;
  readonly prefix_id: string;
  readonly status: string;
  readonly broadcast_response_options: readonly { id: string; value: string }[];
};

const ASKING = {
  response_requested: true,
  broadcast_response_options_attributes: [{ value: "Safe" }, { value: "I need <help>" }],
};

async function send(people: readonly Person[], more: Record<string, unknown> = {}) {
  const { status, body, text } = await account.api("POST", "/broadcasts", {
    title: "Fire in building 4",
    description: "Leave by the east door.",
    destination_account_user_ids: people.map((it) => it.accountUserId),
    ...more,
  });
  if (status !== 201) throw new Error(text);
  return body as Broadcast;
}

const read = async ({ id }: Broadcast) => (await account.api("GET", `/broadcasts/${id}`)).body;
const mailsOf = ({ email }: Person) => mailbox.mails.filter(({ to }) => to === email);
const untilStatus = (broadcast: Broadcast, status: string) =>
  vi.waitFor(async () => expect((await read(broadcast)).status).toBe(status), soon);

const stubOf = ({ prefix_id }: Broadcast) =>
  env.BROADCAST.getByName(prefix_id) as DurableObjectStub<BroadcastObject>;

async function linkOf(person: Person) {
  await vi.waitFor(() => expect(mailsOf(person).length).toBe(1), soon);
  const [mail] = mailsOf(person);
  if (!mail) throw new Error("no mail");
  return linksIn((await parseReceivedMail(mail)).text ?? "")[0] ?? "";
}

/** Makes the outbox's notifications due again and runs the alarm. */
async function runDueOutbox(broadcast: Broadcast) {
  await runInDurableObject(stubOf(broadcast), async (_, { storage }) => {
    storage.sql.exec("update outbox set next_at = 0");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stubOf(broadcast));
}

describe("a broadcast", () => {
  test("notifies each recipient once, however often they are named, and then closes", async () => {
    const team = await makeTeam(account, [{ seconds: 60, people: [ada.accountUserId] }]);
    const broadcast = await send([ada, bo], { destination_team_ids: [team.id] });
    expect(broadcast.status).toBe("queued");
    await untilStatus(broadcast, "closed");
    // The account's admin is in the team.
    expect(mailbox.mails.length).toBe(3);
    expect([mailsOf(ada).length, mailsOf(bo).length, mailsOf(cy).length]).toEqual([1, 1, 0]);
    const mail = await parseReceivedMail(mailsOf(bo)[0] as never);
    expect(mail.subject).toBe("[BROADCAST] Fire in building 4");
    expect(mail.text).toContain("Leave by the east door.");
    expect(mail.text).toContain("From: Ada Admin");
    expect(linksIn(mail.html ?? "")).toEqual([]);
    const { body } = await account.api("GET", `/broadcasts/${broadcast.id}/notifications`);
    expect(body.total_count).toBe(3);
    for (const row of body.data) {
      expect(row).toMatchObject({
        broadcast_id: broadcast.id,
        alert_id: null,
        event: "broadcast.sent",
        channel: "email",
        status: "sent",
      });
    }
    const stored = await runInDurableObject(stubOf(broadcast), async (_, { storage }) => [
      storage.kv.get("broadcast"),
      await storage.getAlarm(),
    ]);
    expect(stored).toEqual([undefined, null]);
  });

  test("accepts responses by link, replaces earlier ones, and closes with the last recipient's", async () => {
    const broadcast = await send([ada, bo], ASKING);
    const [safe, help] = broadcast.broadcast_response_options;
    const link = await linkOf(ada);
    const page = await open(link);
    expect([page.status, page.buttons]).toEqual([200, [safe?.id, help?.id]]);
    expect(page.text).toContain("I need <help>");
    expect((await read(broadcast)).broadcast_responses).toEqual([]);
    expect((await press(link, help?.id ?? "")).status).toBe(200);
    const again = await press(link, safe?.id ?? "");
    expect(again.text).toContain("Your response: Safe");
    await untilStatus(broadcast, "open");
    expect((await press(await linkOf(bo), help?.id ?? "")).status).toBe(200);
    await untilStatus(broadcast, "closed");
    const { broadcast_responses, broadcast_response_options } = await read(broadcast);
    expect(broadcast_responses.map((it: { channel: string }) => it.channel)).toEqual([
      "link",
      "link",
    ]);
    const counts = broadcast_response_options.map(
      (it: { broadcast_responses_count: number }) => it.broadcast_responses_count,
    );
    expect(counts).toEqual([1, 1]);
    const late = await press(link, help?.id ?? "");
    expect([late.status, late.buttons]).toEqual([409, []]);
    expect(late.text).toContain("The broadcast is closed.");
  });

  test("closes exactly at its deadline, and rejects later responses", async () => {
    const at = Date.now() + 2_500;
    const by = new Date(at).toISOString();
    const broadcast = await send([ada], { ...ASKING, response_requested_by: by });
    const link = await linkOf(ada);
    expect((await open(link)).text).toContain("Responses are accepted until");
    await untilStatus(broadcast, "open");
    await untilStatus(broadcast, "closed");
    expect(Date.now()).toBeGreaterThanOrEqual(at);
    const late = await press(link, broadcast.broadcast_response_options[0]?.id ?? "");
    expect(late.status).toBe(409);
    expect((await read(broadcast)).broadcast_responses).toEqual([]);
  });

  test("follows a changed deadline, and notifies only the added recipients", async () => {
    const far = new Date(Date.now() + 3_600_000).toISOString();
    const broadcast = await send([ada], { ...ASKING, response_requested_by: far });
    await vi.waitFor(() => expect(mailsOf(ada).length).toBe(1), soon);
    const both = [ada.accountUserId, bo.accountUserId];
    const path = `/broadcasts/${broadcast.id}`;
    await account.api("PUT", path, { destination_account_user_ids: both });
    await vi.waitFor(() => expect(mailsOf(bo).length).toBe(1), soon);
    await account.api("PUT", path, { response_requested_by: new Date().toISOString() });
    await untilStatus(broadcast, "closed");
    expect(mailbox.mails.length).toBe(2);
  });

  test("is errored if no recipient could be reached", async () => {
    mailbox.failure = refusal("E_RECIPIENT_SUPPRESSED");
    const broadcast = await send([ada, bo], ASKING);
    await untilStatus(broadcast, "errored");
    const none = await makePerson(account, "Nobody", { email: null });
    await untilStatus(await send([none]), "errored");
  });

  test("is not errored if one of two recipients was reached", async () => {
    const none = await makePerson(account, "Nobody", { email: null });
    await untilStatus(await send([none, ada]), "closed");
  });

  test("follows each person's notification rule", async () => {
    const ruleOf = async (person: Person, action: string) => {
      const rules = `rules:\n  - match: { always: true }\n    types: [broadcast.sent]\n    actions: [${action}]\n`;
      const { body } = await account.api("POST", "/notification_rules", { name: "Mine", rules });
      const path = `/account_users/${person.accountUserId}`;
      const set = await account.api("PUT", path, { notification_rule_id: body.id });
      expect(set.status, set.text).toBe(200);
    };
    await ruleOf(ada, "{ type: ignore }");
    const ignored = await send([ada]);
    await untilStatus(ignored, "closed");
    const { body } = await account.api("GET", `/broadcasts/${ignored.id}/notifications`);
    expect(body.data[0]).toMatchObject({ status: "skipped", account_user_id: ada.accountUserId });
    const number = await givePhone(bo.accountUserId);
    const twilio = openTwilio();
    await ruleOf(bo, "{ type: notify, channels: [sms] }");
    const asking = await send([bo, cy], ASKING);
    await vi.waitFor(() => expect(twilio.taken.length).toBe(1), soon);
    expect(mailsOf(bo)).toEqual([]);
    const smsBody = twilio.taken[0]?.form.Body ?? "";
    const code = /Reply (\d{4}) and a number: 1 Safe, 2 I need <help>$/.exec(smsBody)?.[1] ?? "";
    expect(smsBody.startsWith("BROADCAST: Fire in building 4: Leave by the east door.")).toBe(true);
    await vi.waitFor(async () => {
      expect(await text(number, `${code} 3`)).toBe("Reply with a number from 1 to 2.");
    }, soon);
    expect(await text(freshNumber(), `${code} 2`)).toBeNull();
    expect(await text(number, `${code} 2`)).toBe("Noted: I need <help>");
    const { broadcast_responses } = await read(asking);
    expect(broadcast_responses).toMatchObject([
      { account_user_id: bo.accountUserId, channel: "sms" },
    ]);
    await account.api("PUT", `/broadcasts/${asking.id}`, { status: "closed" });
    expect(await text(number, `${code} 1`)).toBe("Nothing was changed. The broadcast is closed.");
  });

  test("notifies nobody once it is closed by a user or deleted", async () => {
    const failingQueue = interceptQueue(async () => {
      throw new Error("the queue is away");
    });
    const closed = await send([ada], ASKING);
    const deleted = await send([bo], ASKING);
    await vi.waitFor(() => expect(failingQueue.mock.calls.length).toBeGreaterThan(1), soon);
    await account.api("PUT", `/broadcasts/${closed.id}`, { status: "closed" });
    await account.api("DELETE", `/broadcasts/${deleted.id}`);
    failingQueue.mockRestore();
    for (const it of [closed, deleted]) {
      await vi.waitFor(async () => {
        const stored = await runInDurableObject(stubOf(it), (_, { storage }) =>
          storage.kv.get("broadcast"),
        );
        expect(stored).toBeUndefined();
      }, soon);
    }
    await untilStatus(await send([cy]), "closed");
    expect(mailbox.mails.map(({ to }) => to)).toEqual([cy.email]);
  });
});

describe("no notification is lost or repeated", () => {
  test("if the object is evicted before it is notified of the broadcast", async () => {
    const refresh = vi.spyOn(BroadcastObject.prototype, "refresh").mockResolvedValue();
    const broadcast = await send([ada]);
    await vi.waitFor(() => expect(refresh).toHaveBeenCalled(), soon);
    await evict(stubOf(broadcast));
    await untilStatus(broadcast, "closed");
    expect(mailsOf(ada).length).toBe(1);
  });

  test("if the queue loses messages and delivers others twice", async () => {
    let lostBatches = 0;
    const spy = interceptQueue(async () => {
      lostBatches += 1;
    });
    const broadcast = await send([ada, bo], ASKING);
    await vi.waitFor(() => expect(lostBatches).toBe(1), soon);
    spy.mockRestore();
    await evict(stubOf(broadcast));
    await Promise.all([runDueOutbox(broadcast), runDueOutbox(broadcast)]);
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(2), soon);
    await runDueOutbox(broadcast);
    await untilStatus(broadcast, "open");
    expect([mailsOf(ada).length, mailsOf(bo).length]).toEqual([1, 1]);
  });

  test("if the database is unavailable when the broadcast is due", async () => {
    const failingQueue = interceptQueue(async () => {
      throw new Error("the queue is away");
    });
    const broadcast = await send([ada]);
    await vi.waitFor(() => expect(failingQueue).toHaveBeenCalled(), soon);
    const repair = failDatabase();
    failingQueue.mockRestore();
    await runDueOutbox(broadcast);
    repair();
    await vi.waitFor(async () => {
      await runDueOutbox(broadcast).catch(() => {});
      expect((await read(broadcast)).status).toBe("closed");
    }, soon);
    expect(mailsOf(ada).length).toBe(1);
  });
});

describe("a broadcast's link", () => {
  test("is rejected for a former recipient and for an option of another broadcast", async () => {
    const broadcast = await send([ada, bo], ASKING);
    const other = await send([ada, bo], { ...ASKING, title: "Another" });
    await vi.waitFor(() => expect(mailsOf(ada).length).toBe(2), soon);
    const mail = mailsOf(ada).find(({ subject }) => subject.includes("Fire"));
    const [link = ""] = linksIn(mail?.text ?? "");
    const foreign = await press(link, other.broadcast_response_options[0]?.id ?? "");
    expect(foreign.status).toBe(422);
    await account.api("PUT", `/broadcasts/${broadcast.id}`, {
      destination_account_user_ids: [bo.accountUserId],
    });
    for (const page of [
      await open(link),
      await press(link, broadcast.broadcast_response_options[0]?.id ?? ""),
    ]) {
      expect(page.status).toBe(403);
      expect(page.text).not.toContain("Fire");
    }
    await account.api("DELETE", `/broadcasts/${broadcast.id}`);
    expect((await open(link)).status).toBe(404);
    expect((await read(other)).broadcast_responses).toEqual([]);
  });
});
