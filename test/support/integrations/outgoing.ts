// Outgoing integrations for tests, what they have to tell, and their time.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { Account } from "../api/api.ts";
import { soon } from "../worker/faults.ts";
import { RECEIVER_SECRET, type Receiver } from "./receiver.ts";

export type Teller = { readonly id: string; readonly prefixId: string };

/** An `outgoing_webhook` to the stand-in, or what `more` makes of it. */
export async function makeTeller(
  account: Account,
  { url }: Receiver,
  destinations: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<Teller> {
  const made = await account.api("POST", "/integrations", {
    name: "Relay",
    urgency: "low",
    integration_type_id: "outgoing_webhook",
    option_webhook_url: url,
    option_secret: RECEIVER_SECRET,
    ...destinations,
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  return { id: made.body.id, prefixId: made.body.prefix_id };
}

/** An alert for these people or teams, that wakes nobody. */
export async function makeAlert(
  account: Account,
  destinations: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<Record<string, any>> {
  const made = await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "silent",
    ...destinations,
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

export const outgoingStub = (prefixId: string) => env.OUTGOING.getByName(prefixId);

/** What an integration has to tell, the first queued first. */
export async function deliveriesOf(
  { api }: Account,
  { id }: Teller,
): Promise<Record<string, any>[]> {
  const query = "limit=100&sort=created_at&direction=asc";
  const { body } = await api("GET", `/integrations/${id}/deliveries?${query}`);
  return body.data;
}

/** Its alarm has done what it was at: it is set for later, or there is nothing to tell. No second one may run beside it. */
async function rests(teller: Teller): Promise<void> {
  await vi.waitFor(async () => {
    const waiting = await env.DB.prepare(
      "select 1 from deliveries where integration_id = ? and status = 'queued'",
    )
      .bind(teller.id)
      .first();
    if (waiting !== null) expect(await alarmOf(teller)).toBeGreaterThan(Date.now());
  }, soon);
}

/** As time would: everything that waits is due, and the alarm goes off. */
export async function timePasses(teller: Teller): Promise<void> {
  await rests(teller);
  await env.DB.prepare("update deliveries set next_at = 0 where status = 'queued'").run();
  const stub = outgoingStub(teller.prefixId);
  await runInDurableObject(stub, (_, state) => {
    state.storage.kv.delete("quietUntil");
    return state.storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stub);
}

export const alarmOf = ({ prefixId }: Teller) =>
  runInDurableObject(outgoingStub(prefixId), (_, state) => state.storage.getAlarm());
