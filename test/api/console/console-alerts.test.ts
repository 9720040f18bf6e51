// Alerts in the console: listing, reading and responding, for members only.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { signIn, signInAdmin, tokenOn } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

async function raise(account: Account, teamId: string, more: Record<string, unknown> = {}) {
  const { body, status, text } = await account.api("POST", "/alerts", {
    title: "The lamp is out",
    urgency: "high",
    destination_team_ids: [teamId],
    ...more,
  });
  if (status !== 201) throw new Error(text);
  return body;
}

async function countNotified(alertId: string): Promise<number> {
  const query =
    "select count(*) as n from notifications where alert_id = ? and event = 'alert.open'";
  return (await env.DB.prepare(query).bind(alertId).first<{ n: number }>())?.n ?? 0;
}

describe("the list", () => {
  test("shows active alerts, or those that the query selects", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    await raise(account, team.id, { title: "Still burning", tags: ["db"] });
    const ended = await raise(account, team.id, { title: "Long over" });
    await account.api("POST", `/alerts/${ended.id}/resolve`);
    const browser = await signInAdmin(account);
    const shown = async (query: string) => {
      const { text } = await browser.get(`/alerts${query}`);
      return ["Still burning", "Long over"].filter((title) => text.includes(title));
    };
    expect(await shown("")).toEqual(["Still burning"]);
    expect(await shown("?status=all")).toEqual(["Still burning", "Long over"]);
    expect(await shown("?status=resolved")).toEqual(["Long over"]);
    expect(await shown("?status=all&q=long")).toEqual(["Long over"]);
    expect(await shown("?tag=db")).toEqual(["Still burning"]);
    expect(await shown("?urgency=low")).toEqual([]);
    expect(await shown(`?status=all&team=${team.id}`)).toEqual(["Still burning", "Long over"]);
  });

  test("opens with the filter that its browser starts with, for the member who chose it", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const start = (path: string) => browser.submit("/alerts/start", { path });
    const bare = async (headers = {}) => {
      const { status, to } = await browser.get("/alerts", headers);
      return status === 303 ? to : status;
    };
    expect(await bare()).toBe(200);
    await start("/alerts?urgency=critical&tag=a%20b&page=3&scope=mine");
    const path = "/alerts?urgency=critical&tag=a+b";
    expect(await bare()).toBe(path);
    // A refresh of an older tab stays where it is.
    expect(await bare({ "HX-Request": "true" })).toBe(200);
    // Of the links of the page, only that of the menu leads to it.
    const { text } = await browser.get("/alerts?status=active");
    expect(text.match(/href="\/alerts"/g)).toHaveLength(1);
    // No other path, and nobody else's filter.
    await start("https://elsewhere.example/alerts?urgency=low");
    expect(await bare()).toBe(200);
    await start(path);
    const other = await signIn((await makePerson(account, "Bo")).accountUserId);
    const [name, value] = [...browser.cookies].find(([it]) => it.endsWith("alerts_start")) ?? [];
    other.cookies.set(name ?? "", value ?? "");
    expect((await other.get("/alerts")).status).toBe(200);
    await start(path);
    expect(await bare()).toBe(200);
  });

  test("acknowledges and resolves several alerts at once, and reports failures", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    const alerts = [await raise(account, team.id), await raise(account, team.id)];
    const ids = alerts.map(({ id }) => id);
    const browser = await signInAdmin(account);
    const form = { "ids[]": ids, do: "acknowledge" };
    expect((await browser.submit("/alerts/bulk", form)).text).toContain("2 alerts acknowledged");
    await account.api("POST", `/alerts/${ids[0]}/resolve`);
    const resolved = await browser.submit("/alerts/bulk", { "ids[]": ids, do: "resolve" });
    expect(resolved.text).toContain("1 alert resolved. 1 not resolved: ");
  });

  test("shows the first step in an empty account", async () => {
    const browser = await signInAdmin(await makeAccount());
    expect((await browser.get("/alerts")).text).toContain("Create team");
  });
});

describe("an alert's page", () => {
  test("shows the latest event beside the first where they differ", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    const event = { dedup_keys: ["lamp"], description: "One lamp" };
    const alert = await raise(account, team.id, event);
    const browser = await signInAdmin(account);
    const shown = async () => (await browser.get(`/alerts/${alert.prefix_id}`)).text;
    expect(await shown()).not.toContain("Latest event");
    await raise(account, team.id, { ...event, title: "Lamps are out", description: "All lamps" });
    const text = await shown();
    for (const part of [
      "Latest event",
      "Lamps are out",
      "All lamps",
      "The lamp is out",
      "One lamp",
    ])
      expect(text).toContain(part);
  });

  test("shows who was notified, the next step with its time, and the timeline", async () => {
    const account = await makeAccount();
    const second = await makePerson(account, "Sam Second");
    const team = await makeTeam(account, [
      { seconds: 600, people: [account.accountUserId] },
      { seconds: 600, people: [second.accountUserId] },
    ]);
    const alert = await raise(account, team.id, {
      meta: { incident: true, incident_severity: "SEV-2", incident_message: "Ships are lost" },
    });
    const { body } = await account.api("GET", `/alerts/${alert.id}/workflows`);
    const browser = await signInAdmin(account);
    const { text } = await browser.get(`/alerts/${alert.prefix_id}`);
    expect(text).toContain("Ada Admin was notified");
    expect(text).toContain(`datetime="${body.data[0].next_step_at}"`);
    expect(text).toContain("Sam Second (step 2) is notified");
    expect(text).toContain("Ships are lost");
    expect(text).toContain("Created by Ada Admin");
    expect(text.length).toBeLessThan(60_000);
    const byId = await browser.get(`/alerts/${alert.id}`);
    expect(byId.status).toBe(200);
  });

  test("acknowledges with one click, and shows who else was notified", async () => {
    const account = await makeAccount();
    const other = await makePerson(account, "Olga Other");
    const people = [account.accountUserId, other.accountUserId];
    const team = await makeTeam(account, [{ seconds: 600, people }]);
    const alert = await raise(account, team.id);
    await vi.waitFor(async () => expect(await countNotified(alert.id)).toBe(2), soon);
    const browser = await signInAdmin(account);
    const path = `/alerts/${alert.prefix_id}`;
    const { text, to } = await browser.submit(`${path}/acknowledge`);
    expect(to).toBe(path);
    expect(text).toContain("Alert acknowledged");
    expect(text).toContain("Olga Other was also notified and is told");
    const late = await signIn(other.accountUserId);
    const refused = await late.submit(`${path}/acknowledge`);
    expect(refused.text).toContain("Acknowledged by Ada Admin");
  });

  test("shows the same flash message if the same form is submitted twice", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    const alert = await raise(account, team.id);
    const browser = await signInAdmin(account);
    const path = `/alerts/${alert.prefix_id}`;
    const fields = {
      form_token: tokenOn((await browser.get(path)).text) ?? "",
      once: "0b5e61f0-7c2c-4f0e-8a53-0f1f6ad3f3b1",
    };
    const texts: string[] = [];
    for (const _ of [1, 2]) {
      await browser.post(`${path}/acknowledge`, fields);
      texts.push((await browser.get(path)).text);
    }
    expect(texts.every((text) => text.includes("Alert acknowledged"))).toBe(true);
  });

  test("returns the redirect to a script as JSON, so that the flash message is not lost", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    const alert = await raise(account, team.id);
    const browser = await signInAdmin(account);
    const path = `/alerts/${alert.prefix_id}`;
    const token = tokenOn((await browser.get(path)).text) ?? "";
    const headers = { Origin: "https://tocsin.test", Accept: "application/json" };
    const shown = await browser.post(`${path}/acknowledge`, { form_token: token }, headers);
    expect(JSON.parse(shown.text)).toEqual({ to: path });
    expect((await browser.get(path)).text).toContain("Alert acknowledged");
  });

  test("rejects, hands off and comments", async () => {
    const account = await makeAccount();
    const other = await makePerson(account, "Olga Other");
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    const alert = await raise(account, team.id);
    const path = `/alerts/${alert.prefix_id}`;
    const browser = await signInAdmin(account);
    expect((await browser.get(path)).text).toContain("/reject");
    expect((await browser.submit(`${path}/reject`)).text).toContain("Alert passed on.");
    const handed = await browser.submit(`${path}/handoff`, {
      to: `person ${other.accountUserId}`,
      note: "Look at the wick",
    });
    expect(handed.text).toContain("Alert handed off");
    expect(handed.text).toContain("Look at the wick");
    const commented = await browser.submit(`${path}/comments`, { body: "<b>The wick</b> is new" });
    expect(commented.text).toContain("&lt;b&gt;The wick&lt;/b&gt; is new");
    const nobody = await browser.submit(`${path}/handoff`, { to: "" });
    expect(nobody.text).toContain("Choose a person or a team");
  });

  test("escalates, snoozes, requests responders, merges and reopens", async () => {
    const account = await makeAccount();
    const other = await makePerson(account, "Olga Other");
    const team = await makeTeam(account, [
      { seconds: 600, people: [account.accountUserId] },
      { seconds: 600, people: [other.accountUserId] },
    ]);
    const alert = await raise(account, team.id);
    const path = `/alerts/${alert.prefix_id}`;
    const browser = await signInAdmin(account);
    expect((await browser.submit(`${path}/escalate`)).text).toContain("Alert escalated.");
    expect((await browser.submit(`${path}/escalate`)).text).toContain("Nobody is left");
    const asked = await browser.submit(`${path}/responders`, {
      to: `person ${other.accountUserId}`,
      note: "Bring the wick",
    });
    expect(asked.text).toContain("Responders requested.");
    expect((await browser.submit(`${path}/snooze`, { minutes: "" })).text).toContain("Choose how");
    const snoozed = await browser.submit(`${path}/snooze`, { minutes: "60" });
    expect(snoozed.text).toContain("Alert snoozed until");
    expect(snoozed.text).toContain(">snoozed until <time");
    // Acknowledging ends the snooze.
    expect((await browser.submit(`${path}/acknowledge`)).text).not.toContain("snoozed until");
    const wall = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await browser.submit(`${path}/snooze`, { until: wall });
    const { body } = await account.api("GET", `/alerts/${alert.id}`);
    expect(body.snoozed_until).toBe(`${wall}:00.000Z`);
    const past = await browser.submit(`${path}/snooze`, { until: "2020-01-01T00:00" });
    expect(past.text).toContain("must be in the future");
    await browser.submit(`${path}/acknowledge`);

    const leader = await raise(account, team.id);
    const choices = await browser.get(`${path}?whole=merge`);
    expect(choices.text).toContain(`value="${leader.prefix_id}"`);
    expect(choices.text).not.toContain(`value="${alert.prefix_id}"`);
    const merged = await browser.submit(`${path}/merge`, { into: leader.prefix_id });
    expect(merged.text).toContain("Alert merged into this one.");
    expect((await browser.get(path)).text).toContain("Merged into");
    expect((await browser.submit(`${path}/reopen`)).text).toContain("which is not resolved");
    await browser.submit(`/alerts/${leader.prefix_id}/resolve`);
    expect((await browser.submit(`${path}/reopen`)).text).toContain("Alert reopened.");
  });

  test("links only to web addresses", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    const alert = await raise(account, team.id);
    const data = [
      { format: "link", label: "Run book", value: "https://wiki.example/run?a=1&b=2" },
      { format: "link", label: "Bad", value: "javascript:alert(1)" },
      { format: "img", label: "Graph", value: "https://img.example/g.png" },
    ];
    await env.DB.prepare("update alerts set additional_data = ? where id = ?")
      .bind(JSON.stringify(data), alert.id)
      .run();
    const { text } = await (await signInAdmin(account)).get(`/alerts/${alert.id}`);
    expect(text).toContain('href="https://wiki.example/run?a=1&amp;b=2"');
    expect(text).toMatch(/<a [^>]*class="button plain"[^>]*>Run book<\/a>/);
    expect(text).not.toContain('href="javascript:');
    expect(text).not.toMatch(/<img\b/);
  });

  test("links the web addresses in its description and comments, and no other schemes", async () => {
    const account = await makeAccount();
    const alert = await account.api("POST", "/alerts", {
      title: "Where to look",
      urgency: "silent",
      description:
        'See https://books.example.com/a?b=1&c="2". (http://x.example) javascript:alert(1)',
      destination_account_user_ids: [account.accountUserId],
    });
    await account.api("POST", `/alerts/${alert.body.id}/comments`, {
      body: "Done as in https://books.example.com/b, one/two/three.",
    });
    const { text } = await (await signIn(account.accountUserId)).get(
      `/alerts/${alert.body.prefix_id}`,
    );
    const links = [...text.matchAll(/<a href="([^"]*)" rel="([^"]*)"/g)].map(([, to]) => to);
    expect(links.toSorted()).toEqual([
      "http://x.example",
      "https://books.example.com/a?b=1&amp;c=",
      "https://books.example.com/b",
    ]);
    expect(text).toContain("(<a href=");
    expect(text).not.toContain('href="javascript');
  });

  test("is not found from another account, and no action has an effect", async () => {
    const account = await makeAccount();
    const stranger = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    const alert = await raise(account, team.id, { title: "None of your business" });
    const browser = await signInAdmin(stranger);
    const path = `/alerts/${alert.prefix_id}`;
    const shown = await browser.get(path);
    expect(shown.status).toBe(404);
    for (const what of ["acknowledge", "reject", "resolve", "comments"]) {
      const { text } = await browser.submit(`${path}/${what}`, { body: "x" });
      expect(text).not.toContain("None of your business");
    }
    const { body } = await account.api("GET", `/alerts/${alert.id}`);
    expect(body.status).toBe("open");
    expect((await account.api("GET", `/alerts/${alert.id}/comments`)).body.total_count).toBe(0);
  });
});

describe("creating an alert", () => {
  test("creates it with the chosen destination, or shows the errors and redisplays the input", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
    const browser = await signInAdmin(account);
    const wrong = await browser.submit("/alerts/new", {
      title: " ",
      description: "A lot is known",
    });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("blank");
    expect(wrong.text).toContain("A lot is known");
    const fields = { title: "By hand", urgency: "low", to: `team ${team.id}` };
    const made = await browser.submit("/alerts/new", fields);
    expect(made.text).toContain("By hand");
    expect(made.to).toMatch(/^\/alerts\/alt_/);
  });
});
