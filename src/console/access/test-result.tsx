// The outcome of the test page that a person sent to themselves.

import { isRefusal } from "../../domain/shared/refusal.ts";
import { Current } from "../../kernel/console/current.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import { NotificationLines } from "../alerts/notifications.tsx";
import type { Visit } from "../page.ts";
import { allOf, readNames } from "../reads.ts";

/** The outcome of the test page in the query string. */
export async function TestResult(visit: Visit, id: string) {
  const read = await allOf(
    visit.api.get("/alerts/:id", { id }),
    visit.api.get("/alerts/:id/notifications", { id, event: "alert.open" }),
    readNames(visit.api),
  );
  if (isRefusal(read)) return null;
  const [alert, { data }, names] = read;
  const answered = alert.acknowledged_at !== null || alert.resolved_at !== null;
  return (
    <Current from={`/settings?test=${encodeURIComponent(id)}`} trigger="every 3s" kind="stack">
      {answered ? (
        <Notice tone="good" title="Test page answered.">
          Notifications reach you, and you can answer them.
        </Notice>
      ) : (
        <p>
          Test page sent. Acknowledge it in the message or on{" "}
          <a href={`/alerts/${alert.prefix_id}`}>the alert page</a>.
        </p>
      )}
      <NotificationLines notifications={data} names={names} />
    </Current>
  );
}
