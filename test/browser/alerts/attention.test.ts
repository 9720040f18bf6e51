// What calls attention to alerts: their number in the tab's title and icon, and the sound for new
// critical ones, in one tab of the browser.
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

let stage: Stage;

const raise = (title: string, urgency: string) =>
  stage.api("POST", "/alerts", { title, urgency, destination_team_ids: [stage.demo.team_id] });

/** Replaces what plays sounds; each sound calls `played`. */
const SILENT = `
  window.AudioContext = class {
    currentTime = 0;
    constructor() { window.played(); }
    close() { return Promise.resolve(); }
  };
  const node = class {
    connect(to) { return to; }
    start() {}
    stop() {}
  };
  window.OscillatorNode = node;
  window.GainNode = node;
`;

/** A tab may be another process, which sees what was stored only after a while: here never. */
const SEES_NO_SOUND = `
  const get = Storage.prototype.getItem;
  Storage.prototype.getItem = function (key) {
    return key === "alert-sounded" ? null : get.call(this, key);
  };
`;

const rowOf = (page: Page, title: string) => page.getByRole("link", { name: title, exact: true });

const countIn = async (page: Page) => Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);

const iconOf = async (page: Page) =>
  decodeURIComponent((await page.locator('link[rel="icon"]').getAttribute("href")) ?? "");

describe.skipIf(chromiumPath === null)("attention", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("a sound is off by default, and then plays once, in one tab, for new critical alerts", async () => {
    const first = await stage.signIn();
    const context = first.context();
    let played = 0;
    await context.exposeBinding("played", () => {
      played += 1;
    });
    await context.addInitScript(SILENT);
    await context.addInitScript(SEES_NO_SOUND);
    const tabs = [first, await context.newPage()];
    for (const tab of tabs) await tab.goto("/alerts?sort=newest");
    const made: string[] = [];
    onTestFinished(async () => {
      for (const id of made) await stage.api("POST", `/alerts/${id}/resolve`);
    });
    const seenInBoth = async (title: string, urgency: string) => {
      made.push((await raise(title, urgency)).id);
      for (const tab of tabs) await rowOf(tab, title).waitFor();
    };
    await seenInBoth("Critical, and nobody asked for a sound", "critical");
    expect(played).toBe(0);

    const button = first.locator("[data-sound]");
    expect(await button.getAttribute("aria-pressed")).toBe("false");
    await first.getByText("View", { exact: true }).click();
    await button.click();
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    // It plays once, so that the person hears what it is.
    await expect.poll(() => played).toBe(1);
    await seenInBoth("Not critical", "high");
    await seenInBoth("Critical for two tabs", "critical");
    await expect.poll(() => played).toBe(2);
    // Another refresh of both tabs, and a load: the same alerts are not new.
    await seenInBoth("Not critical either", "high");
    await first.reload();
    await seenInBoth("Not critical, after a load", "high");
    expect(played).toBe(2);
    // It may be on another page of the list: those that are older come first.
    await first.goto("/alerts?rows=20");
    made.push((await raise("Critical, wherever it is", "critical")).id);
    await expect.poll(() => played).toBe(3);
  });

  test("the title and the icon count what is open, and are plain while nothing is", async () => {
    const page = await stage.signIn();
    await page.goto("/on-call");
    const plain = await iconOf(page);
    await page.goto("/alerts?sort=newest");
    const { id } = await raise("Counted", "high");
    await rowOf(page, "Counted").waitFor();
    await expect.poll(() => countIn(page)).toBeGreaterThan(0);
    const shown = await page.locator("[data-open-alerts]").getAttribute("data-open-alerts");
    expect(await countIn(page)).toBe(Math.min(99, Number(shown)));
    expect(await iconOf(page)).toContain(`>${String(shown).slice(0, 2)}</text>`);
    await page.route("**/alerts?sort=newest", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        /data-open-alerts="\d+"/,
        'data-open-alerts="0"',
      );
      await route.fulfill({ response, body });
    });
    await stage.api("POST", `/alerts/${id}/resolve`);
    await expect.poll(() => page.title()).toMatch(/^Alerts/);
    expect(await iconOf(page)).toBe(plain);
  });

  test("a refresh keeps the focus, and what somebody is writing", async () => {
    const alert = await stage.raise("Somebody writes a comment");
    const page = await stage.signIn();
    await page.goto(`/alerts/${alert.prefix_id}`);
    const field = page.locator("#current textarea").first();
    await field.fill("Half a sen");
    await field.focus();
    await stage.api("POST", `/alerts/${alert.id}/acknowledge`);
    await page.locator(".lead").getByText("acknowledged", { exact: true }).waitFor();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
    await page.keyboard.type("tence");
    expect(await field.inputValue()).toBe("Half a sentence");
  });

  test("rejecting asks first when nobody would be left", async () => {
    const alert = await stage.api("POST", "/alerts", {
      ...{ title: "For Ada alone", urgency: "high" },
      destination_account_user_ids: [stage.demo.account_user_ids[0]],
    });
    const page = await stage.signIn();
    await page.goto(`/alerts/${alert.prefix_id}`);
    const questions: string[] = [];
    let isSure = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return isSure ? dialog.accept() : dialog.dismiss();
    });
    await page.getByRole("button", { name: "Pass on" }).click();
    expect(questions).toEqual([
      "Nobody else would be asked: the alert would be unanswered. Pass it on?",
    ]);
    expect((await stage.api("GET", `/alerts/${alert.id}`)).status).toBe("open");
    isSure = true;
    await page.getByRole("button", { name: "Pass on" }).click();
    await page.locator(".lead").getByText("unanswered", { exact: true }).waitFor();
  });
});
