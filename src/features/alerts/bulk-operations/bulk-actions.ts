// What the actions of a bulk operation take beside their filter: an instant, destinations, or the
// alert that others are merged into.
import type { BulkCommand } from "../../../domain/alerts/bulk-operation.ts";
import { snoozeFault } from "../../../domain/alerts/snooze.ts";
import { type FieldError, isRefusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Reference, Resolved } from "../../../kernel/db/references.ts";
import { DESTINATIONS } from "../alerts/parameters.ts";
import { checkDestinations, destinationsOf } from "../alerts/requested-destinations.ts";
import type { CreateBulkOperation } from "./parameters.ts";

type Body = Partial<CreateBulkOperation>;

/** The records that the parameters name, as a refusal names them if there are none. */
export function bulkReferences(body: Body): readonly Reference[] {
  const team = { field: "team_id", kind: "team", ids: body.team_id ? [body.team_id] : [] } as const;
  return [team, ...checkDestinations(body).references];
}

/** What an action lacks; `now` in epoch ms. */
export function actionFaults(body: Body, now: number): readonly FieldError[] {
  const blank = (field: string) => [{ field, message: `${field} can't be blank` }];
  switch (body.action) {
    case "snooze": {
      if (!body.until) return blank("until");
      const message = snoozeFault(body.until, now);
      return message === null ? [] : [{ field: "until", message }];
    }
    case "handoff":
      return checkDestinations(body).faults;
    case "merge":
      return body.into_alert_id ? [] : blank("into_alert_id");
    default:
      return [];
  }
}

/**
 * The command for each alert; its faults are known. Null: something that it takes is missing.
 *
 * @param leaderId the alert that others are merged into; null for other actions
 */
export function commandOf(body: CreateBulkOperation, leaderId: string | null): BulkCommand | null {
  switch (body.action) {
    case "acknowledge":
    case "resolve":
      return { type: body.action };
    case "snooze":
      return body.until ? { type: "snooze", until: body.until } : null;
    case "handoff": {
      const destinations = destinationsOf(body);
      if (isRefusal(destinations)) return null;
      return { type: "handoff", destinations, note: body.note };
    }
    case "merge":
      return leaderId === null ? null : { type: "merge", leaderId };
  }
}

/**
 * What the action takes, as the record shows it.
 *
 * @param resolved the ids of what its references name
 */
export function shownParameters(
  { action, until, note }: CreateBulkOperation,
  resolved: Extract<Resolved, { ok: true }>,
  leaderId: string | null,
): Record<string, unknown> {
  if (action === "snooze") return until ? { until: formatInstant(until) } : {};
  if (action === "merge") return { into_alert_id: leaderId };
  if (action !== "handoff") return {};
  const named = DESTINATIONS.map((field) => [field, resolved.idsOf(field)] as const);
  const given = named.filter(([, ids]) => ids.length > 0);
  return { ...Object.fromEntries(given), ...(note && { note }) };
}
