// `npm test` and `npm run test:deep`: the tests of the worker and of the API, which take longest, and the browser's and the
// kills, which wait much, run beside everything else, and that one after another.
//
// `npm test -- <words>` runs the tests whose path has one of the words, and neither lint nor types;
// `npm test -- --changed <words>` those that a change touches which is not committed.
//
// Of a job that passed, only its counts are shown; of one that failed or was interrupted, everything.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildAssets } from "../src/setup/assets.ts";
import { exitForHelp } from "../src/setup/help.ts";
import { seedFor } from "./support/generated/seed.ts";
import { memoryFolder } from "./support/local/memory.ts";
import { passedOutput } from "./support/source/passed-output.ts";
import {
  allTests,
  changedFiles,
  namedTests,
  projectOf,
  touchedTests,
} from "./support/source/selected-tests.ts";

const root = resolve(import.meta.dirname, "..");
const bin = join(root, "node_modules/.bin");

/** What is run: a name, and a command line. */
type Job = {
  readonly name: string;
  readonly command: readonly string[];
  /** Starts at once, not after the job before it. */
  readonly isBeside?: boolean;
  /** Starts after the jobs of these names. */
  readonly after?: readonly string[];
};

exitForHelp(
  "usage: npm test [-- <words>]    all tests, or those of the files whose path has one of the words\n" +
    "       npm test -- --changed    the tests that import what is changed and not committed\n" +
    "       npm run test:deep        the generated tests and tables at full size, and every test of a browser",
);

const [first = "", ...others] = process.argv.slice(2);
const isDeep = first === "--deep";
const words = first === "--deep" || first === "--changed" ? others : process.argv.slice(2);
const named = words.length > 0 ? namedTests(words, allTests()) : allTests();
const touched = first === "--changed" ? touchedTests(changedFiles(), named) : null;
const isPartial = words.length > 0 || touched !== null;
if (touched?.length === 0) {
  console.log("No test imports what is changed.");
  process.exit();
}
const hasOptions = words.some((it) => it.startsWith("-"));
/** The projects of what runs in part; all of them if there is an option of the test runner's, such as a test's name. */
const asked = [...new Set((hasOptions ? allTests() : (touched ?? named)).map(projectOf))];
// The other projects' tests need only what their configuration writes.
if (!isPartial || asked.some((it) => it === "browser" || it === "crash")) await buildAssets();

const vitest = (...args: readonly string[]) => [
  join(bin, "vitest"),
  ...["run", "--config", "test/vitest.config.ts"],
  ...(isDeep ? ["--mode", "deep"] : []),
  ...args,
];
const projects = (...names: readonly string[]): Job => ({
  name: names.join(" and "),
  command: vitest(...names.flatMap((name) => ["--project", name])),
});
const { command: partial } = projects(...asked);

/** In the order in which their output is shown: the quick ones first. */
const jobs: readonly Job[] = isPartial
  ? [{ name: "tests", command: [...partial, ...(touched ?? words)] }]
  : [
      ...(isDeep
        ? []
        : [
            { name: "lint", command: ["npm", "run", "-s", "lint"] },
            { name: "types", command: ["npm", "run", "-s", "types"] },
          ]),
      projects("domain"),
      { ...projects("api"), isBeside: true },
      { ...projects("browser"), isBeside: true },
      { ...projects("crash"), isBeside: true },
      { ...projects("worker"), isBeside: true },
      ...(isDeep
        ? []
        : [
            {
              name: "differential",
              command: ["node", "test/differential.ts"],
              after: ["api", "worker"],
            },
          ]),
    ];

const memory = memoryFolder();
const folder = memory === null ? null : mkdtempSync(join(memory, "tocsin-"));
const results = mkdtempSync(join(tmpdir(), "tocsin-results-"));
process.once("exit", () => {
  for (const it of [folder, results]) {
    if (it !== null) rmSync(it, { recursive: true, force: true });
  }
});

/** The commit from which is drawn what runs only in part; of a changed tree, that before. Empty without git. */
const commit = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
const drawnFrom = commit.status === 0 ? commit.stdout.trim() : "";
if (!isPartial)
  console.log(`What runs only in part is drawn from commit ${drawnFrom || "(none)"}.`);

/** What failed, to which each of the test processes adds (`faults.ts`). */
const faults = join(results, "faults.txt");
writeFileSync(faults, "");

const environment = {
  ...(folder !== null && { TMPDIR: folder }),
  // Above, once for all of them.
  TEST_ASSETS: "built",
  TEST_FAULTS: faults,
  TEST_COMMIT: drawnFrom,
  // Where the answers of the sampled files are written, in Node and in the runtime.
  ...(!isPartial && !isDeep && { TEST_ANSWERS: results }),
  // Tests that take seconds each: all if they are asked for by name.
  TEST_JOURNEYS: isDeep || isPartial ? "all" : "some",
  // One seed for all of them, also where a new one is asked for.
  TEST_SEED: String(seedFor(process.env.TEST_SEED)),
  ...(process.stdout.isTTY && process.env.NO_COLOR === undefined && { FORCE_COLOR: "1" }),
};

const running = new Set<ChildProcess>();

/** A job under way: what it wrote so far, and its exit code once it has ended. */
type Running = Job & { readonly output: () => string; readonly ended: Promise<number> };

/** Starts a job once those that it waits for have ended. */
function start({ name, command }: Job, after: Promise<unknown> = Promise.resolve()): Running {
  const chunks: Buffer[] = [];
  const output = () => Buffer.concat(chunks).toString("utf8");
  const write = (chunk: Buffer) => {
    chunks.push(chunk);
  };
  const run = (done: (code: number) => void) => {
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    child.stdout.on("data", write);
    child.stderr.on("data", write);
    const began = Date.now();
    child.on("error", (error) => {
      write(Buffer.from(`${error.message}\n`));
      done(1);
    });
    child.on("close", (code) => {
      running.delete(child);
      const seconds = Math.round((Date.now() - began) / 1_000);
      if (code === 0)
        chunks.splice(0, chunks.length, Buffer.from(passedOutput(output(), isPartial)));
      write(Buffer.from(`${name}: ${code === 0 ? "passed" : "FAILED"} in ${seconds} s\n\n`));
      done(code ?? 1);
    });
  };
  const ended = after.then(() => new Promise<number>(run));
  return { name, command, output, ended };
}

const shown = new Set<Running>();
const started = startAll();

// What is interrupted takes what it started with it, and shows how far it came.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    for (const job of started) if (!shown.has(job)) writeSync(1, job.output());
    process.exit(128 + constants.signals[signal]);
  });
}

const failed: string[] = [];
/** Starts all jobs: each beside the others, after the one before it, or after some. */
function startAll(): Running[] {
  const started: Running[] = [];
  for (const job of jobs) {
    const awaited = started.filter(({ name }) => job.after?.includes(name));
    const all = Promise.all(awaited.map(({ ended }) => ended));
    const isAtOnce = job.isBeside === true;
    started.push(start(job, job.after ? all : isAtOnce ? undefined : started.at(-1)?.ended));
  }
  return started;
}

for (const job of started) {
  if ((await job.ended) !== 0) failed.push(job.name);
  shown.add(job);
  process.stdout.write(job.output());
}
const found = readFileSync(faults, "utf8");
if (found !== "") console.log(`Faults:\n${found}`);
if (failed.length > 0) console.log(`Failed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
