// Forms and their fields. Every form that posts carries the session's token and an idempotency key:
// the same form submitted twice takes effect once.
import type { Child } from "hono/jsx";
import type { FieldError, Refusal } from "../../domain/shared/refusal.ts";
import type { Choice } from "./choice.ts";
import { formToken } from "./form-token.ts";
import { faultText } from "./labels.ts";
import { searchField } from "./picker-search.ts";
import { Select } from "./select.tsx";
import type { ChoiceSource } from "./sources.ts";
import { fieldText, isTicked, type Values } from "./values.ts";
import { useViewer } from "./viewer.tsx";

const FormToken = () => {
  const { session } = useViewer();
  return session && <input type="hidden" name="form_token" value={formToken(session.token)} />;
};

/** Fields of the form itself, or of a button of it: a form that repeats the others has its own. */
const OWN_FIELDS: readonly string[] = ["form_token", "once", "confirmed", "edit"];

/** A submitted form's fields as hidden fields, to be submitted again; those that are not text go. */
export const HiddenFields = ({ form }: { readonly form: Readonly<Record<string, unknown>> }) => (
  <>
    {Object.entries(form)
      .filter(([name]) => !OWN_FIELDS.includes(name))
      .flatMap(([name, value]) =>
        Array.isArray(value)
          ? value.map((item: unknown) => ({ name: `${name}[]`, value: item }))
          : [{ name, value }],
      )
      .map(({ name, value }) =>
        typeof value === "string" ? <input type="hidden" name={name} value={value} /> : null,
      )}
  </>
);

/** The id of a record's form; fields outside of the form refer to it. */
export const FIELDS_FORM = "record";

/** A form that posts to a path of this origin; works without scripts. */
export const Form = ({
  to,
  open,
  kind,
  retry,
  confirm,
  becomes,
  id,
  children,
}: {
  readonly to: string;
  /** Whether its action is open to everybody, and needs no token. */
  readonly open?: boolean;
  /** `rows`: around a list whose rows have buttons. */
  readonly kind?: "fields" | "row" | "rows";
  /** Resubmitted while the connection is bad; only for idempotent actions. */
  readonly retry?: boolean;
  /** The question of a confirmation dialog before submitting. */
  readonly confirm?: string;
  /** The status that the form's step leads to; shown before the server has confirmed it. */
  readonly becomes?: string;
  readonly id?: string;
  readonly children?: Child;
}) => (
  <form
    method="post"
    action={to}
    id={id}
    class={kind ?? "row"}
    data-retry={retry ? "yes" : undefined}
    data-confirm={confirm}
    data-becomes={becomes}
  >
    {open ? null : <FormToken />}
    <input type="hidden" name="once" value={crypto.randomUUID()} autocomplete="off" />
    {children}
  </form>
);

/** A button with an action, in a form of its own. */
export const ActionButton = ({
  to,
  label,
  tone = "plain",
  fields = {},
  retry,
  confirm,
  becomes,
  shortcut,
}: {
  readonly to: string;
  readonly label: Child;
  readonly tone?: ButtonTone;
  readonly fields?: Readonly<Record<string, string>>;
  readonly retry?: boolean;
  readonly confirm?: string;
  readonly becomes?: string;
  /** The keyboard shortcut. */
  readonly shortcut?: string;
}) => (
  <Form
    to={to}
    retry={retry ?? false}
    // A refresh of the page must not turn the form into another one while it is being sent.
    {...(retry && { id: `form:${to}` })}
    confirm={confirm}
    becomes={becomes}
  >
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <Button tone={tone} shortcut={shortcut}>
      {label}
    </Button>
  </Form>
);

export type ButtonTone = "primary" | "plain" | "danger";

export const Button = ({
  tone = "primary",
  name,
  value,
  form,
  to,
  unchecked,
  shortcut,
  children,
}: {
  readonly tone?: ButtonTone;
  readonly name?: string;
  readonly value?: string;
  /** The id of its form, if the button is outside of it. */
  readonly form?: string;
  /** The `formaction`; overrides the form's action. */
  readonly to?: string;
  /** Submits without validating the form's fields. */
  readonly unchecked?: boolean;
  readonly shortcut?: string;
  readonly children: Child;
}) => (
  <button
    type="submit"
    class={`button ${tone}`}
    name={name}
    value={value}
    form={form}
    formaction={to}
    formnovalidate={unchecked}
    aria-keyshortcuts={shortcut}
  >
    {children}
  </button>
);

/** The errors of a field, by the API's parameter name. */
const faultsOf = (refusal: Refusal | null | undefined, name: string): readonly FieldError[] =>
  (refusal?.errors ?? []).filter(({ field }) => field === name);

/** What a form shows. A page's own state can have more. */
export type FormState = {
  readonly values: Values;
  /** The refusal of the last submission. */
  readonly refusal: Refusal | null;
};

type FieldProps = {
  readonly name: string;
  /** The state of its form: its value, and what was wrong with it, unless they are given. */
  readonly of?: FormState;
  readonly label: string;
  /** The help text below the field. */
  readonly help?: Child;
  /** The refusal of the last submission. */
  readonly refusal?: Refusal | null;
  /** The parameter's name in refusals, if it differs from the field's. */
  readonly parameter?: string;
  /** The id of its form, if the field is outside of it. */
  readonly form?: string;
};

const valueIn = (state: FormState | undefined, name: string, otherwise = ""): string =>
  (state && fieldText(state.values, name)) || otherwise;

const fieldId = (name: string): string => `field-${name.replace(/[^a-z0-9]+/gi, "-")}`;

/** A label with its field; `children` gets the attributes that associate the two. */
const Labelled = ({
  name,
  of,
  label,
  help,
  refusal = of?.refusal,
  parameter,
  children,
}: FieldProps & { readonly children: (described: Described) => Child }) => {
  const faults = faultsOf(refusal, parameter ?? name);
  const id = fieldId(name);
  const ids = [...(help ? [`${id}-help`] : []), ...(faults.length > 0 ? [`${id}-faults`] : [])];
  const described: Described = {
    id,
    ...(ids.length > 0 && { "aria-describedby": ids.join(" ") }),
    // The first such field of a page gets the focus.
    ...(faults.length > 0 && { "aria-invalid": "true", autofocus: true }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(described)}
      {help ? (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      ) : null}
      {faults.length > 0 ? (
        <p class="faults" id={`${id}-faults`}>
          {faults.map((fault) => faultText(fault, label)).join(" ")}
        </p>
      ) : null}
    </div>
  );
};

type Described = {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: "true";
  readonly autofocus?: true;
};

/** Any attribute of an `<input>` besides its name and value. */
type InputProps = FieldProps & {
  readonly value?: string | null;
  /** The value where its form has none. */
  readonly otherwise?: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly inputmode?: "numeric" | "tel" | "email" | "url";
  readonly pattern?: string;
  readonly minlength?: number;
  readonly maxlength?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly step?: number | string;
  readonly autofocus?: boolean;
};

export const TextField = ({
  of,
  otherwise,
  label,
  help,
  refusal,
  parameter,
  ...input
}: InputProps) => (
  <Labelled {...{ name: input.name, of, label, help, refusal, parameter }}>
    {(described) => (
      <input
        type="text"
        {...input}
        value={input.value ?? valueIn(of, input.name, otherwise)}
        {...described}
      />
    )}
  </Labelled>
);

/** Browsers drop a line end at the beginning of a text area. */
const preserveFirstLineEnd = (text: string) => (/^\r?\n/.test(text) ? `\n${text}` : text);

export const TextArea = ({
  of,
  label,
  help,
  refusal,
  parameter,
  value,
  rows = 4,
  code,
  ...input
}: FieldProps & {
  readonly value?: string | null;
  readonly rows?: number;
  readonly required?: boolean;
  readonly placeholder?: string;
  /** Rendered in a monospaced font. */
  readonly code?: boolean;
}) => (
  <Labelled {...{ name: input.name, of, label, help, refusal, parameter }}>
    {(described) => (
      <textarea {...input} rows={rows} class={code ? "code" : undefined} {...described}>
        {preserveFirstLineEnd(value ?? valueIn(of, input.name))}
      </textarea>
    )}
  </Labelled>
);

export const SelectField = ({
  of,
  otherwise,
  label,
  help,
  refusal,
  parameter,
  choices,
  value,
  source,
  sought,
  ...input
}: FieldProps & {
  readonly choices: readonly Choice[];
  readonly value?: string | readonly string[] | null;
  /** The value where its form has none. */
  readonly otherwise?: string;
  /** What a search finds, if there can be many choices. */
  readonly source?: ChoiceSource | undefined;
  /** The id of a record that the search does not offer. */
  readonly except?: string | undefined;
  /** The text of a search without scripts. */
  readonly sought?: string;
  readonly required?: boolean;
  readonly multiple?: boolean;
  readonly size?: number;
}) => (
  <Labelled {...{ name: input.name, of, label, help, refusal, parameter }}>
    {(described) => (
      <Select
        {...{ ...input, label, choices, source, described }}
        value={value ?? (of ? valueIn(of, input.name, otherwise) : null)}
        sought={sought ?? valueIn(of, searchField(input.name))}
      />
    )}
  </Labelled>
);

/** A checkbox: submits `true`, or `false` if it is not ticked. */
export const CheckField = ({
  name,
  of,
  label,
  checked = of !== undefined && isTicked(of.values, name),
  help,
}: {
  readonly name: string;
  readonly of?: FormState;
  readonly label: Child;
  readonly checked?: boolean;
  readonly help?: Child;
}) => {
  const id = fieldId(name);
  return (
    <div class="field check">
      <input type="checkbox" id={id} name={name} value="true" checked={checked} />
      <label for={id}>
        {label}
        {help ? <span class="help"> {help}</span> : null}
      </label>
    </div>
  );
};

/** The errors of a form that none of its fields shows. */
export const FormFaults = ({
  refusal,
  fields,
}: {
  readonly refusal: Refusal | null | undefined;
  /** The parameters whose errors the fields show themselves. */
  readonly fields: readonly string[];
}) => {
  const faults = (refusal?.errors ?? []).filter(({ field }) => !field || !fields.includes(field));
  return faults.length === 0 ? null : (
    <div class="notice bad" role="alert">
      {faults.map((fault) => faultText(fault)).join(" ")}
    </div>
  );
};
