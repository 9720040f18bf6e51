// The editors of routers and notification rules: a fault is marked where it stands, and what is written is tried
// before it is kept.
import { describe, expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
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

  test("marks the faulty line on save and on trying, and keeps what was written", async () => {
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
    const tried = await browser.submit("/routers/new/try", { ...wrong, payload: payload("low") });
    expect(tried.text).toContain('<a href="#field-rules">line 4 of the rules is invalid</a>');
    expect(tried.text).toContain("&quot;low&quot;");
  });

  test("is tried before there is one; nothing of it is kept", async () => {
    const { account, team, browser, fields } = await world();
    const written = { ...fields, name: "", rules: rules(team.id) };
    const path = "/routers/new/try";
    const tried = await browser.submit(path, { ...written, payload: payload("critical") });
    expect(tried.status).toBe(200);
    expect(tried.text).toContain(">Pia Payments</td>");
    expect(tried.text).toContain("rule 1 (line 2) matched");
    expect(tried.text).toContain(`receiver: ${team.id}`);
    const none = await browser.submit(path, { ...written, payload: payload("low") });
    expect(none.text).not.toContain(">Pia Payments</td>");
    expect(none.text).toContain("no rule matched");
    const nowhere = await browser.submit(path, {
      ...{ ...written, receiver: "", payload: payload("low") },
    });
    expect(nowhere.status).toBe(422);
    expect(nowhere.text).toContain('id="field-receiver-faults"');
    for (const list of ["/routers", "/alerts"]) {
      expect((await account.api("GET", list)).body.total_count).toBe(0);
    }
    expect((await browser.get(path)).to).toBe("/routers/new");
  });

  test("is tried as it is written, not as it is kept; a member tries what is kept", async () => {
    const { account, person, team, browser, fields } = await world();
    const made = await browser.submit("/routers", { ...fields, rules: "rules: []" });
    const { body } = await account.api("GET", "/routers");
    const written = { ...fields, rules: rules(team.id), payload: payload("critical") };
    const tried = await browser.submit(`${made.to}/try`, written);
    expect(tried.text).toContain(">Pia Payments</td>");
    expect(tried.text).toContain(`receiver: ${team.id}`);
    expect((await account.api("GET", "/routers")).body).toEqual(body);
    const member = await signIn(person.accountUserId);
    const theirs = await member.submit(`${made.to}/try`, written);
    expect(theirs.status).toBe(200);
    expect(theirs.text).toContain("no rule matched");
    expect(theirs.text).not.toContain(`receiver: ${team.id}`);
    expect((await member.submit("/routers/new/try", written)).status).toBe(403);
    const broken = await browser.submit(`${made.to}/try`, { ...written, payload: "{" });
    expect(broken.text).toContain('id="field-payload-faults"');
    const missing = await browser.submit(`${made.to}/try`, { ...written, payload: "{}" });
    expect(missing.text).toContain("Title can&#39;t be blank.");
    expect((await browser.submit("/routers/rtr_0000000000000A/try", written)).status).toBe(404);
  });

  test("takes what an integration's sender would send, with all that it says", async () => {
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
    const tried = await sent({ Shop: "north" });
    expect(tried.text).toContain(">Pia Payments</td>");
    expect(tried.text).toContain("<dd>&lt;img src=x");
    expect(tried.text).not.toContain("<img src=x");
    expect((await sent({ Shop: "south" })).text).toContain("no rule matched");
    const resolves = await sent({ event_type: "resolve" });
    expect(resolves.text).toContain("Payload (JSON) creates no alert: the event type is resolve");
  });
});

describe("a notification rule", () => {
  const rules = (channel: string) =>
    `rules:\n  - match: { always: true }\n    actions:\n      - { type: notify, channels: [${channel}] }\n`;
  const how = /<td data-title="Channel">([^<]*)<\/td><td data-title="Decided by">([^<]*)</;

  test("is tried for anybody as it is written, kept or not, and its fault marked", async () => {
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
    const tried = await browser.submit(path, { ...fields, ...trial, rules: rules("email") });
    expect(how.exec(tried.text)?.slice(1)).toEqual([
      "e-mail",
      "notification rule Mail only, line 2",
    ]);
    const made = await browser.submit("/notification_rules", { ...fields, rules: "rules: []" });
    const again = { ...fields, ...trial, rules: rules("email") };
    const changed = await browser.submit(`${made.to}/try`, again);
    expect(how.exec(changed.text)?.[2]).toBe("notification rule Mail only, line 2");
    const off = await browser.submit(`${made.to}/try`, { ...again, enabled: "" });
    expect(how.exec(off.text)?.[2]).toBe("their own settings");
    const { body } = await account.api("GET", "/notification_rules");
    expect(body.data).toMatchObject([{ name: "Mail only", rules: "rules: []" }]);
  });

  test("a member tries it for those who chose it, as it is kept", async () => {
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
    const tried = await browser.submit(`${path}/try`, {
      ...trial,
      name: "Mine",
      rules: "nonsense",
    });
    expect(how.exec(tried.text)?.[2]).toBe("notification rule Quiet, line 2");
  });
});
