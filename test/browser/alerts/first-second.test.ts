// The first second on the list of alerts: what burns is on the screen, whatever else is wrong.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

/** Where the first alert may begin, from the top of the page (px, at 1440 x 900). */
const MAX_TOP = 200;
/** A row on a telephone (px). */
const MAX_ROW = 110;

type Row = { readonly top: number; readonly bottom: number };

/** Where the rows of the list are, from the top of the window. */
const rowsOf = (page: Page): Promise<Row[]> =>
  page.locator(".alerts > .alert").evaluateAll((rows) =>
    rows.map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return { top, bottom };
    }),
  );

/** The urgencies and ages that a button or the edge of their row cuts, or that touch the name before them. */
const cutFacts = (page: Page): Promise<string[]> =>
  page.locator(".alert-facts :is(.urgency, time)").evaluateAll((facts) =>
    facts.flatMap((fact) => {
      const end = fact.closest(".alert-lines")?.getBoundingClientRect().right ?? 0;
      const { left, right } = fact.getBoundingClientRect();
      const name = fact.matches("strong + time") ? fact.previousElementSibling : null;
      const touches = name !== null && left - name.getBoundingClientRect().right < 2;
      return right > end || touches ? [fact.textContent] : [];
    }),
  );

/** The upper edge of what lies over the foot of a telephone's screen. */
const footOf = (page: Page): Promise<number> =>
  page.locator(".navigation").evaluate((it) => it.getBoundingClientRect().top);

describe.skipIf(chromiumPath === null)("the list of alerts in its first second", () => {
  onStage((opened) => {
    stage = opened;
  });

  const viewers = [
    ["ada@example.com", "light", "teams"],
    // In no team, or in one without an alert.
    ["cleo@example.com", "dark", "all"],
  ] as const;
  test.each(viewers)(
    "what burns is in sight at both widths: %s, %s",
    async (email, colorScheme, scope) => {
      const created = ["a", "b", "c"].map((name) =>
        stage.api("POST", "/teams", {
          ...{ name: `Uncovered ${name}`, escalation_policy_id: stage.demo.escalation_policy_id },
          member_account_user_ids: [stage.demo.account_user_ids[0]],
          admin_account_user_ids: [stage.demo.account_user_ids[0]],
        }),
      );
      const teams = await Promise.all(created);
      for (const [i, urgency] of ["critical", "high", "low"].entries()) {
        await stage.api("POST", "/alerts", {
          title: `Error rate of checkout-api above 5 % in region eu-west-${i}`,
          urgency,
          tags: ["checkout", "eu-west"],
          destination_team_ids: [stage.demo.team_id],
        });
      }
      const taken = await stage.api("POST", "/alerts", {
        ...{ title: "Taken", urgency: "critical", destination_team_ids: [stage.demo.team_id] },
      });
      await stage.api("POST", `/alerts/${taken.id}/acknowledge`);
      const page = await stage.signIn(email, {
        colorScheme,
        viewport: { width: 1440, height: 900 },
      });
      await page.goto(`/alerts?scope=${scope}`);
      await page.waitForLoadState();
      await expectAccessible(page);
      await saveScreenshot(page, `first-second-${email}-1440`);
      const [first] = await rowsOf(page);
      expect(first?.top).toBeLessThanOrEqual(MAX_TOP);
      await page.setViewportSize({ width: 390, height: 844 });
      await saveScreenshot(page, `first-second-${email}-390`);
      await expectAccessible(page);
      expect(await cutFacts(page)).toEqual([]);
      const rows = await rowsOf(page);
      const foot = await footOf(page);
      expect(rows.filter(({ bottom }) => bottom <= foot).length).toBeGreaterThanOrEqual(3);
      expect(Math.max(...rows.map(({ top, bottom }) => bottom - top))).toBeLessThanOrEqual(MAX_ROW);
      // Of the states, which do not fit, the chosen one is in sight.
      await page.goto("/alerts?status=all");
      const { x = 0, width = 390 } =
        (await page.locator(".chips [aria-current]").boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(390);
      await Promise.all(teams.map(({ id }) => stage.api("DELETE", `/teams/${id}`)));
    },
  );
});
