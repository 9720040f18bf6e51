// Sends commands to alerts. An alert's changes are decided and committed by its object (contract 3),
// not in a transaction on D1: the object writes its state, timeline and notifications, and then the
// row that clients read.
import type { PersonActor } from "../../../domain/access/actor.ts";
import { type Identifier, objectNameOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import type { CallerCommand } from "../../rpc.ts";
import { alertObject } from "../../stubs.ts";
import { presentAlert } from "./alert-rows.ts";
import type { Alert } from "./contract.ts";

type WithoutAuthor<Command> = Command extends unknown ? Omit<Command, "by"> : never;

/** A command as a person gives it; the actor is its author. */
export type AlertCommand = WithoutAuthor<CallerCommand>;

/**
 * Sends a command to an alert, and waits until readers see its result.
 *
 * @returns the alert after the command; 404; 409 where its status does not allow the command; 503
 */
export async function commandAlert(
  { env, actor }: Context<PersonActor>,
  identifier: Identifier,
  command: AlertCommand,
): Promise<Alert | Refusal> {
  const { accountId, accountUserId, name } = actor;
  const object = alertObject(env, objectNameOf("alert", identifier));
  const authored: CallerCommand = { ...command, by: { accountUserId, name } };
  const result = await object.command(accountId, authored, "for_readers");
  return isRefusal(result) ? result : presentAlert(result.alert);
}
