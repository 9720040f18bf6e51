// What is asked of the worker while it is killed, and a ledger of what it answered: what it has said yes to, and what
// it may or may not have done when it died before it could say.
import { drawing } from "../support/generated/sizes.ts";

const draw = drawing();

export type Target = {
  /** Where requests go just now. */
  readonly url: () => string;
  readonly key: string;
};

export type Ledger = {
  /** By integration and `Id`: creates that were answered 200, and those whose answer never came. */
  readonly webhooks: Map<string, { accepted: number; unknown: number }>;
  /** Ids of alerts answered 201. */
  readonly created: string[];
  readonly acknowledged: Set<string>;
  readonly resolved: Set<string>;
  /** What was answered otherwise: nothing but a kill is to keep the worker from answering. */
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
  /** The `prefix_id`s of integrations: the n-th sends to the n-th team. */
  readonly integrations: readonly string[];
};

async function ask(target: Target, path: string, body: unknown): Promise<Response | null> {
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

/** A call of the API that must be answered. */
export async function api(target: Target, path: string, body?: unknown) {
  const response = await fetch(`${target.url()}/api/v4${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${target.key}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

/** A webhook: the n-th repetition of some `Id`. */
async function webhook(target: Target, world: World, ledger: Ledger, i: number, ids: number) {
  const integration = world.integrations[i % world.integrations.length] as string;
  const Id = `id-${Math.floor(draw() * ids)}`;
  const lane = `${integration} ${Id}`;
  const known = ledger.webhooks.get(lane) ?? { accepted: 0, unknown: 0 };
  ledger.webhooks.set(lane, known);
  const body = { event_type: "create", Id, Title: `${Id} fails` };
  const response = await ask(target, `/integration/${integration}`, body);
  if (response?.status === 200) known.accepted += 1;
  else if (response === null || response.status >= 500) known.unknown += 1;
  else ledger.refused.push(`webhook: ${response.status} ${await response.text()}`);
  return response;
}

async function create(target: Target, world: World, ledger: Ledger, i: number) {
  const destination_team_ids = [world.teamIds[i % world.teamIds.length]];
  const body = { title: `Alert ${i}`, urgency: "high", destination_team_ids };
  const response = await ask(target, "/api/v4/alerts", body);
  if (response?.status === 201) ledger.created.push(((await response.json()) as { id: string }).id);
  else if (response !== null && response.status < 500)
    ledger.refused.push(`create: ${response.status} ${await response.text()}`);
  return response;
}

async function answer(target: Target, ledger: Ledger, verb: "acknowledge" | "resolve") {
  const id = ledger.created[Math.floor(draw() * ledger.created.length)];
  if (id === undefined) return new Response();
  const response = await ask(target, `/api/v4/alerts/${id}/${verb}`, {});
  const done = verb === "acknowledge" ? ledger.acknowledged : ledger.resolved;
  if (response?.status === 200) done.add(id);
  else if (response !== null && response.status < 500 && response.status !== 409)
    ledger.refused.push(`${verb}: ${response.status} ${await response.text()}`);
  return response;
}

/** One request of the mix. */
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
