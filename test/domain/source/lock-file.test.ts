// The lock file must contain the binaries of every platform: one that is named and missing makes `npm ci` fail,
// on the other platforms or on all.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type LockFile, missingOptionalDependencies } from "../../support/source/lock-file.ts";
import { root } from "../../support/source/source-files.ts";

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;

/** A package that needs one binary of exactly version 1.0.0. */
const tool = { version: "1.0.0", optionalDependencies: { binary: "1.0.0" } };

describe("a named dependency", () => {
  test.each<[string, LockFile["packages"], string[]]>([
    ["is missing", { "node_modules/tool": tool }, ["node_modules/tool needs binary@1.0.0"]],
    [
      "is installed beside",
      { "node_modules/tool": tool, "node_modules/binary": { version: "1.0.0" } },
      [],
    ],
    [
      "is installed below",
      {
        "node_modules/tool": tool,
        "node_modules/tool/node_modules/binary": { version: "1.0.0" },
      },
      [],
    ],
    [
      "is installed above",
      {
        "node_modules/a/node_modules/tool": tool,
        "node_modules/a/node_modules/binary": { version: "1.0.0" },
      },
      [],
    ],
    [
      "is installed in another version",
      { "node_modules/tool": tool, "node_modules/binary": { version: "1.0.1" } },
      ["node_modules/tool needs binary@1.0.0"],
    ],
    [
      "is installed for another package",
      {
        "node_modules/tool": tool,
        "node_modules/b/node_modules/binary": { version: "1.0.0" },
      },
      ["node_modules/tool needs binary@1.0.0"],
    ],
  ])("%s", (_, packages, missing) => {
    expect(missingOptionalDependencies({ packages })).toEqual(missing);
  });
});

describe("package-lock.json", () => {
  test("contains every optional dependency that it names", () => {
    expect(missingOptionalDependencies(lock)).toEqual([]);
  });

  test("contains the binaries of macOS, Windows and Linux", () => {
    for (const name of ["@cloudflare/workerd", "@esbuild", "@rolldown", "@biomejs/cli"]) {
      const binaries = Object.keys(lock.packages)
        .filter((path) => path.includes(name))
        .join(" ");
      expect(binaries).toContain("darwin");
      expect(binaries).toContain("linux");
      expect(binaries).toMatch(/win(dows|32)/);
    }
  });

  test("has install scripts only of packages that package.json allows", () => {
    const { allowScripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      allowScripts: Readonly<Record<string, boolean>>;
    };
    const running = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ""));
    expect([...new Set(running)].sort()).toEqual(Object.keys(allowScripts).sort());
  });

  test("names no registry, so that npm uses its configured one", () => {
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual(
      [],
    );
  });
});
