// Every integration type, found by its name.
import type { IntegrationType } from "./integration-type.ts";
import * as registered from "./registered.ts";

export const integrationTypes: readonly IntegrationType[] = Object.values(registered);

const BY_NAME: ReadonlyMap<string, IntegrationType> = new Map(
  integrationTypes.map((type) => [type.name, type]),
);

/** The type of that name (snake_case, exact), or null. */
export function integrationTypeNamed(name: string): IntegrationType | null {
  return BY_NAME.get(name) ?? null;
}
