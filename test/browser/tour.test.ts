// The README's tour, by the commands that it names: each of its sentences is done here, in its order. A sentence that is
// added, or changed, has no check until one is written.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { root } from "../support/source/source-files.ts";
import { freePort } from "../support/worker/dev-worker.ts";
import { chromiumPath } from "./chromium.ts";
import { mailsIn } from "./outside.ts";

const PATIENCE = { timeout: 150_000, interval: 250 } as const;

const [, TOUR = ""] =
  /^## The tour\n([\s\S]+?)^!\[/m.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
const [, COMMANDS = ""] = /```sh\n([\s\S]+?)```/.exec(TOUR) ?? [];

/** The sentences, without marks of Markdown and the steps' names. */
const sentences = TOUR.replace(/```[\s\S]+?```/g, "")
  .replace(/^\d\. \*\*.+?\*\*/gm, "")
  .replace(/[*`]/g, "")
  .replace(/\s+/g, " ")
  .trim()
  .split(/(?<=\.) (?=[A-Z?/])/);

type Tour = {
  /** What `npm start` has printed so far. */
  readonly output: () => string;
  readonly url: string;
  readonly page: Page;
};

const run = promisify(execFile);

const shell = async (script: string, { url }: Tour): Promise<string> =>
  (await run("sh", ["-c", script.replace("http://127.0.0.1:8787", url)], { cwd: root })).stdout;

const seen = (pattern: RegExp, { output }: Tour) =>
  vi.waitFor(() => expect(output()).toMatch(pattern), PATIENCE);

const opens = async ({ page, url }: Tour, name: string, from = "/") => {
  await page.goto(url + from);
  await page
    .getByRole("main")
    .or(page.getByRole("navigation"))
    .getByRole("link", { name })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
};

/** What each sentence is done by. */
const CHECKS: Readonly<Record<string, (tour: Tour) => Promise<unknown>>> = {
  "npm start prints a curl that sends a webhook: run it.": async (tour) => {
    const [command = ""] = /^curl -X POST .*$/m.exec(tour.output()) ?? [];
    expect(JSON.parse(await shell(`${command} -sS`, tour))).toHaveProperty("log_id");
  },
  "The output says that Ada is paged by email, and in which file the mail is.": async (tour) => {
    await seen(/^PAGE ada@example\.com by email for .*The lamp is out.*: sent$/m, tour);
    await vi.waitFor(() => {
      const mail = mailsIn(tour.output()).find(({ to }) => to.includes("ada@example.com"));
      expect(mail?.text).toContain("The lamp is out");
    }, PATIENCE);
  },
  "Nobody answers, so Mo is paged a minute later.": (tour) =>
    seen(/^PAGE mo@example\.com by email/m, tour),
  "Open http://127.0.0.1:8787 and sign in as Mo with the printed password.": async (tour) => {
    const [, password = ""] = /with the password (\S+)/.exec(tour.output()) ?? [];
    await tour.page.goto(tour.url);
    await tour.page.getByLabel("E-mail").fill("mo@example.com");
    await tour.page.getByLabel("Password").fill(password);
    await tour.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await tour.page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  },
  "Acknowledge the alert in the list.": async ({ page }) => {
    await page.getByRole("button", { name: "Acknowledge" }).first().click();
    await page.getByRole("button", { name: "Undo" }).first().waitFor();
  },
  "Undo takes that back for a minute.": async ({ page }) => {
    await page.getByRole("button", { name: "Undo" }).first().click();
    await page.getByText("Undone. The alert is open.").first().waitFor();
  },
  "The alert's page has the timeline, the notifications and what comes next.": async ({ page }) => {
    await page.getByRole("link", { name: "The lamp is out" }).first().click();
    for (const name of ["Timeline", "Notifications", "Escalation"]) {
      await page.getByRole("heading", { name, exact: true }).waitFor();
    }
  },
  "On call and reports are in the navigation, broadcasts beside the alerts.": async (tour) => {
    for (const name of ["On call", "Reports"]) await opens(tour, name);
    await opens(tour, "Broadcasts", "/alerts");
  },
  "Integrations, routers and everything else are under Setup.": async (tour) => {
    for (const name of ["Integrations", "Routers"]) await opens(tour, name, "/configuration");
  },
  "? lists the keys.": async ({ page }) => {
    await page.waitForLoadState();
    await page.keyboard.press("?");
    await page.getByText("Show this list").waitFor();
  },
  "These commands list the alerts.": async (tour) => {
    const { data } = JSON.parse(await shell(COMMANDS, tour));
    expect(data).toMatchObject([{ title: "The lamp is out", status: "open" }]);
  },
  "/docs has the manual, and every operation with a request to copy.": async ({ page, url }) => {
    await page.goto(`${url}/docs`);
    await page.getByRole("main").getByRole("link", { name: "Alerts", exact: true }).click();
    await page
      .locator("#createAlert .code")
      .first()
      .getByRole("button", { name: "Copy" })
      .waitFor();
    await page.getByRole("link", { name: "Backup and restore" }).click();
    await page.getByRole("heading", { name: "Restoring" }).waitFor();
  },
};

test("every sentence of the tour has a check", () => {
  expect(sentences).toEqual(Object.keys(CHECKS));
});

describe.skipIf(chromiumPath === null)("the tour", () => {
  /** Where `npm start` writes the demo's keys; another one of the developer's may run. */
  const file = join(root, ".wrangler/demo.json");
  const before = existsSync(file) ? readFileSync(file) : null;
  const state = mkdtempSync(join(tmpdir(), "tour-"));
  let started: ChildProcess;
  let browser: Browser;
  let printed = "";
  let url = "";

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const args = ["src/setup/start.ts", "--port", String(port), "--persist-to", state];
    started = spawn(process.execPath, args, { cwd: root });
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on("data", (data: Buffer) => {
        printed += data;
      });
    }
    browser = await chromium.connect(inject("stage")?.browser ?? "");
    await vi.waitFor(() => expect(printed).toContain("Tocsin is ready"), PATIENCE);
  });

  afterAll(async () => {
    const ended = new Promise((done) => started.once("exit", done));
    started.kill("SIGTERM");
    await Promise.all([ended, browser?.close()]);
    if (before) writeFileSync(file, before);
    else rmSync(file, { force: true });
    rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  });

  test("is done as the README says", async () => {
    const page = await browser.newPage({ serviceWorkers: "block" });
    const output = () => stripVTControlCharacters(printed);
    for (const [sentence, check] of Object.entries(CHECKS)) {
      await check({ output, url, page }).catch((error) => {
        throw new Error(`${sentence}\n${error.message}\n${output().slice(-2000)}`);
      });
    }
    await page.close();
  });
});
