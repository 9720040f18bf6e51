// Looks up integration types by name.
import type { IntegrationType } from "./integration-type.ts";
import * as registered from "./registered.ts";

export const integrationTypes: readonly IntegrationType[] = Object.values(registered);

const BY_NAME: ReadonlyMap<string, IntegrationType> = new Map(
  integrationTypes.map((type) => [type.name, type]),
);

/** The type with this exact snake_case name, or null. */
export function integrationTypeNamed(name: string): IntegrationType | null {
  return BY_NAME.get(name) ?? null;
}
