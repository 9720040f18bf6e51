// Takes the README's pictures: `npm run pictures` starts the demo with a month of data in a state of its
// own, and writes them to `src/console/pictures`.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { root } from "../support/source/source-files.ts";
import { freePort } from "../support/worker/dev-worker.ts";
import { chromiumPath } from "./chromium.ts";

const MAX_BYTES = 60_000;
const WAIT_MS = 120_000;
/** Text without coloured edges: half the bytes. */
const GREY_TEXT = ["--disable-lcd-text"];

/** What each picture shows: its name, and how to get there from the list of alerts. */
const PICTURES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  alerts: (page) => page.goto("/alerts?status=all"),
  alert: async (page) => {
    await page.goto("/alerts");
    await page.locator(".alert-title").first().click();
  },
  team: async (page) => {
    await page.goto("/on-call?scope=all");
    await page.getByRole("link", { name: "Platform", exact: true }).first().click();
  },
  router: async (page) => {
    await page.goto("/routers/new");
    await page.getByRole("button", { name: "Add rule" }).click();
  },
};

type DemoFile = {
  readonly base_url: string;
  readonly console_email: string;
  readonly console_password: string;
};

/** Waits for the demo, whose file is written last. */
async function readDemo(state: string): Promise<DemoFile> {
  for (let waited = 0; waited < WAIT_MS; waited += 500) {
    try {
      return JSON.parse(readFileSync(join(state, "demo.json"), "utf8"));
    } catch {
      await sleep(500);
    }
  }
  throw new Error("the demo did not start");
}

/** The size of the pictures. */
const VIEWPORT = { width: 1280, height: 720 };

/** A screenshot as WebP, less than half of its bytes: Chromium takes those, Playwright does not. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  const source = `data:image/png;base64,${png.toString("base64")}`;
  await page.setContent(`<img src="${source}" style="position: fixed; inset: 0">`);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await page.close();
  return Buffer.from(data, "base64");
}

async function takePictures({ base_url, console_email, console_password }: DemoFile) {
  const browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: GREY_TEXT });
  const page = await browser.newPage({
    baseURL: base_url,
    colorScheme: "light",
    viewport: VIEWPORT,
  });
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(console_email);
  await page.getByLabel("Password").fill(console_password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("/");
  for (const [name, open] of Object.entries(PICTURES)) {
    await open(page);
    await page.waitForLoadState("networkidle");
    const screenshot = await page.screenshot({ animations: "disabled", caret: "hide" });
    const picture = await toWebp(browser, screenshot);
    writeFileSync(join(root, `src/console/pictures/${name}.webp`), picture);
    console.log(`${name}.webp: ${picture.length} bytes`);
    if (picture.length > MAX_BYTES) process.exitCode = 1;
  }
  await browser.close();
}

const state = mkdtempSync(join(tmpdir(), "tocsin-pictures-"));
const port = String(await freePort());
const demo = spawn("npm", ["start", "--", "--demo", "--port", port, "--persist-to", state], {
  ...{ cwd: root, stdio: "ignore", detached: true },
});
try {
  await takePictures(await readDemo(state));
} finally {
  if (demo.pid !== undefined) process.kill(-demo.pid, "SIGINT");
  await sleep(3_000);
  rmSync(state, { recursive: true, force: true });
}
