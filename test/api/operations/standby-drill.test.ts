// The drills through a standby as its primary knows them: when it says that one is due, and what it shows of the end.
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type {
  DueDrill,
  StandbyCard,
  StandbyDeed,
  StandbyDrill,
} from "../../../src/domain/operations/standby-drill.ts";
import { backupKeys } from "../../../src/features/operations/backup/backup-seal.ts";
import type { SnapshotAnswer } from "../../../src/features/operations/standby/snapshot.ts";
import { standbyValues } from "../../../src/features/operations/standby/standby-values.ts";
import { plain } from "../../support/integrations/plain.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

const BACKUP_KEY = "the key of the tests' backups, with many characters";
/** A Tuesday, 23:00 UTC: no hour in which a drill is due by itself. */
const NIGHT = Date.UTC(2030, 0, 8, 23);

let mine: Inhabited;
let theirs: Inhabited;
beforeAll(async () => {
  mine = await makeInhabited("lighthouse");
  theirs = await makeInhabited("submarine");
  // Which migrations there were, as a snapshot says.
  const migrations = "create table if not exists d1_migrations (id integer primary key, name text)";
  await env.DB.prepare(migrations).run();
  const answered = "update accounts set page_answered_at = 1 where id in (?, ?)";
  await env.DB.prepare(answered).bind(mine.accountId, theirs.accountId).run();
});
beforeEach(() => {
  vi.useFakeTimers({ now: NIGHT, toFake: ["Date"] });
  vi.spyOn(env, "BACKUP_KEY", "get").mockReturnValue(BACKUP_KEY);
  vi.spyOn(env, "STANDBY_URL", "get").mockReturnValue("https://standby.example.com");
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A standby pulls a snapshot, and says how its drills go on. Returns what is due. */
const pull = (id: string, ...drills: readonly StandbyDrill[]) => pullWith(id, drills, []);

const cardOf = (
  id: string,
  changes: Partial<Pick<StandbyCard, "active" | "drills" | "deeds">>,
): StandbyCard => ({
  ...{ id, url: `https://${id}.example.com`, active: false, drills: [], deeds: [] },
  ...changes,
});

async function pullWith(
  id: string,
  drills: readonly StandbyDrill[],
  deeds: readonly StandbyDeed[],
): Promise<readonly DueDrill[]> {
  const { token } = await backupKeys(BACKUP_KEY);
  const card = cardOf(id, { drills, deeds });
  let answer: SnapshotAnswer | null = null;
  do {
    const body = { have: {}, cursor: answer?.next ?? null, number: 0, card };
    const response = await exports.default.fetch("https://tocsin.test/standby/snapshot", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    answer = (await response.json()) as SnapshotAnswer;
  } while (answer.next !== null);
  return answer.due ?? [];
}

const drilled = (due: DueDrill, changes: Partial<StandbyDrill> = {}): StandbyDrill => ({
  ...due,
  ...{ alertId: "01", number: 0, status: "running", startedAt: Date.now(), endedAt: null },
  ...{ teamId: mine.ids.team.id, acknowledgedById: null },
  ...changes,
});

const standbyOf = async (of: Inhabited) => (await plain(of, "GET", "/deployment")).body.standby;
const problemOf = async (of: Inhabited) =>
  (await plain(of, "GET", "/readiness")).body.standby_problem;

test("a primary without a standby asks for no drill, and is ready", async () => {
  vi.spyOn(env, "STANDBY_URL", "get").mockReturnValue("");
  expect((await plain(mine, "POST", "/deployment/standby_drills", {})).status).toBe(409);
  expect(await problemOf(mine)).toBeNull();
});

test("a drill that an admin asks for is due at once, and its end decides whether it is ready", async () => {
  expect(await problemOf(mine)).toBe("not_drilled");
  expect(await pull("one")).toEqual([]);
  expect(await problemOf(mine)).toBeNull();
  const asked = await plain(mine, "POST", "/deployment/standby_drills", {});
  expect(asked.status, asked.text).toBe(200);
  expect((await plain(mine, "POST", "/deployment/standby_drills", {})).status).toBe(409);
  // It is said until the standby comes for it, to the account that asked.
  const requestedAt = new Date(NIGHT).toISOString();
  expect((await standbyOf(mine)).drill_requested_at).toBe(requestedAt);
  expect((await standbyOf(theirs)).drill_requested_at).toBeNull();
  const waiting = await (await signInAdmin(mine)).get("/configuration/deployment");
  expect(waiting.text).toContain("A drill was asked for");
  expect(waiting.text).not.toContain("Start a drill through the standby");

  const [due] = await pull("one");
  expect(due).toMatchObject({ accountId: mine.accountId, dueAt: NIGHT });
  if (due === undefined) throw new Error("nothing is due");
  expect(await pull("one", drilled(due))).toEqual([]);
  expect((await standbyOf(mine)).drill_requested_at).toBeNull();
  expect((await standbyOf(mine)).drills).toMatchObject([
    { standby_url: "https://one.example.com", status: "running", team_id: mine.ids.team.id },
  ]);
  // Another account's is nobody else's business.
  expect((await standbyOf(theirs)).drills).toEqual([]);

  const end = { status: "not_acknowledged", endedAt: NIGHT + 1 } as const;
  expect(await pull("one", drilled(due, end))).toEqual([]);
  expect(await problemOf(mine)).toBe("not_acknowledged");
  expect(await problemOf(theirs)).toBeNull();
  const admin = await signInAdmin(mine);
  expect((await admin.get("/readiness")).text).toContain("Nobody acknowledged the last drill");
  expect((await admin.get("/configuration/deployment")).text).toContain("not acknowledged");

  const by = { status: "acknowledged", acknowledgedById: due.byId, endedAt: NIGHT + 1 } as const;
  await pull("one", drilled(due, by));
  expect(await standbyOf(mine)).toMatchObject({
    drills: [{ status: "acknowledged", acknowledged_by_id: due.byId, started_by_id: due.byId }],
    drill_problem: null,
  });
  expect(await problemOf(mine)).toBeNull();
  expect((await admin.get("/readiness")).text).not.toContain("drill through the standby");
  const page = (await admin.get("/configuration/deployment")).text;
  expect(page).toContain("Start a drill through the standby");
  expect(page).toContain("acknowledged");
});

test("a standby that does not say what it is gets no snapshot, and is not known", async () => {
  const { token } = await backupKeys(BACKUP_KEY);
  const before = (await env.STANDBY.getByName("standby").report()).standbys;
  const response = await exports.default.fetch("https://tocsin.test/standby/snapshot", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ have: {}, cursor: null, number: 0 }),
  });
  expect(response.status).toBe(400);
  expect((await env.STANDBY.getByName("standby").report()).standbys).toEqual(before);
});

test("a primary says that it is no standby, to who has the key", async () => {
  const { token } = await backupKeys(BACKUP_KEY);
  const report = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await exports.default.fetch("https://tocsin.test/standby", { headers });
    return (await response.json()) as object;
  };
  expect(await report()).toMatchObject({ role: "silent", of: null });
  vi.spyOn(env, "STANDBY_OF", "get").mockReturnValue("https://primary.example.com");
  expect(await report()).toMatchObject({ of: "https://primary.example.com" });
});

test("each account is drilled by itself in its hours, and through each standby", async () => {
  const morning = NIGHT + 12 * 3_600_000;
  const accountsOf = (due: readonly DueDrill[]) => due.map(({ accountId }) => accountId);
  vi.setSystemTime(morning);
  // The first account's was in the night before.
  const [known] = (await env.STANDBY.getByName("standby").report()).standbys;
  const drills = known?.drills ?? [];
  const due = await pull("one", ...drills);
  expect(due).toMatchObject([{ accountId: theirs.accountId, byId: null }]);
  const ends = due.map((it) => drilled(it, { status: "acknowledged", endedAt: morning }));
  expect(await pull("one", ...drills, ...ends)).toEqual([]);
  // Another standby has its turn on another day.
  expect(accountsOf(await pull("two"))).not.toContain(theirs.accountId);
  vi.setSystemTime(morning + 86_400_000);
  expect(await pull("one", ...drills, ...ends)).toEqual([]);
  expect(accountsOf(await pull("two")).sort()).toEqual([mine.accountId, theirs.accountId].sort());
});

test("a standby that has taken over says so while it pulls nothing, until it stands down", async () => {
  const { token } = await backupKeys(BACKUP_KEY);
  const byItself = { by: "itself", accountId: null, accountUserId: null } as const;
  const deeds: StandbyDeed[] = [{ at: NIGHT, order: "take_over", ...byItself }];
  const give = (card: StandbyCard | null) =>
    exports.default.fetch("https://tocsin.test/standby/events", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ events: [], card }),
    });
  const page = async () => (await (await signInAdmin(mine)).get("/configuration/deployment")).text;
  const isActive = async () => {
    const { tocsin_standby_active: measured } = await standbyValues(env, NIGHT);
    return [(await standbyOf(mine)).active, measured];
  };
  await pull("one");
  expect(await isActive()).toEqual([false, 0]);
  const before = await standbyOf(mine);
  expect((await give(cardOf("one", { active: true, deeds }))).status).toBe(200);
  expect(await isActive()).toEqual([true, 1]);
  expect(await standbyOf(mine)).toMatchObject({
    snapshot_at: before.snapshot_at,
    deeds: [{ order: "take_over", by: "itself" }],
  });
  expect(await page()).toContain("has taken over");
  expect(await page()).toContain('href="/docs/runbook/standby-active"');
  // A silent one that only gives events says nothing new of itself.
  expect((await give(null)).status).toBe(200);
  expect(await isActive()).toEqual([true, 1]);
  await pull("one");
  expect(await isActive()).toEqual([false, 0]);
  expect(await page()).not.toContain("has taken over");
});

test("what the standby did is shown, and who had it do so to their own account alone", async () => {
  const { accountId, accountUserId } = mine;
  const deeds: StandbyDeed[] = [
    { at: NIGHT - 1_000, order: "stand_down", by: "sms", accountId, accountUserId },
    { at: NIGHT - 2_000, order: "take_over", by: "itself", accountId: null, accountUserId: null },
  ];
  await pullWith("one", [], deeds);
  const shown = { standby_url: "https://one.example.com", order: "stand_down", by: "sms" };
  const [last, first] = (await standbyOf(mine)).deeds;
  expect(last).toMatchObject({ ...shown, account_user_id: accountUserId });
  expect(first).toMatchObject({ order: "take_over", by: "itself", account_user_id: null });
  expect((await standbyOf(theirs)).deeds[0]).toMatchObject({ ...shown, account_user_id: null });
  const page = (await (await signInAdmin(mine)).get("/configuration/deployment")).text;
  expect(page).toContain("Stood down");
  expect(page).toContain("by SMS of");
  expect((await (await signInAdmin(theirs)).get("/configuration/deployment")).text).not.toContain(
    "by SMS of",
  );
});
