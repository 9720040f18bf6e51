// What axe finds on a page, and whether the page is wider than the window.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Colours that still change, as they do when the window's width did, are no colours of the page. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((it) => it instanceof CSSTransition).map((it) => it.finished)).then(() => {})`;

/** All accessibility violations of a page as it is now: rule, and elements. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(SETTLED);
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: readonly { id: string; nodes: readonly { html: string }[] }[];
  };
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
  );
}

/** Fails if axe finds anything on a page as it is now. */
export async function expectNoViolations(page: Page): Promise<void> {
  expect([page.url(), await violationsOf(page)]).toEqual([page.url(), []]);
}

/** Fails if axe finds anything, or if the page is wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page);
  const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  expect([page.url(), over]).toEqual([page.url(), 0]);
}
