// A person's saved filters: saved from the list of alerts, renamed and deleted here.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { SavedFilter } from "../../features/alerts/saved-filters/contract.ts";
import { ActionButton, Button, Form, FormFaults, TextField } from "../../kernel/console/form.tsx";
import { Empty, Heading, Panel } from "../../kernel/console/panel.tsx";
import { done, notDone, redisplayForm, statusAfter } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { fieldText, textOf } from "../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../page.ts";
import { filterOf, pathOfFilter } from "./alert-query.ts";
import { backToAlerts } from "./back-to-alerts.ts";

const LIST = "/alerts/filters";

/** The form of one filter; `refused`: its own refusal. */
const FilterForm = ({
  visit,
  saved,
  refused,
}: {
  readonly visit: Visit;
  readonly saved: SavedFilter;
  readonly refused: Refusal | null;
}) => (
  <Panel title={saved.name} aside={<a href={pathOfFilter(saved.filter)}>Show alerts</a>}>
    <FormFaults refusal={refused} fields={["name"]} />
    <Form to={`${LIST}/${saved.prefix_id}`} session={visit.session}>
      <TextField
        name="name"
        label="Name"
        value={refused ? fieldText(visit.form, "name") : saved.name}
        refusal={refused}
        required
        maxlength={100}
      />
      <Button tone="plain">Rename</Button>
    </Form>
    <ActionButton
      to={`${LIST}/${saved.prefix_id}/delete`}
      session={visit.session}
      label="Delete"
      tone="danger"
      confirm={`Delete the filter ${saved.name}?`}
    />
  </Panel>
);

async function show(visit: Visit, refused: Refusal | null = null): Promise<Reply> {
  const filters = await visit.api.every("/saved_filters");
  if (isRefusal(filters)) return filters;
  const refusedId = refused ? idOf(visit) : null;
  return {
    kind: "page",
    status: statusAfter(refused),
    title: "Saved filters",
    section: "alerts",
    body: (
      <div class="narrow">
        <Heading
          title="Saved filters"
          back={{ to: "/alerts", label: "Alerts" }}
          lead="Your own filters of the list of alerts. Nobody else sees them."
        />
        {filters.length === 0 ? (
          <Empty title="No saved filters" next={{ to: "/alerts", label: "Show alerts" }}>
            Filter the list of alerts, then save the filter there.
          </Empty>
        ) : (
          filters.map((saved) => (
            <FilterForm
              visit={visit}
              saved={saved}
              refused={saved.prefix_id === refusedId ? refused : null}
            />
          ))
        )}
      </div>
    ),
  };
}

/** Saves the filter of a path of the list, and returns to it. */
async function save({ api, form, url }: Visit): Promise<Reply> {
  const path = textOf(form, "path");
  const to = backToAlerts({ back: path }, "/alerts");
  const filter = filterOf(new URL(to, url));
  const name = textOf(form, "name").trim();
  const saved = await api.post("/saved_filters", { name, filter });
  return isRefusal(saved) ? notDone(to, saved) : done(to, `Filter ${saved.name} saved.`);
}

async function rename(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const saved = await api.put("/saved_filters/:id", {
    id: idOf(visit),
    name: textOf(form, "name"),
  });
  if (isRefusal(saved)) return redisplayForm(saved, (refusal) => show(visit, refusal));
  return done(LIST, "Filter renamed.");
}

async function remove(visit: Visit): Promise<Reply> {
  const refusal = await visit.api.delete("/saved_filters/:id", { id: idOf(visit) });
  return refusal ? notDone(LIST, refusal) : done(LIST, "Filter deleted.");
}

export const savedFiltersPages: readonly ConsolePage[] = [
  page(LIST, (visit) => show(visit)),
  action(LIST, save),
  action(`${LIST}/:id`, rename),
  action(`${LIST}/:id/delete`, remove),
];
