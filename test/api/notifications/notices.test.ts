// Notices about an alert, and its reassignment by a policy, through the API.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { call, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

let mailbox: Mailbox;
beforeEach(() => {
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Ann and Bob are on call together; Cid is the team's admin; Dan is in no team. */
async function world() {
  const account = await makeAccount();
  const names = ["ann", "bob", "cid", "dan"] as const;
  const people = await Promise.all(names.map((name) => makePerson(account, name)));
  const [ann, bob, cid, dan] = people as [Person, Person, Person, Person];
  const onCall = [ann.accountUserId, bob.accountUserId];
  const team = await makeTeam(account, [{ seconds: 600, people: onCall }]);
  await account.api("PUT", `/teams/${team.id}`, {
    member_account_user_ids: [...onCall, cid.accountUserId],
    admin_account_user_ids: [cid.accountUserId],
  });
  const create = () =>
    account.api("POST", "/alerts", {
      title: "Disk full",
      urgency: "high",
      destination_team_ids: [team.id],
    });
  const as = (person: Person, verb: string, id: string) =>
    call("POST", `/api/v4/alerts/${id}/${verb}`, { key: person.key });
  /** Who was notified of an event, by the alert's notifications. */
  const notified = async (id: string, event: string) => {
    const { body } = await account.api("GET", `/alerts/${id}/notifications?event=${event}`);
    const ids = body.data.map((row: { account_user_id: string }) => row.account_user_id);
    return names.filter((_, i) => ids.includes(people[i]?.accountUserId));
  };
  return { account, ann, bob, cid, dan, team, create, as, notified };
}
type Person = Awaited<ReturnType<typeof makePerson>>;

test("an acknowledgement notifies the other person on call by mail", async () => {
  const { ann, bob, create, as, notified } = await world();
  const { body } = await create();
  await as(ann, "acknowledge", body.id);
  await vi.waitFor(() => expect(mailbox.notices.map((mail) => mail.to)).toEqual([bob.email]), soon);
  expect(mailbox.notices[0]?.subject).toBe("[HIGH] Acknowledged: Disk full");
  expect(await notified(body.id, "alert.acknowledged")).toEqual(["bob"]);
});

describe("a dropped alert notifies the team's drop recipients", () => {
  test.each([
    ["none", []],
    ["team_all", ["ann", "bob", "cid"]],
    ["team_admins", ["cid"]],
    ["oncall_rotation", ["ann", "bob"]],
    ["specific_users", ["dan"]],
  ])("%s", async (setting, expected) => {
    const { account, ann, bob, dan, team, create, as, notified } = await world();
    const { status } = await account.api("PUT", `/teams/${team.id}`, {
      drop_notifications: setting,
      drop_notification_account_user_ids: [dan.accountUserId],
    });
    expect(status).toBe(200);
    const { body } = await create();
    await as(ann, "reject", body.id);
    expect((await as(bob, "reject", body.id)).body.status).toBe("dropped");
    await vi.waitFor(() => expect(mailbox.notices).toHaveLength(expected.length), soon);
    expect(await notified(body.id, "alert.dropped")).toEqual(expected);
  });

  test("once an hour per alert, however often its event recurs", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [] }]);
    const integration = await makeIntegration(account, [team.id]);
    const read = async () => (await account.api("GET", "/alerts?thirdparty_id=often")).body.data[0];
    for (const count of [0, 1, 2]) {
      await integration.send({ event_type: "create", Id: "often", Title: "Often" });
      await vi.waitFor(async () => {
        expect(await read()).toMatchObject({ dedup_count: count, status: "dropped" });
      }, soon);
    }
    await vi.waitFor(() => expect(mailbox.notices).toHaveLength(1), soon);
  });
});

test("an alert that everybody rejected is reassigned by the policy, and shows both workflows", async () => {
  const { account, ann, bob, dan, team, create, as } = await world();
  const named = { reassign_account_user_ids: [dan.accountUserId] };
  const policy = await account.api("PUT", `/escalation_policies/${team.policyId}`, named);
  expect(policy.body).toMatchObject(named);
  const { body } = await create();
  await as(ann, "reject", body.id);
  expect((await as(bob, "reject", body.id)).body.status).toBe("open");
  await vi.waitFor(() => expect(mailbox.mails.map((mail) => mail.to)).toContain(dan.email), soon);
  const { body: workflows } = await account.api("GET", `/alerts/${body.id}/workflows`);
  const shown = workflows.data.map((it: { destination_id: string; state: string }) => [
    it.destination_id,
    it.state,
  ]);
  expect(Object.fromEntries(shown)).toEqual({ [team.id]: "rejected", [dan.accountUserId]: "open" });
});
