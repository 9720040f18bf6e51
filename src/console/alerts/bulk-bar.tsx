// The bar of the selected alerts: answers them, or all that match the filters.
import { Button, Form } from "../../kernel/console/form.tsx";
import type { Visit } from "../page.ts";

/** The fields of the bar that a refresh of the list updates. */
export const BulkFields = ({ visit }: { readonly visit: Visit }) => (
  <input type="hidden" name="shown_at" value={visit.now} form="bulk" />
);

export const BulkBar = ({
  visit,
  total,
  isPaged,
}: {
  readonly visit: Visit;
  readonly total: number;
  /** Whether more alerts match than the page shows. */
  readonly isPaged: boolean;
}) => (
  <Form to="/alerts/bulk" session={visit.session} id="bulk">
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
  </Form>
);
