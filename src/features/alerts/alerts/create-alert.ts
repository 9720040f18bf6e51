import type { PersonActor } from "../../../domain/access/actor.ts";
import type { AlertDraft } from "../../../domain/alerts/commands.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import type { CreateResult } from "../../rpc.ts";
import { alertObject } from "../../stubs.ts";
import { draftOf } from "./alert-draft.ts";
import { presentAlert } from "./alert-rows.ts";
import type { Alert } from "./contract.ts";
import type { CreateAlert } from "./parameters.ts";
import { destinationsOf } from "./requested-destinations.ts";
import { createByKeys } from "./shared-keys.ts";

/**
 * Creates an alert in one call: the new object reads the destinations, decides, commits and writes
 * to D1. With `dedup_keys` it may be counted as a duplicate of an unfinished one.
 *
 * @param id the ULID of the new alert; a repeated create with the same one counts once
 * @returns the alert; 422 without a destination or for unknown ones; 503
 */
export async function createAlert(
  { env, actor }: Context<PersonActor>,
  id: string,
  body: CreateAlert,
): Promise<Alert | Refusal> {
  const destinations = destinationsOf(body);
  if (isRefusal(destinations)) return destinations;
  return createFromDraft(env, draftOf(actor, id, body, destinations));
}

/** Creates the alert of a draft, and waits until readers see it; 422 for unknown destinations; 503. */
export async function createFromDraft(
  env: Cloudflare.Env,
  draft: AlertDraft,
): Promise<Alert | Refusal> {
  const result = await sendDraft(env, draft);
  if (isRefusal(result)) return result;
  if (result.kind === "finished") throw new Error("a new alert has already finished");
  return presentAlert(result.alert);
}

function sendDraft(env: Cloudflare.Env, draft: AlertDraft): Promise<CreateResult> {
  if (draft.dedupKeys.length > 0) return createByKeys(env, draft, [], "for_readers");
  return alertObject(env, prefixIdOf("alert", draft.id)).create(draft, [], "for_readers");
}
