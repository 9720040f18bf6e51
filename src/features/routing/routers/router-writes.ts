// Shared by the verbs of routers and by previews of unsaved rules: the default receiver that the
// parameters name, and the columns that they set.

import type { Receiver } from "../../../domain/routing/routing.ts";
import { RECEIVER_TYPES, type ReceiverType } from "../../../domain/routing/rules/router-rules.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import type { Reference, Resolved } from "../../../kernel/db/references.ts";
import { routers } from "../../schema/integrations.ts";
import type { UpdateRouter } from "./parameters.ts";

const defaultField = (type: ReceiverType) => `default_receiver_${type}_id` as const;
const DEFAULT_FIELDS = RECEIVER_TYPES.map(defaultField);

/** The records that the parameters name. */
export const referencesOf = (body: UpdateRouter): Reference[] =>
  RECEIVER_TYPES.map((type) => {
    const requested = body[defaultField(type)];
    return { field: defaultField(type), kind: type, ids: requested ? [requested] : [] };
  });

/**
 * Requires exactly one default receiver: the one in the body, or the stored one unless the body
 * clears it.
 *
 * @param stored the type of the stored one; null for a new router
 */
export function defaultFaults(body: UpdateRouter, stored: ReceiverType | null): FieldError[] {
  const requested = DEFAULT_FIELDS.filter((name) => body[name] != null).length;
  const keepsStored = stored !== null && body[defaultField(stored)] !== null;
  if (requested === 1 || (requested === 0 && keepsStored)) return [];
  const message = `exactly one of ${DEFAULT_FIELDS.join(", ")} must name the default receiver`;
  return [{ field: "default_receiver_team_id", message }];
}

/** The default receiver that the parameters name; null if none. */
export function requestedDefault(resolved: Extract<Resolved, { ok: true }>): Receiver | null {
  for (const type of RECEIVER_TYPES) {
    const [id] = resolved.idsOf(defaultField(type));
    if (id !== undefined) return { type, id };
  }
  return null;
}

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
export function columnsOf(body: UpdateRouter, receiver: Receiver) {
  return {
    ...plainColumns(routers, body, "rules"),
    rules: body.rules?.text,
    defaultReceiverType: receiver.type,
    defaultReceiverId: receiver.id,
  };
}
