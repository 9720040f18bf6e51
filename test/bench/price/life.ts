// Takes alerts through their life: webhook, one person paged by mail, acknowledged, resolved.

import type { Server } from "../server.ts";

/** The size of a webhook's body (bytes). */
const BODY_BYTES = 150;

/** A webhook of the same size for every `Id`. */
export function bodyOf(Id: string): Record<string, string> {
  const event = { event_type: "create", Id, Title: "Disk full on db-17", Description: "" };
  const missing = BODY_BYTES - JSON.stringify(event).length;
  return { ...event, Description: "Volume /data is 97 % full. ".repeat(5).slice(0, missing) };
}

export type Alert = { readonly id: string; readonly prefix_id: string };

/** All alerts of the account, the newest first. */
export async function listAlerts({ get }: Server): Promise<Alert[]> {
  const alerts: Alert[] = [];
  for (;;) {
    const page = await get<{ data: Alert[]; has_more: boolean }>(
      `/alerts?limit=100&offset=${alerts.length}`,
    );
    alerts.push(...page.data);
    if (!page.has_more) return alerts;
  }
}

/** Does something for each item, a number of them side by side. */
export async function sideBySide<Item>(
  items: readonly Item[],
  width: number,
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Waits until the worker has done nothing for some seconds. */
export async function settled({ report }: Server, quietMs = 3_000): Promise<void> {
  let [seen, since] = ["", Date.now()];
  while (Date.now() - since < quietMs) {
    await new Promise((done) => setTimeout(done, 500));
    const { d1, calls, objectCalls } = await report();
    const now = JSON.stringify([d1, calls.length, objectCalls]);
    if (now !== seen) [seen, since] = [now, Date.now()];
  }
}

/** Reads an answer. Throws unless it is 2xx. */
export async function expectOk(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
}
