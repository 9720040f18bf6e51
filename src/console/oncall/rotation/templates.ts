// What a rotation can start from. A template has one or several parts with people of their own, and
// says which events the form makes.
import { fieldText, type Values } from "../../../kernel/console/values.ts";
import type { Body } from "../../api-client.ts";
import { hoursField, restrictionsIn } from "./hours.ts";
import { positionsIn } from "./positions.ts";
import { regionField, regionHours } from "./regions.ts";
import { clockText, handoffIn, newTimes, ruleIn, zoneIn } from "./rotation-form.ts";

export type RotationTemplate = {
  readonly value: string;
  readonly label: string;
  readonly help: string;
  /**
   * `hours`: each part is an event with hours of its own. `regions`: each part is an event with a
   * zone of its own. `shifted`: two events with the same people, the second a turn ahead.
   */
  readonly kind: "hours" | "regions" | "shifted";
  /** The names of the parts, with the hours or the zone that each begins with. */
  readonly parts: readonly (readonly [name: string, initial: string])[];
  readonly values?: Values;
};

const REGIONS = [
  ["Region 1", "London"],
  ["Region 2", "Pacific Time (US & Canada)"],
] as const;

export const TEMPLATES: readonly RotationTemplate[] = [
  {
    value: "weekly",
    label: "Weekly",
    help: "Each turn lasts a week.",
    kind: "hours",
    parts: [["", "whole"]],
  },
  {
    value: "daily",
    label: "Daily",
    help: "Each turn lasts a day.",
    kind: "hours",
    parts: [["", "whole"]],
    values: { frequency_unit: "daily" },
  },
  {
    value: "weekend",
    label: "Weekdays and weekends",
    help: "Two rotations on one step, which cover the week together.",
    kind: "hours",
    parts: [
      ["Weekdays", "weekdays"],
      ["Weekends", "weekends"],
    ],
  },
  {
    value: "week",
    label: "Weekdays, nights, weekends",
    help: "Three rotations on one step, which cover the week together.",
    kind: "hours",
    parts: [
      ["Weekdays", "business"],
      ["Nights", "weeknights"],
      ["Weekends", "weekends"],
    ],
  },
  {
    value: "sun-2",
    label: "Follow the sun: two regions",
    help: "Each region is on call for half of the day, or for hours of its own.",
    kind: "regions",
    parts: REGIONS,
  },
  {
    value: "sun-3",
    label: "Follow the sun: three regions",
    help: "Each region is on call for a third of the day, or for hours of its own.",
    kind: "regions",
    parts: [...REGIONS, ["Region 3", "Sydney"]],
  },
  {
    value: "primary",
    label: "Primary and secondary",
    help: "Two steps with the same people: whoever is secondary is primary in the next turn.",
    kind: "shifted",
    parts: [["", "whole"]],
  },
];

export const templateNamed = (value: string): RotationTemplate =>
  TEMPLATES.find((it) => it.value === value) ?? (TEMPLATES[0] as RotationTemplate);

/** The form of a new rotation. */
export function blankRotation({ kind, parts, values }: RotationTemplate, zone: string): Values {
  const initial = parts.map(([, value], part) => [
    kind === "regions" ? regionField(part) : hoursField(part),
    value,
  ]);
  return {
    frequency: "1",
    frequency_unit: "weekly",
    handoff_day: "1",
    handoff_date: "1",
    handoff_time: "09:00",
    time_zone: zone,
    layer: "1",
    priority: "0",
    start: "",
    ...Object.fromEntries(initial),
    ...values,
  };
}

export type TemplateEvent = { readonly name: string; readonly body: Body };

/** The events that the form of a new rotation makes; all parameters but the schedule. */
export function newEvents(
  template: RotationTemplate,
  values: Values,
  now: number,
): readonly TemplateEvent[] {
  const events = template.parts.map(([name], part) => ({
    name,
    body:
      template.kind === "regions"
        ? regionBody(template, values, part, now)
        : bodyOf(values, part, now),
  }));
  const [first] = events;
  if (template.kind !== "shifted" || !first) return events;
  const positions = positionsIn(values, 0);
  const ahead = [...positions.slice(1), ...positions.slice(0, 1)];
  const layer = Number(fieldText(values, "layer")) + 1;
  return [
    { ...first, name: "Primary" },
    { name: "Secondary", body: { ...first.body, layer, positions: ahead } },
  ];
}

const bodyOf = (values: Values, part: number, now: number): Body => ({
  ...ruleIn(values),
  ...newTimes(values, handoffIn(values), zoneIn(values), now),
  repeat: true,
  rotation: true,
  positions: positionsIn(values, part),
  restrictions: restrictionsIn(values, part),
});

function regionBody(template: RotationTemplate, values: Values, part: number, now: number): Body {
  const own = { ...values, time_zone: fieldText(values, regionField(part)) };
  const { from, until } = regionHours(values, part, template.parts.length, now);
  const handoff = handoffIn(values);
  const hours = { days_of_week: [], start_time: clockText(from), end_time: clockText(until) };
  return {
    ...bodyOf(own, part, now),
    ...newTimes(own, handoff && { ...handoff, minute: from }, zoneIn(own), now),
    restrictions: [hours],
  };
}
