import { checkOverride } from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import type { Context } from "../../change/context.ts";
import type { Event } from "../events/contract.ts";
import { attendeesReference } from "../events/event-input.ts";
import type { OverrideEvent } from "../events/parameters.ts";
import { createOverride } from "./create-override.ts";
import { lengthFaults } from "./override-faults.ts";

/**
 * Creates an override of the occurrence that `action_time` names (contract 4, Overrides).
 *
 * @param id the ULID of the new override
 * @returns the override; 404; 409 when the event changes at the same time; 422 for times that the
 *   occurrence does not have, or unknown people
 */
export function overrideEvent(
  context: Context,
  parent: Identifier,
  id: string,
  { action_time: actionAt, ...body }: OverrideEvent,
): Promise<Event | Refusal> {
  const references = [attendeesReference(body.account_user_ids)];
  const override = { id, parent, body, references };
  return retryOnConflict(() =>
    createOverride(context, override, (family, made) => {
      const faults = lengthFaults(made, "end_time");
      if (faults.length > 0) return refuseFields(faults);
      return checkOverride(family, { ...made, actionAt });
    }),
  );
}
