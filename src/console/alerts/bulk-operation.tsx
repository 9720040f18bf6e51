// A bulk operation: asks for a confirmation with the number of alerts, starts it, and shows its
// progress and the alerts that refused.
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { BulkOperation } from "../../features/alerts/bulk-operations/contract.ts";
import { Button, Form, HiddenFields } from "../../kernel/console/form.tsx";
import { sentence } from "../../kernel/console/labels.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Heading, Panel } from "../../kernel/console/panel.tsx";
import { notDone } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { allOf } from "../api.ts";
import { readNames } from "../names.ts";
import { type ConsolePage, idOf, page, type Visit } from "../page.ts";
import { alertsQuery, filterOf } from "./alert-query.ts";
import { backToAlerts } from "./back-to-alerts.ts";

type Action = BulkOperation["action"];

const TITLES: Readonly<Record<Action, string>> = {
  acknowledge: "Acknowledge alerts",
  resolve: "Resolve alerts",
};
const VERBS: Readonly<Record<Action, string>> = {
  acknowledge: "Acknowledge",
  resolve: "Resolve",
};
const DONE: Readonly<Record<Action, string>> = {
  acknowledge: "acknowledged",
  resolve: "resolved",
};

const alertsText = (count: number) => `${count} ${count === 1 ? "alert" : "alerts"}`;

/** The filter of the list that the form was sent from, as it was shown there. */
function matchingOf({ form, url, now }: Visit) {
  const to = backToAlerts(form, "/alerts");
  const filter = filterOf(new URL(to, url));
  const shownAt = Number(textOf(form, "shown_at"));
  // Nobody has seen the alerts that came later.
  const until = shownAt > 0 && shownAt <= now ? shownAt : now;
  return { to, teamId: filter.team_id ?? null, query: alertsQuery(filter, until) };
}

/** Asks how many alerts match, then starts the operation. */
export async function answerMatching(visit: Visit, kind: Action): Promise<Reply> {
  const { api, form } = visit;
  const { to, teamId, query } = matchingOf(visit);
  if (textOf(form, "confirmed") === "yes") {
    const body = { action: kind, filter: query, ...(teamId && { team_id: teamId }) };
    const started = await api.post("/bulk_operations", body);
    if (isRefusal(started)) return notDone(to, started);
    const back = to === "/alerts" ? "" : `?back=${encodeURIComponent(to)}`;
    return { kind: "goto", to: `/alerts/bulk/${started.prefix_id}${back}` };
  }
  const one = { ...query, limit: 1 };
  const list = await (teamId === null
    ? api.get("/alerts", one)
    : api.get("/teams/:id/alerts", { ...one, id: teamId }));
  return isRefusal(list) ? notDone(to, list) : confirm(visit, kind, to, list.total_count);
}

const confirm = (visit: Visit, kind: Action, to: string, count: number): Reply => ({
  kind: "page",
  title: TITLES[kind],
  section: "alerts",
  body: (
    <div class="narrow">
      <Heading title={TITLES[kind]} back={{ to, label: "Alerts" }} />
      <Panel>
        <p>
          {alertsText(count)} {count === 1 ? "matches" : "match"} the filters of the list. Each of
          them is {DONE[kind]} in your name, and the people concerned are notified. Resolved alerts
          stay as they are.
        </p>
        <Form to="/alerts/bulk" session={visit.session} kind="fields">
          <HiddenFields form={{ ...visit.form, ids: [] }} />
          <input type="hidden" name="confirmed" value="yes" />
          <div class="buttons">
            <Button>
              {VERBS[kind]} {alertsText(count)}
            </Button>
            <a class="button plain" href={to}>
              Cancel
            </a>
          </div>
        </Form>
      </Panel>
    </div>
  ),
});

const Refusals = ({ refusals, refused_count }: BulkOperation) =>
  refused_count === 0 ? null : (
    <Panel title={`Not changed: ${alertsText(refused_count)}`} id="refusals">
      {refusals.length < refused_count ? <p>The first {refusals.length} are listed.</p> : null}
      <Table
        label="Alerts that were not changed"
        rows={refusals}
        columns={[
          {
            title: "Alert",
            cell: ({ alert_id, title }) =>
              title === null ? "Deleted alert" : <a href={`/alerts/${alert_id}`}>{title}</a>,
          },
          { title: "Reason", cell: ({ message }) => sentence(message) },
        ]}
      />
    </Panel>
  );

const doneCount = (it: BulkOperation) => it.changed_count + it.unchanged_count + it.refused_count;

async function show(visit: Visit): Promise<Reply> {
  const { api, url, session } = visit;
  const found = await allOf(api.get("/bulk_operations/:id", { id: idOf(visit) }), readNames(api));
  if (isRefusal(found)) return found;
  const [operation, names] = found;
  const { action, total_count, status } = operation;
  const isFinished = status === "finished";
  const to = backToAlerts({ back: url.searchParams.get("back") ?? "" }, "/alerts");
  const refresh = {
    "hx-get": `${url.pathname}${url.search}`,
    "hx-trigger": "every 1s",
    "hx-select": "#current",
    "hx-swap": "outerMorph",
  };
  return {
    kind: "page",
    title: TITLES[action],
    section: "alerts",
    body: (
      <div id="current" class="stack narrow" {...(isFinished ? {} : refresh)}>
        <Heading title={TITLES[action]} back={{ to, label: "Alerts" }} />
        <Panel>
          <p role="status">
            {isFinished ? "Finished: " : ""}
            {doneCount(operation)} of {alertsText(total_count)} done.
          </p>
          <progress
            value={isFinished ? 1 : doneCount(operation)}
            max={isFinished ? 1 : total_count}
            aria-label="Alerts done"
          />
          <Facts
            facts={[
              [sentenceCase(DONE[action]), String(operation.changed_count)],
              [`Already ${DONE[action]}`, String(operation.unchanged_count)],
              ["Not changed", String(operation.refused_count)],
              ["Started by", names.of(operation.account_user_id)],
              [
                "Started",
                <Moment
                  at={operation.created_at}
                  zone={session.timeZone}
                  now={visit.now}
                  relative
                />,
              ],
            ]}
          />
          {isFinished ? (
            <a class="button plain" href={to}>
              Show alerts
            </a>
          ) : (
            <p class="soft">It goes on without this page.</p>
          )}
        </Panel>
        <Refusals {...operation} />
      </div>
    ),
  };
}

const sentenceCase = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export const bulkOperationPages: readonly ConsolePage[] = [page("/alerts/bulk/:id", show)];
