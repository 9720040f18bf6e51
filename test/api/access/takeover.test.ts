// An account cannot change whom or where another account pages: whatever account B sends, with every kind of key and
// session it can obtain, account A pages the same people on the same channels and addresses as before.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pages } from "../../../src/console/pages.ts";
import { accessLink } from "../../../src/features/access/sessions/access-links.ts";
import { routes } from "../../../src/routes.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { seed, sized } from "../../support/generated/sizes.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { addColleague, freshEmail } from "../../support/people/people.ts";
import { freshNumber, givePhone } from "../../support/people/phones.ts";
import { approve, contactsOf, join, keyFor, reachOf } from "../../support/people/shared-person.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { openMessengers } from "../../support/providers/messengers.ts";
import { newSubscription } from "../../support/providers/push.ts";
import { openTwilio } from "../../support/providers/twilio.ts";
import { type Browser, signInAdmin } from "../../support/worker/console.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { makeTeam } from "../../support/worker/world.ts";

beforeEach(() => {
  openMailbox();
  openMessengers();
  openTwilio();
});
afterEach(() => vi.restoreAllMocks());

// ── The attacker ──

/** The victim as account B sees them, and every credential that B can obtain. */
type Attacker = {
  readonly b: Inhabited;
  readonly victim: { readonly userId: string; readonly email: string };
  /** The victim's current membership in B. */
  accountUserId: string;
  /** By kind. */
  readonly keys: Map<string, Account["api"]>;
  readonly browser: Browser;
  /** How often a request was accepted, and refused. */
  readonly answers: { accepted: number; refused: number };
};

/** Counts an answer to an attack. A failure of ours would prove nothing. */
function countAnswer({ answers }: Attacker, status: number, what: string): void {
  expect(status, what).toBeLessThan(500);
  if (status < 400) answers.accepted += 1;
  else answers.refused += 1;
}

/** All ids of the victim's rows: B may have read them before it lost access. */
async function contactIds(table: "user_emails" | "user_phones", userId: string): Promise<string[]> {
  const rows = await env.DB.prepare(`select id from ${table} where user_id = ?`)
    .bind(userId)
    .all<{ id: string }>();
  return rows.results.map(({ id }) => id);
}

async function makeKeys(attacker: Attacker, member: Account["api"]): Promise<void> {
  const { b, accountUserId, keys } = attacker;
  const forVictim = await keyFor(b.api, accountUserId);
  const byVictimKey = await keyFor(forVictim, accountUserId);
  const memberAdmin = await keyFor(b.api, b.ids.account_user.id);
  for (const [kind, api] of Object.entries({
    "the admin's": b.api,
    "made by the admin for the victim": forVictim,
    "made by that key": byVictimKey,
    "made by that one in turn": await keyFor(byVictimKey, accountUserId),
    "read-only, made for the victim": await keyFor(b.api, accountUserId, { read_only: true }),
    "a member's own": member,
    "made by the admin for a member": memberAdmin,
  })) {
    keys.set(kind, api);
  }
}

/** Joins B again if an attack ended the membership, and creates its keys again. */
async function rejoin(attacker: Attacker, member: Account["api"]): Promise<void> {
  const row = await env.DB.prepare(
    "select id, state from account_users where account_id = ? and user_id = ?",
  )
    .bind(attacker.b.accountId, attacker.victim.userId)
    .first<{ id: string; state: string }>();
  if (row?.state === "active") return;
  attacker.accountUserId = row === null ? await join(attacker.b, attacker.victim.email) : row.id;
  if (row !== null) await approve(attacker.b.accountId, row.id);
  await makeKeys(attacker, member);
}

// ── The attacks ──

type Attack = { readonly what: string; readonly run: (attacker: Attacker) => Promise<unknown> };

/** Bodies that would change the victim's contacts, channels or settings. */
async function hostileBodies({ victim, accountUserId }: Attacker) {
  const emails = await contactIds("user_emails", victim.userId);
  const phones = await contactIds("user_phones", victim.userId);
  const person = [
    { emails_attributes: [{ email: freshEmail("attacker"), primary: true }] },
    { email: freshEmail("attacker") },
    { emails_attributes: [{ email: victim.email, primary: true }] },
    { phones_attributes: [{ phone: freshNumber(), primary: true }] },
    { notify_push: false, notify_email: false, notify_sms: false, notify_voice: true },
    { notify_voice_repeat: false },
    { time_zone: "Tokyo" },
    { name: "Renamed by B" },
    { meta: { by: "B" } },
    ...emails.flatMap((id) => [
      { emails_attributes: [{ id, _destroy: true }] },
      { emails_attributes: [{ id, email: freshEmail("attacker") }] },
      { emails_attributes: [{ id, primary: true }] },
      { emails_attributes: [{ id, primary: false }] },
    ]),
    ...phones.flatMap((id) => [
      { phones_attributes: [{ id, _destroy: true }] },
      { phones_attributes: [{ id, phone: freshNumber() }] },
      { phones_attributes: [{ id, primary: true, confirmation_method: "voice" }] },
    ]),
  ];
  return {
    person,
    any: {
      account_user_id: accountUserId,
      account_user_ids: [accountUserId],
      member_account_user_ids: [accountUserId],
      admin_account_user_ids: [accountUserId],
      destination_account_user_ids: [accountUserId],
      roles: { admin: true },
      ...newSubscription(),
      code: "123456",
    },
  };
}

const PERSONAL = ["createUser", "updateUser", "createAccountUser", "updateAccountUser"];

/** The values of a path's `:id`: the victim's ids if the victim has records of that kind, else B's own record. */
async function idsFor(attacker: Attacker, of: string | undefined): Promise<readonly string[]> {
  const { b, victim, accountUserId } = attacker;
  if (of === "user") return [victim.userId];
  if (of === "account_user") return [accountUserId];
  if (of === "email") return contactIds("user_emails", victim.userId);
  if (of === "phone") return contactIds("user_phones", victim.userId);
  return [b.ids[of as keyof typeof b.ids]?.id ?? victim.userId];
}

/** Every mutating route with every kind of key, with the sample's body and with hostile bodies. */
function apiAttacks(kinds: readonly string[]): Attack[] {
  const mutating = routes.filter(({ method }) => method !== "GET");
  return mutating.flatMap((route) =>
    kinds.map((kind) => ({
      what: `${route.method} ${route.path} with the key ${kind}`,
      run: async (attacker: Attacker) => {
        const api = attacker.keys.get(kind);
        if (api === undefined) throw new Error(`no key ${kind}`);
        const sample = sampleOf(route.operation);
        const { person, any } = await hostileBodies(attacker);
        const valid = sample.body?.(attacker.b) ?? {};
        const isPersonal = PERSONAL.includes(route.operation);
        const wrapped = (body: object) =>
          route.operation.endsWith("AccountUser") ? { ...valid, user_attributes: body } : body;
        const bodies = isPersonal ? [valid, ...person.map(wrapped)] : [valid, { ...valid, ...any }];
        for (const id of await idsFor(attacker, sample.of)) {
          const path = route.path.replace(":id", id);
          for (const body of route.body ? bodies : [undefined]) {
            const { status } = await api(route.method, path, body);
            countAnswer(attacker, status, `${route.method} ${path} with the key ${kind}`);
          }
        }
      },
    })),
  );
}

const FIELDS = {
  name: "Renamed by B",
  time_zone: "Tokyo",
  notify_voice: "true",
  phone: "+14155550199",
  code: "123456",
  password: "a password of B's admin",
  again: "a password of B's admin",
};

/** Every console form, submitted by B's admin with the victim's ids in its path and fields. */
function consoleAttacks(): Attack[] {
  const actions = pages.filter(
    ({ method, path }) => method === "POST" && !/sign-out|sign-in|sessions/.test(path),
  );
  return actions.map(({ path }) => ({
    what: `the console's ${path}`,
    run: async (attacker) => {
      const { browser, victim, accountUserId } = attacker;
      const emails = await contactIds("user_emails", victim.userId);
      const phones = await contactIds("user_phones", victim.userId);
      const token = await verificationToken(victim.userId, emails[0] ?? "", victim.email);
      const ids = /emails/.test(path) ? emails : /phones/.test(path) ? phones : [accountUserId];
      for (const id of ids) {
        const to = path.replace(":token", token).replace(/:\w+/g, id);
        const fields = {
          ...FIELDS,
          ...newFields(victim.email),
          id,
          account_user_id: accountUserId,
        };
        for (const email of [fields.email, freshEmail("attacker")]) {
          const { status } = await browser.submit(to, { ...fields, email });
          countAnswer(attacker, status, to);
        }
      }
    },
  }));
}

const newFields = (email: string) => {
  const { endpoint, keys } = newSubscription();
  return { email, endpoint, p256dh: keys.p256dh, auth: keys.auth };
};

/** The token of an address verification link, as if B had intercepted the mail. */
async function verificationToken(userId: string, emailId: string, email: string): Promise<string> {
  const link = await accessLink(env, "address", { userId, emailId, state: [email] }, Date.now());
  return link?.split("/").at(-1) ?? "none";
}

// ── What A would page ──

/** Whom A would page, and how: the preview for the team, and the victim's notification plan. */
async function seenBy(a: Account, accountUserId: string, teamId: string) {
  const preview = await a.api("POST", "/alerts/preview", {
    title: "Who is paged?",
    urgency: "high",
    destination_team_ids: [teamId],
    destination_account_user_ids: [accountUserId],
  });
  expect(preview.status, preview.text).toBe(200);
  const paged = preview.body.pages.map(
    ({ at: _, reason: __, ...page }: Record<string, unknown>) => page,
  );
  const shown = await a.api("GET", `/account_users/${accountUserId}`);
  const { emails, phones, ...person } = shown.body.user;
  return { paged, reach: await reachOf(a.accountId, accountUserId), emails, phones, person };
}

/**
 * The attacks of one test, in an order given by the seed: at full size all on what belongs to a person
 * and one half of the others, of which the other test has the other half; else some of both.
 */
function attacksOf(kinds: readonly string[], few: number, half: 0 | 1): Attack[] {
  const all = [...apiAttacks(kinds), ...consoleAttacks()];
  const [order] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { numRuns: 1 });
  const personal = /users|emails|phones|push|api_keys|settings|verify/;
  const first = (order ?? all).filter(({ what }) => personal.test(what));
  const others = (order ?? all).filter(({ what }) => !personal.test(what));
  const rest = others.filter((_, i) => i % 2 === half);
  return [...first.slice(0, sized(few, first.length)), ...rest.slice(0, sized(few, rest.length))];
}

const KINDS = [
  "the admin's",
  "made by the admin for the victim",
  "made by that key",
  "made by that one in turn",
  "read-only, made for the victim",
  "a member's own",
  "made by the admin for a member",
];

let worlds = 0;

async function makeAttacker(victim: Attacker["victim"], accountUserId: string, b: Inhabited) {
  const member = await addColleague(b, "Member of B", { broadcaster: true });
  const attacker: Attacker = {
    b,
    victim,
    accountUserId,
    keys: new Map(),
    browser: await signInAdmin(b),
    answers: { accepted: 0, refused: 0 },
  };
  await makeKeys(attacker, member.api);
  return { attacker, member };
}

/** Both: attacks that reach the service, and attacks that it refuses. */
function expectBothAnswers({ answers }: Attacker): void {
  expect(answers.accepted).toBeGreaterThan(0);
  expect(answers.refused).toBeGreaterThan(0);
}

async function makeB(): Promise<Inhabited> {
  worlds += 1;
  return makeInhabited(`takeover${worlds}x${Date.now()}`);
}

test("B cannot change whom or where A pages while the victim is a member of both accounts", async () => {
  const attacks = attacksOf(KINDS, 12, 0);
  const a = await makeAccount("Ada of A");
  const victim = await addColleague(a, "Vic Victim");
  const second = freshEmail("second");
  await victim.api("PUT", `/users/${victim.userId}`, {
    emails_attributes: [{ email: second }, { email: freshEmail("unverified") }],
    notify_sms: true,
  });
  await env.DB.prepare("update user_emails set verified_at = 1 where email = ?").bind(second).run();
  await givePhone(victim.id);
  await victim.api("POST", "/push_subscriptions", newSubscription());
  const team = await makeTeam(a, [{ seconds: 60, people: [victim.id] }]);
  const b = await makeB();
  const joined = await join(b, victim.email);
  const { attacker, member } = await makeAttacker(victim, joined, b);
  const before = await seenBy(a, victim.id, team.id);
  expect(before.reach.stages).not.toBe("unreachable");
  for (const { what, run } of attacks) {
    await run(attacker);
    expect(await seenBy(a, victim.id, team.id), what).toEqual(before);
    await rejoin(attacker, member.api);
  }
  expectBothAnswers(attacker);
});

test("A uses only contacts that the victim has verified, whatever B did before A invited them", async () => {
  const attacks = attacksOf(KINDS, 10, 1);
  const b = await makeB();
  const victim = await addColleague(b, "Vic Victim");
  // As if B's admin had confirmed a number of their own for the victim.
  await givePhone(victim.id);
  await env.DB.prepare("update user_phones set confirmed_by_self = 0 where user_id = ?")
    .bind(victim.userId)
    .run();
  const { attacker, member } = await makeAttacker(victim, victim.id, b);
  for (const { run } of attacks) {
    await run(attacker);
    await rejoin(attacker, member.api);
  }
  await b.api("PUT", `/users/${victim.userId}`, {
    emails_attributes: [{ email: freshEmail("attacker"), primary: true }],
  });
  const leaves = seed % 2 === 0;
  if (leaves) await b.api("DELETE", `/account_users/${attacker.accountUserId}`);
  const a = await makeAccount("Ada of A");
  const joined = await join(a, victim.email);
  expect(await contactsOf(a.accountId, joined)).toEqual([`email:${victim.email}`]);
  const team = await makeTeam(a, [{ seconds: 60, people: [joined] }]);
  const before = await seenBy(a, joined, team.id);
  expect([before.emails.length, before.phones]).toEqual([1, []]);
  for (const { what, run } of attacks) {
    await run(attacker);
    expect(await seenBy(a, joined, team.id), what).toEqual(before);
    await rejoin(attacker, member.api);
  }
  expectBothAnswers(attacker);
});
