// The lock file must hold the binaries of every platform: one that is named and missing makes `npm ci` fail,
// on the other platforms or on all.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type LockFile, missingOptionalDependencies } from "../../support/source/lock-file.ts";
import { root } from "../../support/source/source-files.ts";

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;

/** Something that needs one binary of exactly version 1.0.0. */
const tool = { version: "1.0.0", optionalDependencies: { binary: "1.0.0" } };

describe("a dependency that is named", () => {
  test.each<[string, LockFile["packages"], string[]]>([
    ["is missing", { "node_modules/tool": tool }, ["node_modules/tool needs binary@1.0.0"]],
    ["is beside", { "node_modules/tool": tool, "node_modules/binary": { version: "1.0.0" } }, []],
    [
      "is below",
      {
        "node_modules/tool": tool,
        "node_modules/tool/node_modules/binary": { version: "1.0.0" },
      },
      [],
    ],
    [
      "is above",
      {
        "node_modules/a/node_modules/tool": tool,
        "node_modules/a/node_modules/binary": { version: "1.0.0" },
      },
      [],
    ],
    [
      "is there in another version",
      { "node_modules/tool": tool, "node_modules/binary": { version: "1.0.1" } },
      ["node_modules/tool needs binary@1.0.0"],
    ],
    [
      "belongs to somebody else",
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
  test("holds every optional dependency it names", () => {
    expect(missingOptionalDependencies(lock)).toEqual([]);
  });

  test("holds the binaries of macOS and Windows as well as of Linux", () => {
    for (const name of ["@cloudflare/workerd", "@esbuild", "@biomejs/cli"]) {
      const binaries = Object.keys(lock.packages)
        .filter((path) => path.includes(name))
        .join(" ");
      expect(binaries).toContain("darwin");
      expect(binaries).toContain("linux");
      expect(binaries).toMatch(/win(dows|32)/);
    }
  });

  test("runs scripts on install only of packages that package.json allows", () => {
    const { allowScripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      allowScripts: Readonly<Record<string, boolean>>;
    };
    const running = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ""));
    expect([...new Set(running)].sort()).toEqual(Object.keys(allowScripts).sort());
  });

  test("names no registry: packages come from the one that npm is set to", () => {
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual(
      [],
    );
  });
});
