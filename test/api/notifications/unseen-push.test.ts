// Browsers that have shown no push for 30 days: their owner is told by e-mail, once.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { EMPTY_RULE_VIEW } from "../../../src/domain/notifications/page.ts";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { DAY } from "../../../src/domain/shared/time.ts";
import { notifyChanges } from "../../../src/features/change/notify-changes.ts";
import { push } from "../../../src/features/people/channels/push.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { openBrowser, openPushService } from "../../support/providers/push.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";

afterEach(() => {
  vi.useRealTimers();
});

const objectOf = ({ accountUserId }: Account) =>
  env.PERSON.getByName(prefixIdOf("account_user", accountUserId));

/** When the person's object looks at their browsers next (epoch ms). */
const dueAt = async (account: Account) => {
  await notifyChanges(env, account.accountId);
  return runInDurableObject(
    objectOf(account),
    (_, { storage }) => storage.kv.get<{ at: number }>("push")?.at ?? null,
  );
};

async function wakeAt(account: Account, at: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  await runDurableObjectAlarm(objectOf(account));
  vi.useRealTimers();
}

async function subscribe({ api }: Account, name: string) {
  const browser = openBrowser();
  const { body, status, text } = await api("POST", "/push_subscriptions", {
    ...browser.subscription,
    name,
  });
  expect(status, text).toBe(201);
  return { ...browser, id: body.id as string, at: Date.parse(body.created_at) };
}

const seenAt = async (id: string) =>
  (
    await env.DB.prepare("select seen_at from push_subscriptions where id = ?")
      .bind(id)
      .first<{ seen_at: number | null }>()
  )?.seen_at ?? null;

/** As if it had been subscribed so long ago (ms). */
const age = (id: string, by: number) =>
  env.DB.prepare("update push_subscriptions set created_at = created_at - ? where id = ?")
    .bind(by, id)
    .run();

test("their owner is told once of each, by e-mail", async () => {
  const mailbox = openMailbox();
  const account = await makeAccount();
  const old = await subscribe(account, "Chrome, Android");
  const other = await subscribe(account, "Firefox, Linux");
  await age(old.id, 2 * DAY);
  const first = (await dueAt(account)) ?? 0;
  expect(first).toBe(old.at + 28 * DAY);
  await wakeAt(account, first - 1_000);
  expect(mailbox.mails).toEqual([]);
  await wakeAt(account, first + 1_000);
  await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
  expect(mailbox.mails[0]?.subject).toBe("No push shown for 30 days: Chrome, Android");
  expect(mailbox.mails[0]?.text).toContain("/settings#push");
  expect(await dueAt(account)).toBe(other.at + 30 * DAY);
  await wakeAt(account, other.at + 30 * DAY + 1_000);
  await vi.waitFor(() => expect(mailbox.mails).toHaveLength(2), soon);
  expect(mailbox.mails[1]?.subject).toBe("No push shown for 30 days: Firefox, Linux");
  expect(mailbox.mails[1]?.text).not.toContain("Chrome");
  expect(await dueAt(account)).toBe(null);
});

test("one that confirmed a push is not told of, the others of its owner are", async () => {
  const mailbox = openMailbox();
  const service = openPushService();
  const account = await makeAccount();
  const [used, silent] = [await subscribe(account, "Used"), await subscribe(account, "Silent")];
  for (const { id } of [used, silent]) await age(id, 20 * DAY);
  const due = (await dueAt(account)) ?? 0;
  const page = {
    ...({ effectId: "effect", event: "alert.open" } as const),
    accountUserId: account.accountUserId,
    ...{ workflowId: null, layer: 1, pass: 1, at: Date.now(), until: null, detail: null },
  };
  const notice = { schedule: "", subject: "Hello", text: "Hello" };
  const to = prefixIdOf("account_user", account.accountUserId);
  await push.send(
    env,
    { channel: "push", to },
    {
      ...{ accountId: account.accountId, page, alert: null, notice, stage: 0 },
      ...{ view: EMPTY_RULE_VIEW, bundle: null },
    },
    "01KA4Z8Q2N7M3P5R9T1V6W8X0Y",
  );
  const taken = service.taken.find(({ endpoint }) => used.subscription.endpoint.endsWith(endpoint));
  const message = used.read(taken?.body ?? new Uint8Array()) as {
    notification: { data: { receipt: string } };
  };
  const { pathname } = new URL(message.notification.data.receipt);
  expect((await call("POST", pathname)).status).toBe(204);
  expect(await seenAt(used.id)).toBeGreaterThan(Date.now() - 60_000);
  expect(await seenAt(silent.id)).toBe(null);
  await wakeAt(account, due + 2 * DAY);
  await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
  expect(mailbox.mails[0]?.subject).toBe("No push shown for 30 days: Silent");
});

test("one that opened the console, or is removed, is not told of", async () => {
  const mailbox = openMailbox();
  const account = await makeAccount();
  const [opened, removed] = [await subscribe(account, "Open"), await subscribe(account, "Gone")];
  for (const { id } of [opened, removed]) await age(id, 20 * DAY);
  const due = (await dueAt(account)) ?? 0;
  const console = await signInAdmin(account);
  const say = (endpoint: string) => console.submit("/settings/push/seen", { endpoint });
  const { endpoint } = opened.subscription;
  expect(JSON.parse((await say(endpoint)).text)).toEqual({ isSubscribed: true });
  expect(await seenAt(opened.id)).not.toBe(null);
  expect(JSON.parse((await say(`${endpoint}x`)).text)).toEqual({ isSubscribed: false });
  const other = await makeAccount();
  const theirs = await signInAdmin(other);
  const refused = await theirs.submit("/settings/push/seen", {
    endpoint: removed.subscription.endpoint,
  });
  expect(JSON.parse(refused.text)).toEqual({ isSubscribed: false });
  expect(await seenAt(removed.id)).toBe(null);
  await account.api("DELETE", `/push_subscriptions/${removed.id}`);
  await wakeAt(account, due + 1_000);
  expect(await dueAt(account)).toBeGreaterThan(due + 19 * DAY);
  expect(mailbox.mails).toEqual([]);
});
