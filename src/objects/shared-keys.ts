// Keys that alerts of an account share (`dedup_keys`, a router's fingerprints), each with an object of its own; and
// making an alert that has such keys.
import { createHash } from "node:crypto";
import type { AlertDraft } from "../domain/commands.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { isRefusal, type Refusal } from "../domain/refusal.ts";
import type { Aggregate } from "../domain/routing.ts";
import type { CreateResult, DedupKeyStub, Waiting } from "./rpc.ts";
import { alertObject, dedupKeyObject } from "./stubs.ts";

/** The object of a key within an account, however long the key is. */
export function dedupKey(env: Cloudflare.Env, accountId: string, key: string): DedupKeyStub {
  const digest = createHash("sha256").update(key).digest("hex");
  return dedupKeyObject(env, `${accountId}:${digest}`);
}

/** An alert is over and gone: its keys are free, and leave nothing behind. */
export async function releaseKeys(
  env: Cloudflare.Env,
  accountId: string,
  alertId: string,
  keys: readonly string[],
): Promise<void> {
  await Promise.all(keys.map((key) => dedupKey(env, accountId, key).release(alertId)));
}

/** Whoever is to be aggregated with an alert waits this long for it to be made (ms); then it goes on itself. */
const LONGEST_MAKING_MS = 10_000;

/**
 * Which alert comes first of each fingerprint: the one that asks, unless another runs that came before it.
 *
 * @param own the id of the alert that asks
 */
export async function findFirsts(
  env: Cloudflare.Env,
  accountId: string,
  own: string,
  aggregates: readonly Aggregate[],
): Promise<ReadonlyMap<string, string>> {
  const firstOf = async ({ fingerprint, timeoutMs }: Aggregate) => {
    const key = dedupKey(env, accountId, `aggregate:${fingerprint}`);
    const first = await key.claim(own, null, timeoutMs);
    if (first === own) return first;
    const runs = await alertObject(env, prefixIdOf("alert", first)).isRunning();
    const beingMade = runs === null && (await key.age()) < LONGEST_MAKING_MS;
    return runs === true || beingMade ? first : key.claim(own, first, timeoutMs);
  };
  const found = aggregates.map(async (it) => [it.fingerprint, await firstOf(it)] as const);
  return new Map(await Promise.all(found));
}

type Made = Exclude<CreateResult, { kind: "finished" } | Refusal>;

/**
 * Makes the alert of a draft with `dedup_keys`, or counts it on the running one that has any of its keys.
 *
 * A key names its alert before that is made, so whoever finds it first makes it, under that id: callers that come
 * together, or again after a crash, meet on one alert.
 */
export async function createByKeys(
  env: Cloudflare.Env,
  draft: AlertDraft,
  sequences: readonly number[],
  waiting: Waiting,
): Promise<Made | Refusal> {
  const keys = [...new Set(draft.dedupKeys)].sort();
  const objects = keys.map((key) => dedupKey(env, draft.accountId, key));
  const ended = new Set<string>();
  let rest = sequences;
  for (let tries = 0; tries < 20; tries += 1) {
    const holders = await Promise.all(objects.map((object) => object.look()));
    const running = holders.find((it) => it !== null && !ended.has(it)) ?? null;
    const alertId = running ?? draft.id;
    /** Gives the alert the keys that no running one has; false when somebody else was faster. */
    const takeFreeKeys = async () => {
      for (const [i, object] of objects.entries()) {
        const holder = holders[i] ?? null;
        if (holder !== null && !ended.has(holder)) continue;
        if ((await object.claim(alertId, holder, null)) !== alertId) return false;
      }
      return true;
    };
    if (running === null && !(await takeFreeKeys())) continue;
    const object = alertObject(env, prefixIdOf("alert", alertId));
    const result = await object.create({ ...draft, id: alertId }, rest, waiting);
    if (isRefusal(result)) return result;
    if (result.kind !== "finished") {
      if (running !== null) await takeFreeKeys();
      return result;
    }
    const { countedSequence } = result;
    rest = rest.filter((sequence) => sequence > countedSequence);
    ended.add(alertId);
  }
  throw new Error("an alert's keys change hands all the time");
}
