// What a rule of the form means, written independently of the rule language.
import type {
  ConditionModel,
  FieldCondition,
  ShownRule,
} from "../../../../src/domain/routing/builder/model.ts";

type View = { readonly alert?: object; readonly log?: { readonly data?: object } };

/** The value of a field, and its elements if it is a list. */
function valuesOf(field: string, { alert, log }: View): readonly unknown[] {
  const [root, ...path] = field.split(".");
  const within: any = root === "alert" ? alert : log?.data;
  const value = within?.[path.at(-1) ?? ""];
  return Array.isArray(value) ? [value, ...value] : [value];
}

function expectsField({ field, operator, value }: FieldCondition, view: View): boolean {
  const values = valuesOf(field, view);
  const has = (wanted: unknown) =>
    values.some((it) => it === wanted || (wanted === null && it === undefined));
  const compares = (test: (a: any) => boolean) =>
    values.some((it) => typeof it === typeof value && test(it));
  const matches = (source: string, flags: string) =>
    values.some((it) => typeof it === "string" && new RegExp(source, flags).test(it));
  const contains = (text: string, anyCase: boolean) =>
    values.some(
      (it) =>
        typeof it === "string" &&
        (anyCase ? it.toLowerCase().includes(text.toLowerCase()) : it.includes(text)),
    );
  switch (operator) {
    case "is":
      return has(value);
    case "is_not":
      return !has(value);
    case "more_than":
      return compares((it) => it > (value as number));
    case "at_least":
      return compares((it) => it >= (value as number));
    case "less_than":
      return compares((it) => it < (value as number));
    case "at_most":
      return compares((it) => it <= (value as number));
    case "one_of":
      return value.some(has);
    case "none_of":
      return !value.some(has);
    case "has_all":
      return value.every(has);
    case "contains":
      return contains(value, false);
    case "contains_any_case":
      return contains(value, true);
    case "not_contains":
      return !contains(value, false);
    case "not_contains_any_case":
      return !contains(value, true);
    case "matches":
      return matches(value, "");
    case "matches_any_case":
      return matches(value, "i");
    case "not_matches":
      return !matches(value, "");
    case "not_matches_any_case":
      return !matches(value, "i");
    case "exists":
      return values[0] !== undefined;
    case "missing":
      return values[0] === undefined;
  }
}

const MINUTES: Readonly<Record<string, number>> = {
  "08:00": 480,
  "10:00 pm": 1320,
  "17:00": 1020,
  "06:30": 390,
};

function expectsCondition(condition: ConditionModel, view: View, now: number): boolean {
  if (condition.kind === "field") return expectsField(condition, view);
  if (condition.kind === "always") return condition.value;
  // Berlin is an hour ahead in early March.
  const there = new Date(now + (condition.timeZone === null ? 0 : 3_600_000));
  if (condition.kind === "day") {
    const isDay = condition.days.includes(there.getUTCDay() || 7);
    return isDay === (condition.operator === "one_of");
  }
  const at = there.getUTCHours() * 60 + there.getUTCMinutes();
  const [start, end] = [MINUTES[condition.start] ?? 0, MINUTES[condition.end] ?? 0];
  const isBetween = start <= end ? at >= start && at <= end : at >= start || at <= end;
  return isBetween === (condition.operator === "between");
}

/** Whether a rule of the form matches. */
export function expects({ join, conditions }: ShownRule, view: View, now: number): boolean {
  const results = conditions.map((it) => expectsCondition(it, view, now));
  return join === "all" ? results.every(Boolean) : results.some(Boolean);
}
