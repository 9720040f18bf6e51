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
  {
    key: "auto_resolve_after",
    type: "integer",
    required: false,
    default: null,
    help: "Minutes after which an alert is resolved by itself, counted from its last event.",
  },
  {
    key: "aggregate_window",
    type: "integer",
    required: false,
    default: null,
    help: "Minutes in which alerts of the same title are counted on the first.",
  },
];

/** Every option an integration of this type has: the type's own, then the common ones. */
export function optionsOf(type: IntegrationType): readonly OptionDescription[] {
  const own = new Set(type.options.map((option) => option.key));
  return [...type.options, ...COMMON_OPTIONS.filter((option) => !own.has(option.key))];
}

/** An option in minutes as milliseconds; null when it is not set, or sets no time at all. */
export function minutesOf(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value * 60_000 : null;
}
