// The reference page loads files only from its own deployment, and they exist.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeDocument } from "../../../src/reference/build.ts";
import { writeReferencePages } from "../../../src/reference/page.ts";
import { root } from "../../support/source/source-files.ts";

const assets = mkdtempSync(join(tmpdir(), "reference-"));
const read = (name: string) => readFileSync(join(assets, name), "utf8");

describe("the reference page", () => {
  beforeAll(() => {
    cpSync(join(root, "src/reference/assets"), assets, { recursive: true });
    writeReferencePages(join(assets, "docs"));
    writeDocument(assets);
  });
  afterAll(() => rmSync(assets, { recursive: true, force: true }));

  test("has its scripts and styles in its folder", () => {
    const urls = [...read("docs.html").matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
    const files = urls.filter((url): url is string => url !== "data:," && url !== undefined);
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((url) => !existsSync(join(assets, url)))).toEqual([]);
  });

  test("loads the document, and does not send it to a validator", () => {
    expect(read("docs/page.js")).toContain('url: "/openapi.json"');
    expect(read("docs/page.js")).toContain("validatorUrl: null");
  });

  test("is dark if the system is, by a class of the styles", () => {
    expect(read("docs/page.js")).toContain("prefers-color-scheme: dark");
    expect(read("docs/page.js")).toContain('toggle("dark-mode"');
    expect(read("docs/swagger-ui.css")).toContain("html.dark-mode");
  });

  test("may load nothing from other origins", () => {
    const [, policy = ""] =
      /^\/docs\*\n\s+Content-Security-Policy: (.+)$/m.exec(read("_headers")) ?? [];
    const sources = policy.split("; ").flatMap((directive) => directive.split(" ").slice(1));
    expect(policy).toContain("default-src 'none'");
    const allowed = ["'none'", "'self'", "'unsafe-inline'", "data:"];
    expect(sources.filter((source) => !allowed.includes(source))).toEqual([]);
    expect(policy).toContain("script-src 'self';");
  });
});
