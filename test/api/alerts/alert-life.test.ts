// The life cycle of an alert through webhooks and the API: created, escalated, answered, resolved.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
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

async function world(seconds: readonly number[] = [60, 60]) {
  const account = await makeAccount();
  const first = await makePerson(account, "Grace First");
  const second = await makePerson(account, "Sam Second");
  const people = [first, second];
  const layers = seconds.map((it, i) => ({
    seconds: it,
    people: [people[i]?.accountUserId as string],
  }));
  const team = await makeTeam(account, layers);
  const integration = await makeIntegration(account, [team.id]);
  /** The recipients of the mails, in order: "first second". */
  const reached = () =>
    mailbox.mails
      .flatMap(({ to }) => (to === first.email ? ["first"] : to === second.email ? ["second"] : []))
      .join(" ");
  return { account, first, second, team, integration, reached };
}

async function timelineOf(account: Account, alertId: string): Promise<string[]> {
  const { body } = await account.api("GET", `/logs/${alertId}`);
  return body.details.sublogs.map((line: { message: string }) => line.message);
}

describe("an alert's life cycle", () => {
  test("a webhook notifies layer 1, a time-out layer 2; acknowledge stops escalation; a webhook resolves", async () => {
    const { account, second, integration, reached } = await world([1, 60]);
    const event = { event_type: "create", Id: "disk-1", Title: "Disk full" };
    const answer = await integration.send(event);
    expect(answer.status).toBe(200);
    expect(answer.body.log_id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    await vi.waitFor(() => expect(reached()).toBe("first"), soon);
    const { body: alerts } = await account.api("GET", "/alerts?thirdparty_id=disk-1");
    expect(alerts.total_count).toBe(1);
    const alert = alerts.data[0];
    expect(alert).toMatchObject({
      title: "Disk full",
      status: "open",
      urgency: "high",
      source_log_id: answer.body.log_id,
    });

    await vi.waitFor(() => expect(reached()).toBe("first second"), soon);
    const acknowledged = await call("POST", `/api/v4/alerts/${alert.id}/acknowledge`, {
      key: second.key,
    });
    expect(acknowledged.body).toMatchObject({ status: "acknowledged", resolved_at: null });
    const workflows = await account.api("GET", `/alerts/${alert.id}/workflows`);
    expect(workflows.body.data).toMatchObject([
      {
        state: "acknowledged",
        layer: 2,
        next_step_at: null,
        account_user_ids: [second.accountUserId],
      },
    ]);

    await integration.send({ event_type: "resolve", Id: "disk-1" });
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", `/alerts/${alert.prefix_id}`);
      expect(body).toMatchObject({
        status: "resolved",
        acknowledged_at: acknowledged.body.acknowledged_at,
      });
      expect(body.resolved_at).not.toBeNull();
    }, soon);
    expect(await timelineOf(account, alert.id)).toEqual([
      "Created by integration Monitoring",
      expect.stringMatching(
        /^Payments, step 1: notifying Grace First \(on call until .+\); next step at /,
      ),
      "Payments, step 1: nobody acknowledged in time",
      expect.stringMatching(/^Payments, step 2: notifying Sam Second /),
      "Acknowledged by Sam Second for Payments",
      "Resolved by integration Monitoring",
    ]);
    const { body: sent } = await account.api(
      "GET",
      `/alerts/${alert.id}/notifications?event=alert.open&sort=created_at&direction=asc`,
    );
    const common = { channel: "email", event: "alert.open", status: "sent", attempts: 1 };
    expect(sent.data).toMatchObject([
      { ...common, layer: 1, provider_id: expect.stringMatching(/^message-/) },
      { ...common, layer: 2, account_user_id: second.accountUserId, to: second.email },
    ]);
    expect(reached()).toBe("first second");
  });

  test("create, reject, acknowledge and resolve by the API are each visible to the next read", async () => {
    const { account, first, second, team, reached } = await world();
    const as = (person: { key: string }, verb: string) =>
      call("POST", `/api/v4/alerts/${alert.id}/${verb}`, { key: person.key });
    const made = await account.api("POST", "/alerts", {
      title: "Payments are slow",
      urgency: "critical",
      destination_team_ids: [team.id],
      meta: { incident: true },
    });
    expect(made.status).toBe(201);
    const alert = made.body;
    expect(alert).toMatchObject({
      status: "open",
      source_type: "AccountUser",
      destination_team_ids: [team.id],
      meta: { incident: true, incident_severity: "SEV-UNKNOWN" },
    });
    const read = await account.api("GET", `/alerts/${alert.id}`);
    expect(read.body).toEqual(alert);
    await vi.waitFor(() => expect(reached()).toBe("first"), soon);

    const early = await as(second, "reject");
    expect(early.status).toBe(409);
    expect(early.body.errors[0].message).toContain("the alert is open");
    expect((await as(first, "reject")).body.status).toBe("open");
    await vi.waitFor(() => expect(reached()).toBe("first second"), soon);

    expect((await as(second, "acknowledge")).body.status).toBe("acknowledged");
    expect((await account.api("GET", `/alerts/${alert.id}`)).body.status).toBe("acknowledged");
    const resolved = await as(second, "resolve");
    expect((await account.api("GET", `/alerts/${alert.id}`)).body).toEqual(resolved.body);
    expect((await as(second, "resolve")).status).toBe(409);
    expect(await timelineOf(account, alert.id)).toEqual([
      "Created by Ada Admin",
      expect.stringMatching(/^Payments, step 1: notifying Grace First /),
      "Passed on by Grace First for Payments",
      expect.stringMatching(/^Payments, step 2: notifying Sam Second /),
      "Acknowledged by Sam Second for Payments",
      "Resolved by Sam Second",
    ]);
  });

  test("a webhook acknowledges and resolves; an event without an alert is logged", async () => {
    const { account, integration } = await world();
    const send = (event_type: string, Id: string) =>
      integration.send({ event_type, Id, Title: "Queue stuck" });
    const status = async () =>
      (await account.api("GET", "/alerts?thirdparty_id=queue-1")).body.data[0]?.status;
    await send("create", "queue-1");
    await vi.waitFor(async () => expect(await status()).toBe("open"), soon);
    await send("acknowledge", "queue-1");
    await vi.waitFor(async () => expect(await status()).toBe("acknowledged"), soon);
    await send("resolve", "queue-1");
    await vi.waitFor(async () => expect(await status()).toBe("resolved"), soon);
    const unmatched = await send("resolve", "queue-9");
    expect(unmatched.status).toBe(200);
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", `/logs/${unmatched.body.log_id}`);
      expect(body.details?.message).toMatch(/^Unmatched/);
    }, soon);
  });

  test("an unanswered alert is dropped; a recurring event escalates it from layer 1 again", async () => {
    const { account, integration, reached } = await world([1, 1]);
    const event = { event_type: "create", Id: "again-1", Title: "Again" };
    const read = async () => (await account.api("GET", "/alerts?thirdparty_id=again-1")).body;
    await integration.send(event);
    await vi.waitFor(async () => expect((await read()).data[0]?.status).toBe("dropped"), soon);
    expect(reached()).toBe("first second");
    await integration.send(event);
    await vi.waitFor(() => expect(reached()).toBe("first second first"), soon);
    expect(await read()).toMatchObject({ total_count: 1, data: [{ dedup_count: 1 }] });
  });

  test("the API changes and deletes an alert", async () => {
    const { account, team } = await world();
    const { body: alert } = await account.api("POST", "/alerts", {
      title: "Old words",
      urgency: "low",
      destination_team_ids: [team.id],
    });
    const changed = await account.api("PUT", `/alerts/${alert.id}`, { title: "New words" });
    expect(changed.body).toMatchObject({ title: "New words", urgency: "low", status: "open" });
    expect((await account.api("DELETE", `/alerts/${alert.id}`)).status).toBe(204);
    expect((await account.api("GET", `/alerts/${alert.id}`)).status).toBe(404);
    expect((await account.api("POST", `/alerts/${alert.id}/acknowledge`)).status).toBe(404);
  });
});
