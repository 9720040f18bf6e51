// The options that every integration has, whatever its type.
import type { IntegrationType, OptionDescription } from "./integration-type.ts";

const COMMON_OPTIONS: readonly OptionDescription[] = [
  {
    key: "token",
    type: "secret",
    required: false,
    default: null,
    help: "When set, senders must pass it in the header service-token.",
  },
  {
    key: "capture_additional_data",
    type: "boolean",
    required: false,
    default: false,
    help: "Show what else a sender sends with the alert.",
  },
];

/** Every option an integration of this type has: the type's own, then the common ones. */
export function optionsOf(type: IntegrationType): readonly OptionDescription[] {
  const own = new Set(type.options.map((option) => option.key));
  return [...type.options, ...COMMON_OPTIONS.filter((option) => !own.has(option.key))];
}
