// `npm run serve` on an empty folder: what it makes, what it refuses, and how it ends.
import { chmodSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import {
  makePlace,
  type Place,
  removePlace,
  signIn,
  startServer,
} from "../support/serve/server.ts";

/** Several starts in each test, the first of which may have to build (ms). */
vi.setConfig({ testTimeout: 300_000 });

let place: Place;
afterEach(() => removePlace(place));

const FIRST = { ACCOUNT_NAME: "Acme", ADMIN_EMAIL: "ada@acme.com" };

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("an empty folder becomes a deployment, whose admin signs in by a password that is printed once", async () => {
  place = await makePlace(FIRST);
  const server = await startServer(place);
  expect(server.lines.filter((it) => it.message?.startsWith("not JSON"))).toEqual([]);
  const printed = server.lines.find(({ password }) => password !== undefined);
  expect(printed).toMatchObject({ url: `${place.url}/sign-in`, email: FIRST.ADMIN_EMAIL });

  const health = await fetch(`${place.url}/health`).then((it) => it.json());
  expect(health).toMatchObject({ status: "ok", version: expect.stringMatching(/^[0-9a-f]{16}$/) });
  const ready = await fetch(`${place.url}/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready" }]);
  const docs = await fetch(`${place.url}/docs`);
  expect([docs.status, docs.headers.get("content-type")]).toEqual([
    200,
    expect.stringMatching(/html/),
  ]);

  const wrong = await signIn(place, FIRST.ADMIN_EMAIL, "wrong");
  expect(wrong.status).not.toBe(303);
  const signedIn = await signIn(place, FIRST.ADMIN_EMAIL, String(printed?.password));
  expect(signedIn.status).toBe(303);
  expect(signedIn.headers.get("set-cookie")).toMatch(/HttpOnly/);

  expect(modeOf(place.state)).toBe("700");
  const stored = globSync("**/*.{json,sqlite,lock}", { cwd: place.state });
  expect(stored.length).toBeGreaterThan(5);
  expect(stored.filter((it) => modeOf(join(place.state, it)) !== "600")).toEqual([]);
  const secrets = JSON.parse(readFileSync(join(place.state, "secrets.json"), "utf8"));
  expect(Object.keys(secrets).sort()).toEqual(["LINK_SECRET", "VAPID_PRIVATE_KEY"]);

  const second = await startServer(place);
  expect([second.exitCode, second.errors()]).toEqual([
    1,
    `${place.state} is in use by another process\n`,
  ]);

  expect(await server.stop()).toBe(0);
  const again = await startServer(place);
  expect(again.lines.filter(({ password }) => password !== undefined)).toEqual([]);
  expect((await fetch(`${place.url}/ready`)).status).toBe(200);
  expect(await again.stop()).toBe(0);
});

test("secrets that others may read, and settings that cannot be meant, are refused", async () => {
  place = await makePlace({});
  chmodSync(place.config, 0o640);
  const readable = await startServer(place);
  expect([readable.exitCode, readable.errors()]).toEqual([
    2,
    `${place.config} has secrets, but its mode is 640: others may read it. Run: chmod 600 ${place.config}\n`,
  ]);
  chmodSync(place.config, 0o600);
  writeFileSync(place.config, "PUBLIC_URL=https://pager.example.com\nTWILIO_ACOUNT_SID=AC1\n");
  const misspelled = await startServer(place);
  expect([misspelled.exitCode, misspelled.errors()]).toEqual([
    2,
    `${place.config}: it has unknown names: TWILIO_ACOUNT_SID\n`,
  ]);
  const unknown = await startServer(place, "--demo");
  expect([unknown.exitCode, unknown.errors()]).toEqual([2, expect.stringContaining("--demo")]);
});

test("a standby says of which primary, and who cannot page says so", async () => {
  const STANDBY_OF = "http://127.0.0.1:9";
  const BACKUP_KEY = "a secret of at least thirty-two characters";
  place = await makePlace({ STANDBY_OF, BACKUP_KEY });
  const server = await startServer(place);
  const messages = server.lines.map(({ message }) => message);
  expect(messages).toContain(`this is a standby of ${STANDBY_OF}`);
  expect(messages).toContainEqual(expect.stringMatching(/^nobody can be paged/));
  expect(messages).not.toContainEqual(expect.stringContaining("ACCOUNT_NAME"));
  expect(await server.stop()).toBe(0);
});

test("a port that is in use ends it, and what it had started", async () => {
  place = await makePlace({});
  const server = await startServer(place);
  const other = await makePlace({});
  try {
    const refused = await startServer({ ...other, port: place.port });
    expect(refused.exitCode).toBe(1);
    expect(refused.lines.at(-1)?.message).toMatch(/EADDRINUSE/);
  } finally {
    removePlace(other);
  }
  expect(await server.stop()).toBe(0);
});
