// The console's setup tasks: a first sign-in, a broadcast, an alert by keyboard, router rules, themes.

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { selectSome } from "../support/generated/sizes.ts";
import { chromiumPath } from "./chromium.ts";
import { onStage, passTime, pressKey, type Stage } from "./harness.ts";
import { PASSWORD } from "./people.ts";

let stage: Stage;

/** The polling interval of a broadcast's page (ms). */
const POLL_INTERVAL_MS = 5_000;

/** Whether a page's stylesheets are loaded. */
const IS_STYLED = `(() => {
  const sheets = [...document.querySelectorAll("link[rel=stylesheet]")].map((it) => it.sheet);
  return sheets.length > 0 && !sheets.includes(null);
})()`;

const rules = (action: string, urgency = "critical") =>
  `rules:\n  - match: { alert.urgency: ${urgency} }\n    actions:\n      - { ${action} }\n`;

describe.skipIf(chromiumPath === null)("setting up in the console, in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("a first sign-in sets password, time zone and phone, and sends a test notification", async () => {
    const number = "+14155550142";
    const page = await stage.signIn("nell@example.com");
    expect(new URL(page.url()).pathname).toBe("/password");
    await page.getByLabel("New password").fill("quite another lamp");
    await page.getByLabel("Repeat password").fill("quite another lamp");
    await page.getByRole("button", { name: "Save password" }).click();
    await page.getByRole("heading", { name: "Phones" }).waitFor();
    await page.getByLabel("Time zone", { exact: true }).selectOption("Berlin");
    await page.getByRole("button", { name: "Save time zone" }).click();
    await page.getByText("Changes saved.").waitFor();
    await page.getByLabel("New phone number").fill(number);
    await page.getByRole("button", { name: "Add number and send code" }).click();
    const phones = page.locator("#phones");
    const code = phones.getByLabel(`Code sent to ${number}`);
    await code.waitFor();
    const sent = await poll(() => stage.textsTo(number)[0]);
    const digits = /\b\d{6}\b/.exec(sent.body)?.[0] ?? "";
    await code.fill(digits === "000000" ? "111111" : "000000");
    await phones.getByRole("button", { name: "Confirm" }).click();
    await page.locator("main > .notice.bad").waitFor();
    await code.fill(digits);
    await phones.getByRole("button", { name: "Confirm" }).click();
    await phones.getByText("confirmed", { exact: true }).waitFor();
    await page.getByLabel("SMS", { exact: true }).check();
    await page.getByRole("button", { name: "Save channels" }).click();
    await page.getByText("Changes saved.").waitFor();
    await page.getByRole("button", { name: "Page me now" }).click();
    await page.getByText("Test page sent").waitFor();
    const text = await poll(() => stage.textsTo(number).find(({ body }) => /Test page/.test(body)));
    expect(text.body).toMatch(/Reply A \w+ to acknowledge/);
    const mail = await poll(() =>
      stage.mailsTo("nell@example.com").find(({ subject }) => subject.includes("Test page")),
    );
    const answering = await (await stage.open()).newPage();
    await answering.goto(linkIn(mail.text));
    await answering.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("Test page answered").waitFor();
  });

  test("a broadcast accepts responses by mail link and in the console, and its sender sees them", async () => {
    const [ada] = stage.demo.account_user_ids;
    const welcome = await poll(() =>
      stage.mailsTo("mo@example.com").find(({ subject }) => subject.startsWith("Your access")),
    );
    const password = /Password:?\s+(\S+)/.exec(welcome.text)?.[1] ?? "";
    const memberPage = await stage.signIn("mo@example.com", {}, password);
    await memberPage.getByLabel("New password").fill("another lamp again");
    await memberPage.getByLabel("Repeat password").fill("another lamp again");
    await memberPage.getByRole("button", { name: "Save password" }).click();
    await memberPage.getByRole("heading", { name: "Phones" }).waitFor();
    const page = await stage.signIn();
    await page.clock.install();
    await page.goto("/broadcasts?add=1");
    await page.getByLabel("Title", { exact: true }).fill("Fire drill");
    await page.getByLabel("Request a response").check();
    await page.getByLabel("Response option 1").fill("Out");
    await page.getByLabel("Response option 2").fill("Still in");
    await page.getByLabel("Mo Mate").check();
    await page.getByLabel("Ada Keeper").check();
    await page.getByRole("button", { name: "Send broadcast" }).click();
    await page.getByRole("button", { name: /^Send to \d+ p/ }).click();
    await page.getByRole("heading", { name: "Fire drill" }).waitFor();
    const answers = page.locator("#answers");
    const mail = await poll(() =>
      stage.mailsTo("mo@example.com").find(({ subject }) => subject.includes("Fire drill")),
    );
    const linked = await (await stage.open({ javaScriptEnabled: false })).newPage();
    await linked.goto(linkIn(mail.text));
    await linked.getByRole("button", { name: "Still in" }).click();
    await linked.getByText("Your response: Still in").waitFor();
    await page.waitForLoadState();
    await passTime(page, POLL_INTERVAL_MS);
    await answers.getByRole("row", { name: /Mo Mate.*Still in/ }).waitFor();
    await memberPage.goto("/broadcasts");
    await memberPage.getByRole("link", { name: "Fire drill" }).click();
    await memberPage.locator("#own").getByRole("button", { name: "Out" }).click();
    await memberPage.getByText("Response saved.").waitFor();
    await passTime(page, POLL_INTERVAL_MS);
    await answers.getByRole("row", { name: /Mo Mate.*Out/ }).waitFor();
    await page.locator("#own").getByRole("button", { name: "Out" }).click();
    await answers.getByRole("row", { name: /Ada Keeper.*Out/ }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const { broadcast_responses: responses } = await stage.api("GET", `/broadcasts/${id}`);
    expect(responses).toHaveLength(2);
    expect(responses.map((it: { account_user_id: string }) => it.account_user_id)).toContain(ada);
  });

  test("the keyboard is enough to sign in, create an alert, mark it as an incident and resolve it", async () => {
    const page = await (await stage.open()).newPage();
    await page.goto("/sign-in");
    const { keyboard } = page;
    await tabTo(page, "E-mail");
    await keyboard.type("ada@example.com");
    await tabTo(page, "Password");
    await keyboard.type(PASSWORD);
    await pressKey(page, "Enter");
    await page.getByRole("heading", { name: "Home", exact: true }).waitFor();
    await tabTo(page, "Skip to main content");
    await pressKey(page, "Enter");
    await tabTo(page, "Create alert");
    await pressKey(page, "Enter");
    await page.waitForURL(/\/alerts\/new$/);
    await tabTo(page, "Title");
    await keyboard.type("Hands are full");
    await tabTo(page, "Goes to");
    await keyboard.type("Mo");
    await tabTo(page, "Create alert");
    await pressKey(page, "Enter");
    await page.getByRole("heading", { name: "Hands are full" }).waitFor();
    await tabTo(page, "Edit");
    await pressKey(page, "Enter");
    await page.waitForURL(/\/edit$/);
    await tabTo(page, "Mark as incident");
    await pressKey(page, "Space");
    await tabTo(page, "Severity");
    await keyboard.type("SEV-2");
    await tabTo(page, "Incident message");
    await keyboard.type("Ships wait");
    await tabTo(page, "Save changes");
    await pressKey(page, "Enter");
    await page.getByText("Incident SEV-2").waitFor();
    await tabTo(page, "Resolve");
    await pressKey(page, "Enter");
    await page.getByText("Alert resolved.").waitFor();
  });

  test.each(selectSome([true, false], 1, 0))(
    "a router with an invalid rule shows the line and is not saved by a dry run: scripts %s",
    async (javaScriptEnabled) => {
      const [, mo] = stage.demo.account_user_ids;
      const name = `Front desk ${javaScriptEnabled}`;
      const page = await stage.signIn("ada@example.com", { javaScriptEnabled });
      await page.goto("/routers/new");
      const editor = page.getByLabel("Rules", { exact: true });
      const write = async (text: string) => {
        if (!(await editor.isVisible())) await page.getByText("As text", { exact: true }).click();
        await editor.fill(text);
      };
      const result = page.locator("#result");
      await page.getByLabel("Otherwise goes to", { exact: true }).selectOption({ index: 1 });
      await page.getByLabel("Payload (JSON)").fill('{"title":"Till is down","urgency":"critical"}');
      await write(rules(`type: assing, receiver: ${mo}`));
      await page.getByRole("button", { name: "Start dry run" }).click();
      await page.getByText(/^Line 4, column/).waitFor();
      expect(await page.locator(".line-numbers .bad").textContent()).toBe("4");
      expect(await editor.inputValue()).toContain("assing");
      await write(rules(`type: assign, receiver: ${mo}`));
      await page.getByRole("button", { name: "Start dry run" }).click();
      await result.getByText(/rule 1 \(line 2\) matched/).waitFor();
      await result.getByRole("cell", { name: "Mo Mate" }).first().waitFor();
      expect(await page.locator(".line-numbers .bad").count()).toBe(0);
      expect((await stage.api("GET", `/routers?name=${name}`)).total_count).toBe(0);
      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Create router" }).click();
      await page.getByText("Router created.").waitFor();
      await write(rules(`type: assign, receiver: ${mo}`, "low"));
      await page.getByLabel("Payload (JSON)").fill('{"title":"Till is down","urgency":"critical"}');
      await page.getByRole("button", { name: "Start dry run" }).click();
      await result.getByText(/no rule matched/).waitFor();
      expect(await editor.inputValue()).toContain("alert.urgency: low");
      const { data } = await stage.api("GET", `/routers?name=${name}`);
      expect(data[0].rules).toContain("alert.urgency: critical");
    },
  );

  const themes = [
    ["dark", "light", "rgb(16, 19, 23)"],
    ["light", "dark", "rgb(246, 247, 249)"],
  ] as const;
  test.each(selectSome(themes, 1, 0))(
    "the theme %s applies from the first paint on a %s system",
    async (theme, system, ground) => {
      const page = await stage.signIn("ada@example.com", { colorScheme: system });
      const shown = async () => {
        // The browser paints a page only after its stylesheets are loaded.
        await expect.poll(() => page.evaluate(IS_STYLED), { timeout: TIMEOUT_MS }).toBe(true);
        return page.evaluate("getComputedStyle(document.body).backgroundColor");
      };
      await page.goto("/settings");
      expect(await shown()).not.toBe(ground);
      await page.getByLabel("Theme in this browser").selectOption(theme);
      await page.getByRole("button", { name: "Save theme", exact: true }).click();
      await page.getByText("Theme saved for this browser.").waitFor();
      expect(await shown()).toBe(ground);
      await page.context().route("**/assets/*.js", (route) => route.abort());
      await page.goto("/alerts");
      expect(await shown()).toBe(ground);
    },
  );
});

const TIMEOUT_MS = 120_000;

/** Polls until there is a result; the timeout allows for a busy machine. */
async function poll<Found>(read: () => Found | undefined): Promise<Found> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = read();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`timed out: ${read}`);
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** The action link in a mail. */
function linkIn(text: string): string {
  const link = /https?:\/\/\S+\/a\/\S+/.exec(text)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}

const MAX_TABS = 80;

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(() => {
    const it = document.activeElement;
    const label = it.labels?.[0]?.firstChild?.textContent ?? it.getAttribute("aria-label") ?? it.textContent;
    return label.trim();
  })()`;
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await pressKey(page, "Tab");
    if ((await page.evaluate(focused)) === name) return;
  }
  throw new Error(`${name} cannot be reached with Tab`);
}
