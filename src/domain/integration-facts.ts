// What templates may say of an integration: `{{integration.name}}` and the like.
import { prefixIdOf } from "./identifiers.ts";

export const INTEGRATION_FACTS = ["id", "prefix_id", "name", "type"] as const;
export type IntegrationFacts = Readonly<
  Record<(typeof INTEGRATION_FACTS)[number], string | undefined>
>;

/** The facts of an integration; `type` is missing on alerts from before it was stored. */
export function integrationFacts(of: {
  readonly id: string;
  readonly name: string;
  readonly integrationType?: string;
}): IntegrationFacts {
  const { id, name, integrationType } = of;
  return { id, prefix_id: prefixIdOf("integration", id), name, type: integrationType };
}
