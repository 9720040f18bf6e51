// Outgoing integrations for tests, their deliveries, and their alarms.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { Account } from "../api/api.ts";
import { soon } from "../worker/faults.ts";
import { RECEIVER_SECRET, type Receiver } from "./receiver.ts";

export type OutgoingIntegrationIds = { readonly id: string; readonly prefixId: string };

/** Creates an `outgoing_webhook` to the fake receiver; `more` overrides its parameters. */
export async function makeOutgoingIntegration(
  account: Account,
  { url }: Receiver,
  destinations: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<OutgoingIntegrationIds> {
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

/** Creates a silent alert for these people or teams. */
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

/** An integration's deliveries, oldest first. */
export async function deliveriesOf(
  { api }: Account,
  { id }: OutgoingIntegrationIds,
): Promise<Record<string, any>[]> {
  const query = "limit=100&sort=created_at&direction=asc";
  const { body } = await api("GET", `/integrations/${id}/deliveries?${query}`);
  return body.data;
}

/** Waits until the alarm has finished, since no second one may run at the same time. */
async function waitForAlarm(integration: OutgoingIntegrationIds): Promise<void> {
  await vi.waitFor(async () => {
    const waiting = await env.DB.prepare(
      "select 1 from deliveries where integration_id = ? and status = 'queued'",
    )
      .bind(integration.id)
      .first();
    if (waiting !== null) expect(await alarmOf(integration)).toBeGreaterThan(Date.now());
  }, soon);
}

/** Makes every queued delivery due and runs the alarm. */
export async function runDueDeliveries(integration: OutgoingIntegrationIds): Promise<void> {
  await waitForAlarm(integration);
  await env.DB.prepare("update deliveries set next_at = 0 where status = 'queued'").run();
  const stub = outgoingStub(integration.prefixId);
  await runInDurableObject(stub, (_, state) => {
    state.storage.kv.delete("quietUntil");
    return state.storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stub);
}

export const alarmOf = ({ prefixId }: OutgoingIntegrationIds) =>
  runInDurableObject(outgoingStub(prefixId), (_, state) => state.storage.getAlarm());
