// The form that creates an alert.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import {
  action,
  type ConsolePage,
  done,
  page,
  type Reply,
  textOf,
  type Visit,
} from "../../page.ts";
import {
  Button,
  Form,
  FormFaults,
  SelectField,
  TextArea,
  TextField,
} from "../../parts/shared/form.tsx";
import { Empty, Heading, Panel } from "../../parts/shared/panel.tsx";
import { type Names, readNames } from "../../shared/names.ts";

export const URGENCIES = ["critical", "high", "medium", "low", "silent"].map((value) => ({
  value,
  label: value,
}));

const destinationChoices = ({ teams, people }: Names) => [
  { value: "", label: "Choose a team or a person" },
  ...teams.map(({ id, name }) => ({ value: `team ${id}`, label: `Team ${name}` })),
  ...people.map(({ id, user }) => ({ value: `person ${id}`, label: user.name })),
];

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
            <Form to="/alerts/new" session={session} kind="fields">
              <FormFaults refusal={refusal} fields={["title", "description", "urgency"]} />
              <TextField
                name="title"
                label="Title"
                value={textOf(form, "title")}
                maxlength={1024}
                refusal={refusal}
                required
                autofocus
              />
              <SelectField
                name="to"
                label="Destination"
                choices={destinationChoices(names)}
                value={textOf(form, "to")}
                required
              />
              <SelectField
                name="urgency"
                label="Urgency"
                choices={URGENCIES}
                value={textOf(form, "urgency") || "high"}
                refusal={refusal}
              />
              <TextArea
                name="description"
                label="Description"
                value={textOf(form, "description")}
                refusal={refusal}
              />
              <Button>Create alert</Button>
            </Form>
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
  const [kind, id = ""] = textOf(form, "to").split(" ");
  const name = kind === "team" ? "destination_team_ids" : "destination_account_user_ids";
  const alert = await api.post("/alerts", {
    title: textOf(form, "title"),
    description: textOf(form, "description"),
    urgency: textOf(form, "urgency"),
    [name]: id === "" ? [] : [id],
  });
  if (!isRefusal(alert)) return done(`/alerts/${alert.prefix_id}`, "Alert created.");
  const names = await readNames(api);
  return isRefusal(names) ? names : formPage(visit, names, alert);
}

export const alertNewPages: readonly ConsolePage[] = [
  page("/alerts/new", show),
  action("/alerts/new", create),
];
