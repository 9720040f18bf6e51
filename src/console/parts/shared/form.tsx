// Forms and their fields. Every form that does something carries the session's token, and a one-time key by which
// the same form sent twice does once what it asks for.
import type { Child } from "hono/jsx";
import type { FieldError, Refusal } from "../../../domain/shared/refusal.ts";
import { formToken, type Session } from "../../access/session.ts";
import { faultText } from "../../labels.ts";

const FormToken = ({ session }: { readonly session: Session | null }) =>
  session ? <input type="hidden" name="form_token" value={formToken(session.token)} /> : null;

/** The id of the form of a page's record: what stands outside of it belongs to it by this. */
export const FIELDS_FORM = "record";

/** A form that posts to a page of ours; without scripts too. */
export const Form = ({
  to,
  session,
  kind,
  retry,
  confirm,
  id,
  children,
}: {
  readonly to: string;
  readonly session: Session | null;
  readonly kind?: "fields" | "row";
  /** Sent again by itself while the connection is bad: for what may be done twice without harm. */
  readonly retry?: boolean;
  /** Asked before it is sent. */
  readonly confirm?: string;
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
  >
    <FormToken session={session} />
    <input type="hidden" name="once" value={crypto.randomUUID()} autocomplete="off" />
    {children}
  </form>
);

/** One button that does something, in a form of its own. */
export const ActionButton = ({
  to,
  session,
  label,
  tone = "plain",
  fields = {},
  retry,
  confirm,
  shortcut,
}: {
  readonly to: string;
  readonly session: Session;
  readonly label: Child;
  readonly tone?: ButtonTone;
  readonly fields?: Readonly<Record<string, string>>;
  readonly retry?: boolean;
  readonly confirm?: string;
  /** The key that presses it. */
  readonly shortcut?: string;
}) => (
  <Form to={to} session={session} retry={retry ?? false} {...(confirm && { confirm })}>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <Button tone={tone} {...(shortcut && { shortcut })}>
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
  /** The id of the form it sends, where it stands outside of it. */
  readonly form?: string;
  /** Another address than the form's. */
  readonly to?: string;
  /** Sent whatever the form's required fields hold. */
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
    data-key={shortcut}
  >
    {children}
  </button>
);

/** What is wrong with a field, if anything is: by the names that the API gives its parameters. */
const faultsOf = (refusal: Refusal | null | undefined, name: string): readonly FieldError[] =>
  (refusal?.errors ?? []).filter(({ field }) => field === name);

type FieldProps = {
  readonly name: string;
  readonly label: string;
  /** Below the field: what it is for, what it may hold. */
  readonly help?: Child;
  /** What the last try was refused for. */
  readonly refusal?: Refusal | null;
  /** The parameter's name in refusals, where it is not the field's. */
  readonly parameter?: string;
  /** The id of the form that it is part of, where it stands outside of it. */
  readonly form?: string;
};

/** A label with its field; `children` gets the attributes that tie the two together. */
const Labelled = ({
  name,
  label,
  help,
  refusal,
  parameter,
  children,
}: FieldProps & { readonly children: (described: Described) => Child }) => {
  const faults = faultsOf(refusal, parameter ?? name);
  const id = `field-${name.replace(/[^a-z0-9]+/gi, "-")}`;
  const ids = [...(help ? [`${id}-help`] : []), ...(faults.length > 0 ? [`${id}-faults`] : [])];
  const described: Described = {
    id,
    ...(ids.length > 0 && { "aria-describedby": ids.join(" ") }),
    ...(faults.length > 0 && { "aria-invalid": "true" }),
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
};

/** Any attribute that an `<input>` may have beside its name and value. */
type InputProps = FieldProps & {
  readonly value?: string | null;
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

export const TextField = ({ label, help, refusal, parameter, ...input }: InputProps) => (
  <Labelled {...{ name: input.name, label, help, refusal, parameter: parameter ?? input.name }}>
    {(described) => <input type="text" {...input} value={input.value ?? ""} {...described} />}
  </Labelled>
);

/** A browser leaves out a line end that a text area begins with. */
const firstLineKept = (text: string) => (/^\r?\n/.test(text) ? `\n${text}` : text);

export const TextArea = ({
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
  /** Set in the type of code. */
  readonly code?: boolean;
}) => (
  <Labelled {...{ name: input.name, label, help, refusal, parameter: parameter ?? input.name }}>
    {(described) => (
      <textarea {...input} rows={rows} class={code ? "code" : undefined} {...described}>
        {firstLineKept(value ?? "")}
      </textarea>
    )}
  </Labelled>
);

export type Choice = { readonly value: string; readonly label: string };

/** A stored value that is no choice any more is one until somebody chooses another. */
const withStored = (
  choices: readonly Choice[],
  value: string | readonly string[] | null | undefined,
): readonly Choice[] => {
  const stored = typeof value === "string" ? value : value?.length ? null : "";
  if (stored === null || choices.some((choice) => choice.value === stored)) return choices;
  return [{ value: stored, label: stored === "" ? "– none –" : stored }, ...choices];
};

export const SelectField = ({
  label,
  help,
  refusal,
  parameter,
  choices,
  value,
  ...input
}: FieldProps & {
  readonly choices: readonly Choice[];
  readonly value?: string | readonly string[] | null;
  readonly required?: boolean;
  readonly multiple?: boolean;
  readonly size?: number;
}) => (
  <Labelled {...{ name: input.name, label, help, refusal, parameter: parameter ?? input.name }}>
    {(described) => (
      <select {...input} {...described}>
        {withStored(choices, value).map((choice) => (
          <option
            value={choice.value}
            selected={
              Array.isArray(value) ? value.includes(choice.value) : choice.value === (value ?? "")
            }
          >
            {choice.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

/** A box to tick: sends `true`, or `false` when it is not ticked. */
export const CheckField = ({
  name,
  label,
  checked,
  help,
}: {
  readonly name: string;
  readonly label: Child;
  readonly checked: boolean;
  readonly help?: Child;
}) => {
  const id = `field-${name.replace(/[^a-z0-9]+/gi, "-")}`;
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

/** What a whole form was refused for, where no field of it says so. */
export const FormFaults = ({
  refusal,
  fields,
}: {
  readonly refusal: Refusal | null | undefined;
  /** The parameters whose fields say it themselves. */
  readonly fields: readonly string[];
}) => {
  const faults = (refusal?.errors ?? []).filter(({ field }) => !field || !fields.includes(field));
  return faults.length === 0 ? null : (
    <div class="notice bad" role="alert">
      {faults.map((fault) => faultText(fault)).join(" ")}
    </div>
  );
};
