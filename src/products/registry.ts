// Looks up integration types by name.

import * as registered from "./all-types.ts";
import type { IntegrationType } from "./integration-type.ts";

/** Sorted by name: a bundler may order the exports of a module differently than the platform. */
export const integrationTypes: readonly IntegrationType[] = Object.entries(registered)
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([, type]) => type);

const BY_NAME: ReadonlyMap<string, IntegrationType> = new Map(
  integrationTypes.map((type) => [type.name, type]),
);

/** The type with this exact snake_case name, or null. */
export function integrationTypeNamed(name: string): IntegrationType | null {
  return BY_NAME.get(name) ?? null;
}
