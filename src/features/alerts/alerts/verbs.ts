import type { PersonActor } from "../../../domain/access/actor.ts";
import type { AlertDraft, ContentChanges } from "../../../domain/alerts/commands.ts";
import { type Identifier, prefixIdOf } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  isRefusal,
  type Refusal,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import type { CreateResult } from "../../rpc.ts";
import { alertObject } from "../../stubs.ts";
import { draftOf } from "./alert-draft.ts";
import { presentAlert } from "./alert-rows.ts";
import { commandAlert } from "./command-alert.ts";
import type { Alert } from "./contract.ts";
import type { CreateAlert, RequestResponders, UpdateAlert } from "./parameters.ts";
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

/** Changes an alert's content; omitted parameters leave theirs unchanged. 404, or 503. */
export function updateAlert(
  context: Context<PersonActor>,
  identifier: Identifier,
  body: UpdateAlert,
): Promise<Alert | Refusal> {
  return commandAlert(context, identifier, { type: "change", changes: changesOf(body) });
}

function changesOf(body: UpdateAlert): ContentChanges {
  const tags = body.tags ?? body.tag_list;
  return {
    ...(body.title !== undefined && { title: body.title }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.urgency !== undefined && { urgency: body.urgency }),
    ...(tags !== undefined && { tags }),
    ...(body.meta !== undefined && { meta: body.meta }),
  };
}

/** A person's answer to an alert: the alert after it, or why it is refused. */
export type AnswerAlert = (
  context: Context<PersonActor>,
  identifier: Identifier,
) => Promise<Alert | Refusal>;

/**
 * Acknowledges the actor's workflows; all of them for an actor without one.
 *
 * @returns the alert; 404; 409 unless it is `open`, `dropped` or `suppressed`; 503
 */
export const acknowledgeAlert: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "acknowledge" });

/**
 * Rejects the actor's workflow; its next layer starts once everybody on the layer has rejected.
 *
 * @returns the alert; 404; 409 without an open workflow of the actor; 503
 */
export const rejectAlert: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "reject" });

/**
 * Resolves an alert: its escalation ends.
 *
 * @returns the alert; 404; 409 unless it is `open`, `dropped` or `acknowledged`; 503
 */
export const resolveAlert: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "resolve" });

/** Deletes an alert with its workflows and comments; its timeline stays. Null, 404, or 503. */
export async function deleteAlert(
  context: Context<PersonActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const result = await commandAlert(context, identifier, { type: "delete" });
  return isRefusal(result) ? result : null;
}

/**
 * Escalates an alert: each open workflow goes to its next layer now.
 *
 * @returns the alert; 404; 409 unless it is `open`, or if nobody is left to escalate to; 503
 */
export const escalateAlert: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "escalate" });

/**
 * Reopens a resolved alert: its escalation starts at the first layer.
 *
 * @returns the alert; 404; 409 unless it is `resolved`, or while another alert has its `Id` or a
 *   dedup key and is not resolved; 503
 */
export const reopenAlert: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "reopen" });

/** The error of a request that names nobody. */
export function respondersFaults(
  accountUserIds: readonly string[],
  teamIds: readonly string[],
): FieldError[] {
  const field = "account_user_ids";
  const message = `${field} needs a person or a team`;
  return accountUserIds.length + teamIds.length > 0 ? [] : [{ field, message }];
}

/**
 * Notifies further people and teams of an alert, by workflows that do not affect its status.
 *
 * @returns the alert; 404; 409 unless it is `open`, `acknowledged` or `dropped`, or if all of them
 *   are being asked already; 422 without a person or team, or for unknown ones; 503
 */
export async function requestResponders(
  context: Context<PersonActor>,
  identifier: Identifier,
  { account_user_ids: accountUserIds = [], team_ids: teamIds = [], note }: RequestResponders,
): Promise<Alert | Refusal> {
  const faults = respondersFaults(accountUserIds, teamIds);
  if (faults.length > 0) return refuseFields(faults);
  const destinations = { accountUserIds, teamIds };
  return commandAlert(context, identifier, { type: "request_responders", destinations, note });
}

/**
 * Takes back the actor's latest answer to an alert, within a minute.
 *
 * @returns the alert; 404; 409 if the answer cannot be undone (any more); 503
 */
export const undoAnswer: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "undo" });
