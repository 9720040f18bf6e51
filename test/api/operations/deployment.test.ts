// The state of the deployment: to an account's admins with their records alone, to who has its token with all.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { AuditedDeployment } from "../../../src/domain/operations/audited-deployment.ts";
import {
  type Breach,
  INVARIANT_NAMES,
  INVARIANTS,
  NAMES_CAUSE,
  RECORDS_OF,
} from "../../../src/domain/operations/invariants.ts";
import { NEW_STANDBY } from "../../../src/domain/operations/standby.ts";
import { OperationsObject } from "../../../src/features/operations/audits/object.ts";
import { StandbyObject } from "../../../src/features/operations/standby/object.ts";
import { plain } from "../../support/integrations/plain.ts";
import { audit, forgetOperations, get, monitor } from "../../support/operations/operations.ts";
import { signIn, signInAdmin } from "../../support/worker/console.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { fewestTrips } from "../../support/worker/round-trips.ts";
import { makePerson } from "../../support/worker/world.ts";

const MINUTE = 60_000;
const SINCE = Date.UTC(2030, 0, 6, 3);
const TOKEN = { Authorization: "Bearer only-the-tests-scrape-with-this" };

let mine: Inhabited;
let theirs: Inhabited;
beforeAll(async () => {
  mine = await makeInhabited("lighthouse");
  theirs = await makeInhabited("submarine");
});
beforeEach(() => {
  monitor();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await forgetOperations();
});

const MAILS = [{ channel: "email", providers: ["smtp"], reporting: [], isSentAgain: false }];

let minutes = 0;

/** The last audits have found this, a minute after the worker last asked. */
function found(audited: Partial<AuditedDeployment>): void {
  minutes += 1;
  vi.useFakeTimers({ now: Date.now() + minutes * MINUTE, toFake: ["Date"] });
  const nothing = { heartbeats: {}, providers: {}, channels: null, database: null };
  const known = { auditedAt: SINCE, breaches: [], ...nothing, ...audited };
  vi.spyOn(OperationsObject.prototype, "audited").mockResolvedValue(known);
}

/** Everything is broken: records of both accounts, or something else. */
const everything = (): readonly Breach[] =>
  INVARIANT_NAMES.map((invariant) => {
    const kind = RECORDS_OF[invariant];
    const examples = kind
      ? [theirs.ids[kind].prefixId, mine.ids[kind].prefixId]
      : [`cause of ${invariant}`];
    return { invariant, count: examples.length, examples, since: SINCE };
  });

const since = new Date(SINCE).toISOString();

test("an admin is shown each invariant, with the account's own records alone", async () => {
  found({ breaches: everything() });
  const { status, body, text } = await plain(mine, "GET", "/deployment");
  expect(status, text).toBe(200);
  expect(body.invariants.map((it: { invariant: string }) => it.invariant)).toEqual(INVARIANT_NAMES);
  for (const shown of body.invariants) {
    const invariant = shown.invariant as keyof typeof INVARIANTS;
    const kind = RECORDS_OF[invariant];
    expect(shown).toMatchObject({ expected: INVARIANTS[invariant], broken_since: since });
    const isCause = NAMES_CAUSE.has(invariant);
    expect(shown.causes).toEqual(isCause ? [`cause of ${invariant}`] : []);
    expect(shown.count).toBe(kind ? 2 : 0);
    const ids = shown.records.map((it: { prefix_id: string }) => it.prefix_id);
    expect(ids, invariant).toEqual(kind ? [mine.ids[kind].prefixId] : []);
    expect(shown.records.every((it: { name: string }) => it.name.length > 0)).toBe(true);
  }
  expect(text).not.toContain(theirs.word);
  for (const { prefixId } of Object.values(theirs.ids)) expect(text).not.toContain(prefixId);
});

test("the records of all accounts are named to who has the token of the deployment", async () => {
  found({ breaches: everything() });
  expect((await get("/ready?details")).status).toBe(401);
  expect((await get("/ready?details", { Authorization: "Bearer wrong" })).status).toBe(401);
  const text = await (await get("/ready?details", TOKEN)).text();
  const { checks, deployment } = JSON.parse(text);
  expect(checks).toEqual({ database: "ok", queue: "ok", object: "ok" });
  for (const kind of Object.values(RECORDS_OF)) {
    for (const { ids } of [mine, theirs]) expect(text).toContain(ids[kind].prefixId);
  }
  // It belongs to no account: no titles.
  for (const { word } of [mine, theirs]) expect(text).not.toContain(word);
  expect(deployment.invariants).toHaveLength(INVARIANT_NAMES.length);
  vi.spyOn(env, "METRICS_TOKEN", "get").mockReturnValue("");
  expect((await get("/ready?details", TOKEN)).status).toBe(404);
  expect((await get("/ready")).status).toBe(200);
});

test("what is shown costs no trip to the database, and one while records are broken", async () => {
  // The fewest of several: one that looks the key up counts that.
  const trips = async (expected: number) =>
    (await fewestTrips(expected, () => plain(mine, "GET", "/deployment"))).trips;
  found({});
  expect(await trips(0)).toBe(0);
  found({ breaches: everything() });
  expect(await trips(1)).toBe(1);
});

test("providers, heartbeat and size are said with their instants", async () => {
  const channels = [
    { channel: "sms", providers: ["twilio", "vonage"], reporting: [], isSentAgain: false },
  ];
  const answers = { acceptedAt: SINCE, failedAt: [SINCE + 1_000], credentialsAt: null };
  const counts = { refusals: 1, refusedAt: SINCE + 1_000, failedProbes: 0 };
  const broken = { since: SINCE + 2_000, cause: "credentials", isProvable: false } as const;
  const health = { answers, ...counts, probedAt: SINCE + 3_000, hasCredit: false, broken };
  found({
    ...{ channels, providers: { "sms/twilio": health } },
    ...{ heartbeats: { sent: SINCE, withheld: SINCE + MINUTE } },
    database: { bytes: 48_000_000, usedShare: 0.0048 },
  });
  const { body } = await plain(mine, "GET", "/deployment");
  const none = { broken_since: null, cause: null, accepted_at: null, failed_at: null };
  expect(body).toMatchObject({
    audited_at: since,
    heartbeat: {
      ...{ configured: true, sent_at: since, failed_at: null },
      withheld_at: "2030-01-06T03:01:00.000Z",
    },
    providers: [
      {
        ...{ channel: "sms", provider: "twilio", cause: "refuses our credentials or account" },
        ...{ broken_since: "2030-01-06T03:00:02.000Z", accepted_at: since },
        ...{ failed_at: "2030-01-06T03:00:01.000Z", asked_at: "2030-01-06T03:00:03.000Z" },
      },
      { channel: "sms", provider: "vonage", ...none, asked_at: null },
    ],
    database: { bytes: 48_000_000, used_percent: 0 },
    daily_limits: null,
  });
});

test("a primary shows its standby, and how old its snapshot is", async () => {
  const admin = await signInAdmin(mine);
  const page = async () => (await admin.get("/configuration/deployment")).text;
  found({});
  expect((await plain(mine, "GET", "/deployment")).body.standby).toBeNull();
  expect(await page()).not.toContain("Last snapshot");
  vi.spyOn(env, "STANDBY_URL", "get").mockReturnValue("https://standby.example.com");
  const nothing = { held: 0, drills: [], deeds: [], standbys: [], requests: [] };
  const report = { ...NEW_STANDBY, ...nothing, snapshotAt: Date.now() - MINUTE };
  const asked = vi.spyOn(StandbyObject.prototype, "report").mockResolvedValue(report);
  expect((await plain(mine, "GET", "/deployment")).body.standby).toEqual({
    ...{ url: "https://standby.example.com", active: false },
    ...{ drills: [], deeds: [], drill_requested_at: null, drill_problem: "not_drilled" },
    snapshot_at: new Date(report.snapshotAt).toISOString(),
  });
  expect(await page()).toContain("ready");
  asked.mockResolvedValue({ ...report, snapshotAt: null });
  expect(await page()).toContain('href="/docs/runbook/standby-behind"');
  asked.mockResolvedValue({ ...report, role: "active" });
  expect(await page()).toContain("has taken over");
  asked.mockRejectedValue(new Error("moved"));
  expect((await plain(mine, "GET", "/deployment")).body.standby).toBeNull();
});

test("where no channel has a provider, not all is well", async () => {
  const admin = await signInAdmin(mine);
  const page = async () => (await admin.get("/configuration/deployment")).text;
  found({});
  expect(await page()).toContain("No provider is known:");
  expect(await page()).not.toContain("All is well");
  found({ channels: MAILS });
  expect(await page()).toContain("All is well");
  expect(await page()).not.toContain("No provider is known:");
});

test("a breach is since its first audit, and the heartbeat is said to be withheld", async () => {
  const now = Date.now();
  const at = (minute: number) => vi.useFakeTimers({ now: now + minute * MINUTE, toFake: ["Date"] });
  const sinceOf = async () => {
    const { body } = await plain(mine, "GET", "/deployment");
    const shown = body.invariants.find(
      (it: { invariant: string }) => it.invariant === "queue_delivers",
    );
    return [shown.broken_since, body.heartbeat] as const;
  };
  // Messages to the queue are lost.
  vi.spyOn(env.PAGES, "send").mockRejectedValue(new Error("the queue is down"));
  at(100);
  await audit();
  const [, first] = await sinceOf();
  at(101);
  await audit();
  const [broken, second] = await sinceOf();
  at(102);
  await audit();
  const [later, third] = await sinceOf();
  expect(broken).not.toBeNull();
  expect(later).toBe(broken);
  const withheld = [first, second, third].map((it) => Date.parse(it.withheld_at));
  expect(withheld).toEqual(withheld.toSorted());
  expect(new Set(withheld).size).toBe(3);
});

test("the page names what is broken, with what to do, to admins alone", async () => {
  const admin = await signInAdmin(mine);
  found({ breaches: everything() });
  const { status, text } = await admin.get("/configuration/deployment");
  expect(status).toBe(200);
  for (const invariant of INVARIANT_NAMES) {
    expect(text).toContain(`href="/docs/runbook/${invariant}"`);
    expect(text.includes(`cause of ${invariant}`)).toBe(NAMES_CAUSE.has(invariant));
  }
  for (const kind of ["alert", "integration", "broadcast", "team"] as const) {
    expect(text).toContain(`/${mine.ids[kind].prefixId}"`);
    expect(text).not.toContain(theirs.ids[kind].prefixId);
  }
  found({ channels: MAILS });
  expect((await admin.get("/configuration/deployment")).text).toContain("All is well");
  found({ auditedAt: Date.now() - 60 * MINUTE });
  expect((await admin.get("/configuration/deployment")).text).toContain("The audit has stopped");
  const member = await signIn((await makePerson(mine, "Mia Member")).accountUserId);
  expect((await member.get("/configuration/deployment")).status).toBe(303);
});
