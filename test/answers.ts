// Writes what the sampled tests' requests were answered (`support/answers/record.ts`) where `differential.ts` reads it.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestCase } from "vitest/node";

export class Answers implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const folder = process.env.TEST_ANSWERS;
    const { answers } = test.meta();
    if (!folder || answers === undefined || test.result().state !== "passed") return;
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    appendFileSync(
      join(folder, `${test.project.name}.jsonl`),
      `${JSON.stringify([name, answers])}\n`,
    );
  }
}
