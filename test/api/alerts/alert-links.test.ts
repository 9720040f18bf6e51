// The link in a message about an alert: its page shows the alert and answers it; an invalid link is rejected.
import { env } from "cloudflare:workers";
import { sign } from "hono/jwt";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { actionLink, type LinkSubject } from "../../../src/kernel/links.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { open, press } from "../../support/api/links.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let account: Account;
let ada: Person;
let bo: Person;
let alert: { id: string; prefix_id: string };

const linkOf = (person: Person, more: Partial<LinkSubject> = {}, at = Date.now()) =>
  actionLink(
    env,
    {
      purpose: "alert",
      accountId: account.accountId,
      recordId: alert.id,
      accountUserId: person.accountUserId,
      ...more,
    },
    at,
  ) as Promise<string>;

const statusNow = async () => (await account.api("GET", `/alerts/${alert.id}`)).body.status;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  ada = await makePerson(account, "Ada On Call");
  bo = await makePerson(account, "Bo Mate");
  const team = await makeTeam(account, [
    { seconds: 600, people: [ada.accountUserId, bo.accountUserId] },
  ]);
  const made = await account.api("POST", "/alerts", {
    title: "Disk <b>full</b> & hot",
    description: "No room left.\n<script>alert(1)</script>",
    urgency: "high",
    destination_team_ids: [team.id],
  });
  alert = made.body;
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the page of an alert's link", () => {
  test("shows the alert and its buttons, and changes nothing however often it is opened", async () => {
    const link = await linkOf(ada);
    expect(link.startsWith("https://tocsin.test/a/")).toBe(true);
    for (const method of ["GET", "HEAD", "GET"]) {
      const page = await open(link, method);
      expect(page.status).toBe(200);
      if (method === "HEAD") expect(page.html).toBe("");
    }
    const page = await open(link);
    expect(page.text).toContain("Disk <b>full</b> & hot");
    expect(page.text).toContain("You respond as Ada On Call.");
    expect(page.text).toContain("step 1: notifying");
    expect(page.buttons).toEqual(["acknowledge", "reject", "escalate", "snooze"]);
    expect(await statusNow()).toBe("open");
  });

  test("escapes markup, needs no script and is not cached", async () => {
    const { html, headers } = await open(await linkOf(ada));
    expect(html).not.toContain("<b>full");
    expect(html).not.toContain("<script");
    expect(html).not.toMatch(/\bsrc=|<link\b/);
    // Only what somebody presses leads elsewhere.
    expect(html.match(/<\w+ [^>]*\bhref=/g)?.every((it) => it.startsWith("<a "))).toBe(true);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe-inline");
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
  });
});

describe("a button", () => {
  test("acknowledges for the person, and then offers to resolve", async () => {
    const link = await linkOf(ada);
    const acknowledged = await press(link, "acknowledge");
    expect(acknowledged.status).toBe(200);
    expect(acknowledged.text).toContain("Alert acknowledged");
    expect(acknowledged.text).toContain("Acknowledged by Ada On Call for Payments");
    expect(acknowledged.buttons).toEqual(["undo", "resolve", "snooze"]);
    expect(await statusNow()).toBe("acknowledged");
    const resolved = await press(link, "resolve");
    expect(resolved.status).toBe(200);
    expect(resolved.buttons).toEqual(["undo"]);
    expect(await statusNow()).toBe("resolved");
  });

  test("undoes an answer of the person, as the console does", async () => {
    const link = await linkOf(ada);
    await press(link, "acknowledge");
    const undone = await press(link, "undo");
    expect([undone.status, await statusNow()]).toEqual([200, "open"]);
    expect(undone.buttons).toEqual(["acknowledge", "reject", "escalate", "snooze"]);
    await press(await linkOf(bo), "acknowledge");
    const others = await press(link, "undo");
    expect([others.status, await statusNow()]).toEqual([409, "acknowledged"]);
  });

  test("snoozes for an hour, and says until when", async () => {
    const snoozed = await press(await linkOf(ada), "snooze");
    expect(snoozed.text).toMatch(/snoozed until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(snoozed.buttons).toEqual(["resolve"]);
    const { body } = await account.api("GET", `/alerts/${alert.id}`);
    expect(Date.parse(body.snoozed_until)).toBeGreaterThan(Date.now() + 3_500_000);
  });

  test("escalates, or says that nobody is left", async () => {
    const page = await press(await linkOf(ada), "escalate");
    expect([
      page.status,
      page.text.includes("nobody is left") || page.text.includes("Nobody is left"),
    ]).toEqual([409, true]);
  });

  test("links to the console and to what the sender names, and shows the additional data", async () => {
    const data = [
      { format: "link", label: "runbook_url", value: "https://wiki.example/run?a=1&b=2" },
      { format: "link", label: "bad", value: "javascript:alert(1)" },
    ];
    await env.DB.prepare("update alerts set additional_data = ? where id = ?")
      .bind(JSON.stringify(data), alert.id)
      .run();
    const { html } = await open(await linkOf(ada));
    expect(html).toMatch(/<a href="https:\/\/wiki.example\/run\?a=1&amp;b=2"[^>]*>Runbook<\/a>/);
    expect(html).toContain(`href="/alerts/${alert.prefix_id}"`);
    expect(html).toContain("javascript:alert(1)");
    expect(html).not.toContain('href="javascript');
  });

  test("names who acknowledged first if the alert is already acknowledged", async () => {
    const first = await press(await linkOf(bo), "acknowledge");
    expect(first.status).toBe(200);
    const late = await press(await linkOf(ada), "acknowledge");
    expect(late.status).toBe(409);
    expect(late.text).toContain("Nothing was changed");
    expect(late.text).toContain("Acknowledged by Bo Mate");
  });

  test("pressed ten times at once counts once, and is confirmed each time", async () => {
    const link = await linkOf(ada);
    const pages = await Promise.all(Array.from({ length: 10 }, () => press(link, "acknowledge")));
    expect(pages.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const first = pages.filter(({ text }) => text.includes("Escalation stops."));
    const again = pages.filter(({ text }) => text.includes("Acknowledged, already by you at 20"));
    expect([first.length, again.length]).toEqual([1, 9]);
    expect(first[0]?.text.match(/Acknowledged by Ada/g)).toHaveLength(1);
  });

  test("rejects for the person; the alert stays open for the rest of the layer", async () => {
    const page = await press(await linkOf(ada), "reject");
    expect(page.status).toBe(200);
    expect(page.text).toContain("Passed on by Ada On Call");
    expect(await statusNow()).toBe("open");
    const again = await press(await linkOf(ada), "reject");
    expect(again.status).toBe(200);
    expect(again.text).toContain("Passed on, already by you at 20");
    expect((await press(await linkOf(ada), "resolve")).status).toBe(200);
    expect((await press(await linkOf(bo), "reject")).status).toBe(409);
  });

  test.each(["", "delete", "constructor"])(
    "that is not on the page (%j) does nothing",
    async (it) => {
      const page = await press(await linkOf(ada), it);
      expect(page.status).toBe(422);
      expect(await statusNow()).toBe("open");
    },
  );
});

describe("a link is rejected", () => {
  const expectRejected = async (link: string, status: number) => {
    for (const page of [await open(link), await press(link, "acknowledge")]) {
      expect(page.status).toBe(status);
      expect(page.text).not.toContain("Disk");
      expect(page.buttons).toEqual([]);
    }
    expect(await statusNow()).toBe("open");
  };

  test("for a person who is pending or was removed", async () => {
    await env.DB.prepare("update account_users set state = 'pending' where id = ?")
      .bind(ada.accountUserId)
      .run();
    await expectRejected(await linkOf(ada), 403);
    await env.DB.prepare("delete from account_users where id = ?").bind(bo.accountUserId).run();
    await expectRejected(await linkOf(bo), 403);
  });

  test("for a person or an alert of another account", async () => {
    const other = await makeAccount();
    await expectRejected(await linkOf(ada, { accountUserId: other.accountUserId }), 403);
    await expectRejected(
      await linkOf(ada, { accountId: other.accountId, accountUserId: other.accountUserId }),
      404,
    );
  });

  test("after it expires", async () => {
    await expectRejected(await linkOf(ada, {}, Date.now() - 8 * 86_400_000), 410);
  });

  test("if it is changed, truncated, unsigned, or signed with another secret", async () => {
    const link = await linkOf(ada);
    const [, payload] = (link.split("/a/")[1] ?? "").split(".");
    const unsigned = `${btoa('{"alg":"none"}').replace(/=/g, "")}.${payload}.`;
    const forged = await sign({ aud: "alert", exp: 1 }, "another secret", "HS256");
    const tokens = [link.slice(0, -4), `${link}x`, "x", "a.b.c", unsigned, forged];
    for (const token of tokens) {
      const url = token.startsWith("https") ? token : `https://tocsin.test/a/${token}`;
      await expectRejected(url, 404);
    }
  });

  test("if the deployment has no secret", async () => {
    const link = await linkOf(ada);
    const without = { ...env, LINK_SECRET: undefined };
    const subject = { purpose: "alert", accountId: "", recordId: "", accountUserId: "" } as const;
    expect(await actionLink(without, subject, 0)).toBeNull();
    expect(await actionLink({ ...env, PUBLIC_URL: "" }, subject, 0)).toBeNull();
    vi.spyOn(env, "LINK_SECRET", "get").mockReturnValue(undefined);
    const page = await open(link);
    expect([page.status, JSON.parse(page.html).code]).toEqual([404, 404]);
  });

  test("for an alert that was deleted", async () => {
    await account.api("DELETE", `/alerts/${alert.id}`);
    expect((await open(await linkOf(ada))).status).toBe(404);
    expect((await press(await linkOf(ada), "acknowledge")).status).toBe(404);
  });
});
