// A person's saved filters above the list of alerts, and a form that saves the present one.
import type { SavedFilter } from "../../features/alerts/saved-filters/contract.ts";
import { Button, Form, TextField } from "../../kernel/console/form.tsx";
import type { Visit } from "../page.ts";
import { filterOf, pathOfFilter } from "./alert-query.ts";

export const SavedFilters = ({
  visit,
  filters,
}: {
  readonly visit: Visit;
  readonly filters: readonly SavedFilter[];
}) => {
  const present = pathOfFilter(filterOf(visit.url));
  const isSaved = filters.some(({ filter }) => pathOfFilter(filter) === present);
  const canSave = present !== "/alerts" && !isSaved;
  if (filters.length === 0 && !canSave) return null;
  return (
    <div class="saved-filters">
      {filters.length > 0 ? (
        <nav class="chips" aria-label="Saved filters">
          {filters.map(({ name, filter }) => {
            const path = pathOfFilter(filter);
            return (
              <a href={path} aria-current={path === present ? "true" : undefined}>
                {name}
              </a>
            );
          })}
          <a href="/alerts/filters">Edit saved filters</a>
        </nav>
      ) : null}
      {canSave ? (
        <details class="save-filter">
          <summary>Save this filter</summary>
          <Form to="/alerts/filters" session={visit.session}>
            <input type="hidden" name="path" value={present} />
            <TextField name="name" label="Name" required maxlength={100} />
            <Button tone="plain">Save filter</Button>
          </Form>
        </details>
      ) : null}
    </div>
  );
};
