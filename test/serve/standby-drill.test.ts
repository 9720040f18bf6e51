// A drill through a standby: paged by it, acknowledged at it, known to its primary; and given up where the primary fails.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../support/serve/server.ts";
import { type Pair, sendEvent, startPair } from "../support/serve/standby.ts";

const PATIENCE = { timeout: 120_000, interval: 100 };
/** Of the layers (seconds): the second one is long enough to answer it on a busy machine. */
const TIMEOUTS = [10, 40];
const DRILL = "By the standby: DRILL: Fire drill of Team 1";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair(1, TIMEOUTS);
});
afterAll(() => pair?.close());

const untilReport = (expected: object) =>
  expect.poll(() => pair.report(), PATIENCE).toMatchObject(expected);

/** An alert at the primary alone, which is in a snapshot. */
async function blaze(title: string) {
  const at = Date.now();
  const event = { event_type: "create", Id: title, Title: title };
  expect(await sendEvent(pair, pair.primary.place.url, event)).toBe(200);
  await expect
    .poll(async () => Number((await pair.report()).snapshotAt), PATIENCE)
    .toBeGreaterThan(at);
}
const READY = { role: "silent", snapshotAt: expect.any(Number) };

/** As an admin of the primary. */
async function deployment(method: "GET" | "POST", path = "/deployment") {
  const response = await fetch(`${pair.primary.place.url}/api/v4${path}`, {
    method,
    headers: { Authorization: `Bearer ${pair.target.key}`, "Content-Type": "application/json" },
    ...(method === "POST" && { body: "{}" }),
  });
  return { status: response.status, body: (await response.json()) as Deployment };
}
type Deployment = { standby: { drills: object[]; drill_problem: string | null } };

const ask = () => deployment("POST", "/deployment/standby_drills");
const drillsShown = async () => (await deployment("GET")).body.standby.drills;
const pages = () =>
  pair.standby.mailbox.letters.filter(
    ({ subject, to }) => subject.includes(DRILL) && to.startsWith("person."),
  );

test("it pages who is on call by the standby, and its acknowledgement is known to the primary", async () => {
  await untilReport(READY);
  // An alert is open: it is the primary's business.
  await blaze("Blaze");
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(409);
  await expect.poll(pages, PATIENCE).toHaveLength(1);
  // Killed in the middle, it goes on.
  await pair.standby.server.kill();
  pair.standby.server = await startServer(pair.standby.place);
  await expect.poll(drillsShown, PATIENCE).toMatchObject([{ status: "running" }]);
  // Escalates as any alert.
  await expect.poll(() => new Set(pages().map(({ to }) => to)).size, PATIENCE).toBe(2);
  const link = /http:\/\/127\.0\.0\.1:\d+\/a\/\S+/.exec(pages()[0]?.text ?? "")?.[0] ?? "";
  expect(link).toContain(pair.standby.place.url);
  const body = new URLSearchParams({ action: "acknowledge" });
  expect((await fetch(link, { method: "POST", body })).status).toBe(200);
  await expect
    .poll(drillsShown, PATIENCE)
    .toMatchObject([{ status: "acknowledged", acknowledged_by_id: expect.any(String) }]);
  expect((await deployment("GET")).body.standby.drill_problem).toBeNull();
  // Those to whom its end is reported, and nobody of anything else.
  const others = pair.standby.mailbox.letters.filter((it) => !pages().includes(it));
  for (const { subject } of others) expect(subject).toContain("Drill ended");
  expect(pair.primary.mailbox.letters.some(({ subject }) => subject.includes("DRILL"))).toBe(false);
});

test("a drill that nobody acknowledges ends so, in a readiness that says it", async () => {
  await untilReport(READY);
  expect((await ask()).status).toBe(200);
  await expect
    .poll(async () => (await deployment("GET")).body.standby, PATIENCE)
    .toMatchObject({ drills: [{ status: "not_acknowledged" }], drill_problem: "not_acknowledged" });
});

test("it is given up for a take-over, which has the whole snapshot", async () => {
  await untilReport(READY);
  const before = pages().length;
  expect((await ask()).status).toBe(200);
  await expect.poll(() => pages().length, PATIENCE).toBeGreaterThan(before);
  await blaze("Inferno");
  await pair.primary.server.kill();
  const event = { event_type: "create", Id: "late", Title: "Late" };
  expect(await sendEvent(pair, pair.standby.place.url, event)).toBe(200);
  const subjects = () => pair.standby.mailbox.letters.map(({ subject }) => subject);
  await expect.poll(() => subjects().some((it) => it.includes("Late")), PATIENCE).toBe(true);
  expect(await pair.report()).toMatchObject({ role: "active", drills: [] });
  // The primary's open alert, which the drill had left out, escalates.
  await expect.poll(() => subjects().some((it) => it.includes("Inferno")), PATIENCE).toBe(true);
  pair.primary.server = await startServer(pair.primary.place);
  await untilReport(READY);
});
