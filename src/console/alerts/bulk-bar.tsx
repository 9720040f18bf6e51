// The bar of the selected alerts: answers them, or all that match the filters.

import { Choose } from "../../kernel/console/filters.tsx";
import { Button, Form } from "../../kernel/console/form.tsx";
import { PickOne } from "../../kernel/console/pick-one.tsx";
import { FEW_OPTIONS } from "../../kernel/console/picker-search.ts";
import type { ListScope } from "../../kernel/console/scope.tsx";
import { Select } from "../../kernel/console/select.tsx";
import type { Names, PageProps, WithVisit } from "../reads.ts";
import { destinationChoices } from "./hand-off.tsx";

/** The fields of the bar that a refresh of the list updates. */
export const BulkFields = ({ visit, scope }: WithVisit<{ scope: ListScope }>) => (
  <>
    <input type="hidden" name="shown_at" value={visit.now} form="bulk" />
    <input type="hidden" name="scope" value={scope} form="bulk" />
  </>
);

/** How long alerts may be snoozed by one button, in minutes. */
export const SNOOZES = [
  { value: "60", label: "1 hour" },
  { value: "240", label: "4 hours" },
  { value: "1440", label: "1 day" },
  { value: "10080", label: "1 week" },
];

/** To whom alerts are handed off: of many, none is in the page before a search. */
const Destination = ({ names }: { readonly names: Names }) => {
  const choices = destinationChoices(names, "Hand off to");
  const shared = { name: "to", label: "Team or person", value: "", sought: "" };
  const described = { "aria-label": "Hand off to" };
  return choices.length <= FEW_OPTIONS ? (
    <Select {...shared} choices={choices} described={described} />
  ) : (
    <PickOne
      {...shared}
      choices={choices.slice(0, 1)}
      source="destinations"
      described={described}
    />
  );
};

type BulkBarProps = PageProps<{
  total: number;
  /** Whether more alerts match than the page shows. */
  isPaged: boolean;
}>;

export const BulkBar = ({ visit, names, total, isPaged }: BulkBarProps) => (
  <Form to="/alerts/bulk" id="bulk">
    <input type="hidden" name="back" value={`${visit.url.pathname}${visit.url.search}`} />
    <span class="soft" data-selected role="status">
      Selected alerts:
    </span>
    <button type="button" class="button plain" data-select-all hidden>
      Select all on this page
    </button>
    {isPaged ? (
      <label class="all-matching">
        <input type="checkbox" name="matching" value="true" data-select-matching />
        <span>All {total} that match</span>
      </label>
    ) : null}
    <Button tone="plain" name="do" value="acknowledge">
      Acknowledge
    </Button>
    <Button tone="plain" name="do" value="resolve">
      Resolve
    </Button>
    <details class="bulk-steps">
      <summary>Snooze, hand off, merge</summary>
      <div class="buttons">
        <Choose name="minutes" label="Snooze for" choices={SNOOZES} />
        <Button tone="plain" name="do" value="snooze">
          Snooze
        </Button>
        <Destination names={names} />
        <Button tone="plain" name="do" value="handoff">
          Hand off
        </Button>
        <Button tone="plain" name="do" value="merge">
          Merge into the first
        </Button>
      </div>
    </details>
  </Form>
);
