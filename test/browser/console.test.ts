// The console as responders use it: by keyboard, on a phone, on a bad connection, without scripts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { accessLink } from "../../src/features/access/sessions/access-links.ts";
import { actionLink } from "../../src/kernel/links.ts";
import { seed, selectSome, sized } from "../support/generated/sizes.ts";
import { expectNoViolations } from "./accessibility.ts";
import { chromiumPath } from "./chromium.ts";
import {
  onStage,
  passTime,
  pressKey,
  type Stage,
  saveScreenshot,
  WITH_SERVICE_WORKER,
} from "./harness.ts";
import { PASSWORD } from "./people.ts";
import {
  poll,
  pressAction,
  recordedRequests,
  recordRequests,
  serviceWorker,
  shownActions,
  shownTitles,
} from "./pushed.ts";

let stage: Stage;

/** Longer than the polling interval of any region of a page (ms). */
const POLL_INTERVAL_MS = 61_000;

const statusOf = async (id: string) => (await stage.api("GET", `/alerts/${id}`)).status;

describe.skipIf(chromiumPath === null)("the console in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("the list polls new alerts and preserves the selection", async () => {
    const first = await stage.raise("The first of two");
    const page = await stage.signIn();
    await page.clock.install();
    await page.goto("/alerts");
    const row = page.locator(`#row-${first.prefix_id}`);
    await row.getByRole("checkbox").check();
    // While the mouse is on the list, new rows wait.
    await page.mouse.move(2, 2);
    await stage.raise("The second of two");
    await passTime(page, POLL_INTERVAL_MS);
    await page.getByRole("link", { name: "The second of two" }).waitFor();
    expect(await row.getByRole("checkbox").isChecked()).toBe(true);
    await page.locator("#bulk").getByRole("button", { name: "Resolve" }).click();
    await page.getByText("1 alert resolved.").waitFor();
    expect(await statusOf(first.id)).toBe("resolved");
  });

  test("keyboard shortcuts select, acknowledge, resolve and search", async () => {
    const alert = await stage.raise("By keyboard");
    const page = await stage.signIn();
    await pressKey(page, "/");
    await page.keyboard.type("By keyboard");
    await pressKey(page, "Enter");
    await page.waitForURL(/q=By/);
    await page.locator("h1").click();
    await pressKey(page, "j");
    await pressKey(page, "a");
    await page.getByText("Alert acknowledged").waitFor();
    expect(await statusOf(alert.id)).toBe("acknowledged");
    await pressKey(page, "j");
    await pressKey(page, "Enter");
    await page.getByRole("heading", { name: "By keyboard" }).waitFor();
    await pressKey(page, "e");
    await page.getByText("Alert resolved.").waitFor();
    expect(await statusOf(alert.id)).toBe("resolved");
  });

  test("an acknowledgement is retried after two connection errors and applied once", async () => {
    const alert = await stage.raise("From the lift");
    const page = await stage.signIn();
    await page.goto(`/alerts/${alert.prefix_id}`);
    let broken = 0;
    await page.context().route("**/acknowledge", async (route) => {
      broken += 1;
      // The second request reaches the worker, but its response is lost.
      if (broken === 2) await route.fetch({ maxRedirects: 0 });
      if (broken <= 2) await route.abort("connectionreset");
      else await route.continue();
    });
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("Alert acknowledged").waitFor();
    expect(broken).toBe(3);
    const { details } = await stage.api("GET", `/logs/${alert.id}`);
    const messages = details.sublogs.map((it: { message: string }) => it.message);
    expect(messages.filter((it: string) => it.startsWith("Acknowledged by"))).toHaveLength(1);
  });

  test("a slow submission shows its progress, and a second click does not repeat it", async () => {
    const alert = await stage.raise("From the countryside");
    const page = await stage.signIn();
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 1_000, downloadThroughput: 20_000 };
    await page.goto(`/alerts/${alert.prefix_id}`);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: 5_000 });
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    await page.getByRole("button", { name: "Acknowledge" }).dblclick();
    await page.getByRole("button", { name: "Sending…" }).waitFor();
    await page.getByText("Alert acknowledged").waitFor();
    expect(sent).toEqual([`/alerts/${alert.prefix_id}/acknowledge`]);
    const { details } = await stage.api("GET", `/logs/${alert.id}`);
    const messages = details.sublogs.map((it: { message: string }) => it.message);
    expect(messages.filter((it: string) => it.startsWith("Acknowledged by"))).toHaveLength(1);
  });

  test("sign-in, acknowledgement, comment and handoff work without scripts", async () => {
    const alert = await stage.raise("Without scripts");
    const page = await stage.signIn("ada@example.com", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "Without scripts" }).click();
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("Alert acknowledged").waitFor();
    await page.getByLabel("New comment").fill("It is the fuse.");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.getByText("It is the fuse.").waitFor();
    await page.getByLabel("Person or team", { exact: true }).selectOption({ label: "Mo Mate" });
    await page.getByRole("button", { name: "Hand off" }).click();
    await page.getByText("Alert handed off.").waitFor();
    expect(await statusOf(alert.id)).toBe("open");
  });

  test("on-call hours are calculated and downloaded without scripts", async () => {
    const page = await stage.signIn("ada@example.com", { javaScriptEnabled: false });
    await page.goto("/reports");
    await page.getByRole("link", { name: "On-call hours" }).click();
    await page.getByLabel("First day").fill("2031-05-01");
    await page.getByLabel("Last day").fill("2031-05-01");
    await page.getByLabel("Public holidays of").selectOption({ label: "Germany, Bayern" });
    await page.getByRole("button", { name: "Calculate hours" }).click();
    await page.getByText("Holidays: Labour Day (2031-05-01).").waitFor();
    const table = page.getByRole("table", { name: "On-call hours of each person", exact: true });
    const rows = await table.getByRole("row").allInnerTexts();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("#by-person").getByRole("link", { name: "CSV" }).click(),
    ]);
    const text = (await (await download.createReadStream()).toArray()).join("");
    const [, ...lines] = text.trim().split("\r\n");
    const cells = lines.map((line) => line.split(","));
    expect(cells.length).toBeGreaterThan(0);
    expect(rows.slice(1).map((row) => row.split(/\s*\t\s*/))).toEqual(
      cells.map(([name, , ...hours]) => [name, ...hours]),
    );
    // The whole day is a holiday: nothing is in another class.
    for (const [, , ...hours] of cells) expect(hours.slice(0, 3)).toEqual(["0.00", "0.00", "0.00"]);
  });

  test("of two concurrent acknowledgements one succeeds, and the other shows who acknowledged", async () => {
    const alert = await stage.raise("Both at once");
    const pages = [await stage.signIn(), await stage.signIn()];
    for (const page of pages) {
      // A live update would take the second button away before it is pressed.
      await page.routeWebSocket("**/live*", (socket) => socket.close());
      await page.goto(`/alerts/${alert.prefix_id}`);
    }
    await Promise.all(
      pages.map((page) => page.getByRole("button", { name: "Acknowledge" }).click()),
    );
    const texts = await Promise.all(
      pages.map(async (page) => {
        const flash = page.locator("#toast .notice");
        await flash.waitFor();
        return flash.innerText();
      }),
    );
    expect(texts.filter((text) => text.startsWith("Alert acknowledged"))).toHaveLength(1);
    expect(texts.filter((text) => text.startsWith("Acknowledged, already by you"))).toHaveLength(1);
  });

  test("the button of a push notification acknowledges the alert", async () => {
    const alert = await stage.raise("By the notification");
    const url = await actionLink(
      { LINK_SECRET: stage.secrets.LINK_SECRET ?? "", PUBLIC_URL: stage.demo.base_url },
      {
        purpose: "alert",
        accountId: stage.accountId,
        recordId: alert.id,
        accountUserId: stage.demo.account_user_ids[0],
      },
      Date.now(),
    );
    const page = await stage.signIn("ada@example.com", {
      ...WITH_SERVICE_WORKER,
      permissions: ["notifications"],
    });
    const worker = await serviceWorker(page);
    const about = { id: alert.prefix_id, urgency: "high", destination: "Lamp Room" };
    const receipt = `${stage.demo.base_url}/callbacks/push/of-this-message`;
    const pushed = {
      notification: {
        ...{ title: "By the notification", body: "", tag: alert.prefix_id },
        data: { type: "alert.open", alert: about, url, receipt },
      },
    };
    await recordRequests(worker);
    const actions = await shownActions(page, worker, stage.demo.base_url, pushed);
    expect(actions).toEqual(["acknowledge", "reject"]);
    // Once it is shown, the server is told so.
    const told = `POST ${new URL(receipt).pathname}`;
    expect(await poll(async () => (await recordedRequests(worker)).includes(told))).toBe(true);
    await pressAction(worker, "acknowledge");
    await poll(async () => (await statusOf(alert.id)) === "acknowledged");
    const title = await poll(async () =>
      (await shownTitles(worker)).find((it) => it === "Acknowledged"),
    );
    expect(title).toBe("Acknowledged");
  });

  test("a device that lost its subscription says so, until push is enabled or the line is dismissed", async () => {
    const page = await stage.signIn("ada@example.com", {
      ...WITH_SERVICE_WORKER,
      permissions: ["notifications"],
    });
    await page.goto("/on-call");
    const line = page.getByText("no longer receives push notifications");
    expect(await line.count()).toBe(0);
    await page.evaluate("localStorage.setItem('push-endpoint', 'https://push.example/gone')");
    await page.goto("/on-call");
    await line.waitFor();
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Enable them again" }).click();
    await page.waitForURL("**/settings#push");
    await page.getByText("Make a push notification wake you").click();
    await expectNoViolations(page);
    await saveScreenshot(page, "push-settings");
    await page.getByRole("button", { name: "turn this reminder off" }).click();
    await page.goto("/on-call");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await serviceWorker(page);
    expect(await line.count()).toBe(0);
  });

  test("a device in use says so once a day, and learns that its subscription was removed", async () => {
    const page = await stage.signIn("ada@example.com", {
      ...WITH_SERVICE_WORKER,
      permissions: ["notifications"],
    });
    const endpoint = "https://push.example/removed-elsewhere";
    await page.addInitScript(
      `PushManager.prototype.getSubscription = async () => ({ endpoint: "${endpoint}" })`,
    );
    await page.goto("/on-call");
    await serviceWorker(page);
    await page.evaluate(`localStorage.setItem("push-endpoint", "${endpoint}")`);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/settings/push/seen")) sent.push(request.postData() ?? "");
    });
    await page.goto("/on-call");
    await page.getByText("no longer receives push notifications").waitFor();
    expect(sent.map((body) => new URLSearchParams(body).get("endpoint"))).toEqual([endpoint]);
    await page.goto("/on-call");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(sent).toHaveLength(1);
  });

  test("the offline page shows when the console was last connected", async () => {
    const page = await stage.signIn("ada@example.com", WITH_SERVICE_WORKER);
    await serviceWorker(page);
    await page.goto("/on-call");
    await page.context().setOffline(true);
    await page.goto("/alerts");
    await page.getByRole("heading", { name: "No connection" }).waitFor();
    await page.getByText(/Last connected \d/).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Alerts", exact: true }).waitFor();
  });

  test("scripts and styles are loaded with the first page, not with the next", async () => {
    const page = await stage.signIn();
    await page.goto("/alerts?status=resolved");
    const sizes = await page.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => name.includes("/assets/hashed/"))
        .map(({ transferSize }) => transferSize),
    );
    expect(sizes).toEqual([0, 0]);
  });

  test("a list that cannot be polled shows when it was last updated", async () => {
    const page = await stage.signIn();
    await page.clock.install();
    await page.goto("/alerts");
    await page.context().route("**/alerts", (route) => route.abort("connectionfailed"));
    await passTime(page, POLL_INTERVAL_MS);
    await page.getByText(/No connection\. Last updated at \d\d:/).waitFor();
  });

  const variants = [
    ["light", 1440, 0],
    ["dark", 1440, 1],
    ["light", 390, 2],
    ["dark", 390, 3],
  ] as const;
  test.each(selectSome(variants, 2, 0))(
    "no page has a serious accessibility violation or overflows: %s, %i px",
    async (scheme, width, nth) => {
      const alert = await stage.raise("A title that says what is wrong, and where, and since when");
      const page = await stage.signIn("ada@example.com", {
        colorScheme: scheme,
        viewport: { width, height: 800 },
      });
      const one = `/alerts/${alert.prefix_id}`;
      const paths = [
        "/alerts",
        one,
        `${one}/edit`,
        "/alerts/new",
        "/on-call",
        "/absences",
        "/absences?state=past",
        "/absences?add=1",
        ...(await recordPaths()),
      ];
      const others = ["/settings", "/password", "/alerts?status=suppressed", "/nowhere"];
      const access = ["/forgotten", "/forgotten/x", "/verify/x", await verifyPath()];
      const all = [...paths, ...others, ...access, ...configurationPaths()];
      // Every fourth page in each of two variants under `npm test`, every page in all four at full size.
      const isSelected = (i: number) => i % 4 === (nth + seed) % 4;
      for (const path of all.filter((_, i) => sized(isSelected(i), true))) {
        await page.goto(path);
        expect([path, await violationsOf(page)]).toEqual([path, []]);
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect([path, over]).toEqual([path, 0]);
        await saveScreenshot(page, `${path} ${scheme} ${width}`);
      }
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("Signed out.").waitFor();
      expect(await violationsOf(page)).toEqual([]);
    },
  );

  test("after signing out, the browser's history does not show the console", async () => {
    const page = await stage.signIn();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Signed out.").waitFor();
    await page.goBack();
    await page.getByLabel("Password").fill(PASSWORD);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });
});

/** The path of a verification link for a new address of Ada's. */
async function verifyPath(): Promise<string> {
  const [{ id: userId }] = (await stage.api("GET", "/users?name=Ada%20Keeper")).data;
  const email = `ada.${Date.now()}@example.com`;
  const { emails } = await stage.api("PUT", `/users/${userId}`, { emails_attributes: [{ email }] });
  const { id: emailId } = emails.find((it: { email: string }) => it.email === email);
  const env = { ...stage.secrets, PUBLIC_URL: stage.demo.base_url } as Cloudflare.Env;
  const link = await accessLink(env, "address", { userId, emailId, state: [email] }, Date.now());
  return new URL(link ?? "").pathname;
}

/** The pages of the configuration: lists, one record of each, and create forms. */
function configurationPaths(): string[] {
  const { team_id, schedule_id, escalation_policy_id, account_user_ids, integration_id } =
    stage.demo;
  const schedule = `/schedules/${schedule_id}`;
  const integration = `/integrations/${integration_id}`;
  return [
    ...["/on-call?scope=all", schedule, `${schedule}?view=week`, `${schedule}?view=month`],
    ...[`${schedule}?view=weeks`, `${schedule}?view=history`, `${schedule}/rotations/new`],
    ...[`${schedule}/events/new`, "/configuration", `/teams/${team_id}`, "/teams/new"],
    ...[`/escalation_policies/${escalation_policy_id}`],
    ...["/integrations", integration, "/integrations/new?type=webhook"],
    ...["/routers", "/routers/new", "/notification_rules", "/notification_rules/new"],
    ...["/calendars?view=windows", "/maintenance_windows/new", "/broadcasts", "/broadcasts?add=1"],
    ...["/people", `/people/${account_user_ids[0]}`, "/api_keys", "/reports"],
    ...["/reports?view=hours", "/reports?view=hours&from=2026-01-01&to=2026-12-31&region=DE-BY"],
    "/reports?view=hours&from=2026-02-01&to=2026-01-01&night_start=22:00&night_end=22:00",
    ...["/calendars", "/calendars?region=DE-BY", "/calendars/holidays/new"],
    ...["/calendars/imports/new", "/calendars/absences/new"],
    ...["/readiness", "/readiness?view=drills", "/configuration/file"],
    "/configuration/deployment",
  ];
}

/** The pages of records that the demo has none of, or several. */
async function recordPaths(): Promise<string[]> {
  const { schedule_id, account_user_ids } = stage.demo;
  const start = Date.UTC(2034, 0, 1) + Math.floor(Math.random() * 100_000) * 3_600_000;
  const spanFrom = (from: number) => ({
    start_datetime: new Date(from).toISOString(),
    end_datetime: new Date(from + 3_600_000).toISOString(),
  });
  const [away, covering] = account_user_ids;
  const covered = await stage.api("POST", "/absences", {
    ...{ ...spanFrom(start), account_user_id: away, schedule_ids: [schedule_id] },
    ...{ instead: "person", covering_account_user_id: covering },
  });
  const asking = await stage.api("POST", "/absences", {
    ...{ ...spanFrom(start + 7_200_000), account_user_id: away, schedule_ids: [schedule_id] },
    ...{ instead: "ask", account_user_ids: [covering] },
  });
  const [event] = (await stage.api("GET", `/schedules/${schedule_id}/events`)).data;
  expect([covered.id, asking.id, event.id]).not.toContain(undefined);
  return [
    ...[`/absences/${covered.id}`, `/absences/${asking.id}`, "/alerts/filters"],
    ...[`/events/${event.id}`, `/events/${event.id}?change=edit`],
  ];
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The serious and critical axe violations of a page, after its scripts have run. */
async function violationsOf(page: Page): Promise<string[]> {
  let faults: string[] = [];
  await poll(async () => {
    faults = await violationsNow(page);
    return faults.length === 0;
  }, 5_000);
  return faults;
}

async function violationsNow(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}
