// Compares what the sampled files' requests were answered in Node (`api`) and in the runtime (`worker`), in the folder
// TEST_ANSWERS, after both have run. What differs is run once more: an order that nothing determines differs by chance.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  describeDifference,
  differencesOf,
  isOfHead,
  lastingDifferences,
  type Recording,
  recordingOf,
} from "./support/answers/compare.ts";

const MAX_SHOWN = 20;
const root = resolve(import.meta.dirname, "..");
const folder = process.env.TEST_ANSWERS ?? "";

function readRecording(from: string, project: string): Recording {
  const file = join(from, `${project}.jsonl`);
  return recordingOf(existsSync(file) ? readFileSync(file, "utf8") : "");
}

/** Runs files in both once more; returns the folder of their notes. */
function runAgain(files: readonly string[]): string {
  const again = mkdtempSync(join(folder, "again-"));
  const projects = ["--project", "api", "--project", "worker"];
  const vitest = ["run", "--config", "test/vitest.config.ts", ...projects, ...files];
  spawnSync(join(root, "node_modules/.bin/vitest"), vitest, {
    cwd: root,
    env: { ...process.env, TEST_ANSWERS: again },
  });
  return again;
}

const api = readRecording(folder, "api");
const worker = readRecording(folder, "worker");
const compared = [...api].filter(([test]) => worker.has(test));
const files = new Set(compared.map(([test]) => test.replace(/ > .*/s, "")));
const requests = compared
  .flatMap(([, asked]) => asked)
  .filter(({ answer }) => answer !== "").length;
const doubtful = differencesOf(api, worker);
let found = doubtful;
if (doubtful.length > 0) {
  const again = runAgain([...new Set(doubtful.map(({ test }) => test.replace(/ > .*/s, "")))]);
  found = lastingDifferences(
    [api, readRecording(again, "api")],
    [worker, readRecording(again, "worker")],
  );
}
for (const it of found.slice(0, MAX_SHOWN)) console.log(describeDifference(it));
console.log(
  `Compared with the runtime: ${requests} requests of ${compared.length} tests in ${files.size} files, ${found.length} answered otherwise`,
);
for (const file of files) console.log(`  ${file}`);
if (requests === 0) console.log("No request was compared.");
// A body may differ by when it is read: it is listed, for somebody to look at.
process.exitCode = found.some(isOfHead) || requests === 0 ? 1 : 0;
