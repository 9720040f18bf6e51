// The builder's model of a rules document: rules as conditions and actions, for a form. The text
// of the document stays what is stored; the model is read from it and changes are applied to it.

export type RulesKind = "router" | "notification_rule";

export type Scalar = string | number | boolean | null;

/** The operators of a field that take one value, with their word in the rule language. */
export const SINGLE_OPERATORS = {
  is: "$eq",
  is_not: "$ne",
  more_than: "$gt",
  at_least: "$gte",
  less_than: "$lt",
  at_most: "$lte",
} as const;

/** The operators that take a list of values. */
export const LIST_OPERATORS = { one_of: "$in", none_of: "$nin", has_all: "$all" } as const;

/** The operators that take a text: a part of the value, or a regular expression. */
export type TextOperator =
  `${"" | "not_"}${"contains" | "contains_any_case" | "matches" | "matches_any_case"}`;

export type FieldCondition =
  | {
      readonly kind: "field";
      readonly field: string;
      readonly operator: keyof typeof SINGLE_OPERATORS;
      readonly value: Scalar;
    }
  | {
      readonly kind: "field";
      readonly field: string;
      readonly operator: keyof typeof LIST_OPERATORS;
      readonly value: readonly Scalar[];
    }
  | {
      readonly kind: "field";
      readonly field: string;
      readonly operator: TextOperator;
      readonly value: string;
    }
  | {
      readonly kind: "field";
      readonly field: string;
      readonly operator: "exists" | "missing";
      readonly value: null;
    };
export type FieldOperator = FieldCondition["operator"];

export type ConditionModel =
  | FieldCondition
  | { readonly kind: "always"; readonly value: boolean }
  | {
      readonly kind: "time";
      readonly operator: "between" | "outside";
      readonly start: string;
      readonly end: string;
      /** Null: UTC. */
      readonly timeZone: string | null;
    }
  | {
      readonly kind: "day";
      readonly operator: "one_of" | "none_of";
      /** From 1 (Monday) to 7 (Sunday). */
      readonly days: readonly number[];
      readonly timeZone: string | null;
    };

/** Whether all conditions must match, or any. */
export type Join = "all" | "any";

/** An action as written, whose fields the form can show. */
export type Action = Readonly<Record<string, unknown>> & { readonly type: string };

export type ShownRule = {
  readonly kind: "shown";
  readonly join: Join;
  readonly conditions: readonly ConditionModel[];
  readonly actions: readonly Action[];
  /** The events of a notification rule; null if the rule names none. */
  readonly types: readonly string[] | null;
};

/** A rule that the builder cannot show, as its text. */
type TextRule = { readonly kind: "text"; readonly text: string };

export type BuilderRule = ShownRule | TextRule;

export type BuilderDocument =
  | { readonly kind: "rules"; readonly rules: readonly BuilderRule[] }
  /** The builder cannot change the document: it is edited as text only. */
  | { readonly kind: "text"; readonly reason: string };

export type RulesChange =
  | { readonly kind: "edit"; readonly at: number; readonly rule: ShownRule }
  | { readonly kind: "add"; readonly at: number; readonly rule: ShownRule }
  | { readonly kind: "remove"; readonly at: number }
  | { readonly kind: "move"; readonly from: number; readonly to: number };
