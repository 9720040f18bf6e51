// Which test files a command line asks for, and which a change touches. Paths are relative to the root.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { filesReaching } from "./reached-files.ts";
import { root } from "./source-files.ts";

/** Folder of `test` → project. */
const PROJECTS: Readonly<Record<string, string>> = {
  domain: "domain",
  ...{ api: "api", contract: "api" },
  worker: "worker",
  ...{ crash: "crash", deploying: "crash", serve: "crash", upgrades: "crash" },
  browser: "browser",
};

/** These read files as text: those of the layout, and the documents. */
const READERS = /^test\/domain\/(?:reference|source)\//;

/** Every test depends on these, and imports none of them. */
const SETTINGS =
  /^(?:migrations\/|test\/fixtures\/|test\/vitest\.config\.ts$|(?:package|package-lock|tsconfig)\.json$|wrangler\.toml$)/;

export const allTests = (): string[] => globSync("test/**/*.test.ts", { cwd: root }).sort();

export const projectOf = (test: string): string => PROJECTS[test.split("/")[1] ?? ""] ?? "";

/** The test files whose path has one of the words. */
export function namedTests(words: readonly string[], tests: readonly string[]): string[] {
  return tests.filter((it) => words.some((word) => it.includes(word)));
}

/**
 * The test files that a change touches: they import what is changed, directly or not, or run the worker that does. Those
 * that start a worker by a command are touched by what they import only.
 */
export function touchedTests(changed: readonly string[], tests: readonly string[]): string[] {
  if (changed.some((it) => SETTINGS.test(it))) return [...tests];
  const touched = filesReaching(changed, tests);
  return tests.filter((it) => touched.has(it) || (READERS.test(it) && changed.length > 0));
}

/** The files of the working tree that differ from the last commit. Throws outside of a repository. */
export function changedFiles(): string[] {
  const list = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
    return stdout.split("\0").filter((it) => it !== "");
  };
  return [
    ...list("diff", "--name-only", "--no-renames", "--relative", "-z", "HEAD"),
    ...list("ls-files", "--others", "--exclude-standard", "-z"),
  ];
}
