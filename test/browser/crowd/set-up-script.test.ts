// From an empty account to an answered page, as a recorded script from the sign-in on: what it takes is
// counted in interactions, each a click, a filled field or a pressed key.
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";
import { PASSWORD } from "../people.ts";

let stage: Stage;

const MAX_INTERACTIONS = 60;

const EUROPE = ["Ana Silva", "Ben Berg", "Cem Aydin"];
const PACIFIC = ["Dee Park", "Eve Moana", "Fox Taylor"];
const TEAM = [...EUROPE, ...PACIFIC];
const PASTED = TEAM.map((name) => `${name} <${name.split(" ")[0]?.toLowerCase()}@outpost.example>`);

/** Counts what somebody does on a page. */
function countingOn(page: Page) {
  let count = 0;
  const counted =
    <Rest extends readonly unknown[]>(act: (it: Locator, ...rest: Rest) => Promise<unknown>) =>
    async (it: Locator, ...rest: Rest) => {
      count += 1;
      await act(it, ...rest);
    };
  page.on("dialog", (dialog) => {
    count += 1;
    void dialog.accept();
  });
  return {
    count: () => count,
    click: counted((it) => it.click()),
    fill: counted((it, text: string) => it.fill(text)),
    select: counted((it, label: string) => it.selectOption({ label })),
  };
}

/** Alertmanager, with the configuration that was copied. */
async function sendAlert(configuration: string): Promise<void> {
  const [receiver] = parse(configuration).receivers;
  const { url, http_config: http } = receiver.webhook_configs[0];
  const token = http?.authorization?.credentials;
  const labels = { alertname: "Disk full", severity: "critical" };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      ...{ version: "4", groupKey: '{}:{alertname="Disk full"}', status: "firing" },
      ...{ commonLabels: labels, alerts: [{ status: "firing", labels }] },
    }),
  });
  expect(response.status).toBe(200);
}

describe.skipIf(chromiumPath === null)("setting up an empty account", () => {
  onStage((opened) => {
    stage = opened;
  });

  test(`takes at most ${MAX_INTERACTIONS} interactions`, async () => {
    const context = await stage.open({
      viewport: { width: 1440, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    await page.routeWebSocket("**/live*", (socket) => socket.close());
    const { click, fill, select, count } = countingOn(page);
    await page.goto("/sign-in");
    await fill(page.getByLabel("E-mail"), "olga@example.com");
    await fill(page.getByLabel("Password"), PASSWORD);
    await click(page.getByRole("button", { name: "Sign in" }));
    const link = (name: string | RegExp) => page.getByRole("link", { name }).first();
    const button = (name: string | RegExp) => page.getByRole("button", { name }).first();
    const setUp = async (entry: string) => {
      await click(page.locator("nav.navigation a[href='/configuration']"));
      await click(page.locator(`.entries a[href='${entry}']`));
    };

    await setUp("/on-call");
    await click(link("Create team"));
    await fill(page.getByLabel("Name", { exact: true }), "Payments");
    await click(button("Create team"));
    await page.getByText("Team created.").waitFor();
    await click(page.locator("main a[href^='/escalation_policies/']").first());
    const timeouts = page.getByLabel("Timeout", { exact: true });
    await timeouts.first().waitFor();
    expect(await timeouts.evaluateAll((all) => all.map((it) => (it as any).value))).toEqual(
      expect.arrayContaining(["5", "10", "15"]),
    );

    await setUp("/people");
    await click(link("Invite people"));
    await fill(page.getByLabel("E-mail addresses"), PASTED.join("\n"));
    await click(page.getByLabel("Payments"));
    await click(button("Invite"));
    await click(button("Invite 6 people"));
    await page.getByText("6 people invited by e-mail.").waitFor();

    await click(page.locator("nav.navigation a[href='/on-call']"));
    await click(page.locator("td a", { hasText: "Payments" }));
    await click(link("Add rotation"));
    await click(link("Follow the sun: two regions"));
    await page.locator("form[data-live]").waitFor();
    const region = (part: number) => page.locator(".part").nth(part);
    await select(region(0).getByLabel("Time zone"), "Berlin");
    await select(region(1).getByLabel("Time zone"), "Sydney");
    for (const [part, people] of [EUROPE, PACIFIC].entries()) {
      for (const name of people) {
        await click(region(part).getByRole("button", { name: `Add ${name}` }));
      }
    }
    await click(button("Add rotation"));
    await page.getByText("2 rotations added.").waitFor();
    for (const [layer, name] of [
      ["2", "Ben Berg"],
      ["3", "Olga Outpost"],
    ] as const) {
      await click(link("Add rotation"));
      await page.locator("form[data-live]").waitFor();
      await click(button(`Add ${name}`));
      await click(page.getByText("More", { exact: false }).and(page.locator("summary")).first());
      await fill(page.getByLabel("Step", { exact: true }), layer);
      await click(button("Add rotation"));
      await page.getByText("Rotation added.").waitFor();
    }

    await setUp("/routers");
    await click(link("Create router"));
    await fill(page.getByLabel("Name", { exact: true }), "Front door");
    await select(page.getByLabel("Otherwise goes to", { exact: true }), "Team Payments");
    const rule = page.getByRole("region", { name: "Rule 1" });
    const rules = page.getByLabel("Rules", { exact: true });
    await select(rule.getByLabel("Rule 1, condition 1: field"), "Title");
    // The first change waits for the parser.
    await expect.poll(() => rules.inputValue()).toContain("alert.title");
    await fill(rule.getByLabel("Rule 1, condition 1: value"), "Watchdog");
    await select(rule.getByLabel("Rule 1, action 1: type"), "Ignore the alert");
    expect(await rules.inputValue()).toMatch(/alert\.title: "?Watchdog/);
    await click(button("Create router"));
    await page.getByText("Router created.").waitFor();

    await setUp("/integrations");
    await click(link("Create integration"));
    await fill(page.getByLabel("Search types"), "prometheus");
    await page.waitForURL(/q=prometheus/);
    await click(link(/^Prometheus/));
    await fill(page.getByLabel("Name", { exact: true }), "Prometheus");
    await click(page.getByLabel("Front door"));
    await click(button("Create integration"));
    await page.getByText("Waiting for the first event").waitFor();
    const configuration = page.locator(".copy-text").filter({ hasText: "alertmanager.yml" });
    await click(configuration.getByRole("button", { name: "Copy" }));
    await page.getByText("Copied", { exact: true }).waitFor();
    await sendAlert((await page.evaluate("navigator.clipboard.readText()")) as string);
    await page.getByText("The first event has arrived.").waitFor();
    await click(page.locator("#log .notice a"));
    await page.getByRole("heading", { name: "Disk full" }).waitFor();
    await click(button("Acknowledge"));
    await page.getByText("Acknowledged by", { exact: false }).first().waitFor();

    console.log(`Setting up an account took ${count()} interactions.`);
    expect(count()).toBeLessThanOrEqual(MAX_INTERACTIONS);
    const called = await page.locator("#timeline").innerText();
    expect(TEAM.some((name) => called.includes(name))).toBe(true);
    await click(page.locator("nav.navigation a[href='/on-call']"));
    const onCall = await page.locator("#current").innerText();
    expect(onCall).toMatch(/until[\s\S]*step 2: .+; step 3: .+/);
  });
});
