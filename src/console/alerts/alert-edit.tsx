// Edits an alert's title, description, urgency, tags and incident fields. Only changed fields are
// sent, so that an edit does not overwrite concurrent changes.
import { createHash } from "node:crypto";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import { CreateAlert } from "../../features/alerts/alerts/parameters.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import {
  ActionButton,
  Button,
  CheckField,
  type FormState,
  SelectField,
  TextArea,
} from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { formPage } from "../../kernel/console/form-page.tsx";
import { done, outcome, type Reply, redisplayForm } from "../../kernel/console/reply.ts";
import { fieldText, isTicked, type Values } from "../../kernel/console/values.ts";
import { URGENCIES } from "../choices.ts";
import { action, type ConsolePage, idOf, page, pathOf, type Visit } from "../page.ts";
import { type Names, readNames } from "../reads.ts";
import { isAdmin } from "../resource-pages.tsx";
import { chosenIn, destinationChoices } from "./hand-off.tsx";

const SEVERITIES = [
  { value: "SEV-UNKNOWN", label: "unknown" },
  ...[1, 2, 3, 4, 5].map((number) => ({ value: `SEV-${number}`, label: `SEV-${number}` })),
];

const valuesOf = (alert: Alert): Values => ({
  title: alert.title,
  description: alert.description ?? "",
  urgency: alert.urgency,
  tags: alert.tags.join("\n"),
  incident: alert.incident,
  incident_severity: alert.incident_severity ?? "SEV-UNKNOWN",
  incident_message: alert.incident_message ?? "",
});

/**
 * The fields that are sent together or not at all, by the suffix of the hidden field with their
 * initial hash.
 */
const FIELD_GROUPS: Readonly<
  Record<string, (values: Values) => Readonly<Record<string, unknown>>>
> = {
  title: (values) => ({ title: normalizedText(values, "title") }),
  description: (values) => ({ description: normalizedText(values, "description") || null }),
  urgency: (values) => ({ urgency: normalizedText(values, "urgency") }),
  tags: (values) => ({
    tags: normalizedText(values, "tags")
      .split("\n")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
  }),
  incident: (values) => ({
    incident: isTicked(values, "incident"),
    incident_severity: isTicked(values, "incident")
      ? normalizedText(values, "incident_severity")
      : null,
    incident_message: normalizedText(values, "incident_message") || null,
  }),
};

/** Normalises the CR LF that browsers send. */
const normalizedText = (values: Values, name: string) =>
  fieldText(values, name).replaceAll("\r\n", "\n");

const hashOf = (part: string, values: Values) =>
  createHash("sha256")
    .update(JSON.stringify(FIELD_GROUPS[part]?.(values)))
    .digest("base64url")
    .slice(0, 16);

function changesOf(form: Values, alert: Alert): Readonly<Record<string, unknown>> {
  const changed = Object.keys(FIELD_GROUPS).filter(
    (part) => hashOf(part, form) !== fieldText(form, `was_${part}`),
  );
  const { incident, incident_severity, incident_message, ...changes } = Object.assign(
    {},
    ...changed.map((part) => FIELD_GROUPS[part]?.(form)),
  );
  if (incident === undefined) return changes;
  return { ...changes, meta: { ...alert.meta, incident, incident_severity, incident_message } };
}

/** Hashes of the initial values in hidden fields; they show which fields were changed. */
const InitialHashes = ({ form, values }: Readonly<{ form: Values | null; values: Values }>) => (
  <>
    {Object.keys(FIELD_GROUPS).map((part) => {
      const mark = form ? fieldText(form, `was_${part}`) : hashOf(part, values);
      return <input type="hidden" name={`was_${part}`} value={mark} />;
    })}
  </>
);

const Tags = (of: FormState) => (
  <TextArea of={of} name="tags" label="Tags" rows={3} help="One tag per line." />
);

const Incident = (of: FormState) => (
  <fieldset class="group">
    <legend>Incident</legend>
    <CheckField
      name="incident"
      of={of}
      label="Mark as incident"
      help="The alert page shows the incident at the top."
    />
    <SelectField
      name="incident_severity"
      parameter="meta.incident_severity"
      label="Severity"
      choices={SEVERITIES}
      of={of}
    />
    <TextArea name="incident_message" label="Incident message" of={of} rows={2} />
  </fieldset>
);

const FORM: DeclaredForm<FormState> = declareForm(CreateAlert, [
  { name: "title", label: "Title" },
  { name: "description", label: "Description", rows: 6 },
  {
    name: "urgency",
    label: "Urgency",
    choices: URGENCIES,
    help: "Applies to notifications sent from now on. Nobody is notified again.",
  },
  { draw: Tags, parameters: ["tags"] },
  { draw: Incident, parameters: ["meta.incident_severity"] },
]);

function editPage(visit: Visit, alert: Alert, refusal: Refusal | null): Reply {
  const { form } = visit;
  const to = `/alerts/${alert.prefix_id}`;
  const values = refusal ? form : valuesOf(alert);
  const title = alert.title.slice(0, 80);
  return formPage({
    title: `Edit ${title}`,
    heading: "Edit alert",
    back: { to, label: title },
    refusal,
    form: (
      <FieldsForm
        to={`${to}/edit`}
        form={FORM}
        state={{ values, refusal }}
        hidden={<InitialHashes form={refusal && form} values={values} />}
      >
        <Button>Save changes</Button>
      </FieldsForm>
    ),
    below: isAdmin(visit) ? (
      <ActionButton
        to={`${to}/delete`}
        label="Delete alert"
        tone="danger"
        confirm="Delete this alert and its timeline? Escalation stops."
      />
    ) : null,
  });
}

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const alert = await visit.api.get("/alerts/:id", { id: idOf(visit) });
  return isRefusal(alert) ? alert : editPage(visit, alert, refusal);
}

async function change(visit: Visit): Promise<Reply> {
  const alert = await visit.api.get("/alerts/:id", { id: idOf(visit) });
  if (isRefusal(alert)) return alert;
  const changes = changesOf(visit.form, alert);
  const to = pathOf("/alerts", visit);
  if (Object.keys(changes).length === 0) return { kind: "goto", to };
  const changed = await visit.api.put("/alerts/:id", { ...changes, id: idOf(visit) });
  if (isRefusal(changed))
    return redisplayForm(changed, (refusal) => editPage(visit, alert, refusal));
  return done(to, "Changes saved.");
}

async function remove(visit: Visit): Promise<Reply> {
  const removed = await visit.api.delete("/alerts/:id", { id: idOf(visit) });
  return outcome(removed, "/alerts", "Alert deleted.", pathOf("/alerts", visit));
}

// The form that creates an alert.

type NewAlert = FormState & { readonly names: Names };

const Destination = (of: NewAlert) => (
  <SelectField
    {...{ of, name: "to", label: "Goes to", source: "destinations", required: true }}
    choices={destinationChoices(of.names)}
  />
);

const NEW_FORM: DeclaredForm<NewAlert> = declareForm(CreateAlert, [
  { name: "title", label: "Title", autofocus: true },
  { draw: Destination, body: (form) => chosenIn(form) ?? { destination_account_user_ids: [] } },
  { name: "urgency", label: "Urgency", choices: URGENCIES, otherwise: "high" },
  { name: "description", label: "Description" },
]);

async function showNew(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  return formPage({
    title: "Create alert",
    lead: "The people on call are notified immediately.",
    back: { to: "/alerts", label: "Alerts" },
    ...{ refusal, status: refusal === null ? 200 : 422 },
    form: (
      <FieldsForm to="/alerts/new" form={NEW_FORM} state={{ values: visit.form, refusal, names }}>
        <Button>Create alert</Button>
      </FieldsForm>
    ),
  });
}

async function create(visit: Visit): Promise<Reply> {
  const alert = await visit.api.post("/alerts", NEW_FORM.bodyOf(visit.form));
  if (isRefusal(alert)) return showNew(visit, alert);
  return done(`/alerts/${alert.prefix_id}`, "Alert created.");
}

export const alertFormPages: readonly ConsolePage[] = [
  page("/alerts/new", (visit) => showNew(visit)),
  action("/alerts/new", create),
  page("/alerts/:id/edit", (visit) => show(visit)),
  action("/alerts/:id/edit", change),
  action("/alerts/:id/delete", remove),
];
