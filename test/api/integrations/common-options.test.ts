// The common options that affect an alert's lifecycle: `auto_resolve_after` and `aggregate_window`.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { outboxOf, rewriteAlert, storedAlert } from "../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { alertStub, soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let teamId: string;
let email: string;
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  const ann = await makePerson(account, "ann");
  email = ann.email;
  teamId = (await makeTeam(account, [{ seconds: 600, people: [ann.accountUserId] }])).id;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const alerts = async () => (await account.api("GET", "/alerts")).body.data;
const waitForAlerts = (expected: readonly object[]) =>
  vi.waitFor(async () => expect(await alerts()).toMatchObject(expected), soon);
const create = (Id: string, Title = "Disk full") => ({ event_type: "create", Id, Title });

test("auto_resolve_after resolves the alert when the time elapses, and each event restarts it", async () => {
  const kept = { auto_resolve_after: 10 };
  const { send } = await makeIntegration(account, [teamId], { kept });
  await send(create("a"));
  await waitForAlerts([{ status: "open" }]);
  const stub = alertStub((await alerts())[0].prefix_id);
  const elapse = (minutes: number) =>
    rewriteAlert(stub, (value) => {
      const autoResolveAt = Number(value.alert.autoResolveAt) - minutes * 60_000;
      return { ...value, alert: { ...value.alert, autoResolveAt } };
    });
  await elapse(9);
  await send(create("a"));
  await waitForAlerts([{ dedup_count: 1 }]);
  await elapse(9);
  await stub.poke();
  await waitForAlerts([{ status: "open" }]);
  await elapse(1);
  await stub.poke();
  await waitForAlerts([{ status: "resolved" }]);
  const [{ id }] = await alerts();
  const { body } = await account.api("GET", `/logs/${id}`);
  expect(JSON.stringify(body.details)).toContain("Resolved by auto-resolve");
});

test("auto_resolve_after resolves an alert that was dropped in the meantime", async () => {
  const person = await makePerson(account, "Nobody Answers");
  const team = await makeTeam(account, [{ seconds: 1, people: [person.accountUserId] }]);
  const kept = { auto_resolve_after: 10 };
  const { send } = await makeIntegration(account, [team.id], { kept });
  await send(create("dropped"));
  await waitForAlerts([{ status: "dropped" }]);
  const stub = alertStub((await alerts())[0].prefix_id);
  await vi.waitFor(async () => expect(await outboxOf(stub)).toEqual([]), soon);
  await rewriteAlert(stub, (value) => {
    expect(value.alert.autoResolveAt).toBeGreaterThan(Date.now());
    return { ...value, alert: { ...value.alert, autoResolveAt: Date.now() - 1 } };
  });
  await stub.poke();
  await waitForAlerts([{ status: "resolved" }]);
  // Only then is nothing left to do.
  await vi.waitFor(async () => expect(await storedAlert(stub)).toBeNull(), soon);
});

test("aggregate_window counts events with the same title on the first alert until it is resolved", async () => {
  const { send } = await makeIntegration(account, [teamId], { kept: { aggregate_window: 5 } });
  await Promise.all(["a", "b", "c"].map((id) => send(create(id))));
  await send(create("d", "Another title"));
  await vi.waitFor(async () => {
    const counts = (await alerts()).map(({ title, dedup_count }: Record<string, unknown>) => [
      title,
      dedup_count,
    ]);
    expect(Object.fromEntries(counts)).toEqual({ "Disk full": 2, "Another title": 0 });
  }, soon);
  const first = (await alerts()).find((it: { title: string }) => it.title === "Disk full");
  await send({ event_type: "resolve", Id: first.thirdparty_id });
  await send(create("z"));
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", "/alerts?thirdparty_id=z");
    expect(body.data).toMatchObject([{ status: "open", dedup_count: 0 }]);
  }, soon);
  const mails = () => mailbox.mails.filter(({ to }) => to === email);
  await vi.waitFor(() => expect(mails()).toHaveLength(3), soon);
});
