// The options of every integration type.
import type { FieldError } from "../domain/shared/refusal.ts";
import type { IntegrationType, OptionDescription, Options } from "./integration-type.ts";
import { SEVERITY_WORDS, severityMapFault } from "./reading/severity.ts";
import { templateFault } from "./reading/templates.ts";

const COMMON_OPTIONS: readonly OptionDescription[] = [
  {
    key: "token",
    type: "secret",
    required: false,
    default: null,
    help:
      "If set, senders must pass it in the header service-token, as a bearer token, as the password of basic " +
      "authentication, or as the query parameter token.",
  },
  {
    key: "capture_additional_data",
    type: "boolean",
    required: false,
    default: false,
    help: "Include the full payload in the alert.",
  },
  {
    key: "title_template",
    type: "string",
    required: false,
    default: null,
    help:
      "A Mustache template for the title. Variables: title, description, id, urgency, tags, meta, data (the payload), " +
      "params and integration (name, type, id).",
  },
  {
    key: "description_template",
    type: "string",
    required: false,
    default: null,
    help: "A Mustache template for the description, with the same variables.",
  },
  {
    key: "severity_map",
    type: "string",
    required: false,
    default: null,
    help: `Maps the sender's severities to urgencies, such as warning=low. Takes precedence over the defaults: ${SEVERITY_WORDS}.`,
  },
  {
    key: "lower_urgency",
    type: "boolean",
    required: false,
    default: false,
    help: "An event of an open alert with a lower urgency lowers the alert's. A higher one always raises it.",
  },
  {
    key: "auto_resolve_after",
    type: "integer",
    required: false,
    default: null,
    help: "Minutes after its last event at which an alert is resolved automatically.",
  },
  {
    key: "pause_for",
    type: "integer",
    required: false,
    default: null,
    help: "Minutes that an alert must last before anybody is notified, whatever its urgency. One that is resolved earlier notifies nobody.",
  },
  {
    key: "reopen_within",
    type: "integer",
    required: false,
    default: null,
    help: "Minutes after its sender resolved an alert in which the same identifier opens it again, such as 5. Who had acknowledged it is notified first.",
  },
  {
    key: "aggregate_window",
    type: "integer",
    required: false,
    default: null,
    help: "Minutes in which alerts with the same title are counted as duplicates of the first.",
  },
];

/** All options of a type: its own, then the common ones that it does not redefine. */
export function optionsOf(type: IntegrationType): readonly OptionDescription[] {
  const own = new Set(type.options.map((option) => option.key));
  return [...type.options, ...COMMON_OPTIONS.filter((option) => !own.has(option.key))];
}

/** Converts an option from minutes to ms; null if it is unset or not positive. */
export function minutesOf(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value * 60_000 : null;
}

/** Limit on `pause_for` and `reopen_within`: an alert is kept ready for that long (minutes). */
export const MAX_PAUSE_MINUTES = 1_440;

function durationFaults(key: string, value: unknown): FieldError[] {
  const isGood = typeof value !== "number" || (value >= 0 && value <= MAX_PAUSE_MINUTES);
  const field = `option_${key}`;
  return isGood
    ? []
    : [{ field, message: `${field} must be at most ${MAX_PAUSE_MINUTES} minutes` }];
}

/** Validates an integration's options beyond their basic types. */
export function optionFaults(type: IntegrationType, options: Options): readonly FieldError[] {
  const faultOf = (key: string, read: (text: string) => string | null): FieldError[] => {
    const text = options[key];
    const fault = typeof text === "string" ? read(text) : null;
    const field = `option_${key}`;
    return fault === null ? [] : [{ field, message: `${field} ${fault}` }];
  };
  return [
    ...["pause_for", "reopen_within"].flatMap((key) => durationFaults(key, options[key])),
    ...faultOf("title_template", templateFault),
    ...faultOf("description_template", templateFault),
    ...faultOf("severity_map", severityMapFault),
    ...(type.check?.(options) ?? []),
  ];
}
