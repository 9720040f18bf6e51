// The colours of the console and of the pages behind links.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PALETTE, PALETTE_CSS, PEOPLE_CSS } from "../../../src/domain/shared/palette.ts";
import { messagePage, respondPage } from "../../../src/features/notifications/reply-links/page.tsx";
import { root } from "../../support/source/source-files.ts";

/** The custom properties that a style sheet uses, and those that it defines. */
const used = (css: string) => [...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
const defined = (css: string) => [...css.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name);

describe("the colours", () => {
  test("of the page behind a link are those of the product, each defined", async () => {
    const html = await (await respondPage(messagePage(200, "Title", "Text"))).text();
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
    expect(used(style).length).toBeGreaterThan(10);
    for (const name of used(style)) expect(defined(style)).toContain(name);
    const colours = Object.values(PALETTE).flat() as string[];
    for (const [written] of style.matchAll(/#[0-9a-f]{3,8}\b/g)) expect(colours).toContain(written);
    expect(html.length).toBeLessThan(4_000);
  });

  test("of the console's style sheets are defined", () => {
    const files = globSync("src/console/styles/*.css", { cwd: root });
    const css = [
      PALETTE_CSS,
      PEOPLE_CSS,
      ...files.map((file) => readFileSync(`${root}/${file}`, "utf8")),
    ];
    const names = css.flatMap(defined);
    expect(files.length).toBeGreaterThan(5);
    expect(css.flatMap(used).filter((name) => !names.includes(name))).toEqual([]);
  });
});
