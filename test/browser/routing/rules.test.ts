// The builder of rules in a browser: a router made without writing YAML, the form and the text
// turning into each other, and a replay of past events.
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const yaml = (page: Page) => page.locator("textarea[name=rules]");
const rule = (page: Page, n: number) => page.getByRole("region", { name: `Rule ${n}` });

/** Sends an event to the demo's integration, and waits for its log. */
async function sendEvent(title: string): Promise<void> {
  const response = await fetch(stage.demo.integration_url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ event_type: "create", Id: title, Title: title, Shop: "north" }),
  });
  expect(response.status).toBe(200);
  await expect
    .poll(async () => JSON.stringify(await stage.api("GET", "/logs?owner_type=Integration")), {
      timeout: 60_000,
    })
    .toContain(title);
}

describe.skipIf(chromiumPath === null)("the builder of rules", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("makes a router with two conditions, and replays past events before", async () => {
    await sendEvent("Replayed north");
    const team = await stage.api("GET", `/teams/${stage.demo.team_id}`);
    const page = await stage.signIn();
    await page.goto("/routers/new");
    await page.getByLabel("Name").fill("Built");
    await page
      .getByLabel("Otherwise goes to", { exact: true })
      .selectOption({ label: `Team ${team.name}` });
    await rule(page, 1).getByLabel("Rule 1: remove", { exact: true }).click();
    // The first change waits for the parser.
    await expect.poll(() => yaml(page).inputValue()).toBe("rules:\n");
    await page.getByRole("button", { name: "Add rule" }).click();
    const first = rule(page, 1);
    await first.getByLabel("Rule 1, condition 1: operator").selectOption("is one of");
    await first.getByLabel("high").check();
    await first.getByRole("button", { name: "Rule 1: add condition" }).click();
    await first.getByLabel("Rule 1, condition 2: field").selectOption("Field Shop");
    const suggested = first.locator("datalist option[value=north]");
    expect(await suggested.count()).toBe(1);
    await first.getByLabel("Rule 1, condition 2: value").fill("north");
    await first.getByLabel("Rule 1, action 1: type").selectOption("Ignore the alert");
    expect(await yaml(page).inputValue()).toBe(`rules:
  - match:
      alert.urgency: { $in: [ critical, high ] }
      log.data.Shop: north
    actions:
      - type: ignore
`);
    await first.getByLabel("Rule 1: when").selectOption("any condition matches");
    expect(await yaml(page).inputValue()).toContain("$or:");
    await page.getByRole("button", { name: "Replay past events" }).click();
    const differing = page.getByRole("table", { name: "Events with a difference" });
    const row = differing.getByRole("row").filter({ hasText: "Replayed north" }).first();
    await row.getByText("Ignored").waitFor();
    await row.getByText(team.name, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Create router" }).click();
    await page.getByText("Router created.").waitFor();
    await rule(page, 1).waitFor();
    expect(await page.getByLabel("Rule 1: when").inputValue()).toBe("any");
  });

  test("keeps what was typed under another operator and field, and takes no empty text", async () => {
    const page = await stage.signIn();
    await page.goto("/routers/new");
    const [field, operator, value] = ["field", "operator", "value"].map((name) =>
      page.getByLabel(`Rule 1, condition 1: ${name}`),
    ) as [Locator, Locator, Locator];
    await rule(page, 1).waitFor();
    await field.selectOption("Title");
    // The first change waits for the parser.
    await expect.poll(() => value.inputValue()).toBe("");
    // With its keys, as somebody types.
    await value.pressSequentially("Lamp 1 is out");
    await operator.selectOption("contains (any case)");
    expect(await value.inputValue()).toBe("Lamp 1 is out");
    await value.pressSequentially(" again");
    await field.selectOption("Description");
    expect(await value.inputValue()).toBe("Lamp 1 is out again");
    expect(await yaml(page).inputValue()).toContain(
      'alert.description: { $regex: "Lamp 1 is out again", $options: i }',
    );
    await page.getByLabel("Name").fill("Of a text");
    const otherwise = page.getByLabel("Otherwise goes to", { exact: true });
    await otherwise.selectOption({ index: 1 });
    await value.fill("");
    await page.getByRole("button", { name: "Create router" }).click();
    expect(await value.evaluate((it: any) => it.validity.valueMissing)).toBe(true);
    expect(new URL(page.url()).pathname).toBe("/routers/new");
  });

  test("offers a field the operators that say something about it", async () => {
    const page = await stage.signIn();
    await page.goto("/routers/new");
    const choose = (field: string) =>
      page.getByLabel("Rule 1, condition 1: field").selectOption(field);
    const operators = () =>
      page.getByLabel("Rule 1, condition 1: operator").locator("option").allTextContents();
    await rule(page, 1).waitFor();
    await choose("Title");
    // The first change waits for the parser.
    await expect.poll(operators).toContain("contains");
    expect(await operators()).not.toContain("is more than");
    await choose("Urgency");
    await expect.poll(operators).toEqual(["is", "is not", "is one of", "is none of"]);
  });

  test("shows rules that are typed, and changes one without the others", async () => {
    const page = await stage.signIn();
    await page.goto("/routers/new");
    expect(await yaml(page).isVisible()).toBe(false);
    await page.getByText("As text", { exact: true }).click();
    const typed = `# Ours
rules:
  - match: { alert.title: { $regex: "^db-" } } # the databases
    actions: [ { type: ignore } ]
  - match: { alert.x: { $elemMatch: { a: 1 } } }
    actions: [ { type: ignore } ]
`;
    await yaml(page).fill(typed);
    await rule(page, 2).getByText("This rule can be edited as YAML only.").waitFor();
    await rule(page, 2).getByText("$elemMatch").waitFor();
    const value = page.getByLabel("Rule 1, condition 1: value");
    expect(await value.inputValue()).toBe("^db-");
    await value.fill("^db1-");
    expect(await yaml(page).inputValue()).toBe(typed.replace("^db-", "^db1-"));
    await page.getByLabel("Rule 1: move down").click();
    expect(await yaml(page).inputValue()).toMatch(/^# Ours\nrules:\n {2}- match: \{ alert\.x/);
    await yaml(page).fill("rules: [");
    await page.getByText("The rules can be edited as text only.").waitFor();
    await yaml(page).fill("");
    const [template] = await page
      .getByLabel("Insert a template")
      .locator("option:not([value=''])")
      .allTextContents();
    await page.getByLabel("Insert a template").selectOption(template ?? "");
    expect(await yaml(page).inputValue()).toMatch(/receiver: tem_/);
  });

  const SIZES: readonly [string, BrowserContextOptions][] = [
    ["390 light", { viewport: { width: 390, height: 844 }, colorScheme: "light" }],
    ["1440 dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
  ];
  test.each(selectSome(SIZES, 1, 0))(
    "fits at %s, without violations and without movement",
    async (name, options) => {
      const page = await stage.signIn(undefined, options);
      await page.addInitScript(() => {
        const shifts: number[] = [];
        (globalThis as any).shifts = shifts;
        new PerformanceObserver((list: any) => {
          for (const entry of list.getEntries()) shifts.push((entry as any).value);
        }).observe({ type: "layout-shift", buffered: true });
      });
      for (const path of ["/routers/new", "/notification_rules/new"]) {
        await page.goto(path);
        if (path.startsWith("/notification")) {
          await saveScreenshot(page, `steps ${name}`);
          await expectNoViolations(page);
          await page.getByRole("button", { name: "Add conditions" }).click();
        }
        await rule(page, 1).waitFor();
        expect(await page.evaluate("shifts.reduce((a, b) => a + b, 0)")).toBeLessThan(0.01);
        const templates = page.getByLabel("Insert a template").locator("option:not([value=''])");
        for (const label of await templates.allTextContents()) {
          await page.getByLabel("Insert a template").selectOption(label);
        }
        await saveScreenshot(page, `rules ${path} ${name}`);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect([path, width]).toEqual([path, Number(name.split(" ")[0])]);
        await expectNoViolations(page);
      }
    },
  );

  test("is a text area without scripts", async () => {
    const page = await stage.signIn(undefined, {});
    const cookies = await page.context().cookies();
    const plain = await (await stage.open({ javaScriptEnabled: false })).newPage();
    await plain.context().addCookies(cookies);
    await plain.goto("/routers/new");
    await plain.getByText("As text", { exact: true }).click();
    expect(await yaml(plain).isVisible()).toBe(true);
    expect(await yaml(plain).inputValue()).toContain("receiver: tem_");
    expect(await plain.getByRole("button", { name: "Add rule" }).count()).toBe(0);
  });
});
