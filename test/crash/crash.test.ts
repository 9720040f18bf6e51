// P1, P4 and P5 with the process killed in earnest, in short: `npm run crash` does it twenty times under more load.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = join(import.meta.dirname, "run.ts");

test("killed twice under load: everything accepted is there, nobody paged twice, nothing stuck", async () => {
  const run = promisify(execFile)(process.execPath, [
    script,
    "--hasty",
    "--kills",
    "2",
    "--requests",
    "100",
  ]);
  // A broken promise is exit code 1, and the report says which.
  const { stdout, stderr } = await run.catch((error: Record<"stdout" | "stderr", string>) => error);
  const report = JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "null");
  expect(report?.faults, stdout + stderr).toEqual([]);
  expect(report).toMatchObject({ kills: 2, requests: 100 });
  expect(report.accepted).toBeGreaterThan(20);
  expect(report.created).toBeGreaterThan(5);
  expect(report.mails).toBeGreaterThan(20);
}, 300_000);
