// The tokens of Google Chat and Teams: those that their makers sign, whose keys change and may be
// unreadable, and those of our own calls.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readSignedToken } from "../../../../src/features/notifications/chat/signed-token.ts";
import {
  forgetToken,
  obtainToken,
  type TokenAnswer,
  type TokenSource,
} from "../../../../src/products/outgoing/access-token.ts";
import { forgeToken, PUBLIC, signToken } from "../../../support/providers/chat/maker-key.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 25, 12);
const SECONDS = NOW / 1000;
const claims = { iss: "maker", aud: "app", exp: SECONDS + 3_600 };

let tests = 0;
let trust: { keysUrl: string; issuer: string; audience: string };
/** What the maker answers; each read counts. */
let publish: () => Response | Promise<Response>;
let reads: number;

beforeEach(() => {
  tests += 1;
  reads = 0;
  // Keys are kept by their URL.
  trust = { keysUrl: `https://maker.test/${tests}`, issuer: "maker", audience: "app" };
  publish = () => Response.json({ keys: [PUBLIC] });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    reads += 1;
    return publish();
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const read = async (token: string, now = NOW) => {
  const found = await readSignedToken(
    new Headers({ authorization: `Bearer ${token}` }),
    trust,
    now,
  );
  return found !== null && found !== "unknown" ? "valid" : found;
};

describe("a signed token", () => {
  test.each([
    [{}, "valid"],
    [{ aud: ["other", "app"] }, "valid"],
    [{ exp: SECONDS - 299 }, "valid"],
    [{ nbf: SECONDS + 299, iat: SECONDS + 299 }, "valid"],
    [{ exp: SECONDS - 301 }, null],
    [{ exp: String(SECONDS + 300) }, null],
    [{ exp: undefined }, null],
    [{ nbf: SECONDS + 301 }, null],
    [{ nbf: "soon" }, null],
    [{ aud: "other" }, null],
    [{ aud: undefined }, null],
    [{ iss: "other" }, null],
    [{ iss: undefined }, null],
  ])("with %j is %j", async (more, expected) => {
    expect(await read(await signToken({ ...claims, ...more }))).toBe(expected);
  });

  test.each([
    ["by another key", () => forgeToken(claims)],
    ["by an unknown key", () => signToken(claims, "other")],
    [
      "without a signature",
      async () => `${(await signToken(claims)).split(".").slice(0, 2).join(".")}.`,
    ],
    [
      "of the algorithm none",
      async () => {
        const header = Buffer.from('{"alg":"none","kid":"only-in-tests"}').toString("base64url");
        return `${header}.${(await signToken(claims)).split(".")[1]}.`;
      },
    ],
    ["that is none", async () => "x"],
    ["that is empty", async () => ""],
  ])("%s is refused", async (_, token) => {
    expect(await read(await token())).toBeNull();
  });

  test("needs the keys once for half a day", async () => {
    const token = await signToken({ ...claims, exp: SECONDS + 90_000 });
    for (const minutes of [0, 1, 60, 719])
      expect(await read(token, NOW + minutes * MINUTE)).toBe("valid");
    expect(reads).toBe(1);
    expect(await read(token, NOW + 720 * MINUTE)).toBe("valid");
    expect(reads).toBe(2);
  });

  test("by a new key has the keys read again, and a flood of others does not", async () => {
    publish = () => Response.json({ keys: [] });
    const token = await signToken(claims);
    expect(await read(token)).toBeNull();
    publish = () => Response.json({ keys: [PUBLIC] });
    for (let i = 0; i < 5; i += 1) expect(await read(token, NOW + MINUTE - 1)).toBeNull();
    expect(reads).toBe(1);
    expect(await read(token, NOW + MINUTE)).toBe("valid");
  });

  test.each([
    ["are out of reach", () => Promise.reject(new TypeError("no connection"))],
    ["are answered by an error", () => new Response("{}", { status: 503 })],
    ["are no JSON", () => new Response("<html>")],
  ])("is unknown while the keys %s, but for known ones", async (_, failure) => {
    publish = failure;
    const token = await signToken({ ...claims, exp: SECONDS + 90_000 });
    expect(await read(token)).toBe("unknown");
    // Anybody can cause a reading: a flood causes one in five seconds.
    for (let i = 0; i < 90; i += 1) expect(await read(token, NOW + 50 * i)).toBe("unknown");
    expect(reads).toBe(1);
    publish = () => Response.json({ keys: [PUBLIC, null, { kid: 1 }] });
    expect(await read(token, NOW + 5_000)).toBe("valid");
    publish = failure;
    expect(await read(token, NOW + 800 * MINUTE)).toBe("valid");
  });
});

describe("an access token", () => {
  const source = (secret: string): TokenSource => ({
    title: "Maker",
    credentials: [String(tests), secret],
    request: async () =>
      secret === "" ? "no secret" : { url: "https://maker.test", form: { secret } },
  });
  const given = (more: object = {}) => ({
    status: 200,
    body: { access_token: "t", expires_in: 3_600, ...more },
  });

  test("is obtained once until it is about to expire, or is forgotten", async () => {
    let asked = 0;
    const obtain = (minutes: number, secret = "s") =>
      obtainToken(
        source(secret),
        async () => {
          asked += 1;
          return given({ access_token: `t${asked}` });
        },
        NOW + minutes * MINUTE,
      );
    expect(await obtain(0)).toEqual({ kind: "token", token: "t1" });
    expect(await obtain(54)).toEqual({ kind: "token", token: "t1" });
    expect(await obtain(54, "other")).toEqual({ kind: "token", token: "t2" });
    expect(await obtain(55)).toEqual({ kind: "token", token: "t3" });
    forgetToken("t3");
    expect(await obtain(55)).toEqual({ kind: "token", token: "t4" });
  });

  test.each<[string, TokenAnswer, object]>([
    ["", given(), { kind: "refused", reason: "no secret" }],
    ["s", null, { kind: "again", reason: "Maker gave no access token" }],
    [
      "s",
      { status: 400, body: { error: "invalid_grant", error_description: "s" } },
      { kind: "refused", reason: "Maker gave no access token: 400: invalid_grant" },
    ],
    ["s", { status: 401, body: { error: "invalid_client" } }, { kind: "refused" }],
    ["s", { status: 401, body: null }, { kind: "again" }],
    ["s", { status: 503, body: { error: "temporarily_unavailable" } }, { kind: "again" }],
    ["s", { status: 200, body: {} }, { kind: "again" }],
    ["s", given({ expires_in: "soon" }), { kind: "token" }],
  ])("with the secret %j and the answer %j is %j", async (secret, answer, expected) => {
    expect(await obtainToken(source(secret), async () => answer, NOW)).toMatchObject(expected);
  });
});
