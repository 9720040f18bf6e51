// The form of a condition: a field, an operator and a value, with the account's names.
import {
  type ConditionModel,
  type FieldCondition,
  type FieldOperator,
  LIST_OPERATORS,
  type Scalar,
  SINGLE_OPERATORS,
} from "../../domain/routing/builder/model.ts";
import type { BuilderData } from "../../domain/routing/builder/offers.ts";
import { listText, readList, readValue, valueText } from "../../domain/routing/builder/values.ts";
import { element } from "../client/element.client.ts";
import { fieldsOf, labelled, type Option, type OptionGroup } from "./elements.client.ts";
import { ALERT_FIELDS, DAYS, OPERATORS, SPECIAL, URGENCIES } from "./words.client.ts";

/** What a part of the form needs: where it is, and how it changes. */
export type FormPart<Value> = {
  readonly id: string;
  readonly label: string;
  readonly data: BuilderData;
  /** `isRedrawn`: the form has other parts afterwards. */
  readonly change: (value: Value, isRedrawn: boolean) => void;
};

const OTHER = "other";
const PATH = /^(alert|log)\.[^.]+(\.[^.]+)*$/;

export const FIRST_CONDITION: ConditionModel = {
  kind: "field",
  field: "alert.urgency",
  operator: "is",
  value: "critical",
};

/** A condition about a field that the others do not use: each field has one place in a rule. */
export function newCondition(others: readonly ConditionModel[]): ConditionModel {
  const used = others.map((it) => (it.kind === "field" ? it.field : it.kind));
  if (!used.includes("alert.urgency")) return FIRST_CONDITION;
  const field = used.includes("alert.title") ? "alert.tags" : "alert.title";
  return { kind: "field", field, operator: "contains", value: "" };
}

export const eventFieldGroup = ({ fields }: BuilderData): OptionGroup => ({
  label: "Recent events",
  options: fields.map(({ path, label }): Option => [path, label]),
});

const examplesOf = (field: string, { fields }: BuilderData): readonly string[] =>
  (fields.find(({ path }) => path === field)?.examples ?? []).flatMap((example) =>
    example === null ? [] : [valueText(example)],
  );

/** The choices of a field's values; null: any text. */
function choicesOf(field: string, data: BuilderData): readonly Option[] | null {
  if (field === "alert.urgency") return URGENCIES;
  if (field === "alert.source_id") return data.sources.map(([id, , name]): Option => [id, name]);
  return null;
}

/** A part of a condition's form. The condition is changed as it is then, not as it was drawn. */
type ConditionPart = FormPart<ConditionModel> & { readonly current: () => ConditionModel };

export function conditionForm(
  condition: ConditionModel,
  { change: report, ...rest }: FormPart<ConditionModel>,
): HTMLElement {
  let latest = condition;
  const change: typeof report = (value, isRedrawn) => {
    latest = value;
    report(value, isRedrawn);
  };
  const part = { ...rest, change, current: () => latest };
  const { id, label, data } = part;
  const value = condition.kind === "field" ? condition.field : condition.kind;
  const groups: readonly OptionGroup[] = [
    { label: "", options: SPECIAL },
    { label: "Alert", options: ALERT_FIELDS },
    eventFieldGroup(data),
    { label: "", options: [[OTHER, "Other field…"]] },
  ];
  const row = element("div", { class: "condition" });
  const field = fieldsOf(id, label).select("field", "field", groups, value, (chosen) => {
    if (chosen === OTHER) field.replaceWith(otherField(part));
    else change(withField(latest, chosen, data), true);
  });
  row.append(field, ...valueParts(condition, part));
  return row;
}

/** A path as text, which takes effect once it is one. */
function otherField({ id, label, data, change, current }: ConditionPart) {
  const made = fieldsOf(id, label).input(
    "path",
    "path of the field",
    "",
    (path) => {
      const isPath = PATH.test(path.trim());
      made.setAttribute("aria-invalid", String(!isPath));
      if (isPath) change(withField(current(), path.trim(), data), false);
    },
    { placeholder: "log.data.…" },
  );
  made.addEventListener("change", () => made.dispatchEvent(new Event("settle", { bubbles: true })));
  setTimeout(() => made.focus());
  return made;
}

/** The condition about another field, with its operator where that is possible. */
function withField(condition: ConditionModel, field: string, data: BuilderData): ConditionModel {
  const { timeZone } = data;
  if (field === "always") return { kind: "always", value: true };
  if (field === "day") return { kind: "day", operator: "one_of", days: [6, 7], timeZone };
  if (field === "time")
    return { kind: "time", operator: "between", start: "08:00", end: "17:59", timeZone };
  const hasChoices = (path: string) => choicesOf(path, data) !== null;
  const isOther =
    hasChoices(field) ||
    condition.kind !== "field" ||
    condition.value === "" ||
    hasChoices(condition.field);
  if (!isOther) return { ...condition, field };
  const [choice] = choicesOf(field, data) ?? [];
  const [example = ""] = data.fields.find(({ path }) => path === field)?.examples ?? [];
  return { kind: "field", field, operator: "is", value: choice?.[0] ?? example };
}

function valueParts(condition: ConditionModel, part: ConditionPart): readonly HTMLElement[] {
  const { id, label, change } = part;
  const { select } = fieldsOf(id, label);
  switch (condition.kind) {
    case "always": {
      const options: readonly Option[] = [
        ["true", "matches"],
        ["false", "never matches"],
      ];
      return [
        select("always", "value", options, String(condition.value), (value) =>
          change({ kind: "always", value: value === "true" }, false),
        ),
      ];
    }
    case "time":
    case "day":
      return clockParts(condition, part);
    case "field":
      return [operatorSelect(condition, part), ...fieldValue(condition, part)];
  }
}

type ClockCondition = Extract<ConditionModel, { kind: "time" | "day" }>;

function clockParts(condition: ClockCondition, { id, label, change, current }: ConditionPart) {
  const set = (values: object) => change({ ...current(), ...values } as ConditionModel, false);
  const words: readonly Option[] =
    condition.kind === "time"
      ? [
          ["between", "is between"],
          ["outside", "is not between"],
        ]
      : [
          ["one_of", "is one of"],
          ["none_of", "is none of"],
        ];
  const { select, input, boxes } = fieldsOf(id, label);
  const operator = select("operator", "operator", words, condition.operator, (value) =>
    set({ operator: value }),
  );
  const setZone = (value: string) => set({ timeZone: value.trim() === "" ? null : value.trim() });
  const zone = labelled(
    "Zone",
    input("zone", "time zone", condition.timeZone ?? "", setZone, { placeholder: "UTC" }),
  );
  if (condition.kind === "day") {
    const days = boxes("days", "days", DAYS, condition.days.map(String), (values) =>
      set({ days: values.map(Number) }),
    );
    return [operator, days, zone];
  }
  const time = (name: "start" | "end", text: string) =>
    labelled(
      text,
      input(name, text.toLowerCase(), condition[name], (value) => set({ [name]: value }), {
        placeholder: "08:00",
      }),
    );
  return [operator, time("start", "From"), time("end", "To"), zone];
}

const isListOperator = (operator: FieldOperator): operator is keyof typeof LIST_OPERATORS =>
  Object.hasOwn(LIST_OPERATORS, operator);

/** The operators of a field whose values are chosen, and those that compare numbers: an alert's own fields are texts. */
const OF_CHOICES: readonly FieldOperator[] = ["is", "is_not", "one_of", "none_of"];
const OF_NUMBERS: readonly FieldOperator[] = ["more_than", "at_least", "less_than", "at_most"];

/** The operators that say something about a field, and the one that the condition has. */
function operatorsOf({ field, operator }: FieldCondition, data: BuilderData): readonly Option[] {
  const isOffered = (it: FieldOperator) =>
    choicesOf(field, data) !== null
      ? OF_CHOICES.includes(it)
      : !(field.startsWith("alert.") && OF_NUMBERS.includes(it));
  return OPERATORS.filter(([it]) => it === operator || isOffered(it));
}

function operatorSelect(
  condition: FieldCondition,
  { id, label, data, change, current }: ConditionPart,
) {
  const { select } = fieldsOf(id, label);
  const options = operatorsOf(condition, data);
  return select("operator", "operator", options, condition.operator, (chosen) =>
    change(withOperator(current() as FieldCondition, chosen as FieldOperator), true),
  );
}

/** The condition with another operator, and the value as this operator takes it. */
function withOperator(condition: FieldCondition, operator: FieldOperator): FieldCondition {
  const { kind, field, value } = condition;
  const first = (Array.isArray(value) ? value[0] : value) as Scalar | undefined;
  if (operator === "exists" || operator === "missing")
    return { kind, field, operator, value: null };
  if (isListOperator(operator))
    return {
      kind,
      field,
      operator,
      value: Array.isArray(value) ? value : value === null ? [] : [first ?? ""],
    };
  if (Object.hasOwn(SINGLE_OPERATORS, operator))
    return { kind, field, operator: operator as keyof typeof SINGLE_OPERATORS, value: first ?? "" };
  return { kind, field, operator, value: String(first ?? "") } as FieldCondition;
}

function fieldValue(
  condition: FieldCondition,
  { id, label, data, change, current }: ConditionPart,
) {
  const { operator, value, field } = condition;
  if (operator === "exists" || operator === "missing") return [];
  const { select, input, boxes } = fieldsOf(id, label);
  const set = (next: unknown) => change({ ...current(), value: next } as ConditionModel, false);
  const choices = choicesOf(field, data);
  if (isListOperator(operator)) {
    const list = value as readonly Scalar[];
    const areTexts = list.every((it) => typeof it === "string");
    if (choices && areTexts)
      return [boxes("value", "value", choices, list as readonly string[], set)];
    return [
      input("value", "value", listText(list), (text) => set(readList(text)), {
        placeholder: "a, b, c",
      }),
    ];
  }
  const isSingle = Object.hasOwn(SINGLE_OPERATORS, operator);
  if (choices && isSingle && typeof value === "string")
    return [select("value", "value", choices, value, set)];
  const text = isSingle ? valueText(value as Scalar) : String(value);
  const examples = examplesOf(field, data);
  const list = field === "alert.tags" ? "rules-tags" : `${id}.examples`;
  return [
    input("value", "value", text, (typed) => set(isSingle ? readValue(typed) : typed), {
      list,
      // Every text has the empty one in it.
      required: !isSingle,
    }),
    ...(examples.length > 0
      ? [
          element(
            "datalist",
            { id: list },
            ...examples.map((value) => element("option", { value })),
          ),
        ]
      : []),
  ];
}
