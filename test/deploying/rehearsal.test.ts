// `npm run deploy` from the first deployment on, with the real wrangler, against a stand-in of Cloudflare's API that has
// databases and refuses what Cloudflare refuses. `npm test` deploys twice and refuses; the faults on the way, each of which
// takes several deployments, are at full size. One file, since deployments share the configuration that they write.
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { signIn } from "../../src/setup/deploying/cloudflare-api.ts";
import { writeDeploymentConfig } from "../../src/setup/deploying/deployment-config.ts";
import { deployGradually } from "../../src/setup/deploying/gradual-deployment.ts";
import { type ApiRequest, CloudflareApi, refusal } from "../support/deploying/cloudflare.ts";
import { deployingMachine } from "../support/deploying/run-deploy.ts";
import { sized } from "../support/generated/sizes.ts";

const FIRST = [
  ...["--yes", "--account-name", "Acme", "--person", "Ada", "--email", "ada@acme.example"],
  ...["--email-from", "pager@acme.example"],
];

// Each deployment is several runs of wrangler, of seconds each where nothing else runs.
vi.setConfig({ testTimeout: 900_000 });

let api = new CloudflareApi();
beforeEach(async () => {
  api = new CloudflareApi();
  await api.listen();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await api.close();
});

/** A test of several deployments. */
const testAtFullSize = test.runIf(sized(false, true));

const isWrite = ({ method, path }: ApiRequest) =>
  (method === "POST" || method === "PUT") && !path.endsWith("/query");
const created = () => api.requests.filter(isWrite).map(({ method, path }) => `${method} ${path}`);

/** What the deployed worker is bound to, by the name of the binding. */
function bindings(worker = "tocsin") {
  const { metadata } = api.workers.scripts.get(worker) ?? {};
  return Object.fromEntries((metadata?.bindings ?? []).map((it) => [it.name, it]));
}

const count = (table: string) =>
  api.databases.named("tocsin").prepare(`select count(*) as n from ${table}`).get()?.n;

test("the first deployment creates everything, the second finds it and changes nothing", async () => {
  const machine = deployingMachine(api);
  const first = await machine.deploy(FIRST, { TWILIO_AUTH_TOKEN: "a token" });
  expect(first.output).toContain("Created: database tocsin");
  expect(first.code, first.output).toBe(0);
  expect([...api.queues.keys()]).toEqual(["tocsin-pages", "tocsin-pages-dead"]);
  expect([...api.buckets.keys()]).toEqual(["tocsin-archive"]);
  const [database] = api.databases.all;
  expect(bindings()).toMatchObject({
    DB: { type: "d1", id: database?.uuid },
    PAGES: { queue_name: "tocsin-pages" },
    ARCHIVE: { bucket_name: "tocsin-archive" },
    PUBLIC_URL: { text: "https://tocsin.acme.workers.dev" },
    EMAIL_FROM: { text: "pager@acme.example" },
  });
  const consumers = Object.fromEntries(api.workers.consumers);
  expect(consumers).toMatchObject({
    "tocsin-pages": { script_name: "tocsin", dead_letter_queue: "tocsin-pages-dead" },
    "tocsin-pages-dead": { script_name: "tocsin" },
  });
  const secrets = api.workers.scripts.get("tocsin")?.secrets ?? new Map();
  expect([...secrets.keys()].sort()).toEqual([
    ...["LINK_SECRET", "TWILIO_AUTH_TOKEN", "VAPID_PRIVATE_KEY"],
  ]);
  for (const value of secrets.values()) expect(first.output).not.toContain(value);
  expect([count("accounts"), count("account_users"), count("api_keys")]).toEqual([1, 1, 1]);
  expect(first.output).toMatch(/Sign in: {3}https:\/\/tocsin\.acme\.workers\.dev\/sign-in as ada@/);
  expect(first.output).toMatch(/Password: {2}\S+-\S+/);
  expect(first.output).toContain("npx wrangler email sending enable acme.example");
  expect(machine.settings()).toMatchObject({ name: "tocsin", database_id: database?.uuid });
  expect(JSON.stringify(machine.settings())).not.toContain(secrets.get("LINK_SECRET"));

  api.sendingDomains.push("acme.example");
  const before = { secrets: [...secrets], made: api.requests.length };
  const second = await machine.deploy(["--yes"]);
  expect(second.code, second.output).toBe(0);
  expect(second.output).toContain("Restore point of the database before this deployment: 00000001");
  expect(second.output).toContain("No new migrations");
  expect(second.output).not.toContain("Created");
  expect(second.output).not.toContain("To do");
  expect([...(api.workers.scripts.get("tocsin")?.secrets ?? [])]).toEqual(before.secrets);
  expect(count("accounts")).toBe(1);
  expect(bindings()).toMatchObject({ PUBLIC_URL: { text: "https://tocsin.acme.workers.dev" } });
});

test("nothing is created where something must be known first", async () => {
  const machine = deployingMachine(api);
  const { code, output } = await machine.deploy(["--yes"]);
  expect(output).toContain("--account-name and --email missing");
  expect(code).toBe(1);
  expect(created()).toEqual([]);
});

testAtFullSize(
  "a missing permission is named with what helps, and the next run goes on from there",
  async () => {
    const machine = deployingMachine(api);
    api.faults.push({
      matches: (it) => it.method === "POST" && it.path === "/queues",
      at: "before",
      answer: refusal(403, 10000, "Authentication error"),
      times: 1,
    });
    const refused = await machine.deploy(FIRST);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("The queue tocsin-pages could not be created");
    expect(refused.output).toContain("lacks a permission");
    expect(api.workers.scripts.size).toBe(0);
    const { code, output } = await machine.deploy(FIRST);
    expect(output).toContain("Found: database tocsin");
    expect(output).toContain("Created: queue tocsin-pages\n");
    expect(output).toContain("Created: account Acme");
    expect(code, output).toBe(0);
    expect(api.databases.all.length).toBe(1);
  },
);

/** The name of the last migration, which is a file. */
const LAST_MIGRATION =
  globSync("*.sql", { cwd: resolve(import.meta.dirname, "../../migrations") })
    .sort()
    .at(-1) ?? "no migration";

/** Where a deployment can stop: whether Cloudflare had done it or not. */
const BREAKS: readonly (readonly [string, (it: ApiRequest) => boolean])[] = [
  ["the database is created", (it) => it.method === "POST" && it.path === "/d1/database"],
  ["the last migration", (it) => it.path.endsWith("/query") && it.body.includes(LAST_MIGRATION)],
  ["the worker is uploaded", (it) => it.method === "PUT" && it.path === "/workers/scripts/tocsin"],
  ["the consumer is set", (it) => it.method === "POST" && it.path.endsWith("/consumers")],
  [
    "the account is created",
    (it) =>
      it.path.endsWith("/query") &&
      /insert into/i.test(it.body.toString()) &&
      it.body.includes("Acme"),
  ],
];

testAtFullSize(
  "a deployment that breaks off after any step is resumed by the next run",
  async () => {
    const machine = deployingMachine(api);
    const answer = refusal(500, 7500, "internal error");
    for (const [step, matches] of BREAKS) {
      // Wrangler tries some requests again by itself; an answer lost each time ends the run.
      const fault = { matches, at: "after" as const, answer, times: 20 };
      api.faults.push(fault);
      const broken = await machine.deploy(FIRST);
      expect(broken.code, `${step}: ${broken.output}`).toBe(1);
      expect(fault.times, step).toBeLessThan(20);
      fault.times = 0;
    }
    const resumed = await machine.deploy(FIRST);
    expect(resumed.code, resumed.output).toBe(0);
    expect(api.databases.all.length).toBe(1);
    expect(api.queues.size).toBe(2);
    expect([count("accounts"), count("users"), count("api_keys")]).toEqual([1, 1, 1]);
    expect(bindings().DB).toMatchObject({ id: api.databases.all[0]?.uuid });
  },
);

testAtFullSize("a deployment of its own name, address and jurisdiction keeps to them", async () => {
  const machine = deployingMachine(api);
  api.hasR2 = false;
  const own = [
    "--name",
    "acme-pager",
    "--url",
    "https://pager.acme.example",
    "--jurisdiction",
    "eu",
  ];
  const withArchive = await machine.deploy([...FIRST, ...own]);
  expect(withArchive.output).toContain("deploy with --no-archive");
  const { code, output } = await machine.deploy([...FIRST, ...own, "--no-archive"]);
  expect(code, output).toBe(0);
  expect(api.databases.all).toMatchObject([{ name: "acme-pager", jurisdiction: "eu" }]);
  expect([...api.queues.values()].map((it) => it.jurisdiction)).toEqual(["eu", "eu"]);
  expect(bindings("acme-pager").ARCHIVE).toBeUndefined();
  expect(bindings("acme-pager")).toMatchObject({
    JURISDICTION: { text: "eu" },
    PUBLIC_URL: { text: "https://pager.acme.example" },
    PAGES: { queue_name: "acme-pager-pages" },
  });
  expect([...api.workers.domains]).toEqual([["pager.acme.example", "acme-pager"]]);
  const moved = await machine.deploy(["--yes", "--jurisdiction", "us"]);
  expect(moved.output).toContain("jurisdiction eu, which was fixed by the first deployment");
  expect(moved.code).toBe(1);
});

testAtFullSize(
  "a version is tested before it gets requests, and the old one goes on if it fails",
  async () => {
    const machine = deployingMachine(api);
    await machine.deploy(FIRST);
    for (const [name, value] of Object.entries(machine.environment)) vi.stubEnv(name, value);
    const client = await signIn();
    if (client === null) throw new Error("not signed in");
    const config = writeDeploymentConfig(machine.settings());
    const worker = api.workers.scripts.get("tocsin");
    const deployed = () => worker?.deployments[0]?.versions;
    const before = deployed();
    const seen: unknown[] = [];
    const fails = deployGradually(client, machine.settings(), config, async () => {
      seen.push(deployed());
      return { isReady: false, text: "it answers with status 500" };
    });
    await expect(fails).rejects.toThrow("it answers with status 500");
    const tried = worker?.versions.at(-1)?.id;
    expect(seen).toEqual([expect.arrayContaining([{ version_id: tried, percentage: 0 }])]);
    expect(deployed()).toEqual(before);
    const ready = async () => ({ isReady: true, text: "it answers" });
    const outcome = await deployGradually(client, machine.settings(), config, ready);
    expect(outcome.kind).toBe("shifted");
    expect(deployed()).toEqual([{ version_id: worker?.versions.at(-1)?.id, percentage: 100 }]);
  },
);

test("an address that has another use is not taken without being asked for", async () => {
  api.dnsRecords.push({ name: "pager.acme.example", type: "A" });
  const machine = deployingMachine(api);
  const { code, output } = await machine.deploy([...FIRST, "--url", "https://pager.acme.example"]);
  expect(output).toContain("pager.acme.example has DNS records (A ");
  expect(code).toBe(1);
  const elsewhere = await machine.deploy([...FIRST, "--url", "https://pager.other.example"]);
  expect(elsewhere.output).toContain(
    "pager.other.example is in no domain of this Cloudflare account",
  );
  expect(created()).toEqual([]);
});

describe("on the free plan", () => {
  const FREE = [...FIRST, "--plan", "free"];
  beforeEach(() => api.becomeFree());

  test.each([true, false])(
    "without a terminal the plan is asked for by name (readable: %s), before anything is created",
    async (shows) => {
      api.showsPlan = shows;
      const { code, output } = await deployingMachine(api).deploy(FIRST);
      expect(output).toContain(
        shows ? "has no Workers paid plan" : "cannot read which Workers plan",
      );
      expect(output).toContain("Deploy with --plan free");
      expect(code).toBe(1);
      expect(created()).toEqual([]);
    },
  );

  test("a deployment says first what it lacks, and has what the plan allows", async () => {
    const machine = deployingMachine(api);
    api.workers.cronsElsewhere = 4;
    const { code, output } = await machine.deploy(FREE);
    expect(code, output).toBe(0);
    const said = output.indexOf("no archive: old records are removed without a copy");
    expect(said).toBeGreaterThanOrEqual(0);
    expect(said).toBeLessThan(output.indexOf("Created: database"));
    expect(output).toContain(
      "To do: E-mail needs a provider on the free plan: give RESEND_API_KEY",
    );
    expect(api.buckets.size).toBe(0);
    const script = api.workers.scripts.get("tocsin");
    const bindings = Object.fromEntries(
      (script?.metadata.bindings ?? []).map((it) => [it.name, it]),
    );
    expect(bindings).toMatchObject({
      CLOUDFLARE_PLAN: { text: "free" },
      DATABASE_LIMIT_MB: { text: "500" },
      PAGES: { queue_name: "tocsin-pages" },
    });
    expect([bindings.ARCHIVE, bindings.EMAIL]).toEqual([undefined, undefined]);
    expect(script?.metadata.limits).toBeUndefined();
    expect(script?.schedules).toEqual([{ cron: "*/5 * * * *" }]);
    expect(machine.settings()).toMatchObject({ plan: "free", archive: true });
  });

  /** Refusals of an account on the free plan: how it comes about, and what is said about it. */
  const REFUSALS: readonly (readonly [what: string, refuses: () => void, says: string])[] = [
    [
      "ten databases",
      () => {
        api.databases.most = 0;
      },
      "npx wrangler d1 delete",
    ],
    [
      "no queues yet",
      () => {
        api.hasQueues = false;
      },
      "Queues in Cloudflare's dashboard once",
    ],
  ];

  test.each(REFUSALS)(
    "%s: what helps is said, and nothing is uploaded",
    async (_, refuses, says) => {
      refuses();
      const { code, output } = await deployingMachine(api).deploy(FREE);
      expect(output).toContain(says);
      expect(output).toContain("Run the command again once that is mended");
      expect(code).toBe(1);
      expect(api.workers.scripts.size).toBe(0);
    },
  );

  const LATE: typeof REFUSALS = [
    [
      "crons of other workers",
      () => {
        api.workers.cronsElsewhere = 5;
      },
      "no cron trigger left",
    ],
    [
      "a worker too large",
      () => {
        api.workers.maxUploadBytes = 1_000;
      },
      "larger than the account's plan",
    ],
  ];

  testAtFullSize.each(LATE)(
    "%s: the run that is refused is continued",
    async (_, refuses, says) => {
      const machine = deployingMachine(api);
      refuses();
      const refused = await machine.deploy(FREE);
      expect(refused.output).toContain(says);
      expect(refused.code).toBe(1);
      api.workers.cronsElsewhere = 0;
      api.workers.maxUploadBytes = Number.POSITIVE_INFINITY;
      const { code, output } = await machine.deploy(FREE);
      expect(code, output).toBe(0);
      expect(output).toContain("Found: database tocsin");
    },
  );

  testAtFullSize("the configuration of the paid plan is refused, and says why", async () => {
    api.workers.plan = "free";
    const { code, output } = await deployingMachine(api).deploy([...FIRST, "--plan", "paid"]);
    expect(output).toContain("deploy with --no-archive");
    expect(code).toBe(1);
  });

  testAtFullSize("a deployment moves to the paid plan, and gets its archive then", async () => {
    const machine = deployingMachine(api);
    expect((await machine.deploy(FREE)).code).toBe(0);
    api.workers.plan = "paid";
    api.hasR2 = true;
    const { code, output } = await machine.deploy(["--yes", "--plan", "paid"]);
    expect(code, output).toBe(0);
    expect([...api.buckets.keys()]).toEqual(["tocsin-archive"]);
    const bindings = api.workers.scripts.get("tocsin")?.metadata.bindings ?? [];
    expect(bindings.map(({ name }) => name)).toEqual(expect.arrayContaining(["ARCHIVE", "EMAIL"]));
    expect(bindings.find(({ name }) => name === "CLOUDFLARE_PLAN")?.text).toBe("paid");
  });
});
