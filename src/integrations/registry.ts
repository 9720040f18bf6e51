// Every integration type. A new one is one file in `types/` and one line here.
import type { IntegrationType } from "./integration-type.ts";
import { prometheus } from "./types/prometheus.ts";
import { webhook } from "./types/webhook.ts";

export const integrationTypes: readonly IntegrationType[] = [webhook, prometheus];

const BY_NAME: ReadonlyMap<string, IntegrationType> = new Map(
  integrationTypes.map((type) => [type.name, type]),
);

/** The type of that name (snake_case, exact), or null. */
export function integrationTypeNamed(name: string): IntegrationType | null {
  return BY_NAME.get(name) ?? null;
}
