// The options of every integration type.
import type { FieldError } from "../domain/refusal.ts";
import type { IntegrationType, OptionDescription, Options } from "./integration-type.ts";
import { SEVERITY_WORDS, severityMapFault } from "./severity.ts";
import { templateFault } from "./templates.ts";

const COMMON_OPTIONS: readonly OptionDescription[] = [
  {
    key: "token",
    type: "secret",
    required: false,
    default: null,
    help:
      "When set, senders must pass it: in the header service-token, as a bearer, as the password of basic " +
      "auth, or as the query parameter token.",
  },
  {
    key: "capture_additional_data",
    type: "boolean",
    required: false,
    default: false,
    help: "Show what else a sender sends with the alert.",
  },
  {
    key: "title_template",
    type: "string",
    required: false,
    default: null,
    help:
      "A Mustache template of the title: title, description, id, urgency, tags, meta, data (what was sent), params, " +
      "and integration (name, type, id).",
  },
  {
    key: "description_template",
    type: "string",
    required: false,
    default: null,
    help: "A Mustache template of the description, with the same names.",
  },
  {
    key: "severity_map",
    type: "string",
    required: false,
    default: null,
    help: `Urgencies of the sender's words, like warning=low, before these: ${SEVERITY_WORDS}.`,
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

/** All options of a type: its own, then the common ones that it does not redefine. */
export function optionsOf(type: IntegrationType): readonly OptionDescription[] {
  const own = new Set(type.options.map((option) => option.key));
  return [...type.options, ...COMMON_OPTIONS.filter((option) => !own.has(option.key))];
}

/** Converts an option from minutes to ms; null if it is unset or not positive. */
export function minutesOf(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value * 60_000 : null;
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
    ...faultOf("title_template", templateFault),
    ...faultOf("description_template", templateFault),
    ...faultOf("severity_map", severityMapFault),
    ...(type.check?.(options) ?? []),
  ];
}
