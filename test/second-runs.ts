// Lists the tests that failed and then passed, with the first failure: each of them has a fault to be found, in the
// test or in what it tests.
import { relative } from "node:path";
import type { Reporter, TestCase } from "vitest/node";

export class SecondRuns implements Reporter {
  readonly #found: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const [first] = test.result().errors ?? [];
    const file = relative(process.cwd(), test.module.moduleId);
    const at = first?.stacks?.map((it) => `${relative(process.cwd(), it.file)}:${it.line}`);
    this.#found.push(`${file} > ${test.fullName}: ${first?.message ?? ""} (${at?.join(", ")})`);
  }

  onTestRunEnd(): void {
    if (this.#found.length === 0) return;
    console.log(`\nPassed only in a second run (${this.#found.length}):`);
    for (const found of this.#found) console.log(found);
  }
}
