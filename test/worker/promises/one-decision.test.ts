// P3: every transition is decided in the alert's object. Of concurrent requests, each transition happens once, and no
// history contains an illegal one.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, call, makeAccount, type Reply } from "../../support/api/api.ts";
import { randomGenerator } from "../../support/generated/sizes.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let account: Account;
let people: Person[];
let alertId: string;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  people = [await makePerson(account, "Grace"), await makePerson(account, "Sam")];
  const ids = people.map((person) => person.accountUserId);
  const team = await makeTeam(account, [{ seconds: 600, people: ids }]);
  const { body } = await account.api("POST", "/alerts", {
    title: "Everybody answers",
    urgency: "high",
    destination_team_ids: [team.id],
  });
  alertId = body.id;
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Verb = "acknowledge" | "reject" | "resolve";

const ask = (verb: Verb, key: string) => call("POST", `/api/v4/alerts/${alertId}/${verb}`, { key });

const many = (count: number, verb: Verb, key: string) =>
  Array.from({ length: count }, () => () => ask(verb, key));

/** Sends all requests at once, in random order. */
async function atOnce(requests: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
  const draw = randomGenerator();
  const shuffled = requests
    .map((request) => ({ request, place: draw() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ request }) => request);
  return Promise.all(shuffled.map((request) => request()));
}

const statuses = (replies: readonly Reply[]) =>
  replies.reduce<Record<number, number>>((counts, { status }) => {
    counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }, {});

async function timeline(): Promise<string[]> {
  const { body } = await account.api("GET", `/logs/${alertId}`);
  const lines: { message: string }[] = body.details.sublogs;
  return lines.map((line) => line.message).filter((line) => /^(Ack|Rej|Res)/.test(line));
}

describe("concurrent requests", () => {
  test("to acknowledge, 50 by one caller, yield one 200 and 49 times 409 that names the state", async () => {
    const replies = await atOnce(many(50, "acknowledge", people[0]?.key as string));
    expect(statuses(replies)).toEqual({ 200: 1, 409: 49 });
    for (const { status, body } of replies) {
      if (status === 409) expect(body.errors[0].message).toContain("the alert is acknowledged");
    }
    expect(await timeline()).toHaveLength(1);
  });

  test("to resolve, 30 by one caller, yield one 200", async () => {
    const replies = await atOnce(many(30, "resolve", account.key));
    expect(statuses(replies)).toEqual({ 200: 1, 409: 29 });
    const { body } = await account.api("GET", `/alerts/${alertId}`);
    expect(body.status).toBe("resolved");
  });

  test("to reject yield one 200 for each notified person", async () => {
    const requests = people.flatMap((person) => many(10, "reject", person.key));
    expect(statuses(await atOnce(requests))).toEqual({ 200: 2, 409: 18 });
    const { body } = await account.api("GET", `/alerts/${alertId}`);
    expect(body.status).toBe("dropped");
  });

  test.each([1, 2, 3])("of all kinds yield a legal history (%i)", async () => {
    const requests = [
      ...people.flatMap((person) => [
        ...many(6, "acknowledge", person.key),
        ...many(6, "reject", person.key),
      ]),
      ...many(6, "resolve", account.key),
    ];
    const replies = await atOnce(requests);
    const done = await timeline();
    expect(statuses(replies)).toEqual({ 200: done.length, 409: requests.length - done.length });
    // Acknowledged at most once, resolved once and last; rejected only before both, at most once per person.
    const letters = done.map((line) => line[2]).join("");
    expect(letters).toMatch(/^j{0,2}k?s$/);
    const { body } = await account.api("GET", `/alerts/${alertId}`);
    expect(body.status).toBe("resolved");
    expect(body.acknowledged_at === null).toBe(!letters.includes("k"));
  });
});
