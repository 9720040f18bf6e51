// What the console offers to team admins (contract 1, Roles): what the API lets them change, and no more. Also the
// credentials of integrations, which are shown once.
import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, makeAccount } from "../../../support/api/api.ts";
import { addColleague } from "../../../support/people/people.ts";
import { type Browser, signIn, signInAdmin } from "../../../support/worker/console.ts";

type Team = {
  id: string;
  prefix_id: string;
  schedule_id: string;
  escalation_policy_id: string;
};

let account: Account;
let admin: Browser;
let teamAdmin: Browser;
let member: Browser;
let mine: Team;
let shared: Team;
let other: Team;
let sharedEvent: { prefix_id: string };
let ownEvent: { prefix_id: string };

const change = async (method: string, path: string, body: object) => {
  const reply = await account.api(method, path, body);
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
};

beforeAll(async () => {
  account = await makeAccount();
  const pat = await addColleague(account, "Pat");
  const mo = await addColleague(account, "Mo");
  const team = (name: string, adminId: string, more = {}) =>
    change("POST", "/teams", {
      ...{ name, member_account_user_ids: [pat.id], admin_account_user_ids: [adminId] },
      ...more,
    });
  mine = await team("Mine", pat.id);
  other = await team("Other", account.accountUserId);
  const { schedule_id, escalation_policy_id } = other;
  shared = await team("Shared", pat.id, { schedule_id, escalation_policy_id });
  const event = (scheduleId: string) =>
    change("POST", "/events", {
      start_datetime: "2031-03-03T00:00:00Z",
      end_datetime: "2031-03-04T00:00:00Z",
      ...{ layer: 1, time_zone: "UTC", schedule_ids: [scheduleId], account_user_ids: [pat.id] },
    });
  sharedEvent = await event(schedule_id);
  ownEvent = await event(mine.schedule_id);
  [admin, teamAdmin, member] = [
    await signInAdmin(account),
    await signIn(pat.id),
    await signIn(mo.id),
  ];
});

describe("a record that several teams share is changed only by an admin of all of them", () => {
  const SHARED = "Shared with other teams.";

  test("a schedule offers no change, and shows why", async () => {
    const path = `/schedules/${shared.schedule_id}`;
    for (const [browser, offered, why] of [
      [admin, true, false],
      [teamAdmin, false, true],
      [member, false, false],
    ] as const) {
      const { text } = await browser.get(path);
      expect(text.includes(`/events/new`), path).toBe(offered);
      expect(text.includes("/flush")).toBe(offered);
      expect(text.includes(SHARED)).toBe(why);
    }
    const own = await teamAdmin.get(`/schedules/${mine.schedule_id}`);
    expect(own.text).toContain("/flush");
    expect(own.text).not.toContain(SHARED);
  });

  test("an escalation policy offers no change, and shows why", async () => {
    const read = async (browser: Browser, id: string) =>
      (await browser.get(`/escalation_policies/${id}`)).text;
    const fixed = /<fieldset class="all-fields" disabled/;
    const seen = await read(teamAdmin, shared.escalation_policy_id);
    expect(seen).toMatch(fixed);
    expect(seen).toContain(SHARED);
    expect(await read(teamAdmin, mine.escalation_policy_id)).not.toMatch(fixed);
    expect(await read(admin, shared.escalation_policy_id)).not.toMatch(fixed);
  });

  test("an event offers neither an override, a change nor a removal", async () => {
    const offers = async (browser: Browser, { prefix_id }: { prefix_id: string }) => {
      const { text } = await browser.get(`/events/${prefix_id}`);
      return ["?change=override", "?change=edit", "/remove"].map((what) =>
        text.includes(`/events/${prefix_id}${what}`),
      );
    };
    expect(await offers(teamAdmin, sharedEvent)).toEqual([false, false, false]);
    expect(await offers(member, ownEvent)).toEqual([false, false, false]);
    expect(await offers(teamAdmin, ownEvent)).toEqual([true, true, true]);
    expect(await offers(admin, sharedEvent)).toEqual([true, true, true]);
  });

  test("a team can select its own schedule, unused ones, and those of teams with the same admin", async () => {
    const free = await change("POST", "/schedules", { name: "Free" });
    const page = await teamAdmin.get(`/teams/${mine.prefix_id}`);
    const [, select = ""] =
      /<select[^>]*name="schedule_id"[^>]*>(.*?)<\/select>/s.exec(page.text) ?? [];
    const offered = [...select.matchAll(/value="([^"]+)"/g)].map(([, id]) => id);
    expect(offered.sort()).toEqual([mine.schedule_id, free.id].sort());
    const theirs = await teamAdmin.get(`/teams/${shared.prefix_id}`);
    expect(theirs.text).toContain(`value="${shared.schedule_id}"`);
  });
});

describe("an integration's credentials", () => {
  const valueIn = (text: string) =>
    /aria-label="New [^"]+"[^>]*|value="(tok_[0-9a-f]+)"/.exec(text);
  const tokenIn = (text: string) => /value="(tok_[0-9a-f]{40})"/.exec(text)?.[1] ?? "";
  const post = async (id: string, token?: string) => {
    const body = { event_type: "create", Title: "Disk full", Id: crypto.randomUUID() };
    const headers: Record<string, string> = token ? { "service-token": token } : {};
    return (await call("POST", `/integration/${id}`, { body, headers })).status;
  };
  const create = (type: string, more = {}) =>
    admin.submit("/integrations", {
      ...{ integration_type_id: type, name: `A ${type}`, enabled: "true", urgency: "high" },
      "team_ids[]": [mine.id],
      ...more,
    });
  const made = async (name: string) =>
    (await account.api("GET", `/integrations?name=${encodeURIComponent(name)}`)).body.data[0];

  test("a new integration needs its URL, which is no id", async () => {
    const shown = await create("webhook");
    expect(shown.to).toMatch(/^\/integrations\/int_/);
    const { id, prefix_id, url, accepts_id } = await made("A webhook");
    expect(accepts_id).toBe(false);
    expect(shown.text).toContain(url);
    const address = new URL(url).pathname.split("/").at(-1) ?? "";
    expect([await post(id), await post(prefix_id), await post(address)]).toEqual([401, 401, 200]);
  });

  test("of a type whose senders can only GET are accepted by GET", async () => {
    await create("heartbeat", { option_interval_minutes: "5" });
    expect(await made("A heartbeat")).toMatchObject({ accepts_get: true, accepts_id: false });
  });

  test("which requests are accepted is changed by its boxes", async () => {
    await create("webhook", { name: "Boxes" });
    const { id, prefix_id } = await made("Boxes");
    const path = `/integrations/${prefix_id}`;
    expect((await admin.get(path)).text).toContain('name="accepts_id"');
    const fields = { integration_type_id: "webhook", name: "Boxes", enabled: "true" };
    const save = (more: object) =>
      admin.submit(path, {
        ...{ ...fields, urgency: "high", "team_ids[]": [mine.id], has_accepted: "true" },
        ...more,
      });
    await save({ accepts_id: "true" });
    expect([(await made("Boxes")).accepts_id, await post(id)]).toEqual([true, 200]);
    await save({});
    expect([(await made("Boxes")).accepts_id, await post(id)]).toEqual([false, 401]);
  });

  test("a new integration with a chosen token keeps it", async () => {
    const shown = await create("webhook", { name: "Chosen", option_token: "chosen" });
    expect(shown.to).toMatch(/^\/integrations\/int_/);
    const { id } = await made("Chosen");
    expect([await post(id), await post(id, "chosen")]).toEqual([401, 200]);
  });

  test("are rotated by a button, and the current token is accepted for the chosen overlap", async () => {
    await create("webhook", { name: "Rotated", option_token: "first" });
    const { id, prefix_id, intake_key } = await made("Rotated");
    const path = `/integrations/${prefix_id}`;
    expect((await admin.get(path)).text).toContain(`${path}/rotate`);
    const rotated = await admin.submit(`${path}/rotate`, { what: "token", overlap: "3600" });
    const token = tokenIn(rotated.text);
    expect([await post(id, "first"), await post(id, token)]).toEqual([200, 200]);
    const key = await admin.submit(`${path}/rotate`, { what: "intake_key", overlap: "0" });
    expect(valueIn(key.text)).not.toBeNull();
    const after = await made("Rotated");
    expect(after.intake_key).not.toBe(intake_key);
    expect(key.text).toContain(after.intake_key);
    const moved = await admin.submit(`${path}/rotate`, { what: "url", overlap: "0" });
    const { url } = await made("Rotated");
    expect(url).not.toBe(after.url);
    expect(moved.text).toContain(url);
  });

  test("the URL is shown to the same people as in the API, and the buttons to admins", async () => {
    const { prefix_id, url } = await made("A webhook");
    const path = `/integrations/${prefix_id}`;
    for (const [browser, seesUrl, mayRotate] of [
      [admin, true, true],
      [teamAdmin, true, false],
      [member, false, false],
    ] as const) {
      const { text } = await browser.get(path);
      expect(text.includes(url)).toBe(seesUrl);
      expect(text.includes(`${path}/rotate`)).toBe(mayRotate);
    }
    expect((await teamAdmin.submit(`${path}/rotate`, { what: "token" })).text).not.toContain(
      "tok_",
    );
  });
});
