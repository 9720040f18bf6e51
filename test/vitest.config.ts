import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig, type TestProjectConfiguration as Project } from "vitest/config";
import { setUpsText } from "../src/products/stored-set-ups.ts";
import { Answers } from "./answers.ts";
import { Drawn } from "./drawn.ts";
import { Faults } from "./faults.ts";
import { isSampled } from "./support/answers/sample.ts";
import { bundledSource } from "./support/bundle/bundled-source.ts";
import { seedFor } from "./support/generated/seed.ts";
import { finalSchema } from "./support/local/final-schema.ts";
import { testVariables } from "./support/worker/variables.ts";

/** A test that takes so long hangs. No test is about its own speed: a slow or busy machine is no fault. */
const PATIENCE_MS = 300_000;
/** The same for generated tests at full size. */
const DEEP_PATIENCE_MS = 3_000_000;

/**
 * In CI, a test of the worker, in Node or in the real runtime, or of a browser that fails is run once more, and listed: on
 * a busy machine one in thousands fails by its timing. Generated tests have the same seed again; the projects without such
 * timing have no second run.
 */
const RETRIES = process.env.CI ? 1 : 0;

/** With more of them, more runs at the same time. */
const CORES = availableParallelism();

const PREBUNDLED = [
  ...["drizzle-orm", "drizzle-orm/d1", "drizzle-orm/sqlite-core", "fast-check", "zod"],
  ...["hono", "hono/cookie", "hono/cors", "hono/csrf", "hono/html", "hono/http-exception"],
  ...["hono/jsx", "hono/jsx/jsx-dev-runtime", "hono/jsx/jsx-runtime", "hono/jwt"],
  ...["@jmespath-community/jmespath", "@js-temporal/polyfill", "ical.js", "jose", "mustache"],
  ...["libphonenumber-js/core", "oauth4webapi", "postal-mime", "re2js", "standardwebhooks", "yaml"],
];

/** The set-up files of the projects that run the worker. */
const SET_UPS = [
  "test/support/generated/generated.ts",
  "test/support/worker/migrate.ts",
  "test/support/answers/record.ts",
];

/** The files that run the worker, in Node or in the runtime. */
const RUNNING = ["test/{api,contract,worker}/**/*.test.ts", ...SET_UPS];

/** The commit from which is drawn what runs only in part. */
const COMMIT = process.env.TEST_COMMIT ?? "";

const root = `${resolve(import.meta.dirname, "..")}/`;

/** The projects that `--project` asks for, or all: to read what only another one needs takes a third of a short run. */
function askedOf<Project>(projects: Readonly<Record<string, Project>>): Project[] {
  const { argv } = process;
  const isAsked = (name: string) =>
    argv.some(
      (it, at) => it === `--project=${name}` || (it === "--project" && argv[at + 1] === name),
    );
  const all = Object.entries(projects);
  const asked = all.filter(([name]) => isAsked(name));
  return (asked.length > 0 ? asked : all).map(([, project]) => project);
}

/**
 * The files that restart workers: those that kill them, and one of the others, which is drawn from the
 * commit; under `npm run test:deep` and `npm test -- <words>` all.
 */
function restarting(isEvery: boolean): string[] {
  const patterns = ["crash", "deploying", "serve", "upgrades"].map(
    (it) => `test/${it}/**/*.test.ts`,
  );
  if (isEvery) return patterns;
  const always = ["test/crash/crash.test.ts", "test/crash/single-sign-on.test.ts"];
  const others = globSync(patterns, { cwd: root }).filter((file) => !always.includes(file));
  const drawn = Number.parseInt(COMMIT.slice(0, 8) || "0", 16) % others.length;
  return [...always, ...others.sort().filter((_, i) => i === drawn)];
}

/** The test files of a folder; under `npm run test:deep` only those whose size depends on it. */
function filesIn(isDeep: boolean, ...folders: readonly string[]): string[] {
  const patterns = folders.map((folder) => `test/${folder}/**/*.test.ts`);
  if (!isDeep) return patterns;
  const isSized = (file: string) =>
    /\/(sizes|oncall-random)\.ts"|"fast-check"/.test(readFileSync(`${root}${file}`, "utf8"));
  return globSync(patterns, { cwd: root }).filter(isSized);
}

/** The files of `api` that run in the runtime as well, under `npm test`; see `differential.ts`. */
function sample(): string[] {
  if (process.env.TEST_ANSWERS === undefined) return [];
  const files = globSync(filesIn(false, "contract", "api"), { cwd: root });
  return files.filter((file) => isSampled(file, COMMIT));
}

/**
 * Writes a file unless it has that content; other test processes, which do the same, and the workers that they have
 * started see no half of it.
 */
function writeWhole(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

/**
 * Five projects: `domain` runs pure code in Node; `api` runs the whole worker in Node too, behind its front door, on a
 * platform of the tests (`support/platform`); `worker` runs in the real runtime what is about the runtime: alarms, queues,
 * evictions, sockets, limits, its files shared out between a few runtimes (a runtime per file costs five times as much);
 * `crash` kills a worker of its own and deploys to a stand-in, and `browser` drives the console. `npm test` runs them
 * beside each other (`run.ts`).
 */
export default defineConfig(async ({ mode }) => {
  const isDeep = mode === "deep";
  const TEST_SIZE = isDeep ? "full" : (process.env.TEST_SIZE ?? "small");
  const TEST_SEED = String(seedFor(process.env.TEST_SEED));
  // For the projects that run in Node, and for the processes that their tests start.
  Object.assign(process.env, { TEST_SIZE, TEST_SEED });
  console.log(`Generated tests: TEST_SEED=${TEST_SEED}, ${TEST_SIZE} size.`);
  const patience = isDeep ? DEEP_PATIENCE_MS : PATIENCE_MS;
  // What wrangler.toml names has to be there; of it, the tests of the worker need what the worker reads.
  for (const folder of ["holidays", "integrations"]) {
    mkdirSync(`${root}dist/assets/${folder}`, { recursive: true });
  }
  const holidays = `${root}src/domain/oncall/holidays/data`;
  for (const file of readdirSync(holidays)) {
    writeWhole(`${root}dist/assets/holidays/${file}`, readFileSync(`${holidays}/${file}`, "utf8"));
  }
  writeWhole(`${root}dist/assets/integrations/set-ups.json`, setUpsText());
  const projects: Record<string, () => Project | Promise<Project>> = {
    domain: () => ({
      root,
      test: {
        name: "domain",
        setupFiles: [`${root}test/support/generated/generated.ts`],
        include: filesIn(isDeep, "domain"),
        environment: "node",
        pool: "threads",
        isolate: false,
        // At full size one file takes longer than all others.
        maxWorkers: isDeep ? 2 : 1,
        testTimeout: patience,
        hookTimeout: patience,
      },
    }),
    api: () => ({
      root,
      plugins: [
        bundledSource(RUNNING, {
          project: "api",
          alias: {
            "cloudflare:workers": "test/support/platform/cloudflare-workers.ts",
            "cloudflare:test": "test/support/platform/cloudflare-test.ts",
          },
          packages: "external",
        }),
      ],
      test: {
        name: "api",
        include: filesIn(isDeep, "contract", "api"),
        setupFiles: SET_UPS.map((it) => `${root}${it}`),
        environment: "node",
        // What the runtime puts into `process.env` of itself: at full cost, passwords take a quarter of the time.
        env: { PASSWORD_HASHING: testVariables(process.env).PASSWORD_HASHING },
        pool: "threads",
        isolate: false,
        maxWorkers: Math.max(2, CORES),
        sequence: { groupOrder: 4 },
        retry: RETRIES,
        testTimeout: patience,
        hookTimeout: patience,
      },
    }),
    worker: async () => {
      const { cloudflareTest } = await import("@cloudflare/vitest-plugin");
      return {
        root,
        plugins: [
          bundledSource(RUNNING, {
            project: "worker",
            alias: {},
            packages: "bundle",
          }),
          cloudflareTest({
            wrangler: { configPath: `${root}wrangler.toml` },
            miniflare: {
              bindings: {
                ...testVariables(process.env),
                TEST_SCHEMA: [...finalSchema(`${root}migrations`)],
              },
            },
          }),
        ],
        test: {
          name: "worker",
          include: [...filesIn(isDeep, "worker"), ...sample()],
          setupFiles: SET_UPS.map((it) => `${root}${it}`),
          isolate: false,
          // Each runtime loads every module anew: of these libraries, one instead of hundreds.
          deps: { optimizer: { ssr: { enabled: true, include: [...PREBUNDLED] } } },
          // Each waits for half of the time: for alarms, queues and time-outs. More of them stall each other.
          maxWorkers: Number(process.env.WORKERS ?? Math.max(3, Math.min(6, CORES))),
          sequence: { groupOrder: 1 },
          // A log of an object's, in the last moments of a run, would keep the runner waiting for ever.
          disableConsoleIntercept: true,
          retry: RETRIES,
          testTimeout: patience,
          hookTimeout: patience,
        },
      };
    },
    crash: () => ({
      root,
      test: {
        name: "crash",
        globalSetup: [`${root}test/crash/shared-build.ts`],
        include: restarting(isDeep || process.env.TEST_JOURNEYS !== "some"),
        environment: "node",
        // They wait most of the time; at full size, load is what they are about.
        maxWorkers: isDeep ? 2 : 3,
        sequence: { groupOrder: 2 },
        testTimeout: patience,
        hookTimeout: patience,
      },
    }),
    browser: () => ({
      root,
      test: {
        name: "browser",
        globalSetup: [`${root}test/browser/shared-stage.ts`],
        include: ["test/browser/**/*.test.ts"],
        setupFiles: [`${root}test/support/generated/journeys.ts`],
        isolate: false,
        environment: "node",
        sequence: { groupOrder: 3 },
        // Each file at the same time needs a worker of its own.
        maxWorkers: Number(process.env.BROWSERS ?? Math.max(1, Math.min(3, CORES >> 1))),
        retry: RETRIES,
        // A test is many waits, each of which has this patience.
        testTimeout: 3 * patience,
        hookTimeout: patience,
      },
    }),
  };
  return {
    root,
    test: {
      reporters: ["default", new Faults(), new Answers(), new Drawn()],
      // What the worker logs of faults that tests cause is of use only beside a failure.
      silent: "passed-only" as const,
      // What a file becomes is stored in `node_modules`: half of the time until the first test runs.
      experimental: { fsModuleCache: true },
      projects: await Promise.all(askedOf(projects).map((describe) => describe())),
    },
  };
});
