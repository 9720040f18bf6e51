// The previous version and this one at the same time: two flips, or six at full size. Twenty flips with
// 10,000 requests take half an hour: `npm run upgrades`.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sized } from "../support/generated/sizes.ts";

const FLIPS = sized(2, 6);
const REQUESTS = sized(150, 1_200);

test(
  `loses and doubles nothing while versions change ${FLIPS} times under load`,
  async () => {
    const script = join(import.meta.dirname, "run.ts");
    const args = ["--flips", String(FLIPS), "--requests", String(REQUESTS)];
    // A violated guarantee exits with 1; the report lists it.
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args]).catch(
      (error: Record<"stdout" | "stderr", string>) => error,
    );
    const report = JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "null");
    expect(report?.faults, stdout + stderr).toEqual([]);
    expect(report).toMatchObject({ flips: FLIPS, requests: REQUESTS });
    expect(report.accepted).toBeGreaterThan(REQUESTS / 2);
    expect(report.reset).toBeGreaterThan(FLIPS);
    expect(report.timeouts).toBeGreaterThan(10);
  },
  sized(900_000, 1_800_000),
);
