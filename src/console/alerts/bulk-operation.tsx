// Answers to several alerts at once. A bulk operation on all alerts that match asks for a confirmation
// with the number of alerts, starts, and shows its progress and the alerts that refused.

import type { Child } from "hono/jsx";
import { MAX_MERGED } from "../../domain/alerts/merge.ts";
import { counted } from "../../domain/shared/counted.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { capitalized } from "../../domain/shared/words.ts";
import type { BulkOperation } from "../../features/alerts/bulk-operations/contract.ts";
import { Button, Form, HiddenFields } from "../../kernel/console/form.tsx";
import { faultText } from "../../kernel/console/labels.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Heading, Panel } from "../../kernel/console/panel.tsx";
import {
  type FlashMessage,
  notDone,
  pageReply,
  type Reply,
  refusalText,
} from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf, textsOf } from "../../kernel/console/values.ts";
import type { Api, Body } from "../api-client.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../page.ts";
import { allOf, readNames, type WithNames } from "../reads.ts";
import { alertsQuery, backToAlerts, filterOf, snoozedUntil } from "./alert-query.ts";
import { chosenIn } from "./hand-off.tsx";

type Action = BulkOperation["action"];

const WORDS: Readonly<Record<Action, { readonly verb: string; readonly done: string }>> = {
  acknowledge: { verb: "Acknowledge", done: "acknowledged" },
  resolve: { verb: "Resolve", done: "resolved" },
  snooze: { verb: "Snooze", done: "snoozed" },
  handoff: { verb: "Hand off", done: "handed off" },
  merge: { verb: "Merge", done: "merged" },
};

/** The filter of the list that the form was sent from, as it was shown there. */
function matchingOf({ form, url, now }: Visit) {
  const to = backToAlerts(form, "/alerts");
  const filter = filterOf(new URL(to, url));
  const shownAt = Number(textOf(form, "shown_at"));
  // Nobody has seen the alerts that came later.
  const until = shownAt > 0 && shownAt <= now ? shownAt : now;
  const scope = (["mine", "teams"] as const).find((it) => it === textOf(form, "scope")) ?? "all";
  return { to, query: alertsQuery(filter, scope, until) };
}

/** The destinations among the parameters of an action. */
const destinationsIn = (takes: Body): readonly string[] =>
  ["destination_team_ids", "destination_account_user_ids", "destination_router_ids"].flatMap(
    (name) => (Array.isArray(takes[name]) ? takes[name].map(String) : []),
  );

type TakesProps = WithNames<{
  takes: Body;
  /** The title of the alert that the others become part of. */
  leader: string;
}>;

/** Until when, to whom or into which alert; null where an action takes nothing. */
const Takes = ({ takes, names, leader }: TakesProps) => {
  if (takes.until) {
    return (
      <>
        until <Moment at={String(takes.until)} />
      </>
    );
  }
  if (takes.into_alert_id) {
    return (
      <>
        into <a href={`/alerts/${takes.into_alert_id}`}>{leader}</a>
      </>
    );
  }
  const destinations = destinationsIn(takes);
  return destinations.length === 0 ? null : <>to {destinations.map(names.of).join(", ")}</>;
};

/**
 * Asks how many alerts match, then starts the operation.
 *
 * @param takes what the action takes, by parameter of the API
 */
async function actOnMatching(visit: Visit, kind: Action, takes: Body): Promise<Reply> {
  const { api, form } = visit;
  const { to, query } = matchingOf(visit);
  if (textOf(form, "confirmed") === "yes") {
    const body = { action: kind, filter: query, ...takes };
    const started = await api.post("/bulk_operations", body);
    if (isRefusal(started)) return notDone(to, started);
    const back = to === "/alerts" ? "" : `?back=${encodeURIComponent(to)}`;
    return { kind: "goto", to: `/alerts/bulk/${started.prefix_id}${back}` };
  }
  const leaderId = takes.into_alert_id ? String(takes.into_alert_id) : null;
  const found = await allOf(
    api.get("/alerts", { ...query, limit: 1 }),
    readNames(api, ["/routers"]),
    leaderId === null ? null : api.get("/alerts/:id", { id: leaderId }),
  );
  if (isRefusal(found)) return notDone(to, found);
  const [list, names, leader] = found;
  // The alert that the others become part of is one of the list.
  const count = list.total_count - (leader === null ? 0 : 1);
  if (leader !== null && count > MAX_MERGED) {
    const text = `An alert can have at most ${MAX_MERGED} others merged into it, and ${count} match. Narrow the filters.`;
    return { kind: "goto", to, flash: { tone: "bad", text } };
  }
  const detail = <Takes {...{ takes, names }} leader={leader?.title ?? ""} />;
  return confirm(visit, kind, { to, count, detail, leaderId });
}

type Question = {
  readonly to: string;
  readonly count: number;
  readonly detail: Child;
  readonly leaderId: string | null;
};

function confirm(visit: Visit, kind: Action, { to, count, detail, leaderId }: Question): Reply {
  const { verb, done } = WORDS[kind];
  const others = leaderId === null ? "" : "other ";
  return pageReply(
    `${verb} alerts`,
    <div class="narrow">
      <Heading title={`${verb} alerts`} back={{ to, label: "Alerts" }} />
      <Panel>
        <p>
          {counted(count, `${others}alert matches`, `${others}alerts match`)} the filters of the
          list. Each of them is {done} {detail}
          {detail ? " " : null}in your name, and the people concerned are notified. Resolved alerts
          stay as they are.
        </p>
        <Form to="/alerts/bulk" kind="fields">
          <HiddenFields form={{ ...visit.form, ids: leaderId === null ? [] : [leaderId] }} />
          <input type="hidden" name="confirmed" value="yes" />
          <div class="buttons">
            <Button>
              {verb} {counted(count, "alert")}
            </Button>
            <a class="button plain" href={to}>
              Cancel
            </a>
          </div>
        </Form>
      </Panel>
    </div>,
  );
}

const Refusals = ({ refusals, refused_count }: BulkOperation) =>
  refused_count === 0 ? null : (
    <Panel title={`Not changed: ${counted(refused_count, "alert")}`} id="refusals">
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
          { title: "Reason", cell: ({ message }) => faultText({ message }) },
        ]}
      />
    </Panel>
  );

const doneCount = (it: BulkOperation) => it.changed_count + it.unchanged_count + it.refused_count;

async function show(visit: Visit): Promise<Reply> {
  const { api, url } = visit;
  const found = await allOf(
    api.get("/bulk_operations/:id", { id: idOf(visit) }),
    readNames(api, ["/routers"]),
  );
  if (isRefusal(found)) return found;
  const [operation, names] = found;
  const { action, total_count, status, parameters } = operation;
  const { verb, done } = WORDS[action];
  const takes = <Takes takes={parameters} names={names} leader="another alert" />;
  const isFinished = status === "finished";
  const to = backToAlerts({ back: url.searchParams.get("back") ?? "" }, "/alerts");
  const refresh = {
    "hx-get": `${url.pathname}${url.search}`,
    "hx-trigger": "every 1s",
    "hx-select": "#current",
    "hx-swap": "outerMorph",
  };
  return pageReply(
    `${verb} alerts`,
    <div id="current" class="stack narrow" {...(isFinished ? {} : refresh)}>
      <Heading title={`${verb} alerts`} back={{ to, label: "Alerts" }} />
      <Panel>
        <p role="status">
          {isFinished ? "Finished: " : ""}
          {doneCount(operation)} of {counted(total_count, "alert")} done.
        </p>
        <progress
          value={isFinished ? 1 : doneCount(operation)}
          max={isFinished ? 1 : total_count}
          aria-label="Alerts done"
        />
        <Facts
          facts={[
            [
              capitalized(done),
              <>
                {operation.changed_count} {takes}
              </>,
            ],
            [`Already ${done}`, action === "handoff" ? null : String(operation.unchanged_count)],
            ["Not changed", String(operation.refused_count)],
            ["Started by", names.of(operation.account_user_id)],
            ["Started", <Moment at={operation.created_at} relative />],
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
    </div>,
  );
}

// Answers several alerts at once, from their list: the selected ones, or all that match.

const MAX_AT_ONCE = 100;

/** What is done to each selected alert. */
const STEPS = ["acknowledge", "resolve", "snooze", "handoff"] as const;
type Step = (typeof STEPS)[number];

function flashOf(kind: Step, answers: readonly unknown[]): FlashMessage {
  const { done } = WORDS[kind];
  const refused = answers.filter(isRefusal);
  const good = `${counted(answers.length - refused.length, "alert")} ${done}.`;
  if (refused.length === 0) return { tone: "good", text: good };
  const reasons = [...new Set(refused.map(refusalText))].slice(0, 3).join(" ");
  return { tone: "bad", text: `${good} ${refused.length} not ${done}: ${reasons}` };
}

/** The parameters of a step; a text: what is missing. */
function bodyOf(kind: Step, visit: Visit): Body | string {
  if (kind === "snooze") {
    const until = snoozedUntil(visit);
    return until === null ? "Choose how long to snooze the alerts." : { until };
  }
  if (kind !== "handoff") return {};
  return chosenIn(visit.form) ?? "Choose a team or a person.";
}

/** Merges the selected alerts into the first of them in the list. */
async function merge(api: Api, ids: readonly string[]): Promise<FlashMessage> {
  const [into = "", ...others] = ids;
  if (others.length === 0) return { tone: "bad", text: "Select at least two alerts." };
  const merged = await api.post("/alerts/:id/merge", { id: into, alert_ids: others });
  if (isRefusal(merged)) return { tone: "bad", text: refusalText(merged) };
  return {
    tone: "good",
    text: `${counted(others.length, "alert")} merged into “${merged.title}”.`,
  };
}

/** Answers the selected alerts, and says how many it did and why not the others. */
async function bulk(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const to = backToAlerts(form, "/alerts");
  const refuse = (text: string): Reply => ({ kind: "goto", to, flash: { tone: "bad", text } });
  const ids = textsOf(form, "ids").slice(0, MAX_AT_ONCE);
  const asked = textOf(form, "do");
  const kind = STEPS.find((it) => it === asked) ?? "acknowledge";
  const isMatching = textOf(form, "matching") === "true";
  const [first = ""] = ids;
  if (asked === "merge" && isMatching) {
    if (first === "") return refuse("Select the alert that the others become part of.");
    return actOnMatching(visit, "merge", { into_alert_id: first });
  }
  const body = bodyOf(kind, visit);
  if (typeof body === "string") return refuse(body);
  if (isMatching) return actOnMatching(visit, kind, body);
  if (first === "") return refuse("Select at least one alert.");
  if (asked === "merge") return { kind: "goto", to, flash: await merge(api, ids) };
  const answers = await Promise.all(
    ids.map((id) => api.post(`/alerts/:id/${kind}`, { ...body, id })),
  );
  return { kind: "goto", to, flash: flashOf(kind, answers) };
}

export const bulkPages: readonly ConsolePage[] = [
  action("/alerts/bulk", bulk),
  page("/alerts/bulk/:id", show),
];
