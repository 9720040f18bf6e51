// What people read on the pages of the console: no word of the API for which the table has another, no ids, no names of
// fields, and no plural of one. The pages are those to which links lead, of an account with one record of every kind, alerts
// in every state and the month of the demo.
import { env, exports } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pages } from "../../../src/console/pages.ts";
import type { Demo } from "../../../src/setup/demo.ts";
import { createMonth } from "../../../src/setup/month/month.ts";
import { type Attributes, tokensOf } from "../../support/api/html-tokens.ts";
import { unreadableIn } from "../../support/console/unspoken.ts";
import { sized } from "../../support/generated/sizes.ts";
import { type Browser, signInAdmin } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { waitUntilIdle } from "../../support/worker/quiet.ts";

/** What may be read where: the page's path, and the text. */
const ALLOWED: readonly (readonly [page: RegExp, text: RegExp])[] = [
  // Senders call their own things so, and programs that send here need the names of the fields.
  [
    /^\/integrations\/(new|:)/,
    /destination|receiver|webhook_configs|send_resolved|max_alerts|event_type/,
  ],
];

/** What is code, or was typed by people. */
const CODE = new Set(["code", "pre", "textarea"]);
/** Attributes that are shown or read out. */
const READ = ["aria-label", "placeholder", "title", "alt", "data-confirm"];

const readAttributes = (attributes: Attributes): readonly string[] =>
  READ.flatMap((name) => attributes.get(name) ?? []);

/** The texts of a page: of its elements without those within, which end a text only as blocks. */
function textsOf(html: string): readonly string[] {
  const texts: string[] = [];
  let code = 0;
  let open = "";
  for (const token of tokensOf(html)) {
    if (token.kind === "text") {
      if (code === 0) open += token.text;
      continue;
    }
    if (!["a", "b", "span", "strong", "time", "code"].includes(token.name)) {
      texts.push(open);
      open = "";
    }
    if (token.kind === "begin") {
      texts.push(...readAttributes(token.attributes));
      if (CODE.has(token.name)) code += 1;
    } else if (CODE.has(token.name)) code -= 1;
  }
  return [...texts, open].map((text) => text.replace(/\s+/g, " ").trim()).filter((it) => it !== "");
}

/** The paths to which a page's links lead. */
const linksOn = (html: string): readonly string[] =>
  [...tokensOf(html)].flatMap((token) => {
    const to = token.kind === "begin" && token.name === "a" ? token.attributes.get("href") : null;
    return to?.startsWith("/") && !to.startsWith("//") ? [to.replace(/#.*$/, "")] : [];
  });

/** Parameters whose value makes another page. */
const MEANINGFUL = ["view", "change", "template", "type", "whole", "group", "drill", "add"];

/** `/alerts/:?whole=merge`: what links of one kind have in common. */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, "https://tocsin.test");
  const query = [...searchParams]
    .filter(([name]) => MEANINGFUL.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  return `${pathname.replace(/\/(?:[a-z]{3}_[\w-]+|[0-9A-Z]{26})/g, "/:")}?${query.toSorted().join("&")}`;
}

let world: Inhabited;
let browser: Browser;
let ownPages: readonly string[];

/** The pages of an alert that everybody notified passed on, of one that waits, of one that a router mutes, and of a sender. */
async function addAlerts({ api, accountUserId, ids }: Inhabited): Promise<readonly string[]> {
  const make = async (title: string, to: object) => {
    const made = await api("POST", "/alerts", { title, urgency: "high", ...to });
    expect(made.status, made.text).toBe(201);
    return made.body;
  };
  const { body: sender } = await api("GET", `/integrations/${ids.integration.id}`);
  const event = { event_type: "create", Id: "words", Title: "Disk full" };
  const request = { method: "POST", body: JSON.stringify(event) };
  expect((await exports.default.fetch(`${sender.url}?token=lantern+token`, request)).status).toBe(
    200,
  );
  const own = await make("Passed on", { destination_account_user_ids: [accountUserId] });
  const waiting = await make("Waiting", { destination_team_ids: [ids.team.id] });
  const passed = await api("POST", `/alerts/${own.id}/reject`, {});
  expect(passed.status, passed.text).toBe(200);
  const muted = await make("Muted", { destination_router_ids: [ids.router.id] });
  const states = async (id: string) => (await api("GET", `/alerts/${id}`)).body.status;
  await vi.waitFor(async () => expect(await states(own.id)).toBe("dropped"), soon);
  expect(await states(muted.id)).toBe("suppressed");
  return [
    ...[own, waiting, muted].map(({ prefix_id }) => `/alerts/${prefix_id}`),
    `/integrations/${ids.integration.prefixId}`,
  ];
}

async function addMonth({ accountId, accountUserId, api, ids }: Inhabited): Promise<void> {
  const write = (method: string) => async (path: string, body: object) => {
    const reply = await api(method, path, body);
    expect(reply.status, `${path}: ${reply.text}`).toBeLessThan(300);
    return reply.body;
  };
  const calls = {
    post: write("POST"),
    put: write("PUT"),
    typeNamed: async (name: string) =>
      (await api("GET", `/integration_types?name=${name}`)).body.data[0].id,
  };
  const [team_id, schedule_id] = [ids.team.id, ids.schedule.id];
  const demo = { team_id, schedule_id, integration_id: ids.integration.id } as Demo;
  const people = [
    { id: accountUserId, name: "Ada Keeper", email: "ada@example.com" },
    { id: ids.account_user.id, name: "Mo Mate", email: "mo@example.com" },
  ];
  const rows = await createMonth(calls, demo, { accountId, people }, Date.now());
  await env.DB.batch(rows.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)));
}

beforeAll(async () => {
  world = await makeInhabited("lantern");
  ownPages = await addAlerts(world);
  await addMonth(world);
  browser = await signInAdmin(world);
  await waitUntilIdle();
});
afterAll(() => {
  vi.restoreAllMocks();
});

test("is in words that people use, on every page", async () => {
  const seen = new Map<string, number>();
  const starts = pages.filter(({ method, path }) => method === "GET" && !path.includes(":"));
  const queue = [...ownPages, ...starts.map(({ path }) => path)];
  const found = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const kind = kindOf(path);
    const times = seen.get(kind) ?? 0;
    if (
      (times >= sized(1, 8) && !ownPages.includes(path)) ||
      /^\/docs|\.csv|^\/reports\/by-/.test(path)
    )
      continue;
    seen.set(kind, times + 1);
    const { status, text, to } = await browser.get(path);
    if (status === 303) queue.push(to);
    if (status !== 200 || !text.startsWith("<!")) continue;
    for (const shown of textsOf(text))
      for (const it of unreadableIn(shown))
        if (!ALLOWED.some(([page, allowed]) => page.test(kind) && allowed.test(it.text)))
          found.add(`${kind}: ${it.what}: ${it.text}`);
    queue.push(...linksOn(text));
  }
  const patterns = new Set([...seen.keys()].map((kind) => kind.replace(/\?.*/, "")));
  expect(patterns.size).toBeGreaterThan(60);
  expect([...found]).toEqual([]);
});
