// Enter in a field that searches by name takes whom the text means without a doubt, and nobody else.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

let stage: Stage;

/** The names of the last two, who are the newest, contain the beginnings of the first two. */
const PEOPLE = ["Ilka Quorn", "Ilvá Quern", "Milka Quorn", "Silva Quiet"];

describe.skipIf(chromiumPath === null)("the search by name", () => {
  onStage(async (opened) => {
    stage = opened;
  });

  const found = (page: Page) => page.locator(".picker-list [role=option]").allTextContents();

  test("takes who begins so, never who merely contains it, and nobody of several", async () => {
    for (const name of PEOPLE) {
      const email = `${crypto.randomUUID()}@example.com`;
      await stage.api("POST", "/account_users", {
        user_attributes: { name, emails_attributes: [{ email }] },
      });
    }
    const page = await stage.signIn();
    await page.goto(`/schedules/${stage.demo.schedule_id}/rotations/new`);
    await page.locator("form[data-live]").waitFor();
    const field = page.getByRole("combobox", { name: "Add person" });
    const chosen = async () =>
      (await page.locator("[data-position] [data-people]").allTextContents()).map((it) =>
        it.trim(),
      );
    for (const [text, expected] of [
      ["ilka", ["Ilka Quorn"]],
      ["ILVA", ["Ilka Quorn", "Ilvá Quern"]],
    ] as const) {
      await field.fill(text);
      await field.press("Enter");
      await expect.poll(chosen).toEqual(expected);
      expect(await field.inputValue()).toBe("");
    }
    const both = ["Ilka Quorn", "Ilvá Quern"];
    for (const [text, first] of [
      ["il", [/^Ilka Quorn/, /^Ilvá Quern/]],
      ["lka q", [/^Ilka Quorn/, /^Milka Quorn/]],
      ["ilka quorn's", []],
    ] as const) {
      await field.fill(text);
      await field.press("Enter");
      await expect
        .poll(async () => (await found(page)).slice(0, 2))
        .toEqual(first.map((it) => expect.stringMatching(it)));
      expect(await field.getAttribute("aria-activedescendant")).toBeNull();
      expect(await field.inputValue()).toBe(text);
      expect(await chosen()).toEqual(both);
    }
    // Whoever moves to somebody takes them.
    await field.fill("lka q");
    await expect.poll(async () => (await found(page)).length).toBe(2);
    await field.press("ArrowDown");
    await field.press("ArrowDown");
    await field.press("Enter");
    await expect.poll(chosen).toEqual([...both, "Milka Quorn"]);
  });
});
