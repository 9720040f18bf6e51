// Readiness over HTTP: teams without anybody on call, and how people can be reached.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { HOUR } from "../../../src/domain/shared/time.ts";
import { notifyChanges } from "../../../src/features/change/notify-changes.ts";
import type { PersonStub } from "../../../src/features/rpc.ts";
import { makeRota } from "../../support/oncall/rota.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { soon } from "../../support/worker/faults.ts";

test("teams are uncovered until somebody is on call for the next day", async () => {
  const rota = await makeRota("AB");
  const { api } = rota.account;
  const uncovered = async () => (await api("GET", "/oncall/uncovered")).body;
  expect(await uncovered()).toMatchObject([{ team_id: rota.teamId, layer: 1, end_time: null }]);
  const end = new Date(Math.ceil(Date.now() / HOUR) * HOUR + 5 * HOUR).toISOString();
  await rota.event("A", { start_datetime: "2020-01-01T00:00:00Z", end_datetime: end });
  expect(await uncovered()).toMatchObject([{ layer: 1, start_time: end, end_time: null }]);
  await rota.event("B", { start_datetime: end, end_datetime: "2040-01-01T00:00:00Z" });
  expect(await uncovered()).toEqual([]);
  const { body } = await api("GET", "/readiness");
  const done = body.steps.filter((it: { done: boolean }) => it.done);
  expect(done.map((it: { step: string }) => it.step)).toEqual(["team", "on_call", "policy"]);
});

test("people are listed with their channels and problems, by team, reach and name", async () => {
  const rota = await makeRota("AB");
  const { account } = rota;
  const read = async (query: string) => {
    const { body } = await account.api("GET", `/readiness/people?${query}`);
    return body.data;
  };
  const invited = await account.api("POST", "/account_users", {
    user_attributes: {
      name: "Phone Person",
      emails_attributes: [{ email: "phone.person@example.com" }],
      phones_attributes: [{ phone: "+14155550123" }],
    },
  });
  expect(invited.status).toBe(201);
  const [person] = await read("q=phone.person");
  expect(person).toMatchObject({
    id: invited.body.id,
    reach: "mail_only",
    channels: ["email"],
    problems: ["never_signed_in", "unconfirmed_phone"],
    last_sign_in_at: null,
  });
  await env.DB.prepare("update user_emails set blocked_at = 1 where email = ?")
    .bind("phone.person@example.com")
    .run();
  const unreachable = await read("reach=unreachable&problems=blocked_email");
  expect(unreachable.map((it: { name: string }) => it.name)).toEqual(["Phone Person"]);
  const team = await read(`team_ids=${rota.teamId}&sort=name&direction=asc`);
  expect(team).toHaveLength(2);
});

test("admins get a weekly digest of problems, unless the account or they themselves opt out", async () => {
  const mailbox = openMailbox();
  const rota = await makeRota("AB");
  const { api, accountUserId, accountId } = rota.account;
  const object = env.PERSON.getByName(prefixIdOf("account_user", accountUserId));
  const dueAt = async () => {
    await notifyChanges(env, accountId);
    return runInDurableObject(
      object,
      (_, { storage }) => storage.kv.get<{ at: number }>("readiness")?.at ?? null,
    );
  };
  const at = (await dueAt()) ?? 0;
  expect([new Date(at).getUTCDay(), new Date(at).getUTCHours()]).toEqual([1, 8]);
  vi.useFakeTimers({ toFake: ["Date"], now: at + 1_000 });
  await runDurableObjectAlarm(object);
  vi.useRealTimers();
  await vi.waitFor(() => expect(mailbox.mails.length).toBe(1), soon);
  expect(mailbox.mails[0]?.subject).toBe(
    "Readiness: 1 team without anybody on call, 2 people who cannot be woken",
  );
  expect(mailbox.mails[0]?.text).toContain("- Payments, step 1: from Mon");
  expect(mailbox.mails[0]?.text).toContain("- B Person: e-mail only");
  const off = await api("PUT", "/readiness", { weekly_digest: false });
  expect(off.body).toMatchObject({ weekly_digest: false });
  expect(await dueAt()).toBeNull();
  await api("PUT", "/readiness", { weekly_digest: true });
  expect(await dueAt()).not.toBeNull();
  const person = await api("PUT", `/account_users/${accountUserId}`, { readiness_digest: false });
  expect(person.body).toMatchObject({ readiness_digest: false });
  expect(await dueAt()).toBeNull();
});

test("a weekly digest that is due is sent once, although a setting changes before its alarm", async () => {
  const mailbox = openMailbox();
  const { account } = await makeRota("AB");
  const { accountUserId: id, accountId } = account;
  await notifyChanges(env, accountId);
  const object = env.PERSON.getByName(prefixIdOf("account_user", id));
  const at = await runInDurableObject(
    object,
    (_, { storage }) => storage.kv.get<{ at: number }>("readiness")?.at ?? 0,
  );
  vi.useFakeTimers({ toFake: ["Date"], now: at + 1_000 });
  await (object as unknown as PersonStub).watch({ id, accountId });
  await runDurableObjectAlarm(object);
  vi.useRealTimers();
  await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
  expect(mailbox.mails[0]?.subject).toMatch(/^Readiness: /);
});
