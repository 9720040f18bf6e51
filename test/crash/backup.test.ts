// From outside: a deployment with open alerts is backed up, lost, and restored into an empty one.
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  plainFile,
  type SignedManifest,
  sealedFile,
} from "../../src/domain/operations/backup/backup-format.ts";
import { openPart } from "../../src/features/operations/backup/backup-part.ts";
import { backupKeys } from "../../src/features/operations/backup/backup-seal.ts";
import { actionLink } from "../../src/kernel/links.ts";
import { migrate } from "../../src/setup/local-database.ts";
import {
  type Built,
  deleteState,
  freePort,
  type Running,
  startWorker,
} from "../support/worker/dev-worker.ts";
import { api } from "./load/load.ts";
import { type Provider, startProvider } from "./load/provider.ts";
import { buildCrashWorker } from "./shared-build.ts";

const root = resolve(import.meta.dirname, "../..");
const BACKUP_KEY = "a key of backups for tests, longer than thirty-two characters";
const LINK_SECRET = "a secret of links for tests, which is longer than it needs to be";
const PUBLIC_URL = "https://tocsin.test";
const LAYER_SECONDS = 90;

let built: Built;
let empty: Built;
let provider: Provider;
let running: Running | null = null;
let folder: string;

beforeAll(async () => {
  [built, provider] = await Promise.all([buildCrashWorker("backup"), startProvider()]);
  const below = dirname(built.state);
  empty = { ...built, state: mkdtempSync(join(below, "state-")) };
  folder = mkdtempSync(join(below, "copy-"));
  await migrate(empty.state);
});

afterAll(async () => {
  await running?.kill();
  provider?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
  for (const one of [built, empty]) if (one) deleteState(one);
});

async function start(one: Built, secrets: Readonly<Record<string, string>> = {}): Promise<string> {
  await running?.kill();
  const variables = {
    ...{ RATE_LIMITS: "off", PAGES_AT_ONCE: "0", RESEND_API_KEY: "none", PROVIDER: provider.url },
    ...{ BACKUP_KEY, LINK_SECRET, PUBLIC_URL, ...secrets },
  };
  running = await startWorker(one, await freePort(), variables, "/sign-in");
  return running.url;
}

/** Runs a command on the running worker. */
async function run(command: "backup" | "restore", ...args: readonly string[]) {
  const script = ["--no-warnings", `src/setup/backup/${command}.ts`];
  const place = ["--url", running?.url ?? ""];
  const env = { ...process.env, BACKUP_KEY };
  const options = { cwd: root, env, maxBuffer: 10_000_000 };
  const ended = promisify(execFile)(process.execPath, [...script, ...args, ...place], options);
  type Ended = { readonly code?: number; readonly stdout: string; readonly stderr: string };
  const { code = 0, stdout, stderr } = (await ended.catch((error: Ended) => error)) as Ended;
  return { code, stdout, stderr };
}

const target = { url: () => running?.url ?? "", key: "" };
const call = (path: string, body?: unknown) => api({ ...target, key: built.key }, path, body);

const send = (integration: string, event: object) =>
  fetch(`${running?.url}/integration/${integration}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "service-token": "s3cret" },
    body: JSON.stringify(event),
  });

async function until<Value>(read: () => Promise<Value | null | undefined>): Promise<Value> {
  for (let polls = 0; polls < 600; polls += 1) {
    const value = await read();
    if (value !== null && value !== undefined) return value;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error("it did not happen");
}

type Workflow = { readonly layer: number; readonly next_step_at: string; readonly state: string };

async function workflowOf(id: string): Promise<Workflow> {
  const { data } = (await call(`/alerts/${id}/workflows`)) as unknown as { data: Workflow[] };
  const [workflow] = data;
  if (workflow === undefined) throw new Error("the alert has no workflow");
  return workflow;
}

async function findAlert(thirdpartyId: string) {
  const { data } = (await call(`/alerts?thirdparty_id=${thirdpartyId}`)) as unknown as {
    data: { id: string; account_id: string; status: string; dedup_count: number }[];
  };
  return data;
}

async function makeWorld() {
  const policy = await call("/escalation_policies", {
    name: "Policy",
    escalation_layers_attributes: [1, 2].map((layer) => ({
      ...{ layer, timeout: LAYER_SECONDS, timeout_unit: "seconds" },
    })),
  });
  const team = await call("/teams", {
    ...{ name: "Team", member_account_user_ids: [built.accountUserId] },
    admin_account_user_ids: [built.accountUserId],
    escalation_policy_id: policy.id,
  });
  for (const layer of [1, 2]) {
    await call("/events", {
      start_datetime: new Date(Date.now() - 3_600_000).toISOString(),
      end_datetime: new Date(Date.now() + 86_400_000).toISOString(),
      ...{ layer, time_zone: "UTC", schedule_ids: [team.schedule_id] },
      account_user_ids: [built.accountUserId],
    });
  }
  const type = await call("/integration_types/webhook");
  const integration = await call("/integrations", {
    ...{ name: "Sender", urgency: "high", integration_type_id: type.id },
    ...{ team_ids: [team.id], option_token: "s3cret" },
  });
  return integration.prefix_id ?? "";
}

/** The notifications of alerts that are not recorded as sent. */
async function countOpen(...ids: readonly string[]): Promise<number> {
  const lists = await Promise.all(ids.map((id) => call(`/alerts/${id}/notifications`)));
  const all = lists.flatMap((it) => (it as unknown as { data: { status: string }[] }).data);
  return all.length < ids.length ? -1 : all.filter(({ status }) => status !== "sent").length;
}

/** The rows of a backup's tables. */
async function rowsIn(directory: string) {
  const manifest: SignedManifest = JSON.parse(
    readFileSync(join(directory, "manifest.json"), "utf8"),
  );
  const keys = await backupKeys(BACKUP_KEY);
  const ofTables = manifest.parts.filter(
    ({ step }) => !step.startsWith("objects.") && step !== "secrets",
  );
  return Promise.all(
    ofTables.map(async (part) => {
      const names = [plainFile(part.name), sealedFile(part.name)];
      const present = names.filter((name) => existsSync(join(directory, name)));
      const files = new Map(
        present.map((name) => [name, new Uint8Array(readFileSync(join(directory, name)))]),
      );
      return { step: part.step, lines: await openPart(keys, manifest.id, part, files) };
    }),
  );
}

test("a lost deployment is restored: alerts escalate at their times, links and tokens work", async () => {
  await start(built);
  const integration = await makeWorld();
  for (const Id of ["first", "second", "third"]) {
    const accepted = await send(integration, { event_type: "create", Id, Title: `${Id} fails` });
    expect(accepted.status).toBe(200);
  }
  const [first, second] = await Promise.all(
    ["first", "second", "third"].map((Id) =>
      until(async () => (await findAlert(Id)).find(({ status }) => status === "open")),
    ),
  );
  if (first === undefined || second === undefined) throw new Error("no alerts");
  await until(async () => (provider.taken.length >= 3 ? true : null));
  await until(async () => ((await countOpen(first.id, second.id)) === 0 ? true : null));
  const before = await workflowOf(first.id);
  expect(before).toMatchObject({ layer: 1, state: "open" });
  const { account_id: accountId } = first;
  const subject = { accountId, recordId: second.id, accountUserId: built.accountUserId };
  const link = await actionLink(
    { LINK_SECRET, PUBLIC_URL },
    { purpose: "alert", ...subject },
    Date.now(),
  );

  const copy = join(folder, "first");
  const backedUp = await run("backup", "--to", copy);
  expect(backedUp, backedUp.stderr).toMatchObject({ code: 0 });
  // What is secret is in no plain file.
  for (const file of readdirSync(copy).filter((name) => name.endsWith(".gz"))) {
    const bytes = new Uint8Array(readFileSync(join(copy, file)));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    expect(await new Response(stream).text(), file).not.toContain("s3cret");
  }
  const refused = await run("restore", "--from", copy);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("not empty");

  await start(empty, { LINK_SECRET: "another secret" });
  const mismatched = await run("restore", "--from", copy);
  expect(mismatched.code).toBe(1);
  expect(mismatched.stderr).toContain("LINK_SECRET");

  // The canary's own account is no reason to refuse, and writes nothing into what is restored.
  await start(empty, { CANARY: "on" });
  await fetch(`${running?.url}/metrics`);
  const forged = join(folder, "forged");
  cpSync(copy, forged, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(forged, "manifest.json"), "utf8"));
  const [part] = manifest.parts.filter(({ step }: { step: string }) => step === "api_keys");
  part.secretDigest = null;
  writeFileSync(join(forged, "manifest.json"), JSON.stringify(manifest));
  const unsigned = await run("restore", "--from", forged);
  expect(unsigned.code).toBe(1);
  expect(unsigned.stderr).toContain("was changed, or is of another BACKUP_KEY");
  cpSync(join(copy, "manifest.json"), join(forged, "manifest.json"));
  const broken = readdirSync(forged).find((name) => name.endsWith("-account_users.ndjson.gz"));
  const bytes = readFileSync(join(forged, broken ?? ""));
  writeFileSync(join(forged, broken ?? ""), bytes.subarray(0, bytes.length - 20));
  const changedFile = await run("restore", "--from", forged);
  expect(changedFile.code).toBe(1);
  expect(changedFile.stderr).toMatch(/^changed or missing since the backup.*-account_users$/m);
  const restored = await run("restore", "--from", copy);
  expect(restored.stderr).toBe("");
  expect(restored.code).toBe(0);
  const again = join(folder, "second");
  expect(await run("backup", "--to", again)).toMatchObject({ code: 0 });
  const due = Date.parse(before.next_step_at);
  // What is due meanwhile happens; the restore itself has compared all rows before.
  const isDue = Date.now() > due - 1_000;
  const restoredRows = await rowsIn(again);
  const changed = (await rowsIn(copy)).filter(
    (part, i) => JSON.stringify(part) !== JSON.stringify(restoredRows[i]),
  );
  if (!isDue) expect(changed).toEqual([]);

  // The sender's token and the `Id` of an open alert still count.
  const repeated = { event_type: "create", Id: "first", Title: "again" };
  expect((await send(integration, repeated)).status).toBe(200);
  await until(async () => (await findAlert("first")).find((it) => it.dedup_count === 1));
  expect(await findAlert("first")).toHaveLength(1);
  const wrong = await fetch(`${running?.url}/integration/${integration}`, { method: "POST" });
  expect(wrong.status).toBe(401);

  // An old link answers.
  const path = new URL(link ?? "").pathname;
  const answered = await fetch(`${running?.url}${path}`, {
    ...{ method: "POST", redirect: "manual" },
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "action=acknowledge",
  });
  expect(answered.status, await answered.text()).toBeLessThan(400);
  await until(async () => (await findAlert("second")).find((it) => it.status === "acknowledged"));

  // The next layer starts when it would have.
  const now = await workflowOf(first.id);
  if (Date.now() < due - 1_000) {
    expect(now).toMatchObject({ layer: 1, next_step_at: before.next_step_at });
  }
  const escalated = await until(async () => {
    const workflow = await workflowOf(first.id);
    return workflow.layer === 2 ? workflow : null;
  });
  expect(Date.now()).toBeGreaterThanOrEqual(due);
  // Its own timeout counts from when the layer started.
  const startedAt = Date.parse(escalated.next_step_at) - LAYER_SECONDS * 1_000;
  expect(startedAt).toBeGreaterThanOrEqual(due);
});
