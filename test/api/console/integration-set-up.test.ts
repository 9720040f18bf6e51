// The set-up on an integration's page: who sees what, when the token is shown, and the events that it waits for.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { makeAlert } from "../../support/integrations/outgoing.ts";
import { makeSlackApp, openSlack } from "../../support/providers/chat/slack.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { type Browser, signIn, signInAdmin } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

let account: Account;
let teamId: string;
let browser: Browser;
beforeAll(async () => {
  account = await makeAccount();
  teamId = (await makeTeam(account, [{ seconds: 60, people: [account.accountUserId] }])).id;
  browser = await signInAdmin(account);
});

/** The texts of a page, unescaped. */
const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe("the set-up", () => {
  test.each([
    ["prometheus", "webhook_configs:", "send_resolved: true"],
    ["datadog", '"ALERT_CYCLE_KEY": "$ALERT_CYCLE_KEY"', "webhook named tocsin"],
    ["heartbeat", "curl -fsS --retry 5", "/integration/AAB"],
    ["pagerduty_events", "/v2/enqueue", '"routing_key": "00000000'],
  ])("of %s has its steps and texts with the real URL", async (type, ...texts) => {
    const { prefixId } = await makeIntegration(account, [teamId], { type });
    const page = unescaped((await browser.get(`/integrations/${prefixId}`)).text);
    for (const text of texts) expect(page).toContain(text);
    if (type !== "pagerduty_events") {
      const { url } = (await account.api("GET", `/integrations/${prefixId}`)).body;
      expect(url).toMatch(/^https:\/\/tocsin\.test\/integration\/[\w-]{41}$/);
      expect(page).toContain(url);
    }
    expect(page).not.toMatch(/<(URL|KEY|ORIGIN|TOKEN)>|YOUR_TOKEN/);
  });

  test("has both addresses where the deployment has a standby", async () => {
    vi.spyOn(env, "STANDBY_URL", "get").mockReturnValue("https://standby.example.com");
    const { prefixId } = await makeIntegration(account, [teamId], { type: "prometheus" });
    const page = unescaped((await browser.get(`/integrations/${prefixId}`)).text);
    const { url } = (await account.api("GET", `/integrations/${prefixId}`)).body;
    const other = url.replace("https://tocsin.test", "https://standby.example.com");
    for (const address of [url, other]) expect(page).toContain(`- url: ${address}\n`);
    expect(page).toContain("a second entry of webhook_configs");
    vi.restoreAllMocks();
    const alone = unescaped((await browser.get(`/integrations/${prefixId}`)).text);
    expect(alone).not.toContain("standby.example.com");
    expect(alone).not.toContain("second entry");
  });

  test("of an outgoing integration has its steps and no URL", async () => {
    const { prefixId } = await makeIntegration(account, [teamId], { type: "slack" });
    const { text } = await browser.get(`/integrations/${prefixId}`);
    expect(text).toContain("switch on Incoming Webhooks");
    expect(text).not.toMatch(/\/integration\//);
  });

  test("of a Slack app has its manifest with the integration's own URLs", async () => {
    const { prefixId } = await makeSlackApp(account, { option_bot_token: null });
    const page = unescaped((await browser.get(`/integrations/${prefixId}`)).text);
    const manifest = /\{\s*"display_information".*?\n\}/s.exec(page)?.[0] ?? "{}";
    const base = `https://tocsin.test/callbacks/slack/${prefixId}`;
    const { features, settings } = JSON.parse(manifest);
    expect(features.slash_commands).toMatchObject([
      { command: "/oncall", url: `${base}/commands` },
      { command: "/page", url: `${base}/commands` },
    ]);
    expect(settings).toMatchObject({
      event_subscriptions: { request_url: `${base}/events` },
      interactivity: {
        request_url: `${base}/interactions`,
        message_menu_options_url: `${base}/choices`,
      },
    });
    expect(page).not.toMatch(/<(ID|ORIGIN)>/);
  });

  test("shows a token once, when it is made", async () => {
    const { prefixId } = await makeIntegration(account, [teamId], {
      type: "grafana",
      token: "sesame",
    });
    const path = `/integrations/${prefixId}`;
    const before = await browser.get(path);
    expect(before.text).toContain("authorization_credentials: YOUR_TOKEN");
    expect(before.text).toContain("Rotate token");
    const rotated = await browser.submit(`${path}/rotate`, { what: "token", overlap: "86400" });
    const token = /authorization_credentials: (tok_\w+)/.exec(rotated.text)?.[1];
    expect(token).toMatch(/^tok_[0-9a-f]{40}$/);
    expect((await browser.get(path)).text).not.toContain(token);
  });

  test("puts the token into the URL of a sender that has no other place for it", async () => {
    const { prefixId } = await makeIntegration(account, [teamId], {
      type: "pingdom",
      token: "sesame",
    });
    const { text } = await browser.get(`/integrations/${prefixId}`);
    const { url } = (await account.api("GET", `/integrations/${prefixId}`)).body;
    expect(text).toContain(`${url}?token=YOUR_TOKEN`);
  });

  test("is not shown to a member, who sees neither URL nor key", async () => {
    const { prefixId } = await makeIntegration(account, [teamId], { type: "prometheus" });
    const member = await makePerson(account, "Mia Member");
    const theirs = await signIn(member.accountUserId);
    const { text } = await theirs.get(`/integrations/${prefixId}`);
    expect(text).toContain("Recent events");
    expect(text).not.toMatch(/alertmanager\.yml|\/integration\/|0{32}|Send test event/);
    const sent = await theirs.submit(`/integrations/${prefixId}/test`);
    expect(sent.text).not.toContain("Test event sent");
  });
});

describe("the recent events", () => {
  test("wait for the first one, then link its alert", async () => {
    const integration = await makeIntegration(account, [teamId]);
    const path = `/integrations/${integration.prefixId}`;
    const waiting = await browser.get(path);
    expect(waiting.text).toContain("Waiting for the first event");
    const poll = unescaped(/hx-get="([^"]+)" hx-trigger="every 2s"/.exec(waiting.text)?.[1] ?? "");
    expect(poll).toMatch(/\/log\?kind=requests&since=\d+&expected=first$/);
    await integration.send({ event_type: "create", Id: "db", Title: "Disk full" });
    await vi.waitFor(async () => {
      const { text } = await browser.get(poll, { "HX-Request": "true" });
      expect(text).toContain("The first event has arrived.");
      const [alert] = (await account.api("GET", "/alerts?thirdparty_id=db")).body.data;
      expect(text).toContain(`href="/alerts/${alert.id}"`);
      expect(text).not.toContain("every 2s");
    }, soon);
    const since = Date.now() - 3_600_000;
    const { text } = await browser.get(`${path}/log?since=${since}`);
    expect(text).not.toContain("hx-get");
  });

  test("say what became of a test event", async () => {
    const { prefixId } = await makeIntegration(account, [teamId], { type: "prometheus" });
    const tested = await browser.submit(`/integrations/${prefixId}/test`);
    expect(tested.to).toMatch(/\?expected=\w+#log$/);
    await vi.waitFor(async () => {
      const { text } = await browser.get(tested.to.replace("#log", ""));
      expect(text).toContain("The test event has arrived.");
      expect(text).toMatch(/href="\/alerts\/\w+">Open alert/);
    }, soon);
  });
});

describe("the recent messages of an outgoing integration", () => {
  const failing = () => Response.json({ ok: false, error: "channel_not_found" });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("have their outcome, link their alert, and can be sent again by an admin", async () => {
    openMailbox();
    const slack = openSlack();
    const app = await makeSlackApp(account, { option_everything: true });
    const path = `/integrations/${app.prefixId}`;
    const before = await browser.get(path);
    expect(before.text).toContain("No message was sent yet.");
    expect(before.text).not.toContain("first event");
    expect(before.text).toContain(`${path}/log?kind=messages&amp;since=`);
    slack.failures.push(failing);
    const { id } = await makeAlert(account, { destination_team_ids: [teamId] });
    await vi.waitFor(async () => {
      const { text } = await browser.get(path);
      expect(unescaped(text)).toContain(
        'New alert<span class="soft">: Slack answered channel_not_found',
      );
      expect(text).toContain(`href="/alerts/${id}"`);
    }, soon);
    const member = await makePerson(account, "Mo Member");
    const theirs = await (await signIn(member.accountUserId)).get(path);
    expect(theirs.text).not.toContain("Retry");
    const [{ id: delivery }] = (await account.api("GET", `/integrations/${app.id}/deliveries`)).body
      .data;
    const retried = await browser.submit(`${path}/retry`, { delivery });
    expect(retried.text).toContain("Message queued again.");
    await vi.waitUntil(() => slack.rootOf(id), soon);
    await vi.waitFor(async () => {
      const { text } = await browser.get(`${path}/log?kind=messages&since=${Date.now()}`);
      expect(text).toContain("delivered");
    }, soon);
  });

  test("are not read for a type that accepts events", async () => {
    const { prefixId } = await makeIntegration(account, [teamId], { type: "prometheus" });
    const path = `/integrations/${prefixId}`;
    const { text } = await browser.get(path);
    const [, polled] = /hx-get="([^"]+kind=requests[^"]+)"/.exec(text) ?? [];
    const prepare = vi.spyOn(Object.getPrototypeOf(env.DB.withSession()), "prepare");
    const reads = () => prepare.mock.calls.some(([sql]) => /from "deliveries"/.test(String(sql)));
    const shown = await browser.get(unescaped(polled ?? ""));
    expect(shown.text).toContain("Waiting for the first event");
    expect(reads()).toBe(false);
    await browser.get(path);
    expect(reads()).toBe(true);
  });

  test("are beside the options of the type alone", async () => {
    const { text } = await browser.get("/integrations/new?type=slack_app");
    expect(text).toContain('name="option_channel"');
    expect(text).not.toMatch(/option_(token|title_template|severity_map|auto_resolve_after)"/);
    expect(text).not.toContain("Default urgency");
    const created = await browser.submit("/integrations", {
      ...{ integration_type_id: "slack_app", name: "Slack", urgency: "high" },
      "team_ids[]": teamId,
      option_channel: "C0123456789",
    });
    expect(created.text).toContain("Integration created.");
    const incoming = await browser.get("/integrations/new?type=prometheus");
    expect(incoming.text).toContain("Default urgency");
    expect(incoming.text).toContain('name="option_severity_map"');
  });
});
