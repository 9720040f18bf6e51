// The console as an admin uses it at ten in the morning.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, openStage, type Stage } from "./harness.ts";

let stage: Stage;

const rules = (action: string, urgency = "critical") =>
  `rules:\n  - match: { alert.urgency: ${urgency} }\n    actions:\n      - { ${action} }\n`;

describe.skipIf(chromiumPath === null)("an admin's work in a browser", () => {
  beforeAll(async () => {
    stage = await openStage();
  }, 300_000);
  afterAll(() => stage?.close(), 60_000);
  afterEach(async () => {
    for (const context of stage.browser.contexts()) await context.close();
    expect(stage.complaints.splice(0)).toEqual([]);
  });

  test.each([true, false])(
    "a router's faulty line is marked, mended, tried, and only then kept: scripts %s",
    async (javaScriptEnabled) => {
      const [, mo] = stage.demo.account_user_ids;
      const name = `Front desk ${javaScriptEnabled}`;
      const page = await stage.signIn("ada@example.com", { javaScriptEnabled });
      await page.goto("/routers/new");
      const editor = page.getByLabel("Rules", { exact: true });
      const result = page.locator("#result");
      await page.getByLabel("Where no rule matches", { exact: true }).selectOption({ index: 1 });
      await page.getByLabel("Payload (JSON)").fill('{"title":"Till is down","urgency":"critical"}');
      await editor.fill(rules(`type: assing, receiver: ${mo}`));
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByText(/^Line 4, column/).waitFor();
      expect(await page.locator(".line-numbers .bad").textContent()).toBe("4");
      expect(await editor.inputValue()).toContain("assing");
      await editor.fill(rules(`type: assign, receiver: ${mo}`));
      await page.getByRole("button", { name: "Try it" }).click();
      await result.getByText(/rule 1 \(line 2\) matched/).waitFor();
      await result.getByRole("cell", { name: "Mo Mate" }).first().waitFor();
      expect(await page.locator(".line-numbers .bad").count()).toBe(0);
      expect((await stage.api("GET", `/routers?name=${name}`)).total_count).toBe(0);
      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Make it" }).click();
      await page.getByText("The router is made.").waitFor();
      await editor.fill(rules(`type: assign, receiver: ${mo}`, "low"));
      await page.getByLabel("Payload (JSON)").fill('{"title":"Till is down","urgency":"critical"}');
      await page.getByRole("button", { name: "Try it" }).click();
      await result.getByText(/no rule matched/).waitFor();
      expect(await editor.inputValue()).toContain("alert.urgency: low");
      const { data } = await stage.api("GET", `/routers?name=${name}`);
      expect(data[0].rules).toContain("alert.urgency: critical");
    },
  );

  test.each([
    ["dark", "light", "rgb(16, 19, 23)"],
    ["light", "dark", "rgb(246, 247, 249)"],
  ] as const)(
    "%s is what the page is from its first paint, on a %s system",
    async (theme, system, ground) => {
      const page = await stage.signIn("ada@example.com", { colorScheme: system });
      const shown = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
      await page.goto("/settings");
      expect(await shown()).not.toBe(ground);
      await page.getByLabel("In this browser").selectOption(theme);
      await page.getByRole("button", { name: "Keep this", exact: true }).click();
      await page.getByText("Kept, for this browser.").waitFor();
      expect(await shown()).toBe(ground);
      await page.context().route("**/assets/*.js", (route) => route.abort());
      await page.goto("/alerts");
      expect(await shown()).toBe(ground);
    },
  );
});
