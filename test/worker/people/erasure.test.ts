// Removed people are erased, after 30 days or at once. Afterwards no stored data and no log line contains their name,
// address or number, and other people's data is unchanged.
import { createScheduledController, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Page } from "../../../src/domain/alerts/alert.ts";
import { EMPTY_RULE_VIEW } from "../../../src/domain/notifications/page.ts";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { personObject } from "../../../src/features/stubs.ts";
import worker from "../../../src/index.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { makeOutgoingIntegration } from "../../support/integrations/outgoing.ts";
import { openReceiver } from "../../support/integrations/receiver.ts";
import {
  addColleague,
  type Colleague,
  freshEmail,
  markVerified,
} from "../../support/people/people.ts";
import { freshNumber, givePhone } from "../../support/people/phones.ts";
import { type Mailbox, openMailbox, refusal } from "../../support/providers/mailbox.ts";
import { openTwilio } from "../../support/providers/twilio.ts";
import { newBrowser, signIn } from "../../support/worker/console.ts";
import { findStoredTexts, readStorage } from "../../support/worker/everything.ts";
import { failDatabase, soon } from "../../support/worker/faults.ts";
import { untilQuiet } from "../../support/worker/round-trips.ts";
import { makeTeam } from "../../support/worker/world.ts";

const DAY = 86_400_000;
let people = 0;

type Leaver = Colleague & {
  readonly name: string;
  readonly traces: readonly string[];
  readonly phone: string;
};

let mailbox: Mailbox;
let account: Account;
let leaver: Leaver;
let stays: Colleague;
const lines: string[] = [];

beforeEach(async () => {
  mailbox = openMailbox();
  openTwilio();
  for (const method of ["log", "info", "warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((...given: unknown[]) => {
      lines.push(JSON.stringify(given));
    });
  }
  account = await makeAccount();
  stays = await addColleague(account, "Otto Staying");
  leaver = await newLeaver(account);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function newLeaver(of: Account): Promise<Leaver> {
  people += 1;
  const name = `Zebulon Quackenbush${"abcdefghij"[people % 10]}`;
  const colleague = await addColleague(of, name, { admin: true });
  const phone = freshNumber();
  await givePhone(colleague.id, { number: phone });
  // The hashes of an address and of a person's id identify the person too.
  const hashes = [colleague.email, colleague.userId].map((it) =>
    createHash("sha256").update(it).digest("hex"),
  );
  const traces = [name, colleague.email, phone.slice(1), ...hashes];
  return { ...colleague, name, phone, traces };
}

/** Stores the person's data wherever it can be stored. `answers`: the statuses returned to an outgoing integration. */
async function leaveTraces(answers: readonly [number, ...number[]] = [200]): Promise<void> {
  const { api } = leaver;
  const team = await makeTeam(account, [{ seconds: 600, people: [leaver.id, stays.id] }]);
  const receiver = openReceiver();
  receiver.answer = ({ body }) => {
    const status = answers[receiver.got.length % answers.length] ?? answers[0];
    return new Response(JSON.stringify(body.alert), { status });
  };
  await makeOutgoingIntegration(
    account,
    receiver,
    { team_ids: [team.id] },
    { option_comments: true },
  );
  await startShift();
  await queueForColleague();
  const made = await api(
    "POST",
    "/alerts",
    {
      title: `${leaver.name} sees smoke`,
      description: `call ${leaver.phone} or ${leaver.email.toUpperCase()}`,
      urgency: "high",
      destination_team_ids: [team.id],
      meta: { [leaver.email]: { by: leaver.name } },
    },
    { "Idempotency-Key": `key of ${leaver.id}` },
  );
  expect(made.status, made.text).toBe(201);
  const direct = await account.api("POST", "/alerts", {
    title: "Direct",
    urgency: "high",
    destination_account_user_ids: [leaver.id],
  });
  for (const { body } of [made, direct]) {
    expect((await api("POST", `/alerts/${body.id}/acknowledge`)).status).toBe(200);
    await api("POST", `/alerts/${body.id}/comments`, { body: "on it" });
    await stays.api("POST", `/alerts/${body.id}/comments`, { body: `thanks ${leaver.name}!` });
    expect((await api("POST", `/alerts/${body.id}/resolve`)).status).toBe(200);
  }
  const integration = await account.api("POST", "/integrations", {
    name: `Mail of ${leaver.name}`,
    urgency: "low",
    integration_type_id: "webhook",
    team_ids: [team.id],
  });
  const sent = await postEvent(integration.body.url, {
    event_type: "create",
    Id: leaver.email,
    Title: `for ${leaver.email}`,
    Description: `{"from": "${leaver.name}"}`,
  });
  expect(sent).toBe(200);
  const broadcast = await api("POST", "/broadcasts", {
    title: `News from ${leaver.name}`,
    destination_account_user_ids: [leaver.id, stays.id],
    response_requested: true,
    response_requested_by: new Date(Date.now() + DAY).toISOString(),
    broadcast_response_options_attributes: [{ value: "yes" }, { value: "no" }],
  });
  expect(broadcast.status, broadcast.text).toBe(201);
  await api("POST", "/api_keys", { name: `Key of ${leaver.name}` });
  await signIn(leaver.id);
  await untilWritten();
  const alerts = await account.api("GET", "/alerts?status=open");
  for (const { id } of alerts.body.data) await account.api("POST", `/alerts/${id}/resolve`);
  await untilWritten();
  await leaveAccessTraces();
  const running = await account.api("POST", "/alerts", {
    title: `Waits for ${leaver.name}`,
    urgency: "high",
    destination_team_ids: [team.id],
  });
  expect(running.status, running.text).toBe(201);
  await untilWritten();
  const places = await findStoredTexts(leaver.traces);
  for (const kind of STORED_IN) {
    expect(
      places.some((place) => place.startsWith(`${kind}:`)),
      kind,
    ).toBe(true);
  }
}

/** Where `leaveTraces` stores data: a scan that does not find it there proves nothing. */
const STORED_IN = [
  ...["alerts", "broadcasts", "comments", "idempotency_keys", "integrations", "logs"],
  ...["notifications", "security_notices", "sign_in_attempts"],
  ...["user_emails", "user_identities", "user_phones", "users"],
]
  .map((name) => `table ${name}`)
  .concat("object ALERT", "object PERSON", "object TEAM");

async function postEvent(url: string, body: object): Promise<number> {
  const { call } = await import("../../support/api/api.ts");
  return (await call("POST", new URL(url).pathname, { body })).status;
}

/** Puts the person on call in a team with handoff notifications, whose object then stores their name. */
async function startShift(): Promise<void> {
  const team = await makeTeam(account, [{ seconds: 600, people: [leaver.id] }], { name: "Watch" });
  const changed = await account.api("PUT", `/teams/${team.id}`, {
    handoff_notifications: "team_admins",
  });
  expect(changed.status, changed.text).toBe(200);
  const stub = env.TEAM.getByName(prefixIdOf("team", team.id));
  const stored = () => runInDurableObject(stub, (_, { storage }) => readStorage(storage));
  await vi.waitFor(async () => expect(await stored()).toContain(leaver.name), soon);
}

/** Stores a pending message that names the person in the object of another person. */
async function queueForColleague(): Promise<void> {
  const now = Date.now();
  const page: Page = {
    ...{ effectId: `handoff-${leaver.id}`, accountUserId: stays.id, at: now },
    ...{ workflowId: null, layer: null, pass: null, until: null, detail: null },
    event: "oncall.handoff",
  };
  const notice = { schedule: "tem_none", subject: "Handoff", text: `${leaver.name} is off call` };
  const { accountId } = account;
  const message = { accountId, page, alert: null, notice, stage: 1, view: EMPTY_RULE_VIEW };
  const name = prefixIdOf("account_user", stays.id);
  await personObject(env, name).expect([{ at: now + DAY, message }]);
}

/** Stores a provider identity, failed sign-ins, and a security notice that cannot be sent yet. */
async function leaveAccessTraces(): Promise<void> {
  await env.DB.prepare("insert into user_identities values ('https://issuer.test', ?, ?, 1)")
    .bind(leaver.email, leaver.userId)
    .run();
  const fields = { email: leaver.email, password: "not the password" };
  // Once while the address is unverified, and once as the person who has verified it.
  for (const isVerified of [false, true]) {
    if (isVerified) await markVerified(leaver.email);
    const { status } = await newBrowser().post("/sign-in", fields);
    expect(status).toBeGreaterThanOrEqual(400);
  }
  const busy = refusal("E_RATE_LIMIT_EXCEEDED");
  mailbox.failure = (subject) => (subject.startsWith("Security notice") ? busy() : null);
  const key = await account.api("POST", "/api_keys", {
    name: "Made by an admin",
    account_user_id: leaver.id,
  });
  expect(key.status, key.text).toBe(201);
  const notice = env.DB.prepare('select "to" from security_notices where user_id = ?');
  expect(await notice.bind(leaver.userId).first()).toEqual({ to: leaver.email });
}

/** Waits until pending pages and deliveries are written, except deliveries queued behind one that is retried. */
async function untilWritten(): Promise<void> {
  await vi.waitFor(async () => {
    // Only this account's: a file that ran before this one may have left rows that nobody will ever send.
    const row = await env.DB.prepare(
      `select (select count(*) from notifications where account_id = ?1 and status = 'queued')
        + (select count(*) from deliveries as it
          where account_id = ?1 and status = 'queued' and attempts = 0
          and not exists (select 1 from deliveries as head where head.lane = it.lane
            and head.integration_id = it.integration_id and head.status = 'queued'
            and head.attempts > 0)) as waiting`,
    )
      .bind(account.accountId)
      .first<{ waiting: number }>();
    expect(row?.waiting).toBe(0);
  }, soon);
  await untilQuiet();
}

/** Also waits for the logs that an inbox writes a second later. */
async function untilSettled(): Promise<void> {
  await untilWritten();
  await scheduler.wait(1_500);
}

const sweep = async () => {
  await worker.scheduled(createScheduledController(), env);
};
const ageRemovals = (days: number) =>
  env.DB.prepare(
    "update removed_members set removed_at = removed_at - ? where requested_at is null",
  )
    .bind(days * DAY)
    .run();
const remove = (query = "") => account.api("DELETE", `/account_users/${leaver.id}${query}`);

describe("a removed person", () => {
  test("is erased at once on request: no stored data names them", async () => {
    await leaveTraces();
    lines.length = 0;
    const { status, text } = await remove("?erase=true");
    expect(status, text).toBe(204);
    await untilSettled();
    expect(await findStoredTexts(leaver.traces)).toEqual([]);
    for (const line of lines) for (const it of leaver.traces) expect(line).not.toContain(it);
    const removalRow = env.DB.prepare("select * from removed_members where user_id = ?");
    expect(await removalRow.bind(leaver.userId).first()).toBeNull();
    const shown = JSON.stringify((await account.api("GET", "/comments")).body);
    expect(shown).toContain('"created_by_name":"Former member"');
    expect(shown).toContain("thanks Former member!");
    expect(shown).toContain("Otto Staying");
    const timelines = JSON.stringify((await account.api("GET", "/logs?limit=100")).body);
    expect(timelines).toContain("Former member left the account, no longer notified");
  });

  test("is erased from queued and failed deliveries", async () => {
    await leaveTraces([400, 500]);
    const named = async () => {
      const { results } = await env.DB.prepare(
        "select status, said, reason from deliveries where account_id = ?",
      )
        .bind(account.accountId)
        .all<{ status: string }>();
      return results.filter((row) => JSON.stringify(row).includes(leaver.name));
    };
    const [first] = await named();
    await env.DB.prepare("update deliveries set status = 'failed' where said = ?")
      .bind(String((first as { said?: string } | undefined)?.said))
      .run();
    const statuses = (await named()).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(["failed", "queued"]));
    expect((await remove("?erase=true")).status).toBe(204);
    await untilSettled();
    expect(await findStoredTexts(leaver.traces)).toEqual([]);
  });

  test("is erased 30 days later by the sweep, and not before", async () => {
    await leaveTraces();
    expect((await remove()).status).toBe(204);
    await ageRemovals(29);
    await sweep();
    const person = env.DB.prepare("select 1 from users where id = ?").bind(leaver.userId);
    expect(await person.first()).not.toBeNull();
    await ageRemovals(2);
    await sweep();
    expect(await person.first()).toBeNull();
    expect(await findStoredTexts(leaver.traces)).toEqual([]);
  });

  test("who is added again within 30 days is not erased", async () => {
    expect((await remove()).status).toBe(204);
    await env.DB.prepare("update user_emails set verified_at = 1 where user_id = ?")
      .bind(leaver.userId)
      .run();
    const again = await account.api("POST", "/account_users", {
      user_attributes: { name: leaver.name, emails_attributes: [{ email: leaver.email }] },
    });
    expect(again.status, again.text).toBe(201);
    expect(again.body.user.id).toBe(leaver.userId);
    await ageRemovals(60);
    await sweep();
    expect(
      await env.DB.prepare("select name from users where id = ?").bind(leaver.userId).first(),
    ).toEqual({ name: leaver.name });
  });

  test("can still be erased at once after the removal, by either form of the id", async () => {
    const prefixId = (await account.api("GET", `/account_users/${leaver.id}`)).body.prefix_id;
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    const path = `/account_users/${prefixId}?erase=true`;
    expect((await account.api("DELETE", path)).status).toBe(204);
    expect(await findStoredTexts(leaver.traces)).toEqual([]);
    expect((await account.api("DELETE", path)).status).toBe(404);
  });

  test("is erased after an interrupted removal is completed", async () => {
    await leaveTraces();
    // As if the worker had failed right after the delete: the removal wrote only the rows of the triggers.
    const removal = env.DB.prepare("delete from account_users where id = ?");
    await removal.bind(leaver.id).run();
    const waiting = env.DB.prepare("select name from member_removals where account_id = ?");
    expect(await waiting.bind(account.accountId).first()).toEqual({ name: leaver.name });
    expect((await remove("?erase=true")).status).toBe(204);
    expect(await waiting.bind(account.accountId).first()).toBeNull();
    await sweep();
    await untilSettled();
    expect(await findStoredTexts(leaver.traces)).toEqual([]);
    const timelines = JSON.stringify((await account.api("GET", "/logs?limit=100")).body);
    expect(timelines.split("left the account, no longer notified")).toHaveLength(2);
    expect(timelines).toContain("Former member left the account, no longer notified");
  });

  test("is erased even if the erasure of a person before them fails", async () => {
    const before = await newLeaver(account);
    for (const { id } of [before, leaver]) {
      expect((await account.api("DELETE", `/account_users/${id}`)).status).toBe(204);
    }
    await env.DB.prepare(
      `update removed_members set requested_at = removed_at, removed_at = removed_at - (user_id = ?1),
        progress = iif(user_id = ?1, 'not JSON', null) where account_id = ?2`,
    )
      .bind(before.userId, account.accountId)
      .run();
    await expect(sweep()).rejects.toThrow("JSON");
    const left = env.DB.prepare("select user_id from removed_members where account_id = ?");
    const { results } = await left.bind(account.accountId).all();
    expect(results).toEqual([{ user_id: before.userId }]);
    await env.DB.prepare("update removed_members set progress = null").run();
    await sweep();
    await untilSettled();
    expect(await findStoredTexts([...before.traces, ...leaver.traces])).toEqual([]);
  });

  test("whose erasure was interrupted is erased by the sweep", async () => {
    await leaveTraces();
    expect((await remove()).status).toBe(204);
    await env.DB.prepare("update removed_members set requested_at = removed_at").run();
    for (let steps = 1; steps <= 4; steps += 1) {
      const restore = failDatabaseAfter(steps * 7);
      await sweep().catch(() => {});
      restore();
    }
    await sweep();
    await untilSettled();
    expect(await findStoredTexts(leaver.traces)).toEqual([]);
  });
});

/** Makes the database fail after `batches` batches, until the returned function is called. */
function failDatabaseAfter(batches: number): () => void {
  let restore = () => {};
  let left = batches;
  const prototype = Object.getPrototypeOf(env.DB) as D1Database;
  const real = prototype.batch;
  const spy = vi.spyOn(prototype, "batch").mockImplementation(async function (
    this: D1Database,
    statements: D1PreparedStatement[],
  ) {
    left -= 1;
    if (left === 0) restore = failDatabase();
    return real.call(this, statements);
  } as D1Database["batch"]);
  return () => {
    restore();
    spy.mockRestore();
  };
}

test("a person who is a member of another account is erased from this one only", async () => {
  const other = await makeAccount();
  const { id, prefixId } = newIdentity("account_user", Date.now());
  await env.DB.prepare(
    `insert into account_users (id, prefix_id, account_id, created_at, updated_at, user_id)
      values (?, ?, ?, 1, 1, ?)`,
  )
    .bind(id, prefixId, other.accountId, leaver.userId)
    .run();
  const unverified = freshEmail("unproven");
  await env.DB.prepare(
    `insert into user_emails (id, prefix_id, created_at, updated_at, user_id, email, account_id)
      values (?1, ?1, 1, 1, ?2, ?3, ?4)`,
  )
    .bind(`${id}-email`, leaver.userId, unverified, account.accountId)
    .run();
  await leaveTraces();
  await other.api("POST", "/comments", { body: `welcome ${leaver.name}` });
  expect((await remove("?erase=true")).status).toBe(204);
  await untilSettled();
  const places = await findStoredTexts(leaver.traces);
  expect(
    places.filter(
      (it) =>
        !/^table (users|user_\w+|sessions|sign_in_attempts|security_notices|comments):/.test(it),
    ),
  ).toEqual([]);
  // Verified contacts belong to the person in every account, whoever added them; this account's own are deleted.
  const contactsOf = async (table: string, column: string) =>
    (
      await env.DB.prepare(`select ${column} as it from ${table} where user_id = ?`)
        .bind(leaver.userId)
        .all<{ it: string }>()
    ).results.map(({ it }) => it);
  expect(await contactsOf("user_emails", "email")).toEqual([leaver.email]);
  expect(await contactsOf("user_phones", "phone")).toEqual([leaver.phone]);
  expect(await contactsOf("security_notices", '"to"')).toEqual([leaver.email]);
  expect((await findStoredTexts([unverified])).join()).toBe("");
  const { body } = await other.api("GET", "/account_users?limit=100");
  expect(JSON.stringify(body)).toContain(leaver.name);
  expect(JSON.stringify((await other.api("GET", "/comments")).body)).toContain(leaver.name);
  expect(JSON.stringify((await account.api("GET", "/comments")).body)).not.toContain(leaver.name);
});

test("a refused removal with erasure erases nobody", async () => {
  const team = await makeTeam(account, [{ seconds: 600, people: [leaver.id] }]);
  await account.api("POST", "/integrations", {
    name: "Held",
    urgency: "low",
    integration_type_id: "webhook",
    team_ids: [team.id],
    account_user_ids: [leaver.id],
  });
  expect((await remove("?erase=true")).status).toBe(409);
  expect((await remove("?erase=maybe")).status).toBe(422);
  await sweep();
  expect((await account.api("GET", `/account_users/${leaver.id}`)).body.user.name).toBe(
    leaver.name,
  );
  expect((await stays.api("DELETE", `/account_users/${leaver.id}?erase=true`)).status).toBe(403);
  const removalRow = env.DB.prepare("select * from removed_members where account_id = ?");
  expect((await removalRow.bind(account.accountId).all()).results).toEqual([]);
});
