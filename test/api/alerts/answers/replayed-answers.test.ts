// A request that has been acted on is acted on once, however it is written again: the alert has been reopened
// since, and stays open.
import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { actOnce } from "../../../../src/features/notifications/callbacks/once.ts";
import { type Answerer, CHATS, MESSAGES, type Way } from "../../../support/alerts/answering.ts";
import { type Callback, callAgain, makeAccount } from "../../../support/api/api.ts";
import { makeAlert } from "../../../support/integrations/outgoing.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { failDatabase, fillDatabase, soon } from "../../../support/worker/faults.ts";
import { makePerson } from "../../../support/worker/world.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

type Respell = (request: Callback) => Partial<Callback>;

/** Changes a header that has something to do with who sends a request. */
const header =
  (change: (value: string) => string): Respell =>
  ({ headers }) => ({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        /signature|authorization|secret|timestamp/i.test(name) ? change(value) : value,
      ]),
    ),
  });

const isJson = (body: string) => body.startsWith("{");

/** Signs Twilio's parameters anew, whose signature does not say where a name ends. */
function moveBounds({ path, body }: Callback): Partial<Callback> {
  const form = Object.fromEntries(new URLSearchParams(body));
  const { MessageSid, CallSid, ...rest } = form;
  const [name, sid] = MessageSid === undefined ? ["CallSid", CallSid] : ["MessageSid", MessageSid];
  if (!/^\/callbacks\/twilio\//.test(path) || sid === undefined) return {};
  const split = { [`${name}${sid.slice(0, 4)}`]: sid.slice(4), ...rest };
  const content = Object.entries(split).sort(([one], [other]) => (one < other ? -1 : 1));
  const payload = `https://tocsin.test${path}${content.flat().join("")}`;
  const signature = createHmac("sha1", env.TWILIO_AUTH_TOKEN ?? "").update(payload);
  return {
    body: new URLSearchParams(split).toString(),
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Twilio-Signature": signature.digest("base64"),
    },
  };
}

const RESPELLINGS: readonly (readonly [string, Respell])[] = [
  ["as it was", (it) => it],
  ["in capitals", header((it) => it.toUpperCase())],
  ["in small letters", header((it) => it.toLowerCase())],
  ["with another scheme's case", header((it) => it.replace(/^Bearer /, "bearer "))],
  ["with padding", header((it) => `${it}=`)],
  ["with other unused bits", header((it) => it.replace(/.$/, (last) => nextLetter(last)))],
  ["in base64url", header((it) => it.replaceAll("+", "-").replaceAll("/", "_"))],
  ["with white space around it", header((it) => ` ${it} `)],
  ["with zeros before it", header((it) => it.replace(/^(\d+)$/, "0$1"))],
  ["with a query", ({ path }) => ({ path: `${path}?x=1` })],
  ["with white space in the body", ({ body }) => ({ body: isJson(body) ? ` ${body}\n` : body })],
  [
    "with more in the body",
    ({ body }) => ({ body: isJson(body) ? body.replace("{", '{"x":1,') : `${body}&x=1` }),
  ],
  [
    "with the body in another order",
    ({ body }) => ({
      body: isJson(body)
        ? JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse()))
        : [...new URLSearchParams(body)]
            .reverse()
            .map((it) => it.map(encodeURIComponent).join("="))
            .join("&"),
    }),
  ],
  [
    "with another signature in the path",
    ({ path }) => ({ path: path.replace(/.$/, (last) => nextLetter(last)) }),
  ],
  ["with other bounds of its parameters", moveBounds],
];

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The letter with the same leading bits: in base64url the last ones of a signature are not used. */
function nextLetter(letter: string): string {
  const at = LETTERS.indexOf(letter);
  return at < 0 ? letter : (LETTERS[at ^ 1] ?? letter);
}

const WAYS: Readonly<Record<string, Way>> = { ...CHATS, ...MESSAGES };

/** An alert, how somebody answers it, and what became of it. */
async function answerable(prepare: Way) {
  openMailbox();
  const account = await makeAccount();
  const answer = await prepare(account);
  const ada: Answerer = { ...(await makePerson(account, "Ada One")), user: "ada" };
  const made = await makeAlert(account, { destination_account_user_ids: [ada.accountUserId] });
  const id = String(made.id);
  const statusOf = async () => (await account.api("GET", `/alerts/${id}`)).body.status;
  const reopen = async () => {
    await account.api("POST", `/alerts/${id}/resolve`);
    await account.api("POST", `/alerts/${id}/reopen`);
  };
  return { give: () => answer(ada, id), statusOf, reopen };
}

test.each(Object.entries(WAYS))("an answer by %s", async (_, prepare) => {
  const { give, statusOf, reopen } = await answerable(prepare);
  await give();
  expect(await statusOf()).toBe("acknowledged");
  await reopen();
  for (const [how, respell] of RESPELLINGS) {
    const { status } = await callAgain(respell);
    expect(status, how).toBeLessThan(500);
    expect(await statusOf(), how).toBe("open");
  }
});

/** Makes the latest claim one that its request has not finished, until then (epoch ms). */
const leaveClaim = (until: number) =>
  env.DB.prepare(
    `update idempotency_keys set status = null, claimed_until = ? where expires_at > ?
      and (api_key_id, key) in (select api_key_id, key from idempotency_keys order by claimed_until desc limit 1)`,
  )
    .bind(until, Date.now())
    .run();

test.each(Object.entries(WAYS))(
  "an answer by %s whose request has not finished",
  async (_, way) => {
    const { give, statusOf, reopen } = await answerable(way);
    await give();
    await reopen();
    await leaveClaim(Date.now() + 30_000);
    const again = await callAgain((it) => it);
    const isToRepeat = again.status === 503 && /^\d+$/.test(again.headers.get("retry-after") ?? "");
    expect(isToRepeat || /being processed/.test(again.text), again.text).toBe(true);
    expect(await statusOf()).toBe("open");
    await leaveClaim(Date.now() - 1);
    expect((await callAgain((it) => it)).status).toBeLessThan(300);
    expect(await statusOf()).toBe("acknowledged");
  },
);

test.each(Object.entries(WAYS))("an answer by %s while the database is full", async (_, way) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { give, statusOf } = await answerable(way);
  const full = fillDatabase(/^(idempotency_keys|chat_requests)$/);
  await give();
  expect(full.refused).toBeGreaterThan(0);
  full.mend();
  expect(await statusOf()).toBe("acknowledged");
});

describe("what is done once", () => {
  const once = (key: string, act: () => Promise<string>, isDone?: (done: string) => boolean) =>
    actOnce(env.DB, { by: "twilio", what: [key], now: Date.now() }, act, isDone);
  const underWay = { kind: "refusal", reason: "unavailable" };

  test("is done by one of several requests at once", async () => {
    const act = vi.fn(async () => "done");
    const done = await Promise.all(Array.from({ length: 8 }, () => once("at once", act)));
    expect(done.filter((it) => typeof it === "string")).toEqual(["done"]);
    for (const it of done) if (it !== "done" && it !== null) expect(it).toMatchObject(underWay);
    expect(await once("at once", act)).toBeNull();
    expect(act).toHaveBeenCalledTimes(1);
  });

  test("is done by the next request if it failed, was refused for now, or its worker died", async () => {
    await expect(once("fails", () => Promise.reject(new Error("no database")))).rejects.toThrow();
    expect(await once("fails", async () => "done")).toBe("done");
    expect(
      await once(
        "refused",
        async () => "not now",
        (it) => it === "done",
      ),
    ).toBe("not now");
    expect(await once("refused", async () => "done")).toBe("done");
    const begun = once("dies", () => new Promise(() => {}));
    await vi.waitFor(async () => {
      expect(await once("dies", async () => "done")).toMatchObject(underWay);
    }, soon);
    vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ["Date"] });
    expect(await once("dies", async () => "done")).toBe("done");
    vi.useRealTimers();
    expect(await once("dies", async () => "done")).toBeNull();
    void begun;
  });

  test("is done while it cannot be claimed, but not if it was done before", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await once("before", async () => "done")).toBe("done");
    const full = fillDatabase();
    expect(await once("before", async () => "done")).toBeNull();
    expect(await once("full", async () => "done")).toBe("done");
    full.mend();
    const mend = failDatabase();
    expect(await once("out", async () => "done")).toBe("done");
    mend();
  });
});
