// Templates that refer to the integration, and warnings about expressions that are always empty, in the API and the
// console.
import { describe, expect, test, vi } from "vitest";
import { call, makeAccount } from "../../support/api/api.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeTeam } from "../../support/worker/world.ts";

async function world() {
  const account = await makeAccount();
  const team = await makeTeam(account, [{ seconds: 600, people: [] }]);
  return { ...account, team };
}

const integrationOf = (title_template: string) => ({
  name: "Monitoring",
  urgency: "silent",
  integration_type_id: "webhook",
  option_title_template: title_template,
});

const routerOf = (teamId: string, title: string) => ({
  name: "Front",
  default_receiver_team_id: teamId,
  rules: {
    rules: [
      {
        match: { always: true },
        actions: [
          { type: "setval", handlebars: true, map: { title } },
          { type: "assign", receiver: teamId },
        ],
      },
    ],
  },
});

describe("{{integration.*}}", () => {
  test("refers to the integration in its own templates and in those of routers", async () => {
    const { api, team } = await world();
    const title = "{{alert.title}} by {{integration.type}} {{integration.prefix_id}}";
    const router = await api("POST", "/routers", routerOf(team.id, title));
    expect(router.body.warnings).toEqual([]);
    const made = await api("POST", "/integrations", {
      ...integrationOf("{{title}} ({{integration.name}})"),
      router_ids: [router.body.id],
    });
    expect(made.body.warnings).toEqual([]);
    const event = { event_type: "create", Id: "a", Title: "Disk full" };
    await call("POST", `/integration/${made.body.prefix_id}`, { body: event });
    await vi.waitFor(async () => {
      const [alert] = (await api("GET", "/alerts")).body.data;
      expect(alert?.title).toBe(`Disk full (Monitoring) by webhook ${made.body.prefix_id}`);
    }, soon);
    const preview = await api("POST", `/integrations/${made.body.id}/preview`, { payload: event });
    expect(preview.body.events[0].title).toBe("Disk full (Monitoring)");
  });
});

describe("an expression that is always empty", () => {
  test("is saved in an integration, with a warning until it is corrected", async () => {
    const account = await world();
    const { api, team } = account;
    const made = await api("POST", "/integrations", {
      ...integrationOf("{{titel}} {{integration.nme}}"),
      team_ids: [team.id],
    });
    expect(made.status).toBe(201);
    expect(made.body.warnings).toEqual([
      expect.stringMatching(/^option_title_template: \{\{titel\}\}, \{\{integration\.nme\}\} are/),
    ]);
    const path = `/integrations/${made.body.id}`;
    const browser = await signInAdmin(account);
    expect((await browser.get(path)).text).toContain("{{titel}}, {{integration.nme}} are always");
    const corrected = await api("PUT", path, { option_title_template: "{{title}}" });
    expect(corrected.body.warnings).toEqual([]);
    expect((await browser.get(path)).text).not.toContain("are always empty");
  });

  test("is saved in a router, with a warning in the API and the console", async () => {
    const account = await world();
    const made = await account.api("POST", "/routers", routerOf(account.team.id, "{{title}}"));
    expect(made.status).toBe(201);
    expect(made.body.warnings).toEqual([expect.stringContaining("{{title}} is always empty")]);
    const browser = await signInAdmin(account);
    const shown = await browser.get(`/routers/${made.body.id}`);
    expect(shown.text).toContain("{{title}} is always empty");
    expect((await account.api("GET", `/routers/${made.body.id}`)).body.warnings).toHaveLength(1);
  });
});

test("both rule editors link to the rule reference", async () => {
  const browser = await signInAdmin(await world());
  // Of a notification rule, once it has conditions.
  const conditions = { name: "Mine", row: "rules", "steps[0][channel]": "email" };
  const editors = [
    await browser.get("/routers/new"),
    await browser.submit("/notification_rules", conditions),
  ];
  for (const { text } of editors) expect(text).toContain('href="/docs/rules"');
});
