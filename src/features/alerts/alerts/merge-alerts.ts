// Merges alerts into one, their leader. The leader's object decides and brings the others along.
import type { PersonActor } from "../../../domain/access/actor.ts";
import {
  type Identifier,
  parseIdentifier,
  prefixIdOf,
} from "../../../domain/shared/identifiers.ts";
import { type FieldError, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { commandAlert } from "./command-alert.ts";
import type { Alert } from "./contract.ts";
import { type MergeableAlert, selectMergeable } from "./merge-rows.ts";
import type { MergeAlerts } from "./parameters.ts";

const FIELD = "alert_ids";

/**
 * Merges other alerts into an alert: they are resolved, and their later events are counted on it.
 *
 * @returns the alert; 404; 409 unless it is `open`, `acknowledged` or `dropped`; 422 for others that
 *   do not exist, are resolved, or are the alert itself; 503
 */
export async function mergeAlerts(
  context: Context<PersonActor>,
  identifier: Identifier,
  { alert_ids: alertIds }: MergeAlerts,
): Promise<Alert | Refusal> {
  const { db, actor } = context;
  const selects = alertIds.map((id) =>
    selectMergeable(actor.accountId, parseIdentifier("alert", id)),
  );
  const rows = await batch(db, selects);
  const faults = alertIds.flatMap((sent, i): FieldError[] => {
    const fault = faultOf(rows[i]?.[0], identifier);
    return fault === null
      ? []
      : [{ field: FIELD, message: `${FIELD}: ${fault} ${sent.slice(0, 64)}` }];
  });
  if (faults.length > 0) return refuseFields(faults);
  const found = rows.flat().filter(({ status }) => status !== "resolved");
  const merged = new Map(found.map(({ id, title }) => [id, { id, title }]));
  return commandAlert(context, identifier, { type: "merge", alerts: [...merged.values()] });
}

/** Why the alert cannot be merged; null if it can, or was. */
function faultOf(alert: MergeableAlert | undefined, leader: Identifier): string | null {
  if (alert === undefined) return "no such alert";
  if (isNamed(leader, alert.id)) return "an alert cannot be merged into itself:";
  const { status, mergedIntoId } = alert;
  const isMerged = mergedIntoId !== null && isNamed(leader, mergedIntoId);
  return status === "resolved" && !isMerged ? "the alert is resolved:" : null;
}

const isNamed = ({ form, value }: Identifier, id: string): boolean =>
  value === (form === "id" ? id : prefixIdOf("alert", id));
