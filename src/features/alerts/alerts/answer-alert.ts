// The three answers to an alert (contract 3).
import type { PersonActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import { commandAlert } from "./command-alert.ts";
import type { Alert } from "./contract.ts";

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
