// Confirming a phone number: the code that is sent, when it is accepted, and the limits on sending.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague, keyOf } from "../../support/people/people.ts";
import { freshNumber } from "../../support/people/phones.ts";
import { contactsOf, join, keyFor } from "../../support/people/shared-person.ts";
import { openTwilio, type Twilio, twilioError } from "../../support/providers/twilio.ts";
import { signIn } from "../../support/worker/console.ts";

let account: Account;
let twilio: Twilio;

beforeAll(async () => {
  account = await makeAccount();
});
beforeEach(() => {
  twilio = openTwilio();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Owner = { readonly person: Colleague; readonly id: string; readonly number: string };

/** A person with an unconfirmed number. */
async function makeOwner(method?: "sms" | "voice", number = freshNumber()): Promise<Owner> {
  const person = await addColleague(account, "Phil Owner");
  const phones_attributes = [{ phone: number, ...(method && { confirmation_method: method }) }];
  const { body } = await person.api("PUT", `/users/${person.userId}`, { phones_attributes });
  return { person, number, id: body.phones[0].id };
}

const send = ({ person, id }: Owner) => person.api("POST", `/phones/${id}/send_code`);
const confirm = ({ person, id }: Owner, code: unknown) =>
  person.api("POST", `/phones/${id}/confirm`, { code });

/** The code in the last message that Twilio accepted. */
const lastCode = () => /^\d{6}/.exec(twilio.taken.at(-1)?.form.Body ?? "")?.[0] ?? "";
const otherThan = (code: string) => (code === "000000" ? "000001" : "000000");

/** Simulates the passing of time by moving the stored times back. */
const passTime = (milliseconds: number) =>
  env.DB.batch([
    env.DB.prepare("update phone_code_sends set sent_at = sent_at - ?").bind(milliseconds),
    env.DB.prepare("update user_phones set code_sent_at = code_sent_at - ?").bind(milliseconds),
  ]);

describe("a number", () => {
  test("is confirmed by the code that was sent to it", async () => {
    const owner = await makeOwner();
    const sent = await send(owner);
    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({ id: owner.id, confirmed: false, phone: owner.number });
    expect(twilio.taken).toHaveLength(1);
    expect(twilio.taken[0]?.form.To).toBe(owner.number);
    expect(sent.text).not.toContain(lastCode());
    const confirmed = await confirm(owner, lastCode());
    expect(confirmed.status).toBe(200);
    expect(confirmed.body).toMatchObject({ id: owner.id, confirmed: true });
    const { body } = await owner.person.api("GET", `/users/${owner.person.userId}`);
    expect(body.phones[0].confirmed).toBe(true);
    expect((await confirm(owner, lastCode())).status).toBe(409);
    expect((await send(owner)).status).toBe(409);
  });

  test("is confirmed by a code that is read in a call, if that is its method", async () => {
    const owner = await makeOwner("voice");
    expect((await send(owner)).status).toBe(200);
    expect(twilio.taken[0]?.resource).toBe("Calls");
    const digits = /<Say>(\d(?:\. \d){5})\.<\/Say>/.exec(twilio.taken[0]?.form.Twiml ?? "")?.[1];
    const code = digits?.replaceAll(". ", "") ?? "";
    expect((await confirm(owner, code)).body.confirmed).toBe(true);
  });

  test("may be given by its prefix_id, and the code with a space or as a number", async () => {
    const owner = await makeOwner();
    const { body } = await owner.person.api("GET", `/users/${owner.person.userId}`);
    const named = { ...owner, id: body.phones[0].prefix_id };
    expect((await send(named)).status).toBe(200);
    const code = lastCode();
    expect((await confirm(named, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    const another = await makeOwner();
    await send(another);
    expect((await confirm(another, Number(lastCode()))).status).toBe(200);
  });

  test("that is changed cannot be confirmed with the code sent before", async () => {
    const owner = await makeOwner();
    await send(owner);
    const phones_attributes = [{ id: owner.id, phone: freshNumber() }];
    await owner.person.api("PUT", `/users/${owner.person.userId}`, { phones_attributes });
    expect((await confirm(owner, lastCode())).status).toBe(409);
  });
});

describe("a number that somebody else confirmed", () => {
  test("is used by this account only, until the person confirms it themself", async () => {
    const owner = await makeOwner();
    const { person, id, number } = owner;
    await account.api("POST", `/phones/${id}/send_code`);
    const confirmed = await account.api("POST", `/phones/${id}/confirm`, { code: lastCode() });
    expect(confirmed.body).toMatchObject({ confirmed: true });
    expect((await account.api("POST", `/phones/${id}/send_code`)).status).toBe(409);
    const other = await makeAccount();
    const joined = await join(other, person.email);
    const inOther = () => contactsOf(other.accountId, joined);
    expect(await contactsOf(account.accountId, person.id)).toContain(`sms:${number}`);
    expect(await inOther()).not.toContain(`sms:${number}`);
    // Neither account's admin can confirm it any more, with any key.
    const theirs = await keyFor(account.api, person.id);
    for (const api of [account.api, theirs]) {
      expect((await api("POST", `/phones/${id}/send_code`)).status).toBe(403);
      expect((await api("POST", `/phones/${id}/confirm`, { code: "123456" })).status).toBe(403);
    }
    // The person adds it in the other account too, as a separate row.
    const there = await keyOf(other.accountId, joined);
    const added = await there("PUT", `/users/${person.userId}`, {
      phones_attributes: [{ phone: number, primary: true }],
    });
    expect(added.body.phones).toMatchObject([{ phone: number, confirmed: false }]);
    await passTime(60_000);
    expect((await send(owner)).status).toBe(200);
    expect((await confirm(owner, lastCode())).body).toMatchObject({ confirmed: true });
    expect(await inOther()).toContain(`sms:${number}`);
    const { body } = await there("GET", `/users/${person.userId}`);
    expect(body.phones).toMatchObject([{ id, phone: number, confirmed: true, primary: true }]);
  });
});

test("the numbers that call people are a contact card, in the API and in the console", async () => {
  const { status, body } = await account.api("GET", "/phones/contact_card");
  expect([status, body.numbers]).toEqual([200, [env.TWILIO_FROM]]);
  const browser = await signIn(account.accountUserId);
  expect((await browser.get("/settings")).text).toContain(env.TWILIO_FROM);
  const file = await browser.get("/settings/contact-card.vcf");
  expect(file.headers.get("content-type")).toBe("text/vcard; charset=utf-8");
  expect(file.headers.get("content-disposition")).toContain("tocsin.vcf");
  expect(file.text).toBe(body.vcard);
  vi.spyOn(env, "TWILIO_FROM", "get").mockReturnValue("");
  expect((await account.api("GET", "/phones/contact_card")).body).toEqual({
    numbers: [],
    vcard: null,
  });
  expect((await browser.get("/settings/contact-card.vcf")).status).toBe(404);
  expect((await browser.get("/settings")).text).not.toContain("contact-card");
});

describe("a code", () => {
  test("is stored only as a hash", async () => {
    const owner = await makeOwner();
    await send(owner);
    const row = await env.DB.prepare("select * from user_phones where id = ?")
      .bind(owner.id)
      .first();
    expect(row?.code_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(`"${lastCode()}"`);
  });

  test("may be tried five times, including concurrent attempts", async () => {
    const owner = await makeOwner();
    await send(owner);
    const code = lastCode();
    const wrong = await confirm(owner, otherThan(code));
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors).toEqual([{ field: "code", message: "code is incorrect" }]);
    const tries = Array.from({ length: 8 }, () => confirm(owner, otherThan(code)));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(4);
    expect(statuses.filter((status) => status === 409)).toHaveLength(4);
    expect((await confirm(owner, code)).status).toBe(409);
  });

  test("expires after ten minutes", async () => {
    const owner = await makeOwner();
    await send(owner);
    await passTime(9 * 60_000);
    expect((await confirm(owner, otherThan(lastCode()))).status).toBe(422);
    await passTime(60_000);
    expect((await confirm(owner, lastCode())).status).toBe(409);
  });

  test("is rejected after another one is sent", async () => {
    const owner = await makeOwner();
    await send(owner);
    const first = lastCode();
    await passTime(60_000);
    expect((await send(owner)).status).toBe(200);
    if (first !== lastCode()) expect((await confirm(owner, first)).status).toBe(422);
    expect((await confirm(owner, lastCode())).status).toBe(200);
  });

  test.each([undefined, null, "", "12345", "1234567", "abcdef", {}, 1.5])(
    "is six digits, not %s",
    async (code) => {
      const { status, body } = await confirm(await makeOwner(), code);
      expect(status).toBe(422);
      expect(body.errors[0].field).toBe("code");
    },
  );

  test("is rejected if none was sent", async () => {
    expect((await confirm(await makeOwner(), "123456")).status).toBe(409);
  });
});

describe("codes are sent", () => {
  test("at most every half minute and five times a day per number, whoever has added it", async () => {
    const owner = await makeOwner();
    const sends = await Promise.all([send(owner), send(owner), send(owner)]);
    expect(sends.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(sends.find(({ status }) => status === 429)?.headers.get("retry-after")).not.toBeNull();
    const other = await makeOwner("sms", owner.number);
    expect((await send(other)).status).toBe(429);
    for (let times = 0; times < 4; times += 1) {
      await passTime(60_000);
      expect((await send(times % 2 === 0 ? other : owner)).status).toBe(200);
    }
    await passTime(60_000);
    expect((await send(owner)).status).toBe(429);
    expect(twilio.taken).toHaveLength(5);
    await passTime(24 * 3_600_000);
    expect((await send(owner)).status).toBe(200);
  });

  test("at most a hundred times a day per account", async () => {
    const owner = await makeOwner();
    const now = Date.now();
    const rows = Array.from({ length: 100 }, (_, i) =>
      env.DB.prepare("insert into phone_code_sends values (?, ?, ?)").bind(
        account.accountId,
        `+1999000${i}`,
        now,
      ),
    );
    await env.DB.batch(rows);
    expect((await send(owner)).status).toBe(429);
    await env.DB.prepare("delete from phone_code_sends where phone like '+1999000%'").run();
    expect((await send(owner)).status).toBe(200);
  });

  test.each([
    ["later", twilioError(503, 20500), 503],
    ["never", twilioError(400, 21614), 409],
  ] as const)(
    "or the response states that sending failed: retry %s",
    async (_, refusal, status) => {
      const owner = await makeOwner();
      twilio.refusal = refusal;
      const reply = await send(owner);
      expect(reply.status).toBe(status);
      expect(reply.body.errors[0].message).toContain("the code could not be sent");
      expect(reply.text).not.toContain(owner.number);
    },
  );

  test("only if a provider is configured", async () => {
    const owner = await makeOwner();
    vi.spyOn(env, "TWILIO_AUTH_TOKEN", "get").mockReturnValue(undefined);
    const reply = await send(owner);
    expect(reply.status).toBe(409);
    expect(twilio.asked).toBe(0);
  });

  test("to the log in local development", async () => {
    const owner = await makeOwner();
    vi.spyOn(env, "TWILIO_AUTH_TOKEN", "get").mockReturnValue(undefined);
    vi.spyOn(env, "LOG_PAGES", "get").mockReturnValue("on");
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    expect((await send(owner)).status).toBe(200);
    const line = log.mock.calls.map(([it]) => String(it)).find((it) => it.startsWith("CODE "));
    const code = /^CODE (\d{6}) confirms /.exec(line ?? "")?.[1];
    expect((await confirm(owner, code)).status).toBe(200);
  });

  test("not to a blocked number", async () => {
    const owner = await makeOwner();
    twilio.refusal = twilioError(400, 21610);
    expect((await send(owner)).status).toBe(409);
    await passTime(60_000);
    twilio.refusal = null;
    const reply = await send(owner);
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0].message).toContain("START");
    expect(twilio.taken).toHaveLength(0);
  });
});

describe("access to a number", () => {
  test("is limited to the person and admins", async () => {
    const owner = await makeOwner();
    const other = await addColleague(account, "Olga Other");
    for (const [path, body] of [
      [`/phones/${owner.id}/send_code`, undefined],
      [`/phones/${owner.id}/confirm`, { code: "123456" }],
    ] as const) {
      expect((await other.api("POST", path, body)).status).toBe(403);
    }
    expect(twilio.asked).toBe(0);
    expect((await account.api("POST", `/phones/${owner.id}/send_code`)).status).toBe(200);
  });

  test("is 404 from another account", async () => {
    const owner = await makeOwner();
    const stranger = await makeAccount();
    expect((await stranger.api("POST", `/phones/${owner.id}/send_code`)).status).toBe(404);
    const confirmed = await stranger.api("POST", `/phones/${owner.id}/confirm`, { code: "123456" });
    expect(confirmed.status).toBe(404);
  });

  test("is 404 from an account where the person is only invited", async () => {
    const owner = await makeOwner();
    const stranger = await makeAccount();
    const invited = await stranger.api("POST", "/users", {
      name: "Phil",
      email: owner.person.email,
    });
    expect(invited.status).toBe(201);
    expect((await stranger.api("POST", `/phones/${owner.id}/send_code`)).status).toBe(404);
    expect(twilio.asked).toBe(0);
  });
});
