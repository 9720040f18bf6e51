// Former addresses of pages: each leads to a page that is there, with the record and the query that it named.
import { describe, expect, test } from "vitest";
import { FORMER_ADDRESSES } from "../../../src/console/former-addresses.ts";
import { pages } from "../../../src/console/pages.ts";
import { makeAccount } from "../../support/api/api.ts";
import { signInAdmin } from "../../support/worker/console.ts";

/** A record of the page to which a former address leads. */
const ID = "abs_0000000000000A";

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`).test(path);

let signedIn: ReturnType<typeof signInAdmin> | undefined;
const admin = () => {
  signedIn ??= makeAccount().then(signInAdmin);
  return signedIn;
};

/** What a GET answers that is no page: a file, data, or the way to another page. */
const NO_PAGE =
  /\/try$|\.\w+$|^\/$|^\/choices$|\/calendar$|^\/reports\/by-|^\/sign-in\/(?:with|back)$/;

test("people see at most 45 pages; a new record has the page of one", () => {
  const shown = pages
    .filter(({ method }) => method === "GET")
    .map(({ path }) => path)
    .filter((path) => !Object.hasOwn(FORMER_ADDRESSES, path) && !NO_PAGE.test(path));
  const records = shown.filter((path) => path.endsWith("/new"));
  const isNew = (path: string) =>
    path.endsWith("/new") && shown.includes(path.replace(/new$/, ":id"));
  expect(records.length).toBeGreaterThan(0);
  expect(shown.filter((path) => !isNew(path)).length).toBeLessThanOrEqual(45);
});

describe("a former address", () => {
  test.each(Object.entries(FORMER_ADDRESSES))("%s leads to %s", async (path, to) => {
    const browser = await admin();
    const { to: location = "" } = await browser.get(`${path.replace(":id", ID)}?from=1&to=2`);
    const url = new URL(location ?? "", "http://console");
    expect(url.pathname).toBe(new URL(to.replace(":id", ID), "http://console").pathname);
    expect(url.searchParams.get("from")).toBe("1");
    const isPage = ({ method, path: pattern }: (typeof pages)[number]) =>
      method === "GET" &&
      !Object.hasOwn(FORMER_ADDRESSES, pattern) &&
      matches(pattern, url.pathname);
    expect(pages.some(isPage)).toBe(true);
  });

  test("of a cover or a request leads to the absence that it is", async () => {
    const browser = await admin();
    for (const path of ["/covers/cov_", "/cover_requests/crq_"]) {
      const { to } = await browser.get(`${path}0000000000000A`);
      expect(to).toBe("/absences/abs_0000000000000A");
    }
  });
});
