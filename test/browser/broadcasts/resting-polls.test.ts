// Pages that poll rest while nobody looks at them, so that a forgotten tab costs nothing.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

let stage: Stage;

const MINUTE = 60_000;

/** Opens a page whose clock the test moves, and counts the requests for it again. */
async function openCounted(path: string): Promise<{ page: Page; polls: () => number }> {
  const page = await stage.signIn();
  await page.clock.install();
  await page.goto(path);
  let polls = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === path) polls += 1;
  });
  await page.clock.pauseAt(Date.now() + 1_000);
  return { page, polls: () => polls };
}

/** Lets minutes pass in steps that a poll fits into. */
async function passMinutes(page: Page, minutes: number): Promise<void> {
  for (let step = 0; step < minutes; step++) {
    await page.clock.fastForward(MINUTE);
    await page.waitForLoadState("networkidle");
  }
}

describe.skipIf(chromiumPath === null)("the polls of a page", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("rest once nobody has touched it for half an hour, and go on when somebody does", async () => {
    const made = await stage.api("POST", "/broadcasts", {
      title: "Water in the cellar",
      destination_account_user_ids: [stage.demo.account_user_ids[0]],
    });
    const { page, polls } = await openCounted(`/broadcasts/${made.prefix_id}`);
    await passMinutes(page, 3);
    const early = polls();
    expect(early).toBeGreaterThan(0);
    await passMinutes(page, 30);
    const rested = polls();
    await passMinutes(page, 20);
    expect(polls()).toBe(rested);
    await page.mouse.move(200, 200);
    await passMinutes(page, 2);
    expect(polls()).toBeGreaterThan(rested);
  });
});
