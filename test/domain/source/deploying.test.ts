// The decisions of `npm run deploy`: its arguments, its settings, and the configuration that it gives to wrangler.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { readBaseConfig } from "../../../src/setup/deploying/base-config.ts";
import type { CloudflareClient } from "../../../src/setup/deploying/cloudflare-api.ts";
import { parseDeployArguments } from "../../../src/setup/deploying/deploy-arguments.ts";
import { decidePlan } from "../../../src/setup/deploying/plan.ts";
import type { Ask } from "../../../src/setup/deploying/questions.ts";
import { explainOutput } from "../../../src/setup/deploying/refusals.ts";
import {
  readSettings,
  type Settings,
  writeSettings,
} from "../../../src/setup/deploying/settings.ts";
import { buildWorkerConfig, unknownVariables } from "../../../src/setup/deploying/worker-config.ts";

const settings: Settings = {
  name: "acme-pager",
  account_id: "0".repeat(32),
  database_id: "an id",
  archive: true,
};

describe("the arguments of npm run deploy", () => {
  test("are read, addresses without their last slash", () => {
    const args = ["--url", "https://pager.acme.example/", "--email-from=Pager@Acme.example"];
    expect(parseDeployArguments(args)).toMatchObject({
      given: { public_url: "https://pager.acme.example", email_from: "pager@acme.example" },
      isGradual: false,
      createsAccount: true,
      isChecked: true,
      isSilent: false,
    });
    expect(parseDeployArguments(["--no-account"])).toMatchObject({ createsAccount: false });
  });

  test.each([
    ["an address without https", ["--url", "http://pager.acme.example"], "--url must be an https"],
    ["an address with a path", ["--url", "https://acme.example/pager"], "--url must be an https"],
    ["a sender that is no address", ["--email-from", "pager"], "--email-from must be"],
    ["a name that no bucket can have", ["--name", "Acme_Pager"], "--name must be"],
    ["an unknown jurisdiction", ["--jurisdiction", "mars"], "--jurisdiction is one of"],
    ["an unknown plan", ["--plan", "pro"], "--plan is one of paid, free"],
    ["a location beside a jurisdiction", ["--jurisdiction=eu", "--location=weur"], "give one"],
    ["an unknown flag", ["--urll", "https://acme.example"], "urll"],
  ])("%s is refused", (_, args, words) => {
    expect(parseDeployArguments(args)).toEqual({ refused: expect.stringContaining(words) });
  });

  test("are refused with all their faults at once", () => {
    const parsed = parseDeployArguments(["--url", "pager", "--name", "X", "--location", "mars"]);
    for (const flag of ["--url", "--name", "--location"]) {
      expect(parsed).toEqual({ refused: expect.stringContaining(flag) });
    }
  });
});

describe("the settings", () => {
  const path = () => join(mkdtempSync(join(tmpdir(), "tocsin-settings-")), "deployment.json");

  test("are read as they were written; without a file there are none", () => {
    const file = path();
    expect(readSettings(file)).toBeNull();
    writeSettings(file, settings);
    expect(readSettings(file)).toEqual(settings);
  });

  test.each([
    ["no JSON", "{", "is not JSON"],
    ["a misspelled name", JSON.stringify({ ...settings, publik_url: "x" }), "publik_url"],
    ["a faulty value", JSON.stringify({ ...settings, account_id: "acme" }), "account_id: must be"],
  ])("%s is refused by its name", (_, text, words) => {
    const file = path();
    writeFileSync(file, text);
    expect(readSettings(file)).toEqual({ refused: expect.stringContaining(words) });
  });
});

describe("the configuration for wrangler", () => {
  const base = readBaseConfig();

  test("names the deployment's resources and keeps everything else", () => {
    const config = buildWorkerConfig(base, settings);
    expect(config).toMatchObject({
      name: "acme-pager",
      workers_dev: true,
      d1_databases: [{ binding: "DB", database_name: "acme-pager", database_id: "an id" }],
      r2_buckets: [{ binding: "ARCHIVE", bucket_name: "acme-pager-archive" }],
      queues: {
        producers: [{ binding: "PAGES", queue: "acme-pager-pages" }],
        consumers: [
          { queue: "acme-pager-pages", dead_letter_queue: "acme-pager-pages-dead" },
          { queue: "acme-pager-pages-dead" },
        ],
      },
    });
    for (const key of ["main", "alias", "assets", "durable_objects", "exports", "triggers"]) {
      expect(config[key], key).toEqual(base[key]);
    }
    expect(config.vars).toEqual(base.vars);
  });

  test("attaches a domain of one's own, and takes the worker from workers.dev", () => {
    const config = buildWorkerConfig(base, {
      ...settings,
      public_url: "https://pager.acme.example",
    });
    expect(config).toMatchObject({
      workers_dev: false,
      routes: [{ pattern: "pager.acme.example", custom_domain: true }],
      vars: { PUBLIC_URL: "https://pager.acme.example" },
    });
    const own = buildWorkerConfig(base, { ...settings, public_url: "https://a.b.workers.dev" });
    expect(own).toMatchObject({ workers_dev: true });
    expect(own.routes).toBeUndefined();
  });

  test("takes jurisdiction, location, variables and the lack of an archive from the settings", () => {
    const chosen = { ...settings, archive: false, jurisdiction: "eu" as const };
    const config = buildWorkerConfig(base, { ...chosen, variables: { PAGES_AT_ONCE: "5" } });
    expect(config.vars).toMatchObject({ JURISDICTION: "eu", PAGES_AT_ONCE: "5" });
    expect(config.r2_buckets).toEqual([]);
    expect(buildWorkerConfig(base, { ...settings, location: "weur" }).vars.LOCATION_HINT).toBe(
      "weur",
    );
  });

  test("has no variable that wrangler.toml does not know", () => {
    const variables = { PAGES_AT_ONCE: "5", PAGES_AT_ONE: "5" };
    expect(unknownVariables(base, { ...settings, variables })).toEqual(["PAGES_AT_ONE"]);
  });

  test("on the free plan has no bucket, no mail of Cloudflare's, no CPU limit, and one slow cron", () => {
    const limited = { ...base, limits: { cpu_ms: 50 } };
    const config = buildWorkerConfig(limited, { ...settings, plan: "free" });
    expect(config.r2_buckets).toEqual([]);
    expect(config).not.toHaveProperty("send_email");
    expect(config).not.toHaveProperty("limits");
    expect(config.triggers).toEqual({ crons: ["*/5 * * * *"] });
    expect(config.queues.consumers.map((it) => it.max_batch_size)).toEqual([5, 5]);
    expect(config.vars).toEqual({
      ...base.vars,
      CLOUDFLARE_PLAN: "free",
      DATABASE_LIMIT_MB: "500",
    });
    expect(buildWorkerConfig(limited, { ...settings, plan: "paid" })).toMatchObject({
      limits: { cpu_ms: 50 },
      send_email: base.send_email,
      vars: { CLOUDFLARE_PLAN: "paid" },
    });
  });
});

describe("the plan of a first deployment", () => {
  const subscribed = (...ids: string[]) => ({
    result: ids.map((id) => ({ rate_plan: { id } })),
  });
  const REFUSED = { refusal: { status: 403, code: 10_000, message: "Authentication error" } };
  const clientOf = (answer: unknown) =>
    ({ get: async () => answer, post: async () => answer }) as unknown as CloudflareClient;
  const answering =
    (...answers: string[]): Ask =>
    async ({ fallback = "" }) =>
      answers.shift() || fallback;

  test.each([
    ["the account's paid one is not asked for", subscribed("free", "workers_paid"), [], "paid"],
    ["an account without it has the free one", subscribed("free"), [""], "free"],
    ["one that cannot be read has the paid one", REFUSED, [""], "paid"],
    ["an answer counts", REFUSED, ["Free"], "free"],
    ["another answer is asked again", subscribed(), ["pro", "paid"], "paid"],
  ] as const)("%s", async (_, answer, answers, expected) => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    expect(await decidePlan(clientOf(answer), "a", answering(...answers))).toBe(expected);
  });

  test("without a terminal, what to pass is said", async () => {
    for (const answer of [subscribed(), REFUSED]) {
      await expect(decidePlan(clientOf(answer), "a", null)).rejects.toThrow(
        /Deploy with --plan free, .* or with --plan paid/,
      );
    }
    expect(await decidePlan(clientOf(subscribed("workers_paid")), "a", null)).toBe("paid");
  });
});

describe("what Cloudflare refuses", () => {
  test.each([
    ["System limit reached: databases per account (10) [code: 7406]", /Delete one that is unused/],
    [
      "Your Worker exceeded the size limit of 3 MiB. [code: 10027]",
      /larger than the account's plan/,
    ],
    [
      "This account has reached the Workers Free limit of 5 cron triggers per account. [code: 10072]",
      /Remove one from another worker/,
    ],
    ["you must create a namespace using a `new_sqlite_classes` migration. [code: 10097]", /SQLite/],
    [
      "In order to use Queues, you must enable your account [code: 11002]",
      /Queues .* dashboard once/,
    ],
    ["Queues are unavailable on the free plan. [code: 100129]", /Queues are part of the free plan/],
    ["CPU limits are not supported for the Free plan. [code: 100328]", /deploy with --plan free/],
    ["You need to verify your email address to use Workers. [code: 10034]", /verify the e-mail/],
  ])("%s: what helps is said", (output, says) => {
    expect(
      explainOutput(`✘ [ERROR] A request to the Cloudflare API failed.\n\n  ${output}`),
    ).toMatch(says);
  });

  test("any other refusal is left as it is", () => {
    expect(explainOutput("Internal error [code: 10013]")).toBeNull();
    expect(explainOutput("no code")).toBeNull();
  });
});
