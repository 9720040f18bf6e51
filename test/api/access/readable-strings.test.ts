// Reading is not writing: every string that a read-only key of a plain member can read, in the API and in what third
// parties are sent, is tried as a credential at every entrance that takes no API key. Nothing changes.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pages } from "../../../src/console/pages.ts";
import worker from "../../../src/index.ts";
import { routes } from "../../../src/routes.ts";
import type { Account } from "../../support/api/api.ts";
import { servedRoutes } from "../../support/api/served-routes.ts";
import { selectSome, sized } from "../../support/generated/sizes.ts";
import { makeAlert, makeOutgoingIntegration } from "../../support/integrations/outgoing.ts";
import { openReceiver } from "../../support/integrations/receiver.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { addColleague, keyOf } from "../../support/people/people.ts";
import { soon } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { waitUntilIdle } from "../../support/worker/quiet.ts";

const HOST = "https://tocsin.test";
/** In everything that a stranger sends. */
const MARK = "sent by a stranger";
const TYPES = {
  webhook: {},
  pagerduty_events: {},
  opsgenie: {},
  email: {},
  prometheus: {},
  heartbeat: { option_interval_minutes: 5 },
};

let world: Inhabited;
let reader: Account["api"];
let strings: readonly string[];
const senders: string[] = [];

/** Every text in a value, whole and in the parts that a URL or a sentence has. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value, ...value.split(/[\s/?=&:@"',;<>()]+/)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** What the reader sees of every record and list. */
async function readEverything(): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const { method, path, operation } of routes) {
    if (method !== "GET") continue;
    const { of, query = "" } = sampleOf(operation);
    const targets = of === "integration" ? [world.ids.integration.id, ...senders] : [];
    for (const id of targets.length > 0 ? targets : [of ? world.ids[of].id : ""]) {
      const list = `${path.replace(":id", id)}?${query}`;
      const long = await reader("GET", `${list}${query ? "&" : ""}limit=100`);
      const { status, body } = long.status === 422 ? await reader("GET", list) : long;
      if (status < 300) seen.push(...textsIn(body));
    }
  }
  return seen;
}

beforeAll(async () => {
  world = await makeInhabited("reading");
  const { team } = world.ids;
  const receiver = openReceiver();
  const people = { account_user_ids: [world.accountUserId] };
  await makeOutgoingIntegration(world, receiver, people, { option_everything: true });
  for (const [type, more] of Object.entries(TYPES)) {
    const made = await world.api("POST", "/integrations", {
      ...{ name: `A ${type}`, urgency: "silent", integration_type_id: type, team_ids: [team.id] },
      ...{ accepts_id: false, accepts_get: true, ...more },
    });
    expect(made.status, made.text).toBe(201);
    senders.push(made.body.id);
    const tested = await world.api("POST", `/integrations/${made.body.id}/test`, {});
    expect(tested.status, tested.text).toBe(200);
  }
  await makeAlert(world, { destination_account_user_ids: [world.accountUserId] });
  await vi.waitFor(() => expect(receiver.got.length).toBeGreaterThan(2), soon);
  const member = await addColleague(world, "Mo");
  reader = await keyOf(world.accountId, member.id, true);
  expect((await reader("POST", "/alerts", { title: "x" })).status).toBe(403);
  const sent = receiver.got.flatMap(({ body, headers }) => textsIn([body, [...headers.values()]]));
  const all = [...(await readEverything()), ...sent, world.accountId, world.accountUserId];
  strings = [...new Set(all)].filter((text) => /^[\w.~+-]{8,300}$/.test(text));
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** The rows that an answer or a new alert would change. */
async function stateNow(): Promise<string> {
  await waitUntilIdle();
  const tables = ["alerts", "broadcasts", "broadcast_responses", "comments"];
  const queries = tables.map((table) =>
    env.DB.prepare(`select * from ${table} where account_id = ? order by id`).bind(world.accountId),
  );
  const rows = await env.DB.batch(queries);
  return JSON.stringify(rows.map(({ results }) => results));
}

const internal = new Set([...routes.map(({ path }) => path), ...pages.map(({ path }) => path)]);
const entrances = servedRoutes().filter(
  ({ path }) => !path.startsWith("/api/") && !path.includes("*") && !internal.has(path),
);

/** A request with the text wherever an entrance looks for a credential. */
function requestWith(text: string, method: string, path: string): Request {
  const target = path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name) =>
    name === "file" ? `${text}.ics` : text,
  );
  const event = {
    ...{ event_type: "create", event_action: "trigger", message_type: "CRITICAL", Id: MARK },
    ...{ Title: MARK, message: MARK, description: MARK, token: text, state: text },
    ...{ routing_key: text, service_key: text },
    payload: { summary: MARK, source: MARK, severity: "critical" },
  };
  const query = `event_type=create&Id=${encodeURIComponent(MARK)}&Title=x&token=${text}`;
  const isGenie = path.startsWith("/v2/alerts") || path.startsWith("/v2/heartbeats");
  return new Request(`${HOST}${target}${method === "GET" ? `?${query}` : ""}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      Authorization: isGenie ? `GenieKey ${text}` : `Bearer ${text}`,
      Cookie: `__Host-tocsin_session=${text}`,
    },
    ...(method !== "GET" && { body: JSON.stringify(event) }),
    redirect: "manual",
  });
}

async function statusOf(request: Request): Promise<number> {
  const response = await worker.fetch(request as never, env, createExecutionContext());
  await response.arrayBuffer();
  return response.status;
}

/** What becomes of a mail to this local part. */
async function mailTo(localPart: string): Promise<string> {
  const raw = new TextEncoder().encode(`From: a@mail.example\r\nSubject: ${MARK}\r\n\r\nx`);
  let rejected = "accepted";
  const message = {
    ...{ from: "a@mail.example", to: `${localPart}@in.example.org`, headers: new Headers() },
    ...{ raw: new Response(raw).body, rawSize: raw.byteLength },
    setReject: (reason: string) => {
      rejected = reason;
    },
  };
  await worker.email(message as unknown as ForwardableEmailMessage, env);
  return rejected;
}

/** Entrances that answer everybody alike, and change nothing. */
const PUBLIC = new Set(["/health", "/ready"]);

test("nothing that a read-only key can read creates, answers or opens anything", async () => {
  const ids = [
    ...senders,
    ...Object.values(world.ids).flatMap(({ id, prefixId }) => [id, prefixId]),
  ];
  expect(strings.length).toBeGreaterThan(200);
  for (const id of senders) expect(strings).toContain(id);
  expect(entrances.length).toBeGreaterThan(40);
  const tried = new Set([...ids, ...selectSome(strings, sized(120, strings.length), 0)]);
  const before = await stateNow();
  const accepted: string[] = [];
  for (const text of tried) {
    for (const { method, path } of entrances) {
      if (PUBLIC.has(path)) continue;
      const status = await statusOf(requestWith(text, method, path));
      if (status < 300 || status >= 500) accepted.push(`${method} ${path} ${text}: ${status}`);
    }
    const key = { headers: { Authorization: `Bearer ${text}` } };
    if ((await statusOf(new Request(`${HOST}/api/v4/teams`, key))) !== 401) accepted.push(text);
    if ((await mailTo(text)) !== "No such address") accepted.push(`mail to ${text}`);
  }
  expect(accepted).toEqual([]);
  expect(await stateNow()).toBe(before);
});

test("an id is enough where the integration accepts it, until the account accepts none", async () => {
  const made = await world.api("POST", "/integrations", {
    ...{ name: "By id", urgency: "silent", integration_type_id: "webhook" },
    team_ids: [world.ids.team.id],
  });
  const { id, prefix_id, url } = made.body;
  const address = new URL(url).pathname.split("/").at(-1) ?? "";
  const answers = async () => {
    const statuses = [];
    for (const named of [id, prefix_id, address]) {
      const body = { event_type: "create", Id: crypto.randomUUID(), Title: "x" };
      const sent = { method: "POST", body: JSON.stringify(body) };
      statuses.push(await statusOf(new Request(`${HOST}/integration/${named}`, sent)));
    }
    return statuses;
  };
  const warned = async () => (await world.api("GET", "/readiness")).body.bare_id_integration_ids;
  const received = () =>
    vi.waitFor(async () => {
      const row = await env.DB.prepare("select received_at from integrations where id = ?").bind(
        id,
      );
      expect((await row.first<{ received_at: number }>())?.received_at).toBeGreaterThan(0);
    }, soon);
  expect(await answers()).toEqual([200, 200, 200]);
  await received();
  expect(await warned()).toEqual([id]);
  const set = (integrations_by_id: boolean) =>
    world.api("PUT", "/readiness", { integrations_by_id });
  expect((await set(false)).body).toMatchObject({
    ...{ integrations_by_id: false, bare_id_integration_ids: [], weekly_digest: true },
  });
  expect(await answers()).toEqual([401, 401, 200]);
  await set(true);
  expect([await answers(), await warned()]).toEqual([[200, 200, 200], [id]]);
  await world.api("PUT", `/integrations/${id}`, { option_token: "sesame" });
  expect(await warned()).toEqual([]);
  await world.api("PUT", `/integrations/${id}`, { option_token: null, accepts_id: false });
  expect([await answers(), await warned()]).toEqual([[401, 401, 200], []]);
});
