// `npm run soak:generated`: repeats every generated test at full size with new seeds, for an hour
// or `-- --minutes <n>`. Stops at the first failure; `TEST_SEED=<seed> npm run test:deep` repeats
// it with the printed seed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exitForHelp } from "../../src/setup/help.ts";
import { seedFor } from "../support/generated/seed.ts";

exitForHelp("usage: npm run soak:generated -- [--minutes 60]");
const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0: ${values.minutes}`);

const script = join(import.meta.dirname, "../run.ts");
const end = Date.now() + minutes * 60_000;

for (let runs = 1; Date.now() < end || runs === 1; runs += 1) {
  const TEST_SEED = String(seedFor("random"));
  console.log(`Run ${runs}: TEST_SEED=${TEST_SEED}`);
  const { status } = spawnSync(process.execPath, [script, "--deep"], {
    stdio: "inherit",
    env: { ...process.env, TEST_SEED },
  });
  if (status === 0) continue;
  console.log(`Run ${runs} failed: TEST_SEED=${TEST_SEED} npm run test:deep repeats it.`);
  process.exit(1);
}
