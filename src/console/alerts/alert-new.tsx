// The form that creates an alert.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { CreateAlert } from "../../features/alerts/alerts/parameters.ts";
import {
  type DeclaredForm,
  declareForm,
  type FormState,
} from "../../kernel/console/declared-form.ts";
import { Button, SelectField } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { Empty, Heading, Panel } from "../../kernel/console/panel.tsx";
import { searchField } from "../../kernel/console/picker-search.ts";
import { done } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { fieldText, type Values } from "../../kernel/console/values.ts";
import { URGENCIES } from "../choices.ts";
import { type Names, readNames } from "../names.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";

type NewAlert = FormState & { readonly names: Names };

const destinationChoices = ({ teams, people }: Names) => [
  { value: "", label: "Choose a team or a person" },
  ...teams.map(({ id, name }) => ({ value: `team ${id}`, label: `Team ${name}` })),
  ...people.map(({ id, user }) => ({ value: `person ${id}`, label: user.name })),
];

const Destination = ({ values, names }: NewAlert) => (
  <SelectField
    name="to"
    label="Destination"
    choices={destinationChoices(names)}
    value={fieldText(values, "to")}
    source="destinations"
    sought={fieldText(values, searchField("to"))}
    required
  />
);

/** The chosen destination as a parameter. */
function destinationOf(form: Values): Values {
  const [kind, id = ""] = fieldText(form, "to").split(" ");
  const name = kind === "team" ? "destination_team_ids" : "destination_account_user_ids";
  return { [name]: id === "" ? [] : [id] };
}

const FORM: DeclaredForm<NewAlert> = declareForm(CreateAlert, [
  { name: "title", label: "Title", autofocus: true },
  { draw: Destination, body: destinationOf },
  { name: "urgency", label: "Urgency", choices: URGENCIES, otherwise: "high" },
  { name: "description", label: "Description" },
]);

function formPage(visit: Visit, names: Names, refusal: Refusal | null): Reply {
  const { form, session } = visit;
  return {
    kind: "page",
    status: refusal === null ? 200 : 422,
    title: "Create alert",
    section: "alerts",
    body: (
      <div class="narrow">
        <Heading
          title="Create alert"
          lead="The people on call are notified immediately."
          back={{ to: "/alerts", label: "Alerts" }}
        />
        {names.teams.length + names.people.length === 0 ? (
          <Empty title="No teams or people yet" />
        ) : (
          <Panel>
            <FieldsForm
              to="/alerts/new"
              session={session}
              form={FORM}
              state={{ values: form, refusal, names }}
            >
              <Button>Create alert</Button>
            </FieldsForm>
          </Panel>
        )}
      </div>
    ),
  };
}

async function show(visit: Visit): Promise<Reply> {
  const names = await readNames(visit.api);
  return isRefusal(names) ? names : formPage(visit, names, null);
}

async function create(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const alert = await api.post("/alerts", FORM.bodyOf(form));
  if (!isRefusal(alert)) return done(`/alerts/${alert.prefix_id}`, "Alert created.");
  const names = await readNames(api);
  return isRefusal(names) ? names : formPage(visit, names, alert);
}

export const alertNewPages: readonly ConsolePage[] = [
  page("/alerts/new", show),
  action("/alerts/new", create),
];
