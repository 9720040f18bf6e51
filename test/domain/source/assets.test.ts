// The build of the assets, beside a worker that serves them, and the help of the commands that it belongs to.
import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFolder } from "../../../src/setup/build-folder.ts";
import { root } from "../../support/source/source-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assets-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true });
    writeFileSync(join(folder, name, file), text);
  }
  return join(folder, name);
}

test("replaces what is different, and leaves alone what is the same", () => {
  const served = write("served", { "a.css": "a", "docs/b.js": "b", "old.js": "old" });
  const before = statSync(join(served, "a.css"), { bigint: true });
  const built = write("built", { "a.css": "a", "docs/b.js": "changed", "docs/new.js": "new" });
  replaceFolder(built, served);
  const files = readdirSync(served, { recursive: true }).map(String).sort();
  expect(files).toEqual(["a.css", "docs", "docs/b.js", "docs/new.js"]);
  expect(readFileSync(join(served, "docs/b.js"), "utf8")).toBe("changed");
  const after = statSync(join(served, "a.css"), { bigint: true });
  expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
});

test("keeps for a month what running workers and open pages name by its hash", () => {
  const hashed = ["style-NEW.css", "style-LAST.css", "style-OLD.css"].map(
    (name) => `assets/hashed/${name}`,
  );
  const [built = "", last = "", old = ""] = hashed;
  const served = write("served", { [last]: "last", [old]: "old" });
  const longAgo = Date.now() / 1_000 - 40 * 86_400;
  utimesSync(join(served, old), longAgo, longAgo);
  replaceFolder(write("built", { [built]: "new" }), served);
  expect(readdirSync(join(served, "assets/hashed")).sort()).toEqual([
    "style-LAST.css",
    "style-NEW.css",
  ]);
});

test.each([
  "start.ts",
  "setup.ts",
  "archive.ts",
  "deploying/deploy.ts",
  "backup/backup.ts",
  "backup/restore.ts",
])("%s answers --help with its usage, and does nothing else", async (file) => {
  const command = [join(root, "src/setup", file), "--help"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { cwd: folder });
  expect(stdout).toMatch(/^usage: .*npm (?:start|run)/);
  expect(stderr).toBe("");
});
