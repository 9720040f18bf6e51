// Events of a living alert through the front door: what gets worse reaches people once, promptly and
// in order, whatever is counted with it (contract 3, Matching of events).
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { evict, inboxStub, rowsOf, soon } from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
  type Person,
} from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let [ann, bob]: Person[] = [];
let teamId: string;
let integration: Integration;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  [ann, bob] = [await makePerson(account, "Ann"), await makePerson(account, "Bob")];
  const people = [ann.accountUserId, bob.accountUserId];
  teamId = (await makeTeam(account, [{ seconds: 600, people }])).id;
  integration = await makeIntegration(account, [teamId]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const send = async (changes: object, to = integration) => {
  const event = { event_type: "create", Id: "disk", Title: "Disk", Urgency: "low", ...changes };
  const { status, text } = await to.send(event);
  expect(status, text).toBe(200);
};

const drained = (of = integration) =>
  vi.waitFor(async () => {
    expect(await rowsOf(inboxStub(of.prefixId), "select * from events")).toEqual([]);
  }, soon);

const alertOf = async (): Promise<any> => {
  const { body } = await account.api("GET", "/alerts?limit=10");
  expect(body.total_count).toBe(1);
  return body.data[0];
};

const acknowledge = async (id: string) => {
  const path = `/api/v4/alerts/${id}/acknowledge`;
  const { status, text } = await call("POST", path, { key: ann?.key ?? "" });
  expect(status, text).toBe(200);
};

const subjectsTo = (person: Person | undefined) =>
  mailbox.mails.filter(({ to }) => to === person?.email).map(({ subject }) => subject);

const timelineOf = async (id: string): Promise<string[]> => {
  const { body } = await account.api("GET", `/logs/${id}`);
  return body.details.sublogs.map((line: { message: string }) => line.message);
};

test("a critical event of an acknowledged low alert notifies who acknowledged, once", async () => {
  await send({});
  await vi.waitFor(() => expect(subjectsTo(bob)).toHaveLength(1), soon);
  const { id } = await alertOf();
  await acknowledge(id);
  await send({ Urgency: "critical", Description: "99 %", Title: "Disk fuller" });
  await send({ Urgency: "critical", Description: "99 %", Title: "Disk fuller" });
  await drained();
  await vi.waitFor(async () => {
    expect(await alertOf()).toMatchObject({
      ...{ urgency: "critical", status: "open", dedup_count: 2, title: "Disk" },
      ...{ latest_title: "Disk fuller", latest_description: "99 %", latest_link: null },
    });
  }, soon);
  const news = () => subjectsTo(ann).filter((subject) => /raised from low/.test(subject));
  await vi.waitFor(() => expect(news()).toHaveLength(1), soon);
  expect(subjectsTo(bob).filter((subject) => /raised from low/.test(subject))).toEqual([]);
  await vi.waitFor(async () => {
    const raised = (await timelineOf(id)).filter((text) => text.startsWith("Urgency raised"));
    expect(raised).toEqual(["Urgency raised from low to critical"]);
  }, soon);
});

test("news among repetitions is neither lost nor delayed behind them", async () => {
  await send({});
  await drained();
  const calls: { urgency: string; count: number }[] = [];
  const create = AlertObject.prototype.create;
  vi.spyOn(AlertObject.prototype, "create").mockImplementation(async function (
    this: AlertObject,
    draft,
    sequences,
    waiting,
  ) {
    calls.push({ urgency: draft.urgency, count: sequences.length });
    // The events after the first wait behind this call.
    await scheduler.wait(100);
    return create.call(this, draft, sequences, waiting);
  });
  for (const Urgency of ["low", "low", "low", "critical", "low", "high"]) await send({ Urgency });
  await drained();
  expect(calls.map(({ urgency }) => urgency).filter((it, i, all) => it !== all[i - 1])).toEqual([
    "low",
    "critical",
    "low",
    "high",
  ]);
  expect(calls.reduce((sum, { count }) => sum + count, 0)).toBe(6);
  expect(await alertOf()).toMatchObject({ urgency: "critical", dedup_count: 6 });
});

test("a repeated delivery after a crash raises and notifies once", async () => {
  await send({});
  await vi.waitFor(() => expect(subjectsTo(bob)).toHaveLength(1), soon);
  const create = AlertObject.prototype.create;
  let crashes = 1;
  vi.spyOn(AlertObject.prototype, "create").mockImplementation(async function (
    this: AlertObject,
    ...given
  ) {
    const result = await create.apply(this, given);
    crashes -= 1;
    // The alert has committed, and its inbox does not learn of it.
    if (crashes >= 0) throw new Error("Network connection lost.");
    return result;
  });
  await send({ Urgency: "critical" });
  await vi.waitFor(() => expect(crashes).toBeLessThan(1), soon);
  await evict(inboxStub(integration.prefixId));
  await send({ Urgency: "critical" });
  await drained();
  const news = () => subjectsTo(bob).filter((subject) => /raised from low/.test(subject));
  await vi.waitFor(() => expect(news()).toHaveLength(1), soon);
  expect(await alertOf()).toMatchObject({ urgency: "critical", dedup_count: 2 });
  expect(news()).toHaveLength(1);
});

test("the log of a group that max_alerts cut short warns", async () => {
  const alertmanager = await makeIntegration(account, [teamId], { type: "prometheus" });
  const group = { groupKey: "{}:{}", groupLabels: {}, truncatedAlerts: 2 };
  for (const status of ["firing", "resolved"]) {
    const alerts = [{ status, labels: { alertname: "Down" } }];
    expect((await alertmanager.send({ ...group, status, alerts })).status).toBe(200);
  }
  await drained(alertmanager);
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", "/logs?owner_type=Integration&limit=10");
    expect(
      body.data.map((log: any) => [log.level, /max_alerts/.test(log.details.message)]),
    ).toEqual([
      ["warn", true],
      ["warn", true],
    ]);
  }, soon);
});

test("a staging Alertmanager with production's group neither hides nor ends its alert", async () => {
  const alertmanager = await makeIntegration(account, [teamId], { type: "prometheus" });
  const group = async (cluster: string, status: "firing" | "resolved") => {
    const labels = { alertname: "Down", cluster, severity: "critical" };
    const { status: code } = await alertmanager.send({
      ...{ status, groupKey: '{}:{alertname="Down"}', groupLabels: { alertname: "Down" } },
      ...{ commonLabels: labels, commonAnnotations: { summary: `${cluster} is down` } },
      ...{ externalURL: `http://${cluster}`, alerts: [{ status, labels }] },
    });
    expect(code).toBe(200);
    await drained(alertmanager);
  };
  await group("prod", "firing");
  const { id } = await alertOf();
  await acknowledge(id);
  await group("staging", "firing");
  await vi.waitFor(async () => {
    expect(await alertOf()).toMatchObject({
      ...{ status: "open", latest_description: "staging is down" },
      members: ["cluster=prod, severity=critical", "cluster=staging, severity=critical"],
    });
  }, soon);
  await group("staging", "resolved");
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", "/logs?owner_type=Integration&limit=10");
    const messages = body.data.map((log: any) => log.details.message);
    expect(messages.filter((text: string) => text.startsWith("Did not resolve"))).toHaveLength(1);
  }, soon);
  expect((await alertOf()).status).toBe("open");
  await group("prod", "resolved");
  await vi.waitFor(async () => expect((await alertOf()).status).toBe("resolved"), soon);
});
