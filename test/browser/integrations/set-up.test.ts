// An integration in a browser: created, set up from the page's texts, seen alive, tested, and followed to its alert.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

async function expectShown(page: Page, name: string): Promise<void> {
  await saveScreenshot(page, `integration-${name}-${page.viewportSize()?.width}`);
  await expectAccessible(page);
}

/** Posts a group of Alertmanager to the URL and with the token of its configuration. */
async function sendAlert(configuration: string, key: string): Promise<void> {
  const [receiver] = parse(configuration).receivers;
  const { url, http_config: http } = receiver.webhook_configs[0];
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Authorization: `Bearer ${http.authorization.credentials}`,
    },
    body: JSON.stringify({
      status: "firing",
      groupKey: key,
      commonLabels: { alertname: "Disk full" },
      alerts: [{ status: "firing", labels: { alertname: "Disk full" } }],
    }),
  });
  expect(response.status).toBe(200);
}

/** A colour scheme, and a width: one of them under `npm test`. */
const VARIANTS = [
  ["light", 1440],
  ["dark", 390],
] as const;

describe.skipIf(chromiumPath === null)("an integration in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test.each(selectSome(VARIANTS, 1, 1))(
    "is created, set up, shows its first event and a test: %s, %i px",
    async (colorScheme, width) => {
      const page = await stage.signIn("ada@example.com", {
        colorScheme,
        viewport: { width, height: 844 },
        permissions: ["clipboard-read", "clipboard-write"],
      });
      page.on("dialog", (dialog) => dialog.accept());
      const name = `Metrics ${width}`;
      await page.goto("/integrations/new");
      const mostUsed = page.locator(".panel", { hasText: "Most used" }).getByRole("link");
      expect(await mostUsed.count()).toBe(10);
      await expectShown(page, "types");
      await mostUsed.filter({ hasText: "Prometheus" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByRole("group", { name: "Teams" }).getByRole("checkbox").first().check();
      await page.locator("summary", { hasText: "Options" }).click();
      await page.getByLabel("Token", { exact: true }).fill("chosen by hand");
      await page.getByRole("button", { name: "Create integration" }).click();
      await page.getByText("Waiting for the first event").waitFor();
      const [waiting, options] = await Promise.all([
        page.locator("#log").boundingBox(),
        page.locator("summary", { hasText: "Options (1 set)" }).boundingBox(),
      ]);
      expect(waiting?.y).toBeLessThan(options?.y ?? 0);
      const configuration = page.getByLabel("alertmanager.yml", { exact: true });
      expect(await configuration.inputValue()).toContain("credentials: YOUR_TOKEN");
      await expectShown(page, "waiting");

      await page.getByRole("button", { name: "Rotate token" }).click();
      await page.getByText("Copy the token now.").waitFor();
      await page.locator("#set-up").getByRole("button", { name: "Copy" }).click();
      await page.getByText("Copied", { exact: true }).waitFor();
      const copied = (await page.evaluate("navigator.clipboard.readText()")) as string;
      expect(copied).toMatch(/credentials: tok_[0-9a-f]{40}/);
      await expectShown(page, "rotated");

      await page.getByRole("link", { name: "Continue" }).click();
      const log = page.locator("#log");
      await log.getByText("Waiting for the first event").waitFor();
      await sendAlert(copied, name);
      await log.getByText("The first event has arrived.").waitFor();
      await page.getByRole("button", { name: "Send test event" }).click();
      await log.getByText("The test event has arrived.").waitFor();
      await expectShown(page, "tested");
      await log.locator(".notice").getByRole("link", { name: "Open alert" }).click();
      await page.getByRole("heading", { name: `Test of ${name}: ` }).waitFor();
    },
  );
});
