// Draws declared forms.
import type { Child } from "hono/jsx";
import { controlOf, type DeclaredForm, type Field, type FormEntry } from "./declared-form.ts";
import {
  CheckField,
  Form,
  FormFaults,
  type FormState,
  SelectField,
  TextArea,
  TextField,
} from "./form.tsx";
import { PickMany } from "./pick-many.tsx";
import { fieldText } from "./values.ts";

type FieldsProps<State> = { readonly form: DeclaredForm<State>; readonly state: State };

function DeclaredField<State extends FormState>(
  props: FieldsProps<State> & { readonly field: Field<string, State> },
) {
  const { form, state, field } = props;
  const { values } = state;
  const { name, label, none, autocomplete, autofocus, rows } = field;
  const help = typeof field.help === "function" ? field.help(state) : field.help;
  const value = (field.text?.(values) ?? fieldText(values, name)) || (field.otherwise ?? "");
  const shared = { of: state, name, label, help };
  const source = typeof field.source === "function" ? field.source(state) : field.source;
  const control = controlOf(field, form.about(name), state);
  switch (control.kind) {
    case "checkbox":
      return <CheckField {...shared} />;
    case "pick-many":
      return <PickMany {...{ ...shared, source, choices: control.choices, none }} />;
    case "select":
      return <SelectField {...shared} source={source} choices={control.choices} value={value} />;
    case "text area":
      return <TextArea {...shared} {...control.attributes} {...(rows && { rows })} value={value} />;
    case "input":
      return (
        <TextField
          {...shared}
          {...control.attributes}
          {...(autocomplete && { autocomplete })}
          {...(autofocus && { autofocus })}
          value={value}
        />
      );
  }
}

const drawEntry = <State extends FormState>(
  entry: FormEntry<string, State>,
  { form, state }: FieldsProps<State>,
): Child => {
  if ("draw" in entry) return entry.draw(state);
  if (!("fields" in entry)) return <DeclaredField form={form} state={state} field={entry} />;
  const fields = entry.fields.map((it) => drawEntry(it, { form, state }));
  if (entry.legend === undefined) return <div class="side-by-side">{fields}</div>;
  if (entry.folded)
    return (
      <details class="more" open={state.refusal !== null}>
        <summary>{entry.legend}</summary>
        {fields}
      </details>
    );
  return (
    <fieldset class="group">
      <legend>{entry.legend}</legend>
      {fields}
    </fieldset>
  );
};

/** The fields of a declared form. */
export const FormFields = <State extends FormState>(props: FieldsProps<State>) => (
  <>{props.form.entries.map((entry) => drawEntry(entry, props))}</>
);

/** A declared form: the errors that no field shows, its fields and its buttons. */
export const FieldsForm = <State extends FormState>({
  to,
  form,
  state,
  hidden,
  children,
}: FieldsProps<State> & {
  readonly to: string;
  /** The hidden fields. */
  readonly hidden?: Child;
  /** The buttons. */
  readonly children: Child;
}) => (
  <Form to={to} kind="fields">
    <FormFaults refusal={state.refusal} fields={form.parameters} />
    {hidden}
    <FormFields form={form} state={state} />
    {children}
  </Form>
);
