// A person's own settings and the guided set-up: whether they can be reached, and what they do about it. Also who is on
// call.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makeAccount } from "../../../support/api/api.ts";
import { newSubscription } from "../../../support/providers/push.ts";
import { signIn, signInAdmin } from "../../../support/worker/console.ts";
import { makePerson, makeTeam } from "../../../support/worker/world.ts";

describe("my settings", () => {
  test("show whether the person can be reached", async () => {
    const account = await makeAccount();
    const person = await makePerson(account, "Una Unreached");
    const browser = await signIn(person.accountUserId);
    expect((await browser.get("/settings")).text).toContain("You can be reached by e-mail only");
    await env.DB.prepare(
      `update user_emails set blocked_at = 1 where user_id =
        (select user_id from account_users where id = ?)`,
    )
      .bind(person.accountUserId)
      .run();
    expect((await browser.get("/settings")).text).toContain("You cannot be reached.");
    const { endpoint, keys } = newSubscription();
    const fields = { endpoint, p256dh: keys.p256dh, auth: keys.auth, name: "A browser of hers" };
    const pushed = await browser.submit("/settings/push", fields);
    expect(pushed.text).toContain("A browser of hers");
    expect(pushed.text).toContain("You can be reached");
  });

  test("store name, time zone and channels; times are shown in that time zone", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    await browser.submit("/settings/profile", { name: "Ada A. Admin" });
    const fields = { time_zone: "Tokyo" };
    expect((await browser.submit("/settings/profile", fields)).to).toBe("/settings#zone");
    await browser.submit("/settings/channels", { notify_sms: "true" });
    const { body } = await account.api("GET", "/users");
    expect(body.data[0]).toMatchObject({
      name: "Ada A. Admin",
      time_zone: "Tokyo",
      notify_sms: true,
      notify_email: false,
    });
    expect((await browser.get("/on-call")).text).toMatch(/All times in <a [^>]*>Tokyo</);
    const wrong = await browser.submit("/settings/profile", { time_zone: "Atlantis" });
    expect(wrong.text).toContain("not a time zone");
  });

  test("store how a person is notified of their shifts", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const saved = await browser.submit("/settings/shifts", {
      reminder_0_length: "2",
      reminder_0_unit: "hours",
      reminder_0_channel: "sms",
      reminder_1_length: "1",
      reminder_1_unit: "days",
      reminder_1_channel: "",
      reminder_2_length: "",
      shift_digest_day: "sunday",
      shift_digest_time_of_day: "18:30",
    });
    expect([saved.to, saved.text.includes("Changes saved.")]).toEqual(["/settings#shifts", true]);
    const read = async () => (await account.api("GET", "/users")).body.data[0];
    expect(await read()).toMatchObject({
      shift_notices: false,
      shift_reminders: [
        { minutes_before: 1440, channel: null },
        { minutes_before: 120, channel: "sms" },
      ],
      shift_digest_day: "sunday",
      shift_digest_time_of_day: "18:30",
    });
    expect(saved.text).toContain('name="reminder_1_length" min="0"');
    const wrong = await browser.submit("/settings/shifts", {
      reminder_0_length: "soon",
      reminder_0_unit: "hours",
      shift_digest_time_of_day: "18:30",
    });
    expect(wrong.text).toContain("Time before the shift must be a whole number.");
    await browser.submit("/settings/shifts", { shift_notices: "true", shift_digest_day: "" });
    expect(await read()).toMatchObject({
      shift_notices: true,
      shift_reminders: [],
      shift_digest_day: null,
      shift_digest_time_of_day: "18:30",
    });
  });

  test("store the theme in a cookie, which the server renders into every page", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const first = async (path: string) => /<html[^>]*>/.exec((await browser.get(path)).text)?.[0];
    expect(await first("/alerts")).toContain('data-theme="system"');
    const saved = await browser.submit("/settings/theme", { theme: "dark" });
    expect(saved.to).toBe("/settings#look");
    expect(saved.text).toContain('<option value="dark" selected="">');
    expect(saved.text).toContain('<meta name="color-scheme" content="dark"/>');
    for (const path of ["/alerts", "/nowhere"]) {
      expect([path, await first(path)]).toEqual([path, '<html lang="en" data-theme="dark">']);
    }
    await browser.submit("/sign-out");
    expect(await first("/sign-in")).toContain('data-theme="dark"');
    for (const theme of ["system", '"><script>']) {
      const other = await signInAdmin(account);
      await other.submit("/settings/theme", { theme: "light" });
      await other.submit("/settings/theme", { theme });
      const { text } = await other.get("/alerts");
      expect(text).toContain('data-theme="system"');
      expect([...other.cookies.keys()].filter((name) => name.includes("theme"))).toEqual([]);
    }
  });

  test("show the URL of a calendar feed once", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const made = await browser.submit("/settings/feeds", {});
    expect(made.text).toMatch(/https:\/\/tocsin\.test\/feeds\/[\w-]{20,}\.ics/);
    const again = await browser.get("/settings");
    expect(again.text).toContain("My shifts");
    expect(again.text).not.toMatch(/\/feeds\/[\w-]{20,}\.ics/);
  });

  test("send a test notification, whose result is shown beside it", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const sent = await browser.submit("/settings/test", {});
    expect(sent.to).toMatch(/^\/settings\?test=alt_/);
    expect(sent.text).toContain("Test page sent");
    const id = /test=(alt_[\w-]+)/.exec(sent.to)?.[1];
    await browser.submit(`/alerts/${id}/acknowledge`);
    expect((await browser.get(`/settings?test=${id}`)).text).toContain("Test page answered");
  });

  test("sign out one session, or all", async () => {
    const account = await makeAccount();
    const [one, other, third] = [
      await signInAdmin(account),
      await signInAdmin(account),
      await signInAdmin(account),
    ];
    const { text } = await one.get("/settings");
    const [id] = /(?<=name="id" value=")[0-9A-Z]{26}/.exec(text) ?? [];
    await one.submit("/settings/sessions", { id: id ?? "" });
    const open = async () =>
      Promise.all([one, other, third].map(async (it) => (await it.get("/alerts")).status));
    expect((await open()).filter((status) => status === 200)).toHaveLength(2);
    await one.submit("/settings/sessions", { id: "all" });
    expect(await open()).toEqual([303, 303, 303]);
  });

  test("do not end another person's session", async () => {
    const account = await makeAccount();
    const person = await makePerson(account, "Pia Plain");
    const admin = await signInAdmin(account);
    const plain = await signIn(person.accountUserId);
    const row = await env.DB.prepare("select id from sessions where account_user_id = ?")
      .bind(account.accountUserId)
      .first<{ id: string }>();
    await plain.submit("/settings/sessions", { id: row?.id ?? "" });
    expect((await admin.get("/alerts")).status).toBe(200);
  });
});

describe("on call now", () => {
  test("shows the people of every layer, who is next, and coverage gaps", async () => {
    const account = await makeAccount();
    const next = await makePerson(account, "Nora Next");
    const team = await makeTeam(account, [
      { seconds: 600, people: [account.accountUserId] },
      { seconds: 600, people: [] },
    ]);
    const start = Date.now() + 86_400_000;
    await account.api("POST", "/events", {
      start_datetime: new Date(start).toISOString(),
      end_datetime: new Date(start + 3_600_000).toISOString(),
      layer: 1,
      time_zone: "UTC",
      schedule_ids: [team.scheduleId],
      account_user_ids: [next.accountUserId],
    });
    const { text } = await (await signInAdmin(account)).get("/on-call");
    expect(text).toContain("Ada Admin</span></span></strong>");
    expect(text).toContain("Nora Next");
    expect(text).toMatch(/class="gap-text">from <time/);
    expect(text).not.toContain("Nobody<");
    expect(text).not.toContain("step 2");
  });

  test("shows the first step in an account without teams", async () => {
    const browser = await signInAdmin(await makeAccount());
    expect((await browser.get("/on-call")).text).toContain("No teams yet");
  });
});
