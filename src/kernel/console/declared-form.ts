// A form as it is declared: the schema of the body that it submits, and the list of its fields. The
// schema decides the kind of a field, its limits and how it is submitted; the list has the labels
// and the choices that are read at run time.
import type { Child } from "hono/jsx";
import type * as z from "zod";
import type { Choice } from "./choice.ts";
import type { FormState } from "./form.tsx";
import { type Parameter, type ParameterName, readParameters } from "./parameter.ts";
import type { ChoiceSource } from "./sources.ts";
import { fieldText, isTicked, listOf, type Values } from "./values.ts";

export type Field<Name extends string, State> = {
  /** The parameter and the field have the same name. */
  readonly name: Name;
  readonly label: string;
  readonly help?: Child | ((state: State) => Child);
  /** The choices that the schema does not know: of a text, or of a list of identifiers. */
  readonly choices?: readonly Choice[] | ((state: State) => readonly Choice[]);
  /** Where a search finds the choices, if there can be many. */
  readonly source?: ChoiceSource | ((state: State) => ChoiceSource | undefined);
  /** The labels of the choices that the schema lists. */
  readonly choiceLabels?: Readonly<Record<string, string>>;
  /** Replaces an empty list of choices. */
  readonly none?: string;
  /** The selected choice where there is no value. */
  readonly otherwise?: string;
  /** The text that is shown for a value; by default the value. */
  readonly text?: (values: Values) => string;
  /** The type of the `<input>`, if it does not follow from the schema's format. */
  readonly type?: "date" | "datetime-local" | "time";
  /** By default, whether the body needs the parameter. */
  readonly required?: boolean;
  readonly autocomplete?: "off";
  readonly autofocus?: boolean;
  readonly rows?: number;
};

/** Fields side by side, or under a legend; `folded`: those that few need, which open by a click on it. */
type Group<Name extends string, State> = {
  readonly legend?: string;
  readonly folded?: boolean;
  readonly fields: readonly FormEntry<Name, State>[];
};

/** A part of a form that is more than the field of one parameter. */
type Special<Name extends string, State> = {
  readonly draw: (state: State) => Child;
  /** The parameters whose errors it shows. */
  readonly parameters?: readonly (Name | `${Name}.${string}`)[];
  /** Its part of the body. */
  readonly body?: (form: Values) => Values;
};

export type FormEntry<Name extends string, State> =
  | Field<Name, State>
  | Group<Name, State>
  | Special<Name, State>;

/** `State` is what the fields need to be drawn. */
export type DeclaredForm<State> = {
  readonly entries: readonly FormEntry<string, State>[];
  readonly about: (name: string) => Parameter;
  /** The parameters whose errors the fields show themselves. */
  readonly parameters: readonly string[];
  /** The body that a submitted form means. */
  readonly bodyOf: (form: Values) => Values;
};

const OTHER: Parameter = { kind: "text", required: false };

/** Declares a form: the schema of its body, and its fields in order. */
export function declareForm<Body extends z.ZodType, State = FormState>(
  body: Body,
  entries: readonly FormEntry<ParameterName<Body>, NoInfer<State>>[],
): DeclaredForm<State> {
  const parameters = readParameters(body);
  const about = (name: string) => parameters.get(name) ?? OTHER;
  const parts = entries.flatMap(withoutGroups);
  return {
    entries,
    about,
    parameters: parts.flatMap((part) => shownBy(part, about)),
    bodyOf: (form) => Object.assign({}, ...parts.map((part) => bodyOfPart(part, form, about))),
  };
}

type Part<State> = Exclude<FormEntry<string, State>, Group<string, State>>;

const withoutGroups = <State>(entry: FormEntry<string, State>): readonly Part<State>[] =>
  "fields" in entry ? entry.fields.flatMap(withoutGroups) : [entry];

/** A checkbox has no place for errors. */
function shownBy<State>(part: Part<State>, about: DeclaredForm<State>["about"]): readonly string[] {
  if ("draw" in part) return part.parameters ?? [];
  return about(part.name).kind === "flag" ? [] : [part.name];
}

function bodyOfPart<State>(
  part: Part<State>,
  form: Values,
  about: DeclaredForm<State>["about"],
): Values {
  if ("draw" in part) return part.body?.(form) ?? {};
  return { [part.name]: sentValue(about(part.name), form, part.name) };
}

/** A number is sent as it was entered: the API names what is wrong with it. */
function sentValue({ kind }: Parameter, form: Values, name: string): unknown {
  if (kind === "flag") return isTicked(form, name);
  return kind === "list" ? listOf(form, name) : fieldText(form, name);
}

/** A longer text gets a text area. */
const LONGEST_LINE = 2_048;

const INPUT_TYPES: Readonly<Record<string, string>> = {
  "date-time": "datetime-local",
  email: "email",
};

/** The control of a field: its kind, with the attributes that follow from the schema. */
export type Control =
  | { readonly kind: "checkbox" }
  | { readonly kind: "pick-many"; readonly choices: readonly Choice[] }
  | { readonly kind: "select"; readonly choices: readonly Choice[] }
  | { readonly kind: "text area"; readonly attributes: { readonly required?: boolean } }
  | { readonly kind: "input"; readonly attributes: InputAttributes };

type InputAttributes = {
  readonly type?: string;
  readonly required?: boolean;
  readonly maxlength?: number;
  readonly min?: number;
  readonly max?: number;
};

/**
 * The control of a field. A text area has no `maxlength`, which would cut a pasted text without a
 * word, and a selection is never empty, so it is not `required`.
 */
export function controlOf<State>(
  field: Field<string, State>,
  parameter: Parameter,
  state: State,
): Control {
  const { kind, values, maxlength = 0, min, max, format = "" } = parameter;
  const given = typeof field.choices === "function" ? field.choices(state) : field.choices;
  if (kind === "flag") return { kind: "checkbox" };
  if (kind === "list") return { kind: "pick-many", choices: given ?? [] };
  const listed = values?.map((value) => ({ value, label: field.choiceLabels?.[value] ?? value }));
  const choices = given ?? listed;
  if (choices) return { kind: "select", choices };
  const required = (field.required ?? parameter.required) && { required: true };
  if (maxlength > LONGEST_LINE) return { kind: "text area", attributes: { ...required } };
  const type = field.type ?? (kind === "number" ? "number" : INPUT_TYPES[format]);
  return {
    kind: "input",
    attributes: {
      ...(type && { type }),
      ...required,
      ...(maxlength > 0 && (type === undefined || type === "email") && { maxlength }),
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    },
  };
}
