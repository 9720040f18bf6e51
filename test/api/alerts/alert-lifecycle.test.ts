// Reopen, snooze, escalate, request responders, merge (contract 3, Escalation), through the API and
// beside the events of senders.
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { alertStub, soon } from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let people: readonly { readonly accountUserId: string; readonly email: string }[];
let teamId: string;
let integration: Integration;
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  people = [await makePerson(account, "Grace"), await makePerson(account, "Sam")];
  const layers = people.map((it) => ({ seconds: 600, people: [it.accountUserId] }));
  teamId = (await makeTeam(account, layers)).id;
  integration = await makeIntegration(account, [teamId]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const event = (Id: string, event_type = "create") => ({ event_type, Id, Title: `Disk of ${Id}` });
const alertsOf = async (Id: string) =>
  (await account.api("GET", `/alerts?thirdparty_id=${Id}`)).body.data;
const act = (id: string, verb: string, body: object = {}) =>
  account.api("POST", `/alerts/${id}/${verb}`, body);
const create = async () => {
  const parameters = { title: "Disk full", urgency: "high", destination_team_ids: [teamId] };
  return (await account.api("POST", "/alerts", parameters)).body;
};
/** Sends an event and waits for the newest alert of its `Id` to have this status. */
async function send(Id: string, type: string, status: string, from = integration) {
  await from.send(event(Id, type));
  return vi.waitFor(async () => {
    const [alert] = await alertsOf(Id);
    expect(alert?.status).toBe(status);
    return alert;
  }, soon);
}
const mailsTo = (i: number) => mailbox.mails.filter(({ to }) => to === people[i]?.email);
const timelineOf = async (id: string): Promise<string[]> => {
  const { body } = await account.api("GET", `/logs/${id}`);
  return body.details.sublogs.map((line: { message: string }) => line.message);
};
/** Waits until the alert's object stores nothing and its inbox has forgotten the `Id`. */
const emptied = (prefixId: string) =>
  vi.waitFor(
    () =>
      runInDurableObject(alertStub(prefixId), (_, { storage }) =>
        expect([...storage.kv.list()]).toEqual([]),
      ),
    soon,
  );

describe("snooze", () => {
  test("acknowledges until then; the alarm opens the alert again", async () => {
    const { id } = await create();
    await vi.waitFor(() => expect(mailsTo(0)).toHaveLength(1), soon);
    const until = new Date(Date.now() + 1_500).toISOString();
    const snoozed = await act(id, "snooze", { until });
    expect(snoozed.body).toMatchObject({ status: "acknowledged", snoozed_until: until });
    expect((await account.api("GET", `/alerts?snoozed_until=${until}`)).body.total_count).toBe(1);
    await vi.waitFor(() => expect(mailsTo(0)).toHaveLength(2), soon);
    const { body } = await account.api("GET", `/alerts/${id}`);
    expect(body).toMatchObject({ status: "open", snoozed_until: null });
    expect(await timelineOf(id)).toContain(`Snoozed by Ada Admin until ${until}`);
  });

  test("names the parameter at fault", async () => {
    const { id } = await create();
    const past = await act(id, "snooze", { until: "2020-01-01T00:00:00Z" });
    expect(past.status).toBe(422);
    expect(past.body.errors).toEqual([{ field: "until", message: "until must be in the future" }]);
    expect((await act(id, "snooze")).body.errors).toMatchObject([{ field: "until" }]);
  });
});

test("escalate notifies the next layer at once; then nobody is left", async () => {
  const { id } = await create();
  expect((await act(id, "escalate")).status).toBe(200);
  await vi.waitFor(() => expect(mailsTo(1)).toHaveLength(1), soon);
  const [workflow] = (await account.api("GET", `/alerts/${id}/workflows`)).body.data;
  expect(workflow).toMatchObject({ state: "open", layer: 2, requested: false });
  expect((await act(id, "escalate")).status).toBe(409);
  expect((await account.api("GET", `/alerts/${id}`)).body.status).toBe("open");
});

test("requested responders are notified with the note, and do not change the status", async () => {
  const { id } = await create();
  await act(id, "acknowledge");
  const [, sam] = people;
  const asked = await act(id, "responders", {
    account_user_ids: [sam?.accountUserId],
    note: "Bring the key",
  });
  expect(asked.body.status).toBe("acknowledged");
  await vi.waitFor(() => expect(mailsTo(1)).toHaveLength(1), soon);
  expect(mailsTo(1)[0]?.text).toContain("asks for your help: Bring the key.");
  const { body } = await account.api("GET", `/alerts/${id}/workflows?requested=true`);
  expect(body.data).toMatchObject([{ state: "open", destination_id: sam?.accountUserId }]);
  expect((await act(id, "responders", {})).body.errors).toMatchObject([
    { field: "account_user_ids" },
  ]);
  const unknown = await act(id, "responders", { account_user_ids: ["x"], team_ids: ["y"] });
  expect(unknown.status).toBe(422);
  expect(unknown.body.errors.map((it: { field: string }) => it.field).sort()).toEqual([
    "account_user_ids",
    "team_ids",
  ]);
});

describe("reopen", () => {
  test("an alert that its object and its inbox have forgotten is open again, and counts its events", async () => {
    await send("a", "create", "open");
    const resolved = await send("a", "resolve", "resolved");
    await emptied(resolved.prefix_id);
    const reopened = await act(resolved.id, "reopen");
    expect(reopened.body).toMatchObject({ status: "open", resolved_at: null });
    await vi.waitFor(() => expect(mailsTo(0)).toHaveLength(2), soon);
    await integration.send(event("a"));
    await vi.waitFor(
      async () => expect(await alertsOf("a")).toMatchObject([{ dedup_count: 1 }]),
      soon,
    );
    await send("a", "resolve", "resolved");
    expect(await timelineOf(resolved.id)).toContain(
      "Reopened by Ada Admin: escalation starts at step 1",
    );
    expect((await account.api("GET", "/alerts?status=resolved")).body.total_count).toBe(1);
  });

  test("is refused while another alert of its Id is not resolved", async () => {
    await send("a", "create", "open");
    const first = await send("a", "resolve", "resolved");
    await send("a", "create", "open");
    const refused = await act(first.id, "reopen");
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].message).toMatch(/has the same Id and is not resolved/);
    await send("a", "resolve", "resolved");
    expect((await act(first.id, "reopen")).status).toBe(200);
  });

  test("is refused while another alert has one of its dedup keys", async () => {
    const keyed = { ...event("k"), dedup_keys: ["rack"] };
    await integration.send(keyed);
    const first = await send("k", "resolve", "resolved");
    await emptied(first.prefix_id);
    const other = await makeIntegration(account, [teamId]);
    await other.send({ ...event("l"), dedup_keys: ["rack"] });
    await vi.waitFor(async () => expect(await alertsOf("l")).toHaveLength(1), soon);
    const refused = await act(first.id, "reopen");
    expect(refused.body.errors[0].message).toMatch(/has the same dedup key and is not resolved/);
  });

  test("of many at once, of one alert and of two alerts of one Id, one succeeds", async () => {
    await send("a", "create", "open");
    const first = await send("a", "resolve", "resolved");
    await emptied(first.prefix_id);
    await send("a", "create", "open");
    const second = await send("a", "resolve", "resolved");
    expect(second.id).not.toBe(first.id);
    const ids = [first.id, second.id, first.id, second.id, first.id, second.id];
    const answers = await Promise.all(ids.map((id) => act(id, "reopen")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const statuses = (await alertsOf("a")).map((it: { status: string }) => it.status);
    expect(statuses.sort()).toEqual(["open", "resolved"]);
  });

  test("beside an event of its sender leaves one alert open, and loses no event", async () => {
    for (const Id of ["r1", "r2", "r3"]) {
      await send(Id, "create", "open");
      const { id } = await send(Id, "resolve", "resolved");
      const [reopened] = await Promise.all([act(id, "reopen"), integration.send(event(Id))]);
      const statuses = await vi.waitFor(async () => {
        const alerts: readonly { status: string; dedup_count: number }[] = await alertsOf(Id);
        // The event is a repetition of the reopened alert, or an alert of its own.
        const count = alerts.reduce((sum, it) => sum + 1 + it.dedup_count, 0);
        expect(count).toBe(2);
        return alerts.map((it) => it.status);
      }, soon);
      const expected = reopened.status === 200 ? ["open"] : ["open", "resolved"];
      expect(statuses.sort(), `${Id}: ${reopened.status}`).toEqual(expected);
    }
  });
});

describe("merge", () => {
  const merged = async () => {
    const other = await makeIntegration(account, [teamId]);
    const leader = await send("a", "create", "open");
    const follower = await send("b", "create", "open", other);
    const answer = await act(leader.id, "merge", { alert_ids: [follower.prefix_id] });
    return { other, leader, follower, answer };
  };

  test("resolves the other; its later events are the leader's", async () => {
    const { other, leader, follower, answer } = await merged();
    expect(answer.body).toMatchObject({ id: leader.id, status: "open" });
    const { body } = await account.api("GET", `/alerts/${follower.id}`);
    expect(body).toMatchObject({ status: "resolved", merged_into_id: leader.id });
    const found = await account.api("GET", `/alerts?merged_into_id=${leader.prefix_id}`);
    expect(found.body.total_count).toBe(1);
    expect((await timelineOf(follower.id)).at(-1)).toBe(
      `Merged into alert ${leader.prefix_id} by Ada Admin`,
    );
    await emptied(follower.prefix_id);
    for (const count of [1, 2]) {
      await other.send(event("b"));
      await vi.waitFor(
        async () => expect(await alertsOf("a")).toMatchObject([{ dedup_count: count }]),
        soon,
      );
    }
    expect(await alertsOf("b")).toHaveLength(1);
    await other.send(event("b", "acknowledge"));
    await vi.waitFor(
      async () => expect(await alertsOf("a")).toMatchObject([{ status: "acknowledged" }]),
      soon,
    );
    await other.send(event("b", "resolve"));
    await vi.waitFor(
      async () => expect(await alertsOf("a")).toMatchObject([{ status: "resolved" }]),
      soon,
    );
    await other.send(event("b"));
    await vi.waitFor(async () => expect(await alertsOf("b")).toHaveLength(2), soon);
  });

  test("is refused to be reopened while its leader is not resolved; then it is its own again", async () => {
    const { other, leader, follower } = await merged();
    const refused = await act(follower.id, "reopen");
    expect(refused.body.errors[0].message).toContain(`merged into ${leader.prefix_id}`);
    await send("a", "resolve", "resolved");
    expect((await act(follower.id, "reopen")).body).toMatchObject({
      status: "open",
      merged_into_id: null,
    });
    await other.send(event("b"));
    await vi.waitFor(
      async () => expect(await alertsOf("b")).toMatchObject([{ dedup_count: 1 }]),
      soon,
    );
  });

  test("is retried until the other has ended", async () => {
    const leader = await send("a", "create", "open");
    const follower = await send("b", "create", "open");
    const failing = vi
      .spyOn(AlertObject.prototype, "mergeInto")
      .mockRejectedValueOnce(new Error("the object was reset"));
    expect((await act(leader.id, "merge", { alert_ids: [follower.id] })).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect(await alertsOf("b")).toMatchObject([
          { status: "resolved", merged_into_id: leader.id },
        ]),
      soon,
    );
    expect(failing.mock.calls.length).toBeGreaterThan(1);
  });

  test("follows a leader that is merged in turn", async () => {
    const { other, leader } = await merged();
    const last = await send("c", "create", "open");
    await act(last.id, "merge", { alert_ids: [leader.id] });
    await other.send(event("b"));
    await vi.waitFor(
      async () => expect(await alertsOf("c")).toMatchObject([{ dedup_count: 1 }]),
      soon,
    );
  });

  test("counts an event of the API with the other's dedup key on the leader", async () => {
    const leader = await send("a", "create", "open");
    const keyed = { title: "x", urgency: "high", destination_team_ids: [teamId] };
    const first = await account.api("POST", "/alerts", { ...keyed, dedup_keys: ["rack"] });
    await act(leader.id, "merge", { alert_ids: [first.body.id] });
    const second = await account.api("POST", "/alerts", { ...keyed, dedup_keys: ["rack"] });
    expect(second.body).toMatchObject({ id: leader.id, dedup_count: 1 });
  });

  test("names every alert at fault", async () => {
    const leader = await send("a", "create", "open");
    await send("b", "create", "open");
    const resolved = await send("b", "resolve", "resolved");
    const foreign = await makeAccount();
    const answer = await act(leader.id, "merge", {
      alert_ids: ["nothing", leader.prefix_id, resolved.id, foreign.accountId],
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      { field: "alert_ids", message: "alert_ids: no such alert nothing" },
      {
        field: "alert_ids",
        message: `alert_ids: an alert cannot be merged into itself: ${leader.prefix_id}`,
      },
      { field: "alert_ids", message: `alert_ids: the alert is resolved: ${resolved.id}` },
      { field: "alert_ids", message: `alert_ids: no such alert ${foreign.accountId}` },
    ]);
    expect((await act(leader.id, "merge", {})).body.errors).toMatchObject([{ field: "alert_ids" }]);
  });
});
