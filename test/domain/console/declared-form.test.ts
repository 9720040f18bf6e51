// What a declared form takes from the schema of its body: the control of every kind of parameter, the parameters whose
// errors it shows, and the body that it submits.

import { describe, expect, test } from "vitest";
import * as z from "zod";
import { CreateEvent, OverrideEvent } from "../../../src/features/oncall/events/parameters.ts";
import { emailAddress } from "../../../src/features/people/users/parameters.ts";
import { controlOf, declareForm, type Field } from "../../../src/kernel/console/declared-form.ts";
import type { FormState } from "../../../src/kernel/console/form.tsx";
import { readParameters } from "../../../src/kernel/console/parameter.ts";
import * as field from "../../../src/kernel/contract/parameters.ts";

const Body = z.object({
  name: field.requiredText(255),
  nickname: field.optionalText(40),
  notes: field.optionalText(10_000),
  story: field.requiredText(10_000).transform((text) => text.trim()),
  layer: field.integer(1, 100),
  frequency: field.optionalInteger(1, 10_000),
  enabled: field.optionalFlag,
  urgency: field.choice(["low", "high"]),
  unit: field.optionalChoice(["days", "weeks"]),
  team_ids: field.identifiers.optional(),
  tags: field.words.optional(),
  team_id: field.identifier,
  start: field.instant,
  end: field.optionalInstant,
  email: emailAddress,
  meta: field.hash.optional(),
});

const STATE: FormState = { values: {}, refusal: null };
const CHOICES = [{ value: "1", label: "One" }];
const parameters = readParameters(Body);

type Declared = Omit<Field<string, FormState>, "name" | "label">;

function control(name: string, declared: Declared = {}) {
  const parameter = parameters.get(name);
  if (!parameter) throw new Error(`no parameter ${name}`);
  return controlOf({ name, label: name, ...declared }, parameter, STATE);
}

const input = (attributes: object) => ({ kind: "input", attributes });

describe("the control of a field", () => {
  test.each([
    ["name", input({ required: true, maxlength: 255 })],
    ["nickname", input({ maxlength: 40 })],
    ["notes", { kind: "text area", attributes: {} }],
    ["story", { kind: "text area", attributes: { required: true } }],
    ["layer", input({ type: "number", required: true, min: 1, max: 100 })],
    ["frequency", input({ type: "number", min: 1, max: 10_000 })],
    ["enabled", { kind: "checkbox" }],
    ["team_ids", { kind: "pick-many", choices: [] }],
    ["tags", { kind: "pick-many", choices: [] }],
    ["team_id", input({})],
    ["start", input({ type: "datetime-local", required: true })],
    ["end", input({ type: "datetime-local" })],
    ["email", input({ type: "email", required: true, maxlength: 254 })],
  ])("%s", (name, expected) => {
    expect(control(name)).toEqual(expected);
  });

  test("selects one of the schema's values, with the labels of the form", () => {
    const labelled = (labels: readonly string[]) =>
      ["days", "weeks"].map((value, at) => ({ value, label: labels[at] }));
    expect(control("unit")).toEqual({ kind: "select", choices: labelled(["days", "weeks"]) });
    expect(control("unit", { choiceLabels: { days: "day(s)" } })).toEqual({
      kind: "select",
      choices: labelled(["day(s)", "weeks"]),
    });
    expect(control("urgency")).toMatchObject({ kind: "select" });
  });

  test("offers the choices of the form", () => {
    expect(control("team_id", { choices: CHOICES })).toEqual({ kind: "select", choices: CHOICES });
    expect(control("layer", { choices: CHOICES })).toEqual({ kind: "select", choices: CHOICES });
    expect(control("team_ids", { choices: () => CHOICES })).toEqual({
      kind: "pick-many",
      choices: CHOICES,
    });
  });

  test("uses the type and the required flag of the form if it has them", () => {
    expect(control("nickname", { required: true })).toEqual(
      input({ required: true, maxlength: 40 }),
    );
    expect(control("layer", { required: false })).toEqual(
      input({ type: "number", min: 1, max: 100 }),
    );
    expect(control("end", { type: "date" })).toEqual(input({ type: "date" }));
  });
});

test("the parameters are read from a schema that transforms the whole body", () => {
  expect(readParameters(CreateEvent).get("layer")).toMatchObject({ min: 1, max: 100 });
  expect(readParameters(OverrideEvent).get("start_time")).toMatchObject({ required: true });
});

const FORM = declareForm(Body, [
  { name: "name", label: "Name" },
  {
    legend: "Group",
    fields: [
      { name: "layer", label: "Layer" },
      { fields: [{ name: "enabled", label: "Enabled" }] },
      { name: "team_ids", label: "Teams" },
    ],
  },
  { name: "team_id", label: "Team", choices: CHOICES },
  {
    draw: () => null,
    parameters: ["tags", "meta.color"],
    body: ({ labels }) => ({ tags: String(labels).split(",") }),
  },
  { draw: () => null },
]);

describe("a declared form", () => {
  test("shows the errors of its fields, except of checkboxes", () => {
    expect(FORM.parameters).toEqual(["name", "layer", "team_ids", "team_id", "tags", "meta.color"]);
  });

  test.each([
    [
      { name: " Ada ", layer: "2", enabled: "true", team_ids: ["", "a", "b"], labels: "x,y" },
      {
        name: " Ada ",
        layer: "2",
        enabled: true,
        team_ids: ["a", "b"],
        team_id: "",
        tags: ["x", "y"],
      },
    ],
    [
      { name: "", layer: "two", team_ids: "a", team_id: "1", labels: "", other: "not declared" },
      { name: "", layer: "two", enabled: false, team_ids: ["a"], team_id: "1", tags: [""] },
    ],
  ])("submits %j", (form, body) => {
    expect(FORM.bodyOf(form)).toEqual(body);
  });
});
