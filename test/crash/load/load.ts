// The load on the worker while it is killed, and a ledger of the responses: what it accepted, and
// what has an unknown outcome since it was killed before it responded.
import { randomGenerator } from "../../support/generated/sizes.ts";

const draw = randomGenerator();

export type Target = {
  /** The current base URL. */
  readonly url: () => string;
  readonly key: string;
};

export type Ledger = {
  /** By integration and `Id`: creates with a 200, and creates without a response. */
  readonly webhooks: Map<string, { accepted: number; unknown: number }>;
  /** Ids of alerts created with a 201. */
  readonly created: string[];
  readonly acknowledged: Set<string>;
  readonly resolved: Set<string>;
  /** Other responses, all of them errors: only a kill may prevent success. */
  readonly refused: string[];
  unanswered: number;
};

export const newLedger = (): Ledger => ({
  webhooks: new Map(),
  created: [],
  acknowledged: new Set(),
  resolved: new Set(),
  refused: [],
  unanswered: 0,
});

export type World = {
  readonly teamIds: readonly string[];
  /** The `prefix_id`s of integrations; the n-th one's destination is the n-th team. */
  readonly integrations: readonly string[];
};

async function post(target: Target, path: string, body: unknown): Promise<Response | null> {
  try {
    const response = await fetch(target.url() + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${target.key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    return new Response(text, { status: response.status });
  } catch {
    return null;
  }
}

/** Calls the API; throws on an error. */
export async function api(target: Target, path: string, body?: unknown) {
  const response = await fetch(`${target.url()}/api/v4${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${target.key}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

/** Counts the notifications of all accounts by status; throws on an error. */
export async function countNotifications(target: Target) {
  const response = await fetch(`${target.url()}/crash/notifications`);
  if (!response.ok) throw new Error(`notifications: ${response.status}`);
  return (await response.json()) as Partial<Record<string, number>>;
}

/** Sends a webhook with a random `Id`. */
async function webhook(target: Target, world: World, ledger: Ledger, i: number, ids: number) {
  const integration = world.integrations[i % world.integrations.length] as string;
  const Id = `id-${Math.floor(draw() * ids)}`;
  const orderingKey = `${integration} ${Id}`;
  const known = ledger.webhooks.get(orderingKey) ?? { accepted: 0, unknown: 0 };
  ledger.webhooks.set(orderingKey, known);
  const body = { event_type: "create", Id, Title: `${Id} fails` };
  const response = await post(target, `/integration/${integration}`, body);
  if (response?.status === 200) known.accepted += 1;
  else if (response === null || response.status >= 500) known.unknown += 1;
  else ledger.refused.push(`webhook: ${response.status} ${await response.text()}`);
  return response;
}

async function create(target: Target, world: World, ledger: Ledger, i: number) {
  const destination_team_ids = [world.teamIds[i % world.teamIds.length]];
  const body = { title: `Alert ${i}`, urgency: "high", destination_team_ids };
  const response = await post(target, "/api/v4/alerts", body);
  if (response?.status === 201) ledger.created.push(((await response.json()) as { id: string }).id);
  else if (response !== null && response.status < 500)
    ledger.refused.push(`create: ${response.status} ${await response.text()}`);
  return response;
}

async function answer(target: Target, ledger: Ledger, verb: "acknowledge" | "resolve") {
  const id = ledger.created[Math.floor(draw() * ledger.created.length)];
  if (id === undefined) return new Response();
  const response = await post(target, `/api/v4/alerts/${id}/${verb}`, {});
  const done = verb === "acknowledge" ? ledger.acknowledged : ledger.resolved;
  if (response?.status === 200) done.add(id);
  else if (response !== null && response.status < 500 && response.status !== 409)
    ledger.refused.push(`${verb}: ${response.status} ${await response.text()}`);
  return response;
}

/** Sends one random request of the mix. */
export async function oneRequest(
  target: Target,
  world: World,
  ledger: Ledger,
  i: number,
  ids: number,
): Promise<void> {
  const what = draw();
  const response =
    what < 0.7
      ? await webhook(target, world, ledger, i, ids)
      : what < 0.9
        ? await create(target, world, ledger, i)
        : await answer(target, ledger, what < 0.96 ? "acknowledge" : "resolve");
  if (response === null) ledger.unanswered += 1;
}
