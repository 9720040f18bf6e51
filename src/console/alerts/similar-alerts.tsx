// What is like the alert: how often in the last 30 days, who resolved it, and what they wrote. Read
// with the page, not with its refreshes, which leave the panel as it is.
import { statusWord } from "../../domain/shared/words.ts";
import type { Alert, SimilarAlert, SimilarAlerts } from "../../features/alerts/alerts/contract.ts";
import { beginning } from "../../kernel/console/folded.tsx";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { LinkedText } from "../../kernel/console/linked-text.tsx";
import { Age, Moment } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";

/** The longest title and comment that are shown. */
const TITLE_BYTES = 200;
const COMMENT_BYTES = 300;

/** "resolved by Ada after 12 min", or the status. */
function endOf({ status, resolved_by: by, resolved_at: at, created_at: from }: SimilarAlert) {
  if (status !== "resolved" || at === null) return statusWord(status);
  return `resolved${by === null ? "" : ` by ${by}`} after ${lengthOf(Date.parse(at) - Date.parse(from))}`;
}

type RowProps = {
  readonly similar: SimilarAlert;
  /** The title of the alert that it is like: it need not be said again. */
  readonly title: string;
};

const Row = ({ similar, title }: RowProps) => {
  const { alert_id: id, created_at: at, last_comment: comment } = similar;
  return (
    <li>
      <a href={`/alerts/${id}`}>
        {similar.title === title ? <Moment at={at} /> : beginning(similar.title, TITLE_BYTES)}
      </a>
      <div class="soft">
        <Age at={at} /> ago, {endOf(similar)}
      </div>
      {comment ? (
        <p class="text">
          {comment.created_by_name ?? "Unknown"}:{" "}
          <LinkedText text={beginning(comment.body, COMMENT_BYTES)} />
        </p>
      ) : null}
    </li>
  );
};

type SimilarProps = {
  /** Null in a refresh. */
  readonly similar: SimilarAlerts | null;
  readonly alert: Alert;
};

export const Similar = ({ similar, alert }: SimilarProps) => (
  <div id="similar" hx-preserve>
    {similar && similar.count > 0 ? (
      <Panel title="Similar alerts">
        <p>
          {similar.complete ? "" : "At least "}
          {similar.count} {similar.count === 1 ? "other" : "others"} in the last 30 days
        </p>
        <ol class="attempts">
          {similar.alerts.map((it) => (
            <Row similar={it} title={alert.title} />
          ))}
        </ol>
      </Panel>
    ) : null}
  </div>
);
