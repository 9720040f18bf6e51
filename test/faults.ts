// Lists the tests that failed, and those that passed only in a second run: each of them has a fault to be found, in the
// test or in what it tests. The list is the end of the output, of which a CI keeps the most.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";

/** The most characters of a message that are shown. */
const MAX_MESSAGE = 1_500;

const shown = (message: string) =>
  message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)} […]` : message;

const fileOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId);

const messages = (errors: readonly { readonly message: string }[]) =>
  errors.map((it) => shown(it.message)).join("; ");

export class Faults implements Reporter {
  readonly #found: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    const isSecond = test.diagnostic()?.flaky === true;
    if (state !== "failed" && !isSecond) return;
    const [first = { message: "without a message", stacks: [] }] = errors;
    const at = first.stacks?.map((it) => `${relative(process.cwd(), it.file)}:${it.line}`);
    const verb = isSecond ? "passed only in a second run" : "failed";
    this.#add(`${fileOf(test.module)} > ${test.fullName}`, verb, [first], at);
  }

  /** Files that could not be read, and hooks that failed. */
  onTestModuleEnd(module: TestModule): void {
    this.#add(fileOf(module), "failed", module.errors());
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#add(`${fileOf(suite.module)} > ${suite.fullName}`, "failed", suite.errors());
  }

  /** Shows the list, or leaves it to `run.ts`, which shows those of all projects together. */
  onTestRunEnd(_: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#add("Outside of tests", "failed", unhandled);
    const text = this.#found.map((it) => `${it}\n`).join("");
    if (process.env.TEST_FAULTS !== undefined) appendFileSync(process.env.TEST_FAULTS, text);
    else if (text !== "") console.log(`\nFaults:\n${text}`);
  }

  #add(
    name: string,
    verb: string,
    errors: readonly { readonly message: string }[],
    at: readonly string[] = [],
  ): void {
    if (errors.length === 0) return;
    this.#found.push(`${name} ${verb}: ${messages(errors)} (${at.join(", ")})`);
  }
}
