// Keys that alerts of an account share (`dedup_keys`, a router's fingerprints), each with its own
// object, and the creation of alerts that have such keys.
import { createHash } from "node:crypto";
import type { AlertDraft } from "../../../domain/alerts/commands.ts";
import type { Aggregate } from "../../../domain/routing/routing.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { CreateResult, DedupKeyStub, WaitFor } from "../../rpc.ts";
import { alertObject, dedupKeyObject } from "../../stubs.ts";

/** The object of an account's key. The key is hashed, so it may have any length. */
export function dedupKey(env: Cloudflare.Env, accountId: string, key: string): DedupKeyStub {
  const digest = createHash("sha256").update(key).digest("hex");
  return dedupKeyObject(env, `${accountId}:${digest}`);
}

/** Deletes the keys that an alert holds. */
export async function releaseKeys(
  env: Cloudflare.Env,
  accountId: string,
  alertId: string,
  keys: readonly string[],
): Promise<void> {
  await Promise.all(keys.map((key) => dedupKey(env, accountId, key).release(alertId)));
}

/** How long an alert may take to be created before another replaces it as the first (ms). */
const MAX_CREATION_MS = 10_000;

/**
 * Finds the first running alert of each fingerprint, into which others are aggregated: the alert
 * that asks, unless there is an earlier one.
 *
 * @param own the id of the alert that asks
 */
export async function findFirstAlerts(
  env: Cloudflare.Env,
  accountId: string,
  own: string,
  aggregates: readonly Aggregate[],
): Promise<ReadonlyMap<string, string>> {
  const firstOf = async ({ fingerprint, timeoutMs }: Aggregate) => {
    const key = dedupKey(env, accountId, `aggregate:${fingerprint}`);
    const first = await key.claim(own, null, timeoutMs);
    if (first === own) return first;
    const isRunning = await alertObject(env, prefixIdOf("alert", first)).isRunning(accountId);
    const isBeingCreated = isRunning === null && (await key.age()) < MAX_CREATION_MS;
    return isRunning === true || isBeingCreated ? first : key.claim(own, first, timeoutMs);
  };
  const found = aggregates.map(async (it) => [it.fingerprint, await firstOf(it)] as const);
  return new Map(await Promise.all(found));
}

/**
 * Creates the alert of a draft, or counts it on the alert that has the draft's id or on the one that
 * it was merged into.
 *
 * @param isNew the draft's id was made for it, and nobody has been told
 */
export async function createOrCount(
  env: Cloudflare.Env,
  draft: AlertDraft,
  sequences: readonly number[],
  waiting: WaitFor,
  isNew = false,
): Promise<CreateResult> {
  let alertId = draft.id;
  let rest = sequences;
  let counted = 0;
  for (;;) {
    const object = alertObject(env, prefixIdOf("alert", alertId));
    const result = await object.create(
      { ...draft, id: alertId },
      rest,
      waiting,
      isNew && alertId === draft.id,
    );
    if (isRefusal(result)) return result;
    counted = Math.max(counted, result.countedSequence);
    const isMerged = result.kind === "finished" && result.mergedIntoId !== null;
    rest = rest.filter((sequence) => sequence > counted);
    // A request of the API has no sequence numbers.
    const isCounted = sequences.length > 0 && rest.length === 0;
    if (!isMerged || isCounted) return { ...result, countedSequence: counted };
    alertId = result.mergedIntoId;
  }
}

type Created = Exclude<CreateResult, { kind: "finished" } | Refusal>;

/**
 * Creates the alert of a draft with `dedup_keys`, or counts it on the running alert that holds one.
 *
 * A key is assigned to an alert id before that alert is created, and any caller that finds the id
 * creates the alert under it: concurrent callers and retries after a crash use the same alert.
 */
export async function createByKeys(
  env: Cloudflare.Env,
  draft: AlertDraft,
  sequences: readonly number[],
  waiting: WaitFor,
): Promise<Created | Refusal> {
  const keys = [...new Set(draft.dedupKeys)].sort();
  const objects = keys.map((key) => dedupKey(env, draft.accountId, key));
  const ended = new Set<string>();
  let rest = sequences;
  for (let tries = 0; tries < 20; tries += 1) {
    const holders = await Promise.all(objects.map((object) => object.look()));
    const running = holders.find((it) => it !== null && !ended.has(it)) ?? null;
    const alertId = running ?? draft.id;
    /** Claims the keys that no running alert holds; false if another caller claimed one first. */
    const claimFreeKeys = async () => {
      for (const [i, object] of objects.entries()) {
        const holder = holders[i] ?? null;
        if (holder !== null && !ended.has(holder)) continue;
        if ((await object.claim(alertId, holder, null)) !== alertId) return false;
      }
      return true;
    };
    if (running === null && !(await claimFreeKeys())) continue;
    const result = await createOrCount(env, { ...draft, id: alertId }, rest, waiting);
    if (isRefusal(result)) return result;
    if (result.kind !== "finished") {
      if (running !== null) await claimFreeKeys();
      return result;
    }
    const { countedSequence } = result;
    rest = rest.filter((sequence) => sequence > countedSequence);
    ended.add(alertId);
  }
  throw new Error("an alert's keys change hands all the time");
}
