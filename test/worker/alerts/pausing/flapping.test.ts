// `pause_for` and `reopen_within` through the receiver: what comes back continues, and what is short notifies nobody.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rewriteAlert, storedAlert } from "../../../support/alerts/stored-alert.ts";
import { call, makeAccount } from "../../../support/api/api.ts";
import { faultyFields } from "../../../support/people/people.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import { alertStub, evict, inboxStub, soon } from "../../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../../support/worker/world.ts";

let mailbox: Mailbox;
beforeEach(() => {
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** An integration with these options, whose alerts ask Ann; Bob answers too. */
async function world(options: Record<string, unknown>) {
  const account = await makeAccount();
  const [ann, bob] = [await makePerson(account, "ann"), await makePerson(account, "bob")];
  const layers = [{ seconds: 600, people: [ann.accountUserId] }];
  const team = await makeTeam(account, layers);
  const integration = await makeIntegration(account, [team.id]);
  const path = `/integrations/${integration.id}`;
  const set = await account.api("PUT", path, options);
  expect(set.status, set.text).toBe(200);
  const read = async () => (await account.api("GET", "/alerts?thirdparty_id=a")).body.data;
  const send = async (event_type: string) => {
    const sent = await integration.send({ event_type, Id: "a", Title: "Disk full" });
    expect(sent.status, sent.text).toBe(200);
  };
  const becomes = (...statuses: readonly string[]) =>
    vi.waitFor(async () => {
      expect((await read()).map((it: { status: string }) => it.status)).toEqual(statuses);
    }, soon);
  const asked = () => {
    const names = new Map([
      [ann.email, "ann"],
      [bob.email, "bob"],
    ]);
    const open = mailbox.mails.filter(({ subject }) => !/resolved|acknowledged/i.test(subject));
    return open.flatMap(({ to }) => names.get(to) ?? []).join(" ");
  };
  const linesOf = async (id: string) =>
    JSON.stringify((await account.api("GET", `/logs/${id}`)).body.details.sublogs);
  return { account, bob, integration, path, read, send, becomes, asked, linesOf };
}

test("an Id that fires again within reopen_within continues its alert, whatever restarts, and asks who had acknowledged", async () => {
  const { bob, integration, read, send, becomes, asked, linesOf } = await world({
    option_reopen_within: 5,
  });
  await send("create");
  await becomes("open");
  await vi.waitFor(() => expect(asked()).toBe("ann"), soon);
  const [{ id, prefix_id: prefixId }] = await read();
  const acknowledged = await call("POST", `/api/v4/alerts/${id}/acknowledge`, { key: bob.key });
  expect(acknowledged.status, acknowledged.text).toBe(200);
  await send("resolve");
  await becomes("resolved");
  for (const stub of [alertStub(prefixId), inboxStub(integration.prefixId)]) await evict(stub);
  await send("create");
  await becomes("open");
  await vi.waitFor(() => expect(asked()).toBe("ann bob"), soon);
  expect(await read()).toMatchObject([{ id, dedup_count: 1, resolved_at: null }]);
  expect(await linesOf(id)).toContain("opened again");
  await send("resolve");
  await becomes("resolved");
  // The time is over: the object lets go of the Id, and empties itself.
  await rewriteAlert(alertStub(prefixId), (value) => ({
    ...value,
    alert: { ...value.alert, reopenUntil: Date.now() - 1 },
  }));
  await vi.waitFor(async () => {
    await alertStub(prefixId).poke();
    expect(await storedAlert(alertStub(prefixId))).toBeNull();
  }, soon);
  await send("create");
  await becomes("open", "resolved");
});

test("after a person resolved it, the next event creates another alert at once", async () => {
  const { account, read, send, becomes } = await world({ option_reopen_within: 5 });
  await send("create");
  await becomes("open");
  const [{ id }] = await read();
  expect((await account.api("POST", `/alerts/${id}/resolve`)).status).toBe(200);
  await send("create");
  await becomes("open", "resolved");
});

test("an alert that is resolved within pause_for notifies nobody and says so; one that lasts pages at its end", async () => {
  const { account, path, integration, read, send, becomes, asked, linesOf } = await world({
    option_pause_for: 10,
    urgency: "critical",
  });
  await send("create");
  await becomes("queued");
  const [{ id }] = await read();
  await send("resolve");
  await becomes("resolved");
  expect(await linesOf(id)).toContain("Nobody was notified: it resolved before its delay ended");
  await send("create");
  await becomes("queued", "resolved");
  const [lasting] = await read();
  expect(asked()).toBe("");
  const stub = alertStub(lasting.prefix_id);
  await rewriteAlert(stub, (value) => {
    const pending = value.alert.pending.map((it) => ({ ...it, at: Date.now() - 1 }));
    return { ...value, alert: { ...value.alert, pending } };
  });
  await stub.poke();
  await vi.waitFor(() => expect(asked()).toBe("ann"), soon);
  await becomes("open", "resolved");
  const forecast = await account.api("POST", `/integrations/${integration.prefixId}/preview`, {
    payload: { event_type: "create", Title: "Down" },
    ...{ pages: true, at: "2031-03-01T09:00:00Z" },
  });
  expect(forecast.body.previews[0].pages[0].at).toBe("2031-03-01T09:10:00.000Z");
  const wrong = await account.api("PUT", path, { option_pause_for: 2_000 });
  expect([wrong.status, faultyFields(wrong)]).toEqual([422, ["option_pause_for"]]);
});
