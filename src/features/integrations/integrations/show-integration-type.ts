import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { optionsOf } from "../../../products/common-options.ts";
import type { IntegrationType } from "../../../products/integration-type.ts";
import { integrationTypeId } from "../../../products/integration-type-id.ts";
import type { IntegrationType as ShownType } from "./contract.ts";
import type { SetUpOf } from "./read-set-ups.ts";

/** The creation time shown for types: their ids contain none. */
const SINCE = formatInstant(0);

/** A type in the format of responses (contract 2, Integration types). */
export function showIntegrationType(
  type: IntegrationType,
  accountId: string,
  setUpOf: SetUpOf,
): ShownType {
  const id = integrationTypeId(type.name);
  return {
    id,
    prefix_id: prefixIdOf("integration_type", id),
    account_id: accountId,
    created_at: SINCE,
    updated_at: SINCE,
    meta: {},
    name: type.name,
    title: type.title,
    description: type.description,
    options: optionsOf(type).map(({ adminsOnly: _, ...option }) => option),
    supports: type.supports,
    set_up: setUpOf(type.name),
  };
}
