// Home: the most urgent alerts of the viewer's teams, what they are asked to do, and who is on call.

import type { Child } from "hono/jsx";
import { counted } from "../domain/shared/counted.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../domain/shared/time.ts";
import type { Absence } from "../features/oncall/absences/contract.ts";
import type { OnCallEntry, OnCallTeam } from "../features/oncall/on-call/contract.ts";
import type { Team } from "../features/oncall/teams/contract.ts";
import { Current } from "../kernel/console/current.tsx";
import { isPartial } from "../kernel/console/go-to.ts";
import { Moment } from "../kernel/console/moment.tsx";
import { LinkButton, Panel } from "../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../kernel/console/reply.ts";
import { Table } from "../kernel/console/table.tsx";
import { peopleOf } from "./access/reach.ts";
import { ACTIVE_ALERTS } from "./alerts/alert-query.ts";
import { AlertRow, RowForm } from "./alerts/alert-row.tsx";
import { OPEN_ALERTS } from "./alerts/alerts.tsx";
import {
  AnswerButtons,
  absencePath,
  hoursText,
  isAnswerable,
} from "./oncall/absences/absence-list.tsx";
import { CurrentShift, layersOf, NextShift } from "./oncall/team-layers.tsx";
import { type ConsolePage, page, type Visit } from "./page.ts";
import {
  allByName,
  allOf,
  type Names,
  type PageProps,
  type ReadBy,
  readNames,
  type WithVisit,
} from "./reads.ts";
import { PROBLEMS } from "./reports/readiness.tsx";
import { SetupLine } from "./reports/setup-checklist.tsx";

const MOST_ALERTS = 5;
const MOST_TEAMS = 8;
/** How far ahead shifts are read. */
const AHEAD = 30 * DAY;

/** Reads what the list of the most urgent alerts shows: all that a refresh of it needs. */
function readAlerts({ api }: Visit) {
  const query = {
    ...{ scope: "my_teams", sort: "attention", limit: MOST_ALERTS },
    ...{ status: "resolved", ops: "status:ne" },
  };
  return allByName({
    alerts: api.get("/alerts", query),
    overview: api.get("/alerts/overview", query),
    open: api.get("/alerts", OPEN_ALERTS),
    names: readNames(api, ["/routers"]),
  });
}

/** The most urgent alerts; refreshed as the list of alerts is. */
const Alerts = ({ visit, read }: WithVisit<{ read: ReadBy<typeof readAlerts> }>) => {
  const { alerts, overview, open, names } = read;
  const progress = new Map(overview.progress.map((it) => [it.alert_id, it]));
  // Nobody is left to notify of these: whoever sees them may be the first.
  const elsewhere = overview.counts
    .filter(({ status }) => status === "dropped")
    .reduce((sum, { all, my_teams: mine }) => sum + all - mine, 0);
  // The tags of a row lead to the list of alerts.
  const asOfList = { ...visit, url: new URL("/alerts", visit.url) };
  return (
    <Current
      from="/"
      trigger="every 10s, live"
      data={{
        "data-live": "",
        "data-open-alerts": open.total_count,
        "data-total": alerts.total_count,
        "data-shown": visit.now,
      }}
    >
      {alerts.data.length === 0 ? (
        <p class="panel">Your teams have no active alerts.</p>
      ) : (
        <RowForm visit={visit}>
          <ol class="alerts">
            {alerts.data.map((alert) => (
              <AlertRow
                {...{ alert, names }}
                visit={asOfList}
                progress={progress.get(alert.id)}
                isSelectable={false}
              />
            ))}
          </ol>
        </RowForm>
      )}
      {alerts.total_count > alerts.data.length ? (
        <p>
          <a href={ACTIVE_ALERTS}>All {alerts.total_count} active alerts</a>
        </p>
      ) : null}
      {elsewhere > 0 ? (
        <p>
          <a class="nobody" href="/alerts?scope=all&status=dropped">
            {counted(elsewhere, "unanswered alert")} of other teams
          </a>
        </p>
      ) : null}
    </Current>
  );
};

/** Reads what the viewer may have to do, and who is on call. */
function readDuties({ api, now, session }: Visit) {
  const [start, end] = [formatInstant(now), formatInstant(now + AHEAD)];
  const me = session.actor.accountUserId;
  return allByName({
    onCall: api.get("/oncall", { start, end }),
    absences: api.every("/absences", {
      ...{ account_user_ids: me, ops: "end_datetime:gte", end_datetime: start },
    }),
    reach: api.get("/readiness/people", { id: me, limit: 1 }),
    addresses: api.every("/channel_addresses"),
    readiness: session.actor.roles.admin ? api.get("/readiness") : null,
  });
}

type Duties = ReadBy<typeof readDuties>;

const isOf =
  (me: string) =>
  ({ attendees }: OnCallEntry): boolean =>
    attendees.some(({ attendee_id: id }) => id === me);

/** The viewer's shifts of all teams, the next first. */
const ownShifts = (onCall: readonly OnCallTeam[], me: string): readonly OnCallEntry[] =>
  onCall
    .flatMap(({ entries }) => entries.filter(isOf(me)))
    .toSorted((one, other) => one.start_time.localeCompare(other.start_time));

/** Somebody asks the viewer to take their shifts; it can be answered here. */
const Asked = ({ absence, visit, names }: PageProps<{ absence: Absence }>) => (
  <>
    {names.of(absence.account_user_id)} asks you to{" "}
    <a href={absencePath(absence.prefix_id)}>take their shifts</a>, {hoursText(absence, visit)}
    <AnswerButtons {...{ visit, absence, back: "/" }} />
  </>
);

/** What the viewer must do; each leads to where it is done. */
function tasksOf(visit: Visit, names: Names, duties: Duties): readonly Child[] {
  const [person] = duties.reach.data;
  const hasShifts = ownShifts(duties.onCall, visit.session.actor.accountUserId).length > 0;
  const unconfirmed = duties.addresses.filter(({ confirmed_at: at }) => at === null).length;
  const problems = (person?.problems ?? []).filter((it) => it !== "never_signed_in");
  return [
    ...duties.absences
      .filter((it) => isAnswerable(it, visit))
      .map((absence) => <Asked {...{ absence, visit, names }} />),
    person?.reach === "unreachable" ? (
      <>
        You cannot be reached: <a href="/settings">add a way to reach you</a>
      </>
    ) : null,
    person?.reach === "mail_only" && hasShifts ? (
      <>
        You are on call, but can be reached by e-mail only:{" "}
        <a href="/settings">add push or a telephone</a>
      </>
    ) : null,
    ...problems.map((problem) => (
      <>
        How you are reached: <a href="/settings">{PROBLEMS[problem]}</a>
      </>
    )),
    unconfirmed > 0 ? (
      <a href="/settings">Confirm {counted(unconfirmed, "address", "addresses")}</a>
    ) : null,
  ].filter((it) => it !== null);
}

const Tasks = ({ tasks }: { readonly tasks: readonly Child[] }) =>
  tasks.length === 0 ? null : (
    <Panel title="To do" id="to-do">
      <ul class="contacts">
        {tasks.map((task) => (
          <li class="contact">
            <span>{task}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );

type OnCallProps = PageProps<{ duties: Duties }>;

/** Where the viewer is on call, and until when; or when they are next. */
const OwnShifts = ({ visit, names, duties: { onCall } }: OnCallProps) => {
  const { now, session } = visit;
  const shifts = ownShifts(onCall, session.actor.accountUserId);
  const running = shifts.filter(({ start_time: start }) => Date.parse(start) <= now);
  const shown = running.length > 0 ? running : shifts.slice(0, 1);
  return shown.map((shift) => {
    const team = onCall.find(({ schedule_id: id }) => id === shift.schedule_id);
    const isNow = running.length > 0;
    const layers = isNow ? layersOf(team, null, now) : [];
    const until = layers.find(({ layer }) => layer === shift.layer)?.current?.until;
    return (
      <p>
        {isNow ? <strong>You are on call</strong> : "Your next shift"} for {names.of(team?.team_id)}
        {shift.layer > 1 ? `, step ${shift.layer},` : null}
        {isNow ? " until " : " begins "}
        <a href="/absences">
          {until !== undefined && until >= now + AHEAD ? (
            "at least 30 days from now"
          ) : (
            <Moment at={until ?? (isNow ? shift.end_time : shift.start_time)} />
          )}
        </a>
      </p>
    );
  });
};

/** The viewer's teams; of somebody without a team, all. */
function teamsOf(names: Names, me: string): readonly Team[] {
  const own = names.teams.filter((team) => peopleOf(team).includes(me));
  return own.length > 0 ? own : names.teams;
}

const OnCall = (props: OnCallProps) => {
  const { visit, names, duties } = props;
  const teams = teamsOf(names, visit.session.actor.accountUserId);
  if (teams.length === 0) return null;
  const rows = teams.slice(0, MOST_TEAMS).map((team) => {
    const onCall = duties.onCall.find(({ team_id: id }) => id === team.id);
    return { team, layer: layersOf(onCall, null, visit.now)[0] };
  });
  return (
    <Panel title="On call" id="on-call" aside={<a href="/on-call">All teams</a>}>
      {OwnShifts(props)}
      <Table
        label="On call"
        rows={rows}
        columns={[
          {
            title: "Team",
            cell: ({ team: { prefix_id: id, name } }) => <a href={`/teams/${id}`}>{name}</a>,
          },
          {
            title: "On call now",
            cell: ({ layer }) =>
              layer?.current ? (
                <CurrentShift {...{ visit, names, layer }} />
              ) : (
                <strong class="nobody">Nobody</strong>
              ),
          },
          { title: "Next", cell: ({ layer }) => layer && <NextShift {...{ names, layer }} /> },
        ]}
      />
    </Panel>
  );
};

async function show(visit: Visit): Promise<Reply> {
  const reply = (body: Child): Reply => pageReply("Home", body);
  if (isPartial(visit.context)) {
    const alerts = await readAlerts(visit);
    return isRefusal(alerts) ? alerts : reply(<Alerts visit={visit} read={alerts} />);
  }
  const read = await allOf(readAlerts(visit), readDuties(visit));
  if (isRefusal(read)) return read;
  const [alerts, duties] = read;
  const { names } = alerts;
  const tasks = tasksOf(visit, names, duties);
  return reply(
    <>
      {duties.readiness ? <SetupLine readiness={duties.readiness} /> : null}
      <div class="list-head">
        <h1>Home</h1>
        <LinkButton to="/alerts/new">Create alert</LinkButton>
      </div>
      <Alerts visit={visit} read={alerts} />
      <div class="columns even">
        <Tasks tasks={tasks} />
        <OnCall {...{ visit, names, duties }} />
      </div>
    </>,
  );
}

export const homePages: readonly ConsolePage[] = [page("/", show)];
