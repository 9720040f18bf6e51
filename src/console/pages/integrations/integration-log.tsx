// The recent requests to an integration and their outcomes, newest first. The list refreshes
// itself.
import type { Log } from "../../../contract/alerts/log.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { type ConsolePage, idOf, page, type Reply, type Visit } from "../../page.ts";
import { Badge } from "../../parts/shared/badge.tsx";
import { exactClockOf, Moment } from "../../parts/shared/moment.tsx";
import { Panel } from "../../parts/shared/panel.tsx";

const SHOWN = 20;

/** Whether a request found no alert to act on. */
const isUnmatched = ({ details }: Log) =>
  [details.message, ...details.sublogs.map(({ message }) => message)].some((message) =>
    /^unmatched/i.test(message),
  );

const Outcome = ({ log }: { readonly log: Log }) => {
  if (isUnmatched(log)) return <Badge tone="warn">unmatched</Badge>;
  if (log.level === "error") return <Badge tone="bad">failed</Badge>;
  if (log.level === "warn") return <Badge tone="warn">refused</Badge>;
  return <Badge tone="good">accepted</Badge>;
};

const Entry = ({ log, visit }: { readonly log: Log; readonly visit: Visit }) => {
  const zone = visit.session.timeZone;
  return (
    <li>
      <details>
        <summary>
          <Moment at={log.created_at} zone={zone} now={visit.now} exact /> <Outcome log={log} />{" "}
          {log.details.message}
        </summary>
        <ol class="steps">
          {log.details.sublogs.map(({ time, message }) => (
            <li>
              <span class="soft">{exactClockOf(Date.parse(time), zone)}</span> {message}
            </li>
          ))}
        </ol>
        {log.details.request ? <pre>{JSON.stringify(log.details.request, null, 2)}</pre> : null}
      </details>
    </li>
  );
};

const pathOf = ({ params }: Visit) => `/integrations/${encodeURIComponent(params.id ?? "")}`;

/** The integration's log: the latest requests, at most 20. */
export async function requestLog(visit: Visit) {
  const list = await visit.api.get("/logs", {
    owner_id: visit.params.id,
    limit: SHOWN,
  });
  const logs = isRefusal(list) ? [] : list.data;
  const path = `${pathOf(visit)}/log`;
  return (
    <div hx-get={path} hx-trigger="every 5s" hx-select="#log" hx-swap="innerMorph">
      <Panel title="Recent events" id="log">
        {logs.length === 0 ? (
          <p class="soft">No events yet. Send a test event or an event from your tool.</p>
        ) : (
          <ol class="log">
            {logs.map((log) => (
              <Entry log={log} visit={visit} />
            ))}
          </ol>
        )}
      </Panel>
    </div>
  );
}

async function show(visit: Visit): Promise<Reply> {
  const [integration, log] = await Promise.all([
    visit.api.get("/integrations/:id", { id: idOf(visit) }),
    requestLog(visit),
  ]);
  if (isRefusal(integration)) return integration;
  return {
    kind: "page",
    title: `Recent events of ${integration.name}`,
    section: "configuration",
    body: log,
  };
}

export const integrationLogPages: readonly ConsolePage[] = [page("/integrations/:id/log", show)];
