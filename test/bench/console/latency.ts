// Measures how long a change takes to reach another console: from the request that makes it to the
// WebSocket message, and to what the page shows.
import type { BrowserContext, Page } from "playwright-core";
import { line, ms, ratio, summary, type Times } from "../measure.ts";
import type { Server } from "../server.ts";
import { openConnected } from "./visitor.ts";

const CHANGES = 40;
/** Longer than the shortest interval between two messages and between two refreshes (ms). */
const PACE_MS = 1_000;
/** No change takes longer to be seen (ms). */
const TIMEOUT_MS = 10_000;

/** Where the page notes when it showed an alert's title first. */
const SHOWN = "shownTitles";

/** Prints the section; returns the violated guarantees. */
export async function liveLatency(
  server: Server,
  context: BrowserContext,
  teamId: string,
  base: Times,
): Promise<string[]> {
  const page = await context.newPage();
  const framedAt = new Map<string, number>();
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      const { changes = [] } = messageIn(String(payload));
      for (const { id } of changes) if (!framedAt.has(id)) framedAt.set(id, Date.now());
    });
  });
  await openConnected(page, "/alerts");
  await page.evaluate(`
    window.${SHOWN} = {};
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll(".alert-title"))
        window.${SHOWN}[textContent.trim()] ??= Date.now();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  `);
  const [answers, frames, shows]: [number[], number[], number[]] = [[], [], []];
  const faults: string[] = [];
  for (let i = 0; i < CHANGES; i += 1) {
    const title = `Change ${i}`;
    const sentAt = Date.now();
    const alert = await server.api("/alerts", {
      ...{ title, urgency: "silent", destination_team_ids: [teamId] },
    });
    answers.push(Date.now() - sentAt);
    const shownAt = await firstShown(page, title);
    const framed = framedAt.get(alert.id ?? "");
    if (shownAt === null || framed === undefined) faults.push(`${title} was not pushed`);
    else {
      frames.push(framed - sentAt);
      shows.push(shownAt - sentAt);
    }
    await page.waitForTimeout(PACE_MS - Math.min(PACE_MS, Date.now() - sentAt));
  }
  await page.close();
  console.log(`\n${line(`live: ${CHANGES} alerts created by the API`, "measured", "budget")}`);
  for (const [what, times, budget] of [
    ["request sent -> answered", answers, "(printed)"],
    ["request sent -> message to another console", frames, "(printed)"],
    ["request sent -> shown in another console", shows, "p99 <= 1 s"],
  ] as const) {
    const measured = summary(times);
    console.log(line(what, `${ms(measured)} = ${ratio(measured, base)}`, budget));
  }
  return faults;
}

/** When the page showed an alert's title first (epoch ms); null if it did not in time. */
async function firstShown(page: Page, title: string): Promise<number | null> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const at = await page.evaluate(`window.${SHOWN}[${JSON.stringify(title)}] ?? null`);
    if (typeof at === "number") return at;
    await page.waitForTimeout(20);
  }
  return null;
}

type Message = { readonly changes?: readonly { readonly id: string }[] };

const messageIn = (text: string): Message => (text === "pong" ? {} : (JSON.parse(text) as Message));
