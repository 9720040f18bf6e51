// The integration fields that templates can use, such as `{{integration.name}}`.
import { prefixIdOf } from "../shared/identifiers.ts";

export const INTEGRATION_FACTS = ["id", "prefix_id", "name", "type"] as const;
export type IntegrationFacts = Readonly<
  Record<(typeof INTEGRATION_FACTS)[number], string | undefined>
>;

/** The template fields of an integration; alerts from before `type` was stored lack it. */
export function integrationFacts(of: {
  readonly id: string;
  readonly name: string;
  readonly integrationType?: string;
}): IntegrationFacts {
  const { id, name, integrationType } = of;
  return { id, prefix_id: prefixIdOf("integration", id), name, type: integrationType };
}
