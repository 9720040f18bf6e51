// The pages at /docs: each has a title, is found by the search, has no broken link, loads nothing from other origins, and
// stays within its budget of bytes. Every operation of the API is on one of them, with a request that a shell can read.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Document, OpenApiOperation } from "../../../src/reference/api/openapi.ts";
import { writeReference } from "../../../src/reference/build.ts";
import { documentOf } from "../../../src/reference/document.ts";
import { textOf } from "../../../src/reference/html.ts";
import { MANUAL, manualPage } from "../../../src/reference/manual.ts";
import { anchorOf } from "../../../src/reference/markdown.ts";
import { findEntries, type SearchEntry } from "../../../src/reference/search.ts";
import { routes } from "../../../src/routes.ts";
import { INDEX_KILOBYTES, PAGE_KILOBYTES } from "../../support/reference/page-budgets.ts";
import { root, sourceFiles } from "../../support/source/source-files.ts";

const folder = mkdtempSync(join(tmpdir(), "docs-"));
const pages = new Map<string, string>();
let document: Document;
let operations: { readonly name: string; readonly operation: OpenApiOperation }[];
let index: SearchEntry[];

beforeAll(() => {
  document = documentOf(routes) as Document;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
  writeReference(folder, join(root, "src/reference/manual"));
  for (const file of readdirSync(folder, { recursive: true }).map(String)) {
    if (!file.endsWith(".html")) continue;
    pages.set(`/${file.replace(/\.html$/, "")}`, readFileSync(join(folder, file), "utf8"));
  }
  index = JSON.parse(readFileSync(join(folder, "docs/search.json"), "utf8"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const idsIn = (html: string): string[] =>
  [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? "");
const mainOf = (html: string): string => html.slice(html.indexOf("<main"));
const each = <Fault>(find: (path: string, html: string) => readonly Fault[]): Fault[] =>
  [...pages].flatMap(([path, html]) => [...find(path, html)]);

/** What the assets serve beside the pages. */
const FILES = ["/", "/openapi.json", "/docs/style.css", "/docs/docs.js", "/assets/icon-192.png"];

function isBroken(from: string, link: string): boolean {
  if (/^https?:/.test(link) || FILES.includes(link)) return false;
  const [path = "", anchor] = link.split("#");
  const html = pages.get(path === "" ? from : path);
  return html === undefined || (anchor !== undefined && !idsIn(html).includes(anchor));
}

describe("every page", () => {
  test("has a title, which is its heading, and a sentence about it", () => {
    const faulty = each((path, html) => {
      const [, title] = /<title>(.+) · Tocsin<\/title>/.exec(html) ?? [];
      const headings = [...html.matchAll(/<h1>(.*?)<\/h1>/g)].map(([, it]) => it);
      const [, lead = ""] = /<meta name="description" content="([^"]+)"/.exec(html) ?? [];
      return headings.length === 1 && headings[0] === title && lead.endsWith(".") ? [] : [path];
    });
    expect(faulty).toEqual([]);
    expect(pages.size).toBeGreaterThan(50);
  });

  test("has no title of another page", () => {
    const titles = each((_, html) => [/<title>(.+)<\/title>/.exec(html)?.[1]]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test("has no broken link, and no anchor twice", () => {
    const broken = each((path, html) =>
      [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
        .map(([, link = ""]) => link)
        .filter((link) => isBroken(path, link))
        .map((link) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
    const twice = each((path, html) =>
      idsIn(html)
        .filter((id, i, all) => all.indexOf(id) !== i)
        .map((id) => `${path}#${id}`),
    );
    expect(twice).toEqual([]);
  });

  test("to which the console and the API's descriptions lead exists", () => {
    const links = sourceFiles().flatMap(({ path, text }) =>
      [...text.matchAll(/["`](\/docs(?:[/#][\w/#-]*)?)["`]/g)].map(([, link = ""]) => ({
        path,
        link,
      })),
    );
    // A path without its last part: what a template adds to it.
    const whole = links.filter(({ link }) => !/[/#]$/.test(link));
    expect(whole.length).toBeGreaterThan(8);
    expect(whole.filter(({ link }) => isBroken("", link))).toEqual([]);
  });

  test("leads back to the console, and has a search", () => {
    const faulty = each((path, html) =>
      html.includes('href="/">Console</a>') && html.includes('type="search"') ? [] : [path],
    );
    expect(faulty).toEqual([]);
  });

  test("has a budget of bytes, stays within it, and uses most of it", () => {
    expect(Object.keys(PAGE_KILOBYTES).sort()).toEqual([...pages.keys()].sort());
    const faulty = each((path, html) => {
      const kilobytes = Buffer.byteLength(html) / 1_000;
      const budget = PAGE_KILOBYTES[path] ?? 0;
      const fits = kilobytes <= budget && kilobytes >= 0.8 * budget;
      return fits ? [] : [`${path}: ${kilobytes} of ${budget}`];
    });
    expect(faulty).toEqual([]);
    const found = Buffer.byteLength(JSON.stringify(index)) / 1_000;
    expect(found).toBeLessThanOrEqual(INDEX_KILOBYTES);
  });
});

describe("the search", () => {
  test("finds every page by its title, first", () => {
    const missing = each((path, html) => {
      const title = textOf(/<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? "");
      const isFirst = path === "/docs" || findEntries(index, title)[0]?.page === title;
      return isFirst ? [] : [`${path}: ${JSON.stringify(findEntries(index, title)[0])}`];
    });
    expect(missing).toEqual([]);
  });

  test("leads only to places that exist", () => {
    expect(index.filter(({ url }) => isBroken("", url))).toEqual([]);
  });

  test("finds every operation by its id", () => {
    const missing = operations
      .map(({ operation }) => operation.operationId)
      .filter((id) => !findEntries(index, id).some(({ text }) => text.includes(id)));
    expect(missing).toEqual([]);
  });

  test.each([
    ["acknowledge alert", "/docs/api/alerts#acknowledgeAlert"],
    ["POST teams", "/docs/api/teams#createTeam"],
    ["retention_days", "/docs/variables#storage"],
    ["database full", "/docs/retention#when-the-database-fills"],
    ["slack manifest", "/docs/integrations#slack_app"],
    ["timeBetween", "/docs/rules#timeBetween"],
    ["429", "/docs/api#TooMany"],
    ["canary", "/docs/monitoring#the-canary"],
  ])("finds “%s”", (query, url) => {
    expect(findEntries(index, query).map((it) => it.url)).toContain(url);
  });

  test("finds nothing for a word that is nowhere, and none for no word", () => {
    expect(findEntries(index, "xylophone")).toEqual([]);
    expect(findEntries(index, " – ")).toEqual([]);
  });
});

describe("the API's pages", () => {
  test("have every operation once, with its path and permission", () => {
    const all = each((_, html) => idsIn(mainOf(html)));
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => all.filter((it) => it === id).length !== 1)).toEqual([]);
  });

  test("name every field of every body, and every parameter", () => {
    const missing = operations.flatMap(({ name, operation }) => {
      const html = [...pages.values()].find((it) => it.includes(` id="${operation.operationId}"`));
      const names = [
        ...(operation.parameters ?? []).map((it) =>
          "$ref" in it
            ? (document.components.parameters[it.$ref.replace(/^.*\//, "")]?.name ?? "")
            : it.name,
        ),
        ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => {
          const { properties } =
            document.components.schemas[schema.$ref?.replace(/^.*\//, "") ?? ""] ?? schema;
          return Object.keys(properties ?? {});
        }),
      ];
      return names
        .filter((it) => !html?.includes(`<code>${it}</code>`))
        .map((it) => `${name}: ${it}`);
    });
    expect(missing).toEqual([]);
  });

  test("name every option of every integration type with its types", () => {
    const html = pages.get("/docs/api/integrations") ?? "";
    const section = html.slice(html.indexOf(' id="createIntegration"'));
    const options = Object.keys(document.components.schemas.UpdateIntegration?.properties ?? {});
    const missing = options.filter(
      (it) => it.startsWith("option_") && !section.includes(`<code>${it}</code>`),
    );
    expect(missing).toEqual([]);
    const field = section.slice(section.indexOf("<code>option_signing_secret</code>"));
    expect(textOf(field.slice(0, field.indexOf("</dd>")))).toContain(
      "Of slack_app: The app's signing secret.",
    );
  });

  test("have a request of every operation that a key may call, which a shell can read", () => {
    const html = [...pages]
      .filter(([path]) => path.startsWith("/docs/api/"))
      .map(([, it]) => it)
      .join("");
    const commands = [...html.matchAll(/<code>(curl [\s\S]*?)<\/code><\/pre>/g)].map(
      ([, it = ""]) =>
        it.replace(
          /&(lt|gt|quot|amp);/g,
          (_, name: string) => ({ lt: "<", gt: ">", quot: '"', amp: "&" })[name] ?? "",
        ),
    );
    const updates = operations.filter(({ name }) => name.startsWith("patch ")).length;
    const called = operations.filter(({ operation }) => operation.security === undefined).length;
    expect(commands.length).toBeGreaterThanOrEqual(called - updates);
    expect(() => execFileSync("sh", ["-n"], { input: commands.join("\n") })).not.toThrow();
  });
});

describe("the manual", () => {
  test("has a page of each of its files", () => {
    const files = readdirSync(join(root, "src/reference/manual"));
    expect(files.sort()).toEqual(MANUAL.map((name) => `${name}.md`).sort());
  });

  test("renders Markdown without trusting it", () => {
    const { body, title, lead } = manualPage(
      "any",
      "# A <b>\n\nFor `<key>` and <script>.\n\n## What's *in* it\n\n[More](backup.md#the-key)\n\n| A | B |\n|---|---|\n| `a` | b |\n",
    );
    expect([title, lead]).toEqual(["A <b>", "For <key> and <script>."]);
    expect(body).toContain("&lt;script&gt;");
    expect(body).toContain(`<h2 id="${anchorOf("What's *in* it")}">What&#39;s <em>in</em> it</h2>`);
    expect(body).toContain('<a href="/docs/backup#the-key">More</a>');
    expect(body).toContain('<td data-label="B">b</td>');
    expect(() => manualPage("any", "No title")).toThrow("any.md");
  });
});

test("the policy lets the pages load nothing from other origins", () => {
  const headers = readFileSync(join(root, "src/reference/_headers"), "utf8");
  const [, policy = ""] = /^\/docs\*\n\s+Content-Security-Policy: (.+)$/m.exec(headers) ?? [];
  const sources = policy.split("; ").flatMap((directive) => directive.split(" ").slice(1));
  expect(policy).toContain("default-src 'none'");
  expect(sources.filter((it) => !["'none'", "'self'"].includes(it))).toEqual([]);
});
