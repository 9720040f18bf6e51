import type { PersonActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import { commandAlert } from "./command-alert.ts";
import type { Alert } from "./contract.ts";
import type { SnoozeAlert } from "./parameters.ts";

/**
 * Snoozes an alert: it is acknowledged, and open again from its first layer at `until`.
 *
 * @returns the alert; 404; 409 unless it is `open`, `acknowledged` or `dropped`; 422 for an instant
 *   in the past or over 30 days ahead; 503
 */
export const snoozeAlert = (
  context: Context<PersonActor>,
  identifier: Identifier,
  { until }: SnoozeAlert,
): Promise<Alert | Refusal> => commandAlert(context, identifier, { type: "snooze", until });
