// P1: a page that could not be sent before its layer's time-out is sent late, not dropped; a page of an alert that was
// acknowledged meanwhile is not sent.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runDueOutbox } from "../../support/alerts/stored-alert.ts";
import { makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { alertStub, interceptQueue, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

let mailbox: Mailbox;
beforeEach(() => {
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Creates an alert that escalates through both layers and is dropped while the queue refuses everything. */
async function droppedWithoutQueue() {
  const account = await makeAccount();
  const first = await makePerson(account, "Grace");
  const second = await makePerson(account, "Sam");
  const layers = [first, second].map((it) => ({ seconds: 1, people: [it.accountUserId] }));
  const team = await makeTeam(account, layers);
  const queue = interceptQueue(async () => {
    throw new Error("Too Many Requests");
  });
  const destination = { destination_team_ids: [team.id] };
  const { body } = await account.api("POST", "/alerts", {
    title: "Late",
    urgency: "high",
    ...destination,
  });
  await vi.waitFor(async () => {
    const read = await account.api("GET", `/alerts/${body.id}`);
    expect(read.body.status).toBe("dropped");
  }, soon);
  expect(mailbox.mails).toEqual([]);
  queue.mockRestore();
  return { account, people: [first, second], id: body.id, stub: alertStub(body.prefix_id) };
}

describe("a page that the queue refused until after its layer's time-out", () => {
  test("is sent once to each recipient when the queue accepts it", async () => {
    const { people, stub } = await droppedWithoutQueue();
    await runDueOutbox(stub);
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(2), soon);
    const reached = mailbox.mails.map((mail) => mail.to).sort();
    expect(reached).toEqual(people.map((person) => person.email).sort());
  });

  test("is not sent once somebody has acknowledged", async () => {
    const { account, id, stub } = await droppedWithoutQueue();
    expect((await account.api("POST", `/alerts/${id}/acknowledge`)).status).toBe(200);
    await runDueOutbox(stub);
    const { body } = await account.api("GET", `/alerts/${id}/notifications?event=alert.open`);
    expect(body.data).toEqual([]);
    expect(mailbox.mails).toEqual([]);
  });
});
