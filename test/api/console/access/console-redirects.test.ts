// Redirects to a page that the URL or a form names stay on this origin, in every spelling.

import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sameOriginPath } from "../../../../src/domain/access/same-origin-path.ts";
import { openIssuer } from "../../../support/access/issuer.ts";
import { makeAccount } from "../../../support/api/api.ts";
import { sized } from "../../../support/generated/sizes.ts";
import {
  type Browser,
  givePassword,
  newBrowser,
  ORIGIN,
  PASSWORD,
  signIn,
  tokenOn,
} from "../../../support/worker/console.ts";

afterEach(() => vi.restoreAllMocks());

const PARTS = [
  ..."/\\.:@?#%;&= \t\r\n\0\u00a0",
  ...[
    "//",
    "/.",
    "/..",
    "/.//",
    "/..//",
    "/%2e//",
    "/%2E%2e//",
    "/./\\",
    "%2f",
    "%2F%2f",
    "%5c",
    "%0d%0a",
    "%09",
  ],
  ...[
    "evil.example",
    "user:pass@evil.example",
    "tocsin.test",
    "tocsin.test@evil.example",
    "tocsin.test.evil.example",
  ],
  ...[
    "evil\u3002example",
    "\uff0f\uff0fevil.example",
    "\u2025",
    "evil\uff0eexample",
    "\u2028",
    "\ud800",
    "xn--80ak6aa92e",
  ],
  ...[
    "http:",
    "https:",
    "https:/",
    "https://",
    "javascript:alert(1)",
    "data:text/html,x",
    "\r\nLocation: //evil.example",
  ],
  ...["alerts", "/alerts", "/alerts?", "settings?x=1", "sign-in?to=//evil.example"],
];

/** A path as an attacker may spell it; most begin with a slash, as valid paths must. */
const SPELLED = fc
  .tuple(
    fc.constantFrom("/", "/", "/", ""),
    fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 7 }),
  )
  .map(([first, parts]) => first + parts.join(""));

/** Spellings that have redirected to other origins, here or in other products. */
const KNOWN = [
  "/.//evil.example",
  "/..//evil.example",
  "/%2e//evil.example",
  "/%2e%2e//evil.example",
  "/./\\evil.example",
  "/x/..//evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n//evil.example",
  "/.//user@evil.example/",
  "/.//evil\u3002example",
  "/alerts?\r\nLocation: https://evil.example",
  "///evil.example",
  "https:evil.example",
];

/** The origin that a browser goes to when a page redirects it. */
const originOf = (to: string) => new URL(to, `${ORIGIN}/sign-in/back`).origin;

type FollowRedirect = (to: string) => Promise<string>;

const jsonTo = (text: string) => (JSON.parse(text) as { to: string }).to;

async function redirectCases(): Promise<Readonly<Record<string, FollowRedirect>>> {
  const { accountUserId } = await makeAccount();
  const email = await givePassword(accountUserId);
  const browser = await signIn(accountUserId);
  const form_token = tokenOn((await browser.get("/alerts")).text) ?? "";
  const issuer = openIssuer();
  issuer.claims = { email, email_verified: true };
  const post = (path: string, fields: Record<string, string>, who: Browser = browser) =>
    who.post(path, { form_token, ...fields });
  return {
    "signed in already": async (to) =>
      (await browser.get(`/sign-in?to=${encodeURIComponent(to.toWellFormed())}`)).to,
    "after the password": async (to) =>
      (await post("/sign-in", { email, password: PASSWORD, to }, newBrowser())).to,
    "by OpenID Connect": async (to) => {
      const fresh = newBrowser();
      const left = await fresh.get(`/sign-in/with?to=${encodeURIComponent(to.toWellFormed())}`);
      return (await fresh.get(issuer.consent(left.to))).to;
    },
    "back to a list of alerts": async (back) => (await post("/alerts/bulk", { back })).to,
    "back to a list of alerts, to a script": async (back) => {
      const headers = { Origin: ORIGIN, Accept: "application/json" };
      return jsonTo((await browser.post("/alerts/bulk", { form_token, back }, headers)).text);
    },
    "back to settings": async (back) => (await post("/settings/profile", { back })).to,
    "to an alert's page": async (id) =>
      (await post(`/alerts/${encodeURIComponent(id.toWellFormed())}/acknowledge`, { back: id })).to,
    "to a schedule": async (schedule) => (await post("/events/x/remove", { schedule })).to,
  };
}

/** Cases that may return a page instead of a redirect. */
const MAY_STAY = ["back to settings", "to an alert's page", "to a schedule"];

describe("a redirect", () => {
  test("stays on this origin for every spelling, in every case", async () => {
    const all = Object.entries(await redirectCases());
    const expectSameOrigin = async (name: string, follow: FollowRedirect, to: string) => {
      const location = await follow(to);
      if (!MAY_STAY.includes(name)) expect(location, name).not.toBe("");
      expect([name, to, originOf(location)]).toEqual([name, to, ORIGIN]);
    };
    const quick = all.filter(([name]) => name !== "after the password");
    for (const to of KNOWN)
      for (const [name, follow] of all) await expectSameOrigin(name, follow, to);
    await fc.assert(
      fc.asyncProperty(SPELLED, async (to) => {
        for (const [name, follow] of quick) await expectSameOrigin(name, follow, to);
      }),
      { numRuns: sized(4, 200) },
    );
  });

  test("goes to the requested page with its query", () => {
    for (const path of ["/settings?x=1", "/alerts?q=%2F%2Fevil", "/alerts/a%20b", "/on-call#now"]) {
      expect(sameOriginPath(ORIGIN, path)).toBe(path);
    }
  });

  test("is a path that stays on this origin when it is resolved again", () => {
    fc.assert(
      fc.property(SPELLED, (requested) => {
        const path = sameOriginPath(ORIGIN, requested);
        if (path === null) return;
        expect(path).toMatch(/^\/(?!\/)[\x21-\x7e]*$/);
        expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
      }),
      { numRuns: sized(2_000, 500_000) },
    );
  });
});
