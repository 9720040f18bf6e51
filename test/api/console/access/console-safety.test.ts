// Requirements of every page of the console: no access without a session, no form without its token, and escaped user
// input.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { pages } from "../../../../src/console/pages.ts";
import { makeAccount } from "../../../support/api/api.ts";
import { newBrowser, signIn, signInAdmin, tokenOn } from "../../../support/worker/console.ts";
import { makePerson } from "../../../support/worker/world.ts";

const pathOf = (path: string) => path.replace(/:\w+/g, "01KAXAAAAAAAAAAAAAAAAAAAAA");
const restricted = pages.filter(({ open }) => !open);
const actions = restricted.filter(({ method }) => method === "POST");
const shown = restricted.filter(({ method }) => method === "GET");

describe("every page", () => {
  test("is listed once", () => {
    const names = pages.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
    expect(shown.length).toBeGreaterThan(1);
    expect(actions.length).toBeGreaterThan(1);
  });

  test.each(restricted.map(({ method, path }) => [method, path] as const))(
    "%s %s redirects to the sign-in page without a session",
    async (method, path) => {
      const browser = newBrowser();
      const answered =
        method === "GET" ? await browser.get(pathOf(path)) : await browser.post(pathOf(path));
      expect(answered.status).toBe(303);
      expect(answered.to).toMatch(/^\/sign-in/);
    },
  );

  test("has no id twice, so that each label belongs to its own field", async () => {
    const browser = await signInAdmin(await makeAccount());
    for (const { path } of shown.filter((page) => !page.path.includes(":"))) {
      const { text } = await browser.get(path);
      const ids = [...text.matchAll(/<[^>]* id="([^"]+)"/g)].map(([, id]) => id);
      expect(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        path,
      ).toEqual([]);
    }
  });

  test("rejects forms without a token, with another session's token, or from another origin", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const other = await signInAdmin(account);
    const foreign = tokenOn((await other.get("/alerts")).text) ?? "";
    const own = tokenOn((await browser.get("/alerts")).text) ?? "";
    expect(own).not.toBe(foreign);
    for (const { path } of actions) {
      const to = pathOf(path);
      expect([path, (await browser.post(to)).status]).toEqual([path, 403]);
      const stolen = await browser.post(to, { form_token: foreign });
      expect([path, stolen.status]).toEqual([path, 403]);
      const evil = { Origin: "https://evil.example" };
      for (const type of ["application/x-www-form-urlencoded", "application/json"]) {
        const crossed = await browser.post(
          to,
          { form_token: own },
          { ...evil, "Content-Type": type },
        );
        expect([path, type, crossed.status]).toEqual([path, type, 403]);
        expect(crossed.text).toContain("was not sent from this site");
      }
    }
    expect((await browser.get("/alerts")).status).toBe(200);
  });

  test.each([
    ["D1_ERROR: no such column: people.secret", 500, "report it with the request id"],
    ["D1_ERROR: Network connection lost.", 503, "database"],
  ])(
    "shows an error without internal details when it fails: %s",
    async (error, status, message) => {
      const browser = await signInAdmin(await makeAccount());
      const spies = [env.DB, env.DB.withSession()].map((database) =>
        vi.spyOn(Object.getPrototypeOf(database), "batch").mockRejectedValue(new Error(error)),
      );
      const answered = await browser.get("/on-call");
      for (const spy of spies) spy.mockRestore();
      expect([answered.status, answered.text]).toEqual([
        status,
        expect.stringContaining("Something went wrong"),
      ]);
      expect(answered.text).toContain(message);
      expect(answered.text).not.toMatch(/D1_ERROR|secret|Network/);
      expect((await browser.get("/on-call")).status).toBe(200);
    },
  );

  test("loads and runs only its own resources, and is not cached", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    for (const { path } of shown.filter((it) => !it.path.includes(":"))) {
      const { headers, text, status } = await browser.get(path);
      if (status === 303) continue;
      const policy = headers.get("content-security-policy") ?? "";
      expect([path, policy]).toEqual([path, expect.stringMatching(/^default-src 'none'; /)]);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get("cache-control")).toBe("no-store");
      expect([path, text.match(/<script(?![^>]* src="\/)|<style|\sstyle="|\son\w+="/g)]).toEqual([
        path,
        null,
      ]);
      expect([path, text.match(/(?:src|href)="(?:https?:)?\/\//g)]).toEqual([path, null]);
    }
  });
});

describe("user input", () => {
  const markup = `<img src=x onerror=alert(1)>"'><script>alert(2)</script>`;

  test("is escaped on the list of alerts and on an alert's page", async () => {
    const account = await makeAccount(markup);
    const person = await makePerson(account, markup);
    const { body: alert } = await account.api("POST", "/alerts", {
      title: markup,
      description: `${markup} https://example.com/${markup}`,
      tags: [markup],
      urgency: "silent",
      destination_account_user_ids: [person.accountUserId],
      meta: { [markup]: markup },
    });
    const body = `${markup} https://example.com/${markup}`;
    await account.api("POST", `/alerts/${alert.id}/comments`, { body });
    const browser = await signIn(account.accountUserId);
    const query = encodeURIComponent(markup);
    const own = `/alerts/${alert.prefix_id}`;
    for (const path of ["/alerts", `/alerts?q=${query}&tag=${query}`, own, `${own}/edit`]) {
      const { text } = await browser.get(path);
      expect(text).toContain("&lt;img src=x");
      expect(text).not.toContain("<img src=x");
      expect(text).not.toContain("<script>");
    }
  });
});
