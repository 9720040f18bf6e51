// Tests P1, P4 and P5 while the process is killed: twice with `--hasty`, or eight times at full
// size.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sized } from "../support/generated/sizes.ts";

const script = join(import.meta.dirname, "run.ts");

const KILLS = sized(2, 8);
const REQUESTS = sized(100, 800);

test(
  `stores everything accepted, pages nobody twice and leaves nothing stuck over ${KILLS} kills under load`,
  async () => {
    const run = promisify(execFile)(process.execPath, [
      script,
      ...sized(["--hasty"], []),
      ...["--kills", String(KILLS), "--requests", String(REQUESTS)],
    ]);
    // A violated guarantee exits with 1; the report lists it.
    const { stdout, stderr } = await run.catch(
      (error: Record<"stdout" | "stderr", string>) => error,
    );
    const report = JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "null");
    expect(report?.faults, stdout + stderr).toEqual([]);
    expect(report).toMatchObject({ kills: KILLS, requests: REQUESTS });
    expect(report.accepted).toBeGreaterThan(20);
    expect(report.created).toBeGreaterThan(5);
    expect(report.mails).toBeGreaterThan(20);
  },
  sized(300_000, 2_400_000),
);
