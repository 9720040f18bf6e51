// A standby's question to admins: by mail with a link, by SMS with a code; each counts as its own admin's, once.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runEveryMinute } from "../../../src/cron.ts";
import type { StandbyQuestion } from "../../../src/domain/operations/standby.ts";
import { askAdmins } from "../../../src/features/operations/standby/ask-admins.ts";
import { StandbyObject } from "../../../src/features/operations/standby/object.ts";
import { actionLink } from "../../../src/kernel/links.ts";
import { call } from "../../support/api/api.ts";
import { givePhone } from "../../support/people/phones.ts";
import { openTwilio, type Twilio, text } from "../../support/providers/twilio.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { makePerson } from "../../support/worker/world.ts";

const soon = { timeout: 10_000, interval: 50 };

let mine: Inhabited;
let adminId = "";
let memberId = "";
let [ours, anothers] = ["", ""];
let twilio: Twilio;
beforeAll(async () => {
  mine = await makeInhabited("lighthouse");
  await makeInhabited("submarine");
  ({ accountUserId: adminId } = await makePerson(mine, "Ada Admin", { admin: true }));
  ({ accountUserId: memberId } = await makePerson(mine, "Mo Member"));
  ours = await givePhone(adminId);
  anothers = await givePhone(memberId);
});

let answers: object[] = [];
let asked: StandbyQuestion | null = null;
beforeEach(() => {
  twilio = openTwilio();
  answers = [];
  vi.spyOn(env, "STANDBY_OF", "get").mockReturnValue("https://pager.example.com");
  vi.spyOn(StandbyObject.prototype, "question").mockImplementation(async (id) =>
    asked?.id === id ? asked : null,
  );
  vi.spyOn(StandbyObject.prototype, "answer").mockImplementation(async (id, by) => {
    if (asked?.id !== id) return false;
    asked = null;
    answers.push(by);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function ask(order: StandbyQuestion["order"]): Promise<StandbyQuestion> {
  asked = { id: crypto.randomUUID(), order, at: Date.now() };
  await askAdmins(env, asked);
  return asked;
}

const sentTo = (number: string) =>
  twilio.taken.filter(({ form }) => form.To === number).map(({ form }) => form.Body ?? "");

test("an admin takes over by the code of an SMS, and once", async () => {
  const question = await ask("take_over");
  await vi.waitFor(() => expect(sentTo(ours)).toHaveLength(1), soon);
  // What was sent is not sent again, and to nobody else.
  await vi.waitFor(async () => {
    const rows = "select count(*) as n from notifications where owner_id = ? and channel = 'sms'";
    expect(await env.DB.prepare(rows).bind(question.id).first("n")).toBe(1);
  }, soon);
  await askAdmins(env, question);
  const [message = ""] = sentTo(ours);
  expect(message).toContain("By the standby: The primary does not answer");
  const code = /Reply A (\d{4}) to take over/.exec(message)?.[1] ?? "";
  expect(code).not.toBe("");
  expect(sentTo(anothers)).toEqual([]);
  // It is of one person's telephone.
  expect(await text(anothers, `A ${code}`)).toBeNull();
  expect(await text(ours, `R ${code}`)).toBe("Nothing is changed.");
  expect(answers).toEqual([]);
  expect(await text(ours, `A ${code}`)).toBe("The standby takes over.");
  expect(answers).toEqual([{ by: "sms", accountId: mine.accountId, accountUserId: adminId }]);
  expect(await text(ours, `A ${code}`)).toContain("the question is over");
  expect(answers).toHaveLength(1);
  expect(sentTo(ours)).toHaveLength(1);
});

test("a reminder is sent once more, once, and the code of the first question counts on", async () => {
  const question = await ask("stand_down");
  await vi.waitFor(() => expect(sentTo(ours)).toHaveLength(1), soon);
  const reminder = { ...question, at: Date.now() + 1, isReminder: true };
  asked = reminder;
  await new Promise((done) => setTimeout(done, 5));
  await askAdmins(env, reminder);
  await vi.waitFor(() => expect(sentTo(ours)).toHaveLength(2), soon);
  await vi.waitFor(async () => {
    const rows = "select count(*) as n from notifications where owner_id = ? and channel = 'sms'";
    expect(await env.DB.prepare(rows).bind(question.id).first("n")).toBe(2);
  }, soon);
  await askAdmins(env, reminder);
  const [first = "", second = ""] = sentTo(ours);
  expect(first).toContain("The standby has taken over");
  expect(second).toContain("By the standby: The primary answers again");
  const code = /Reply A (\d{4}) to have it stand down/.exec(first)?.[1] ?? "";
  expect(code).not.toBe("");
  expect(await text(ours, `A ${code}`)).toBe("The standby stands down.");
  expect(answers).toHaveLength(1);
  expect(sentTo(ours)).toHaveLength(2);
});

test("who is an admin no more cannot answer", async () => {
  await ask("take_over");
  await vi.waitFor(() => expect(sentTo(ours)).toHaveLength(1), soon);
  const code = /A (\d{4})/.exec(sentTo(ours)[0] ?? "")?.[1];
  const change = (admin: number) =>
    env.DB.prepare("update account_users set admin = ? where id = ?").bind(admin, adminId).run();
  await change(0);
  expect(await text(ours, `A ${code}`)).toBeNull();
  await change(1);
  expect(answers).toEqual([]);
});

test("the page of a link asks, and its button answers, once and as its admin", async () => {
  const question = await ask("stand_down");
  const linkOf = async (accountUserId: string) => {
    const subject = { purpose: "standby", recordId: question.id, accountUserId } as const;
    const link = await actionLink(env, { ...subject, accountId: mine.accountId }, question.at);
    return new URL(link ?? "").pathname;
  };
  const post = async (of: string, action: string) =>
    call("POST", await linkOf(of), { body: new URLSearchParams({ action }).toString() });
  const shown = await call("GET", await linkOf(adminId));
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining("Stand down?")]);
  expect(shown.text).toContain("You answer as Ada Admin.");
  // Of one who is no admin; by another button.
  expect((await call("GET", await linkOf(memberId))).status).toBe(403);
  expect((await post(memberId, "stand_down")).status).toBe(403);
  expect((await post(adminId, "take_over")).text).toContain("Stand down?");
  expect(answers).toEqual([]);
  const done = await post(adminId, "stand_down");
  expect([done.status, done.text]).toEqual([200, expect.stringContaining("stands down")]);
  expect(answers).toEqual([{ by: "link", accountId: mine.accountId, accountUserId: adminId }]);
  for (const status of [
    (await post(adminId, "stand_down")).status,
    (await call("GET", await linkOf(adminId))).status,
  ]) {
    expect(status).toBe(410);
  }
  expect(answers).toHaveLength(1);
});

test("a deployment that is no standby has no such page", async () => {
  const question = await ask("take_over");
  vi.spyOn(env, "STANDBY_OF", "get").mockReturnValue("");
  const subject = { purpose: "standby", accountId: mine.accountId, recordId: question.id } as const;
  const link = await actionLink(env, { ...subject, accountUserId: adminId }, question.at);
  expect((await call("GET", new URL(link ?? "").pathname)).status).toBe(410);
});

test("while it is not active, nothing of its database goes on by itself", async () => {
  const expired = `insert into idempotency_keys (account_id, api_key_id, key, request_hash, record_id, claimed_until,
    expires_at) values (?1, 'k', 'old', '', '', 0, 1)`;
  await env.DB.prepare(expired).bind(mine.accountId).run();
  const isThere = async () =>
    (await env.DB.prepare("select 1 from idempotency_keys where key = 'old'").first()) !== null;
  const goesOn = vi.spyOn(StandbyObject.prototype, "wake").mockResolvedValue(false);
  await runEveryMinute(env, Date.now());
  expect([goesOn.mock.calls.length, await isThere()]).toEqual([1, true]);
  goesOn.mockResolvedValue(true);
  await runEveryMinute(env, Date.now());
  expect([goesOn.mock.calls.length, await isThere()]).toEqual([2, false]);
});
