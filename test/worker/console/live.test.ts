// Live updates of the console: who may open a WebSocket, which messages it gets, and that an account
// that nobody watches pays nothing.
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetSessions } from "../../../src/features/access/sessions/session.ts";
import { LiveObject } from "../../../src/features/alerts/object/live-object.ts";
import { selectWatched } from "../../../src/features/alerts/object/watched-account-rows.ts";
import { rowsReadBy } from "../../support/alerts/planned.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import {
  type Browser,
  newBrowser,
  ORIGIN,
  signIn,
  signInAdmin,
} from "../../support/worker/console.ts";
import { evict, failDatabase, soon } from "../../support/worker/faults.ts";
import { makePerson } from "../../support/worker/world.ts";

let account: Account;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  forgetSessions(() => true);
});

type Message = {
  readonly refresh?: boolean;
  readonly changes?: readonly { readonly id: string; readonly version: number | null }[];
};

/** Opens the WebSocket as a page rendered at `since` does. */
function open(browser: Browser, since = Date.now(), origin: string | null = ORIGIN) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return exports.default.fetch(`${ORIGIN}/live?since=${since}`, {
    headers: { Upgrade: "websocket", Cookie: cookie, ...(origin !== null && { Origin: origin }) },
  });
}

/** Opens the WebSocket and records what comes. */
async function watch(browser: Browser, since?: number) {
  const { status, webSocket } = await open(browser, since);
  expect(status).toBe(101);
  if (!webSocket) throw new Error("no WebSocket");
  const messages: Message[] = [];
  const watching = { messages, socket: webSocket, closed: null as number | null };
  webSocket.addEventListener("message", ({ data }) => {
    messages.push(JSON.parse(String(data)));
  });
  webSocket.addEventListener("close", ({ code }) => {
    watching.closed = code;
  });
  webSocket.accept();
  await vi.waitFor(() => expect(messages).toHaveLength(1), soon);
  return watching;
}

const changesIn = (messages: readonly Message[]) => messages.flatMap(({ changes = [] }) => changes);

const raise = async (of: Account) => {
  const alert = {
    title: "Lamp",
    urgency: "silent",
    destination_account_user_ids: [of.accountUserId],
  };
  return (await of.api("POST", "/alerts", alert)).body as { id: string };
};

const liveStub = (of: Account) => env.LIVE.getByName(of.accountId) as DurableObjectStub<LiveObject>;

const isWatched = async (of: Account) =>
  (await env.DB.prepare("select 1 from watched_accounts where account_id = ?")
    .bind(of.accountId)
    .first()) !== null;

/** Counts the steps of which the account's live object is notified. */
const countCalls = () => {
  const spy = vi.spyOn(Object.getPrototypeOf(env.LIVE), "getByName");
  return (of: Account) => spy.mock.calls.filter(([name]) => name === of.accountId).length;
};

describe("whoever watches", () => {
  test("gets the id and version of each step, of their own account only", async () => {
    const other = await makeAccount();
    const [mine, theirs] = [
      await watch(await signInAdmin(account)),
      await watch(await signInAdmin(other)),
    ];
    const alerts = [await raise(account), await raise(account)];
    await account.api("POST", `/alerts/${alerts[0]?.id}/acknowledge`);
    await vi.waitFor(() => {
      const latest = new Map(changesIn(mine.messages).map(({ id, version }) => [id, version]));
      expect([...latest]).toEqual([
        [alerts[0]?.id, 2],
        [alerts[1]?.id, 1],
      ]);
    }, soon);
    const versions = changesIn(mine.messages).flatMap(({ id, version }) =>
      id === alerts[0]?.id ? [version] : [],
    );
    expect(versions).toEqual(versions.toSorted());
    await raise(other);
    await vi.waitFor(() => expect(changesIn(theirs.messages)).toHaveLength(1), soon);
    expect(changesIn(theirs.messages)[0]?.id).not.toBe(alerts[0]?.id);
  });

  test("gets the id of an alert whose comments or notifications changed", async () => {
    const { messages } = await watch(await signInAdmin(account));
    const alert = await raise(account);
    await account.api("POST", `/alerts/${alert.id}/comments`, { body: "Looking" });
    await vi.waitFor(
      () => expect(changesIn(messages)).toContainEqual({ id: alert.id, version: null }),
      soon,
    );
    // It may be sent together with the alert's first step.
    const changed = vi.spyOn(LiveObject.prototype, "changed");
    const paged = { title: "Loud", destination_account_user_ids: [account.accountUserId] };
    const { body: loud } = await account.api("POST", "/alerts", { ...paged, urgency: "high" });
    await vi.waitFor(
      () => expect(changed).toHaveBeenCalledWith({ id: loud.id, version: null }),
      soon,
    );
  });

  test("is told to refresh a page that may lack a change, and only then", async () => {
    const browser = await signInAdmin(account);
    const first = await watch(browser);
    expect(first.messages[0]).toEqual({ refresh: true });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    expect((await watch(browser)).messages[0]).toEqual({ refresh: false });
    await raise(account);
    await vi.waitFor(() => expect(changesIn(first.messages)).toHaveLength(1), soon);
    expect((await watch(browser)).messages[0]).toEqual({ refresh: true });
    expect((await watch(browser, Date.now() + 60_000)).messages[0]).toEqual({ refresh: false });
    expect((await watch(browser, 0)).messages[0]).toEqual({ refresh: true });
  });

  test("is closed once the session has ended or the person has left the account", async () => {
    const person = await makePerson(account, "Grace");
    const [leaving, staying] = [await signIn(person.accountUserId), await signInAdmin(account)];
    const watching = [await watch(leaving), await watch(staying)] as const;
    await account.api("DELETE", `/account_users/${person.accountUserId}`);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    await raise(account);
    await vi.waitFor(() => expect(watching[0].closed).toBe(4401), soon);
    expect(changesIn(watching[0].messages)).toEqual([]);
    await vi.waitFor(() => expect(changesIn(watching[1].messages)).toHaveLength(1), soon);
    await env.DB.prepare("delete from sessions where account_user_id = ?")
      .bind(account.accountUserId)
      .run();
    vi.setSystemTime(Date.now() + 900_000);
    await runInDurableObject(liveStub(account), (object) => object.alarm());
    await vi.waitFor(() => expect(watching[1].closed).toBe(4401), soon);
    expect(await isWatched(account)).toBe(false);
  });

  test.each<[string, (browser: Browser) => Promise<unknown>]>([
    ["signs out", (browser) => browser.submit("/sign-out")],
    ["signs out everywhere", (browser) => browser.submit("/settings/sessions", { id: "all" })],
  ])("is closed at once where its owner %s", async (_, end) => {
    const [browser, other] = [await signInAdmin(account), await signInAdmin(account)];
    const tabs = [await watch(browser), await watch(browser)];
    const theirs = await watch(await signIn((await makePerson(account, "Mo")).accountUserId));
    await end(browser);
    for (const tab of tabs) await vi.waitFor(() => expect(tab.closed).toBe(4401), soon);
    expect(theirs.closed).toBeNull();
    await other.submit("/sign-out");
  });

  test("gets what happens after the object was evicted", async () => {
    const { messages } = await watch(await signInAdmin(account));
    await evict(liveStub(account));
    const alert = await raise(account);
    await vi.waitFor(
      () => expect(changesIn(messages)).toEqual([{ id: alert.id, version: 1 }]),
      soon,
    );
  });

  test("has the watch renewed for as long as the console is open", async () => {
    await watch(await signInAdmin(account));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_400_000 });
    await runInDurableObject(liveStub(account), (object) => object.alarm());
    const [row] = (
      await env.DB.prepare("select until from watched_accounts where account_id = ?")
        .bind(account.accountId)
        .all()
    ).results;
    expect(Number(row?.until)).toBeGreaterThan(Date.now() + 3_600_000);
  });
});

describe("an account that nobody watches", () => {
  test("has no row, reads none, and its live object is not called", async () => {
    const calls = countCalls();
    const { id } = await raise(account);
    await account.api("POST", `/alerts/${id}/comments`, { body: "Looking" });
    expect(calls(account)).toBe(0);
    expect(await isWatched(account)).toBe(false);
    expect(await rowsReadBy(selectWatched(account.accountId, Date.now()))).toBe(0);
  });

  test("is one again after the first change that nobody receives", async () => {
    const { socket } = await watch(await signInAdmin(account));
    const calls = countCalls();
    socket.close();
    await vi.waitFor(async () => {
      await raise(account);
      expect(await isWatched(account)).toBe(false);
    }, soon);
    const before = calls(account);
    await raise(account);
    expect(calls(account)).toBe(before);
    const left = await runInDurableObject(liveStub(account), (_, { storage }) => [
      ...storage.kv.list(),
    ]);
    expect(left).toEqual([]);
    expect((await watch(await signInAdmin(account))).messages[0]).toEqual({ refresh: true });
  });
});

test("a step is not refused when consoles cannot be notified", async () => {
  await watch(await signInAdmin(account));
  const changed = vi.spyOn(LiveObject.prototype, "changed").mockRejectedValue(new Error("moved"));
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { status } = await account.api("POST", `/alerts/${(await raise(account)).id}/acknowledge`);
  expect(status).toBe(200);
  expect(changed).toHaveBeenCalled();
});

describe("a WebSocket is refused", () => {
  const statusOf = async (response: Promise<Response>) => (await response).status;

  test("from another site, and without an origin", async () => {
    const browser = await signInAdmin(account);
    expect(await statusOf(open(browser, 0, "https://elsewhere.test"))).toBe(403);
    expect(await statusOf(open(browser, 0, null))).toBe(403);
    expect(await statusOf(open(browser, 0, "null"))).toBe(403);
  });

  test("without a session, or with one that has ended", async () => {
    const browser = await signInAdmin(account);
    expect(await statusOf(open(newBrowser()))).toBe(401);
    await env.DB.prepare("delete from sessions where account_user_id = ?")
      .bind(account.accountUserId)
      .run();
    forgetSessions(() => true);
    expect(await statusOf(open(browser))).toBe(401);
  });

  test("to what does not ask for one", async () => {
    expect(
      (await (await signInAdmin(account)).get("/live", { Accept: "application/json" })).status,
    ).toBe(405);
  });

  test("while the database cannot say that the account is watched", async () => {
    const browser = await signInAdmin(account);
    // The worker has the session, so that the object is asked.
    await browser.get("/alerts");
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const mend = failDatabase();
    const status = await statusOf(open(browser));
    mend();
    expect(status).toBe(503);
  });
});
