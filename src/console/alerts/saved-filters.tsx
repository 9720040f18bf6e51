// A person's saved filters: saved from the list of alerts, renamed and deleted here.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { SavedFilter } from "../../features/alerts/saved-filters/contract.ts";
import {
  dropCookie,
  putCookie,
  REMEMBERED_SECONDS,
  readCookie,
} from "../../kernel/console/cookies.ts";
import { ActionButton, Button, Form, FormFaults, TextField } from "../../kernel/console/form.tsx";
import { Empty, Heading, Panel } from "../../kernel/console/panel.tsx";
import { done, notDone, pageReply, type Reply, redisplayForm } from "../../kernel/console/reply.ts";
import { fieldText, textOf } from "../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../page.ts";
import type { WithVisit } from "../reads.ts";
import { backToAlerts, filterOf, pathOfFilter } from "./alert-query.ts";

// A person's saved filters above the list of alerts, and a form that saves the present one.

type SavedFiltersProps = WithVisit<{
  filters: readonly SavedFilter[];
  /** The path that the list without a query leads to. */
  start: string | null;
}>;

export const SavedFilters = ({ visit, filters, start }: SavedFiltersProps) => {
  const present = pathOfFilter(filterOf(visit.url));
  const isSaved = filters.some(({ filter }) => pathOfFilter(filter) === present);
  const canSave = present !== "/alerts" && !isSaved;
  const hasFilters = filters.length > 0 || start !== null;
  if (!hasFilters && !canSave) return null;
  return (
    <div class="saved-filters">
      {hasFilters ? (
        <nav class="chips" aria-label="Saved filters">
          {filters.map(({ name, filter }) => {
            const path = pathOfFilter(filter);
            return (
              <a href={path} aria-current={path === present ? "true" : undefined}>
                {name} {path === start ? <span class="count">start</span> : null}
              </a>
            );
          })}
          <a href="/alerts/filters">Edit saved filters</a>
        </nav>
      ) : null}
      {canSave ? (
        <details class="save-filter">
          <summary>Save this filter</summary>
          <Form to="/alerts/filters">
            <input type="hidden" name="path" value={present} />
            <TextField name="name" label="Name" required maxlength={100} />
            <Button tone="plain">Save filter</Button>
          </Form>
        </details>
      ) : null}
    </div>
  );
};

// The saved filter that the list of alerts opens with, by browser, as whose alerts it shows: `/alerts`
// without a query leads to it. The cookie names the member, since a filter is of one account.

const COOKIE = "alerts_start";

/** The page of the saved filters. */
const FILTERS = "/alerts/filters";

/** The path of the list with its start filter; null without one. */
export function startOf({ context, session, url }: Visit): string | null {
  const [member, query = ""] = (readCookie(context, COOKIE) ?? "").split(" ");
  if (member !== session.actor.accountUserId) return null;
  const path = pathOfFilter(filterOf(new URL(`/alerts?${query}`, url)));
  return path === "/alerts" ? null : path;
}

const forgetStart = ({ context }: Visit): void => dropCookie(context, COOKIE);

/** Starts with the filter of a path of the list, or, if it does already, without one. */
async function toggle(visit: Visit): Promise<Reply> {
  const path = backToAlerts({ back: textOf(visit.form, "path") }, "/alerts");
  if (path === startOf(visit) || path === "/alerts") {
    forgetStart(visit);
    return done(FILTERS, "Alerts opens without a filter.");
  }
  const query = new URL(path, visit.url).searchParams;
  const value = `${visit.session.actor.accountUserId} ${query}`;
  putCookie(visit.context, COOKIE, value, REMEMBERED_SECONDS);
  return done(FILTERS, "Alerts opens with the chosen filter.");
}

/** Makes the list open with the filter of a path, or without one. */
const StartButton = ({ path, isStart }: { readonly path: string; readonly isStart: boolean }) => (
  <ActionButton
    to="/alerts/start"
    label={isStart ? "Start without a filter" : "Start with this filter"}
    fields={{ path }}
  />
);

type FilterFormProps = WithVisit<{
  saved: SavedFilter;
  path: string;
  isStart: boolean;
  refused: Refusal | null;
}>;

/** The form of one filter; `refused`: its own refusal. */
const FilterForm = ({ visit, saved, path, isStart, refused }: FilterFormProps) => (
  <Panel title={saved.name} aside={<a href={path}>Show alerts</a>}>
    {isStart ? <p class="soft">Alerts opens with this filter, in this browser.</p> : null}
    <FormFaults refusal={refused} fields={["name"]} />
    <Form to={`${FILTERS}/${saved.prefix_id}`}>
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
    <div class="buttons">
      <StartButton {...{ path, isStart }} />
      <ActionButton
        to={`${FILTERS}/${saved.prefix_id}/delete`}
        label="Delete"
        tone="danger"
        confirm={`Delete the filter ${saved.name}?`}
      />
    </div>
  </Panel>
);

async function show(visit: Visit, refused: Refusal | null = null): Promise<Reply> {
  const filters = await visit.api.every("/saved_filters");
  if (isRefusal(filters)) return filters;
  const refusedId = refused ? idOf(visit) : null;
  const start = startOf(visit);
  const listed = filters.map((saved) => ({ saved, path: pathOfFilter(saved.filter) }));
  // Its filter was deleted or changed elsewhere.
  const isUnsaved = start !== null && listed.every(({ path }) => path !== start);
  return pageReply(
    "Saved filters",
    <div class="narrow">
      <Heading
        title="Saved filters"
        back={{ to: "/alerts", label: "Alerts" }}
        lead="Your own filters of the list of alerts. Nobody else sees them."
      />
      {isUnsaved ? (
        <Panel title="Another filter" aside={<a href={start}>Show alerts</a>}>
          <p class="soft">Alerts opens with a filter that is not saved, in this browser.</p>
          <StartButton path={start} isStart />
        </Panel>
      ) : null}
      {filters.length === 0 ? (
        <Empty title="No saved filters" next={{ to: "/alerts", label: "Show alerts" }}>
          Filter the list of alerts, then save the filter there.
        </Empty>
      ) : (
        listed.map(({ saved, path }) => (
          <FilterForm
            {...{ visit, saved, path }}
            isStart={path === start}
            refused={saved.prefix_id === refusedId ? refused : null}
          />
        ))
      )}
    </div>,
    refused,
  );
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
  return done(FILTERS, "Filter renamed.");
}

async function remove(visit: Visit): Promise<Reply> {
  const id = idOf(visit);
  const saved = await visit.api.get("/saved_filters/:id", { id });
  const refusal = await visit.api.delete("/saved_filters/:id", { id });
  if (refusal) return notDone(FILTERS, refusal);
  if (!isRefusal(saved) && pathOfFilter(saved.filter) === startOf(visit)) forgetStart(visit);
  return done(FILTERS, "Filter deleted.");
}

export const savedFiltersPages: readonly ConsolePage[] = [
  page(FILTERS, (visit) => show(visit)),
  action(FILTERS, save),
  action(`${FILTERS}/:id`, rename),
  action(`${FILTERS}/:id/delete`, remove),
  action("/alerts/start", toggle),
];
