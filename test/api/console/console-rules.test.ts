// The editors of routers and notification rules: they mark the line of an error, and run unsaved rules in a dry run.
import { describe, expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { givePhone } from "../../support/people/phones.ts";
import { signIn, signInAdmin } from "../../support/worker/console.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

const MARKUP = "<img src=x onerror=alert(1)>";

const payload = (urgency: string) => JSON.stringify({ title: "Payments fail", urgency });

describe("a router", () => {
  const rules = (receiver: string) =>
    `rules:\n  - match: { alert.urgency: critical }\n    actions:\n      - { type: assign, receiver: ${receiver} }\n`;

  async function world() {
    const account = await makeAccount();
    const person = await makePerson(account, "Pia Payments");
    const team = await makeTeam(account, [{ seconds: 60, people: [person.accountUserId] }]);
    const other = await makeTeam(account, [{ seconds: 60, people: [] }], { name: "Other" });
    const browser = await signInAdmin(account);
    const fields = { name: "Front", enabled: "true", receiver: `team ${other.id}` };
    return { account, person, team, browser, fields };
  }

  test("marks the invalid line on save and in a dry run, and redisplays the input", async () => {
    const { team, browser, fields } = await world();
    const wrong = { ...fields, rules: rules(team.id).replace("type: assign", "type: assing") };
    for (const path of ["/routers", "/routers/new/try"]) {
      const shown = await browser.submit(path, { ...wrong, payload: payload("low") });
      expect([path, shown.status]).toEqual([path, 422]);
      expect(shown.text).toContain('<span class="bad">4</span>');
      expect(shown.text).toMatch(/Line 4, column \d+/);
      expect(shown.text).toContain("type: assing");
      expect(shown.text).toContain('value="Front"');
    }
    const result = await browser.submit("/routers/new/try", { ...wrong, payload: payload("low") });
    expect(result.text).toContain('<a href="#field-rules">line 4 of the rules is invalid</a>');
    expect(result.text).toContain("&quot;low&quot;");
  });

  test("has a dry run before it is created, which stores nothing", async () => {
    const { account, team, browser, fields } = await world();
    const draft = { ...fields, name: "", rules: rules(team.id) };
    const path = "/routers/new/try";
    const result = await browser.submit(path, { ...draft, payload: payload("critical") });
    expect(result.status).toBe(200);
    expect(result.text).toContain(">Pia Payments</td>");
    expect(result.text).toContain("rule 1 (line 2) matched");
    expect(result.text).toContain(`receiver: ${team.id}`);
    const none = await browser.submit(path, { ...draft, payload: payload("low") });
    expect(none.text).not.toContain(">Pia Payments</td>");
    expect(none.text).toContain("no rule matched");
    const nowhere = await browser.submit(path, {
      ...{ ...draft, receiver: "", payload: payload("low") },
    });
    expect(nowhere.status).toBe(422);
    expect(nowhere.text).toContain('id="field-receiver-faults"');
    for (const list of ["/routers", "/alerts"]) {
      expect((await account.api("GET", list)).body.total_count).toBe(0);
    }
    expect((await browser.get(path)).to).toBe("/routers/new");
  });

  test("has a dry run of the unsaved rules for an admin, and of the stored rules for a member", async () => {
    const { account, person, team, browser, fields } = await world();
    const made = await browser.submit("/routers", { ...fields, rules: "rules: []" });
    const { body } = await account.api("GET", "/routers");
    const draft = { ...fields, rules: rules(team.id), payload: payload("critical") };
    const result = await browser.submit(`${made.to}/try`, draft);
    expect(result.text).toContain(">Pia Payments</td>");
    expect(result.text).toContain(`receiver: ${team.id}`);
    expect((await account.api("GET", "/routers")).body).toEqual(body);
    const member = await signIn(person.accountUserId);
    const theirs = await member.submit(`${made.to}/try`, draft);
    expect(theirs.status).toBe(200);
    expect(theirs.text).toContain("no rule matched");
    expect(theirs.text).not.toContain(`receiver: ${team.id}`);
    expect((await member.submit("/routers/new/try", draft)).status).toBe(403);
    const broken = await browser.submit(`${made.to}/try`, { ...draft, payload: "{" });
    expect(broken.text).toContain('id="field-payload-faults"');
    const missing = await browser.submit(`${made.to}/try`, { ...draft, payload: "{}" });
    expect(missing.text).toContain("Title can&#39;t be blank.");
    expect((await browser.submit("/routers/rtr_0000000000000A/try", draft)).status).toBe(404);
  });

  test("has a dry run at a time in the person's zone, with names in place of ids", async () => {
    const { person, team, browser, fields } = await world();
    const weekend = rules(team.id).replace("alert.urgency: critical", "$day: { $in: [6, 7] }");
    const draft = { ...fields, rules: weekend, payload: payload("low") };
    const at = (time: string) => browser.submit("/routers/new/try", { ...draft, at: time });
    const saturday = await at("2031-03-08T03:00");
    expect(saturday.text).toContain('value="2031-03-08T03:00"');
    const steps = saturday.text.slice(saturday.text.indexOf("<h3>Steps</h3>"));
    expect(steps).toContain("Router Front: rule 1 (line 2) matched");
    expect(steps).toContain("assigned to Payments");
    expect(steps).not.toContain(team.id);
    expect(steps).not.toMatch(/tem_[\w-]{14}/);
    const monday = await at("2031-03-10T03:00");
    expect(monday.text).toContain("no rule matched; otherwise to Other");
    const wrong = await at("soon");
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('id="field-at-faults"');
    const member = await signIn(person.accountUserId);
    const replay = { ...draft, replay: "yes" };
    expect((await member.submit("/routers/new/try", replay)).status).toBe(403);
    const none = await browser.submit("/routers/new/try", replay);
    expect(none.text).toContain("No difference for 0 events of the last 0 requests.");
    const broken = await browser.submit("/routers/new/try", { ...replay, rules: "rules: [" });
    expect(broken.status).toBe(422);
    expect(broken.text).toContain("line 1 of the rules is invalid");
  });

  test("has a dry run with the payload of an integration's sender", async () => {
    const { account, team, browser, fields } = await world();
    const integration = await makeIntegration(account, [team.id]);
    const byBody = rules(team.id).replace("alert.urgency: critical", "log.data.Shop: north");
    const sent = (more: object) =>
      browser.submit("/routers/new/try", {
        ...fields,
        rules: byBody,
        integration: integration.id,
        payload: JSON.stringify({ event_type: "create", Id: "1", Title: MARKUP, ...more }),
      });
    const result = await sent({ Shop: "north" });
    expect(result.text).toContain(">Pia Payments</td>");
    expect(result.text).toContain("<dd>&lt;img src=x");
    expect(result.text).not.toContain("<img src=x");
    expect((await sent({ Shop: "south" })).text).toContain("no rule matched");
    const resolves = await sent({ event_type: "resolve" });
    expect(resolves.text).toContain("Payload (JSON) creates no alert: the event type is resolve");
  });
});

describe("a notification rule", () => {
  const rules = (channel: string) =>
    `rules:\n  - match: { always: true }\n    actions:\n      - { type: notify, channels: [${channel}] }\n`;
  const CHANNEL_ROW = /<td data-title="Channel">([^<]*)<\/td><td data-title="Decided by">([^<]*)</;

  test("has a dry run of the unsaved rules for any person, and marks the invalid line", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const person = account.accountUserId;
    const trial = { person, payload: payload("high") };
    const fields = { name: "Mail only", enabled: "true" };
    for (const path of ["/notification_rules", "/notification_rules/new/try"]) {
      const wrong = await browser.submit(path, { ...fields, ...trial, rules: rules("mail") });
      expect([path, wrong.status]).toEqual([path, 422]);
      expect(wrong.text).toContain('<span class="bad">4</span>');
    }
    const path = "/notification_rules/new/try";
    const result = await browser.submit(path, { ...fields, ...trial, rules: rules("email") });
    expect(CHANNEL_ROW.exec(result.text)?.slice(1)).toEqual([
      "e-mail",
      "notification rule Mail only, line 2",
    ]);
    const made = await browser.submit("/notification_rules", { ...fields, rules: "rules: []" });
    const edited = { ...fields, ...trial, rules: rules("email") };
    const changed = await browser.submit(`${made.to}/try`, edited);
    expect(CHANNEL_ROW.exec(changed.text)?.[2]).toBe("notification rule Mail only, line 2");
    const off = await browser.submit(`${made.to}/try`, { ...edited, enabled: "" });
    expect(CHANNEL_ROW.exec(off.text)?.[2]).toBe("their own settings");
    const { body } = await account.api("GET", "/notification_rules");
    expect(body.data).toMatchObject([{ name: "Mail only", rules: "rules: []" }]);
  });

  test("has a dry run with the time of each step, and what it depends on", async () => {
    const account = await makeAccount();
    const person = await makePerson(account, "Pia Phone");
    await givePhone(person.accountUserId);
    const browser = await signInAdmin(account);
    const steps = `rules:
  - match: { always: true }
    actions:
      - { type: notify, channels: [email], timeout: 30s }
      - { type: notify, channels: [sms], unless_delivered: true }
`;
    const result = await browser.submit("/notification_rules/new/try", {
      ...{ name: "Steps", enabled: "true", rules: steps },
      ...{ person: person.accountUserId, payload: payload("high") },
    });
    const rows = [
      ...result.text.matchAll(/data-title="After">([^<]*)<.*?data-title="Channel">(.*?)<\/td>/gs),
    ];
    expect(rows.map(([, after, channel]) => [after, channel?.replace(/<[^>]*>/g, "")])).toEqual([
      ["0:00", "e-mail"],
      ["0:30", "SMS only if no message before it was delivered"],
    ]);
  });

  test("has a dry run of the stored rules for a member, for the people who use the rule", async () => {
    const account = await makeAccount();
    const member = await makePerson(account, "Mia Member");
    const { body: rule } = await account.api("POST", "/notification_rules", {
      name: "Quiet",
      rules: rules("email"),
    });
    const browser = await signIn(member.accountUserId);
    const path = `/notification_rules/${rule.prefix_id}`;
    expect((await browser.get(path)).text).toContain("Nobody uses this rule");
    await account.api("PUT", `/account_users/${member.accountUserId}`, {
      notification_rule_id: rule.id,
    });
    expect((await browser.get(path)).text).toContain(">Mia Member</option>");
    const trial = { person: member.accountUserId, payload: payload("high") };
    const result = await browser.submit(`${path}/try`, {
      ...trial,
      name: "Mine",
      rules: "nonsense",
    });
    expect(CHANNEL_ROW.exec(result.text)?.[2]).toBe("notification rule Quiet, line 2");
  });

  test("offers the channels that its people have, and begins with those", async () => {
    const account = await makeAccount();
    const member = await signIn((await makePerson(account, "Mia Member")).accountUserId);
    const offered = async (browser: typeof member, path: string) => {
      const { text } = await browser.get(path);
      const [, options = ""] =
        /name="steps\[0\]\[channel\]"[^>]*>(.*?)<\/select>/s.exec(text) ?? [];
      return [...options.matchAll(/<option value="([^"]*)"/g)].map(([, channel]) => channel);
    };
    const path = "/notification_rules/new";
    expect(await offered(member, path)).toEqual(["email"]);
    const { text } = await member.get(path);
    expect(text).not.toContain('value="sms"');
    const phone = await makePerson(account, "Pia Phone");
    await givePhone(phone.accountUserId);
    const admin = await signInAdmin(account);
    expect(new Set(await offered(admin, path))).toEqual(new Set(["email", "sms", "voice"]));
    expect(await offered(member, path)).toEqual(["email"]);
    const mine = await admin.get(`${path}?mine`);
    expect(mine.text).toMatch(/<option[^>]* selected[^>]*>only me, from now on/);
    const own = await account.api("POST", "/notification_rules", {
      ...{ name: "Theirs", rules: rules("email") },
      account_user_id: phone.accountUserId,
    });
    const theirs = await offered(admin, `/notification_rules/${own.body.prefix_id}`);
    expect(new Set(theirs)).toEqual(new Set(["email", "sms", "voice"]));
  });

  test("is rows of minutes and channels, which buttons add, move and remove without saving", async () => {
    const account = await makeAccount();
    const phone = await makePerson(account, "Pia Phone");
    await givePhone(phone.accountUserId);
    const browser = await signIn(phone.accountUserId);
    const fields = { name: "Mine", enabled: "true", account_user_id: phone.accountUserId };
    const rows = (text: string) =>
      [
        ...text.matchAll(
          /name="steps\[\d+\]\[after\]" value="([^"]*)".*?<option value="([^"]*)" selected/gs,
        ),
      ].map(([, after, channel]) => `${after} ${channel}`);
    const steps = { "steps[0][after]": "0", "steps[0][channel]": "email" };
    const press = async (row: string, more: Record<string, string> = {}) =>
      browser.submit("/notification_rules", { ...fields, ...steps, ...more, rules: "", row });
    const second = { "steps[1][after]": "3", "steps[1][channel]": "sms" };
    const added = await press("add sms");
    expect([added.status, rows(added.text)]).toEqual([200, ["0 email", "5 sms"]]);
    expect(rows((await press("up 1", second)).text)).toEqual(["0 sms", "3 email"]);
    expect(rows((await press("remove 0", second)).text)).toEqual(["0 sms"]);
    const asRules = await press("rules", second);
    expect(asRules.text).toContain("channels: [email], timeout: 3m }");
    expect((await account.api("GET", "/notification_rules")).body.total_count).toBe(0);
    const made = await browser.submit("/notification_rules", { ...fields, ...steps, ...second });
    const { body } = await account.api("GET", made.to ?? "");
    const stored = `rules:
  - match: { always: true }
    actions:
      - { type: notify, channels: [email], timeout: 3m }
      - { type: notify, channels: [sms] }
`;
    expect(body.rules).toBe(stored);
    const shown = await browser.get(made.to ?? "");
    expect(rows(shown.text)).toEqual(["0 email", "3 sms"]);
    expect(shown.text).not.toContain("<rules-builder");
  });

  test("with conditions is edited as rules", async () => {
    const account = await makeAccount();
    const { body: rule } = await account.api("POST", "/notification_rules", {
      name: "Nights",
      rules: rules("email").replace("always: true", "alert.urgency: low"),
    });
    const browser = await signInAdmin(account);
    const { text } = await browser.get(`/notification_rules/${rule.prefix_id}`);
    expect(text).toContain("<rules-builder");
    expect(text).not.toContain('id="steps"');
  });

  test("is created by a member for themselves, is used at once, and is theirs to change", async () => {
    const account = await makeAccount();
    const member = await makePerson(account, "Mia Member");
    const browser = await signIn(member.accountUserId);
    const form = (await browser.get("/notification_rules/new")).text;
    const [, owner = ""] = /name="account_user_id" value="([^"]+)"/.exec(form) ?? [];
    const fields = { name: "Mail me", enabled: "true", account_user_id: owner };
    const trial = { person: member.accountUserId, payload: payload("high") };
    const tried = await browser.submit("/notification_rules/new/try", {
      ...{ ...fields, ...trial, rules: rules("email") },
    });
    expect(CHANNEL_ROW.exec(tried.text)?.[2]).toBe("notification rule Mail me, line 2");
    const made = await browser.submit("/notification_rules", { ...fields, rules: rules("email") });
    const { body: kept } = await account.api("GET", `/account_users/${member.accountUserId}`);
    const { body: rule } = await account.api("GET", made.to?.replace("/rules", "") ?? "");
    expect(rule).toMatchObject({ name: "Mail me", account_user_id: member.accountUserId });
    expect(kept.notification_rule_id).toBe(rule.id);
    await browser.submit(made.to ?? "", { ...fields, name: "Mail only", rules: rules("email") });
    const settings = (await browser.get("/settings")).text;
    expect(settings).toContain(`<option value="${rule.id}" selected="">Mail only (yours)</option>`);
    await browser.submit("/settings/rule", { notification_rule_id: "" });
    const { body: without } = await account.api("GET", `/account_users/${member.accountUserId}`);
    expect(without.notification_rule_id).toBe(null);
    expect((await browser.get(made.to ?? "")).text).toContain("Delete notification rule");
    await browser.submit(`${made.to}/delete`, {});
    expect((await browser.get("/notification_rules")).text).not.toContain("Mail only");
  });

  test("of somebody's own is in the choices of that person only, and shows whose it is", async () => {
    const account = await makeAccount();
    const [mia, ada] = [await makePerson(account, "Mia Member"), await makePerson(account, "Ada")];
    const { body: rule } = await account.api("POST", "/notification_rules", {
      ...{ name: "Quiet", rules: rules("email"), account_user_id: mia.accountUserId },
    });
    const admin = await signInAdmin(account);
    const choice = `<option value="${rule.id}">Quiet (their own)</option>`;
    expect((await admin.get(`/people/${mia.accountUserId}`)).text).toContain(choice);
    expect((await admin.get(`/people/${ada.accountUserId}`)).text).not.toContain(choice);
    expect((await admin.get("/notification_rules")).text).toContain("Mia Member");
    const other = await signIn(ada.accountUserId);
    expect((await other.get("/settings")).text).not.toContain("Quiet");
    const shown = (await other.get(`/notification_rules/${rule.prefix_id}`)).text;
    expect(shown).not.toContain("Delete notification rule");
    expect(shown).toContain("disabled");
  });
});
