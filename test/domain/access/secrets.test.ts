// The generation of secrets: once for a state, and only those that are missing.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localSecrets, withMissing } from "../../../src/setup/secrets.ts";

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "tocsin-"));
});

afterEach(() => {
  rmSync(state, { recursive: true });
});

test("the secrets of a state are generated once, in a file that only its owner can read", async () => {
  const first = await localSecrets(join(state, "new"));
  expect(first.LINK_SECRET).toMatch(/^[\w-]{43}$/);
  expect(await localSecrets(join(state, "new"))).toEqual(first);
  expect(statSync(join(state, "new/secrets.json")).mode & 0o077).toBe(0);
});

test("different states have different secrets", async () => {
  const [one, other] = [await withMissing({}), await withMissing({})];
  expect(one.LINK_SECRET).not.toBe(other.LINK_SECRET);
});

test("existing secrets are unchanged", async () => {
  const existing = { LINK_SECRET: "held", OTHER: "too" };
  expect(await withMissing(existing)).toMatchObject(existing);
});
