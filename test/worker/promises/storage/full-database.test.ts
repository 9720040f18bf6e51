// P1 while D1 refuses writes because the database is full: what was accepted is stored elsewhere until there is space.
import { afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { isFull, isOutage, isRefusedContent } from "../../../../src/kernel/db/outage.ts";
import { reportIfFull } from "../../../../src/kernel/metrics/report-full.ts";
import { runDueOutbox } from "../../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import {
  alertStub,
  endPauses,
  FULL_ERROR,
  fillDatabase,
  inboxStub,
  rowsOf,
  soon,
} from "../../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
  type Person,
} from "../../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let person: Person;
let integration: Integration;
let teamId: string;
let errors: MockInstance<typeof console.error>;

beforeAll(() => {
  // Another file, in the same runtime, may have reported a full database within the last minute.
  const silenced = vi.spyOn(console, "error").mockImplementation(() => {});
  reportIfFull(new Error(FULL_ERROR), Date.now() - 120_000);
  silenced.mockRestore();
});
beforeEach(async () => {
  mailbox = openMailbox();
  errors = vi.spyOn(console, "error").mockImplementation(() => {});
  account = await makeAccount();
  person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }])).id;
  integration = await makeIntegration(account, [teamId]);
  // The inbox loads its configuration and records in D1 that it receives events.
  await send("warm");
  await vi.waitFor(async () => expect(await logTotal()).toBe(1), soon);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function send(Id: string): Promise<void> {
  const { status, text } = await integration.send({ event_type: "create", Id, Title: Id });
  expect(status, text).toBe(200);
}

const mailsAbout = (Id: string) =>
  mailbox.mails.filter(({ to, subject }) => to === person.email && subject.includes(Id)).length;

const listed = async (path: string) => (await account.api("GET", path)).body;

const logTotal = async () => (await listed("/logs?owner_type=Integration")).total_count;

/** The number of lines that say that the database is full. */
const reports = () =>
  errors.mock.calls.filter(([line]) => String(line?.message).startsWith("the database is full"))
    .length;

/** The alerts of these ids, each once, with their timelines and nothing waiting in an object. */
async function expectComplete(ids: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const Id of ids) {
      const { data } = await listed(`/alerts?thirdparty_id=${Id}`);
      expect(data).toHaveLength(1);
      const timeline = await listed(`/logs/${data[0].id}`);
      expect(timeline.details.sublogs.length).toBeGreaterThan(1);
    }
    expect(await logTotal()).toBe(ids.length + 1);
    expect(await rowsOf(inboxStub(integration.prefixId), "select * from events")).toEqual([]);
  }, soon);
}

test("pages go out although alerts and logs cannot be written, which follows once there is space", async () => {
  const full = fillDatabase(/^(alerts|alert_workflows|logs|sublogs)$/);
  await send("one");
  await send("two");
  await vi.waitFor(() => expect([mailsAbout("one"), mailsAbout("two")]).toEqual([1, 1]), soon);
  expect((await listed("/alerts")).total_count).toBe(1);
  await vi.waitFor(() => expect(full.refused).toBeGreaterThan(2), soon);
  expect(reports()).toBe(1);
  full.mend();
  await expectComplete(["one", "two"]);
  expect([mailsAbout("one"), mailsAbout("two")]).toEqual([1, 1]);
});

test("pages are retried while nothing can be written, and go out once there is space", async () => {
  const full = fillDatabase();
  await send("three");
  await vi.waitFor(() => expect(full.refused).toBeGreaterThan(4), soon);
  expect(mailsAbout("three")).toBe(0);
  full.mend();
  await expectComplete(["three"]);
  await endPauses();
  const { data } = await listed("/alerts?thirdparty_id=three");
  await runDueOutbox(alertStub(data[0].prefix_id));
  await vi.waitFor(() => expect(mailsAbout("three")).toBe(1), soon);
});

test("the API refuses changes with 503 and Retry-After, still reads, and accepts alerts", async () => {
  const full = fillDatabase(/./, "D1_ERROR: Exceeded maximum DB size");
  const refused = await account.api("POST", "/comments", { body: "Seen" });
  expect(refused.status, refused.text).toBe(503);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await account.api("GET", "/alerts")).status).toBe(200);
  const alert = { title: "four", urgency: "high", destination_team_ids: [teamId] };
  const made = await account.api("POST", "/alerts", alert);
  expect(made.status, made.text).toBe(201);
  full.mend();
  await vi.waitFor(async () => {
    expect((await account.api("GET", `/alerts/${made.body.id}`)).status).toBe(200);
  }, soon);
  expect((await account.api("POST", "/comments", { body: "Seen" })).status).toBe(201);
});

test.each([FULL_ERROR, "D1_ERROR: Exceeded maximum DB size"])("%s is an outage", (message) => {
  const error = new Error("Failed query: insert", { cause: new Error(message) });
  expect(isFull(error)).toBe(true);
  expect(isOutage(error)).toBe(true);
  expect(isRefusedContent(error)).toBe(false);
});
