// P2: k concurrent creates of one `Id` make one open alert that counts k − 1; any sequence of events of one `Id` has
// the effect of applying it in order.
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { randomGenerator, sized } from "../../support/generated/sizes.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { inboxStub, rowsOf, soon } from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let integration: Integration;
let email: string;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  email = person.email;
  const team = await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }]);
  integration = await makeIntegration(account, [team.id]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Verb = "create" | "acknowledge" | "resolve";

async function send(event_type: Verb, Id: string): Promise<void> {
  const { status, text } = await integration.send({ event_type, Id, Title: Id });
  expect(status, text).toBe(200);
}

const drained = () =>
  vi.waitFor(async () => {
    const events = await rowsOf(inboxStub(integration.prefixId), "select * from events");
    expect(events).toEqual([]);
  }, soon);

/** The alerts of an `Id` as `status count`, sorted. */
async function alertsOf(Id: string): Promise<string[]> {
  const query = `/alerts?limit=100&thirdparty_id=${encodeURIComponent(Id)}`;
  const { body } = await account.api("GET", query);
  const alerts: { status: string; dedup_count: number }[] = body.data;
  return alerts.map((alert) => `${alert.status} ${alert.dedup_count}`).sort();
}

test("50 concurrent creates of one Id make one open alert that counts 49, with one page", async () => {
  await Promise.all(Array.from({ length: 50 }, () => send("create", "disk")));
  await drained();
  expect(await alertsOf("disk")).toEqual(["open 49"]);
  await vi.waitFor(
    () => expect(mailbox.mails.filter((mail) => mail.to === email)).toHaveLength(1),
    soon,
  );
  const { body } = await account.api("GET", "/logs?owner_type=Integration");
  expect(body.total_count).toBe(50);
});

test("an event creates another alert once the API has resolved the first", async () => {
  await send("create", "disk");
  await drained();
  const { body } = await account.api("GET", "/alerts?thirdparty_id=disk");
  const path = `/alerts/${body.data[0].id}`;
  await account.api("POST", `${path}/resolve`);
  await send("create", "disk");
  await drained();
  expect(await alertsOf("disk")).toEqual(["open 0", "resolved 0"]);
  await account.api("DELETE", path);
  await send("create", "disk");
  await drained();
  expect(await alertsOf("disk")).toEqual(["open 1"]);
});

/** Delays each call of an alert at random, so that events queue behind it. */
function slowAlerts(): void {
  const draw = randomGenerator();
  for (const name of ["create", "command"] as const) {
    const original = AlertObject.prototype[name] as (...given: unknown[]) => Promise<unknown>;
    vi.spyOn(AlertObject.prototype, name).mockImplementation(async function (
      this: AlertObject,
      ...given: unknown[]
    ) {
      await scheduler.wait(draw() * 40);
      return original.apply(this, given) as never;
    });
  }
}

/** The alerts that result from applying events of one `Id` one after the other. */
function applied(verbs: readonly Verb[]): string[] {
  const alerts: { status: "open" | "acknowledged" | "resolved"; count: number }[] = [];
  for (const verb of verbs) {
    const newest = alerts.at(-1);
    const running = newest && newest.status !== "resolved" ? newest : undefined;
    if (verb === "create" && running) running.count += 1;
    else if (verb === "create") alerts.push({ status: "open", count: 0 });
    else if (verb === "acknowledge" && running?.status === "open") running.status = "acknowledged";
    else if (verb === "resolve" && running) running.status = "resolved";
  }
  return alerts.map(({ status, count }) => `${status} ${count}`).sort();
}

test("concurrent random sequences of several Ids each have the effect of their order", async () => {
  const verb = fc.constantFrom<Verb>("create", "create", "acknowledge", "resolve");
  const sequences = fc.array(fc.array(verb, { maxLength: 12 }), { minLength: 10, maxLength: 10 });
  slowAlerts();
  let runs = 0;
  const property = fc.asyncProperty(sequences, async (given) => {
    runs += 1;
    const ids = given.map((_, i) => `${runs}-${i}`);
    await Promise.all(
      given.map(async (verbs, i) => {
        for (const one of verbs) await send(one, ids[i] as string);
      }),
    );
    await drained();
    for (const [i, verbs] of given.entries()) {
      expect(await alertsOf(ids[i] as string), verbs.join(" ")).toEqual(applied(verbs));
    }
  });
  await fc.assert(property, { numRuns: sized(1, 8), endOnFailure: true });
});
