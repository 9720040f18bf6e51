// The page of a team: what is wrong, who is notified and who follows, its open alerts, its calendar,
// what sends it alerts, its people, and the form of its settings.

import type { Child } from "hono/jsx";
import { counted } from "../../domain/shared/counted.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import type { ReadinessPerson } from "../../features/reports/readiness/contract.ts";
import type { EscalationPolicy } from "../../features/routing/escalation-policies/contract.ts";
import { Badge, StatusBadge, UrgencyBadge } from "../../kernel/console/badge.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { LinkButton, Notice, Panel } from "../../kernel/console/panel.tsx";
import { mayChangeAssigned, peopleOf, whySharedIsFixed } from "../access/reach.ts";
import { shownStatus } from "../alerts/alert-state.ts";
import { absencePath, WhoTakesIt } from "../oncall/absences/absence-list.tsx";
import { Conflicts, conflictsOf } from "../oncall/conflicts.tsx";
import { EscalationLadder } from "../oncall/escalation-ladder.tsx";
import { spanOf } from "../oncall/on-call-window.ts";
import { PeriodSteps, ScheduleCalendar } from "../oncall/schedule-calendar.tsx";
import { GapText, layersOf } from "../oncall/team-layers.tsx";
import type { Names, WithVisit } from "../reads.ts";
import { PROBLEMS, REACHES } from "../reports/readiness.tsx";
import { Everybody } from "./person-panels.tsx";
import { MOST_SENDERS, type Team, type TeamPage, type TeamProps } from "./team-data.ts";

const nameOf = ({ name, prefix_id: id }: ReadinessPerson) => <a href={`/people/${id}`}>{name}</a>;

/** People in the team's schedule who are not in the team: former members, or helpers. */
const OthersInSchedule = ({ team, names, schedule }: TeamProps) => {
  const people = new Set(peopleOf(team));
  const others = (team.scheduled ?? []).filter((id) => !people.has(id));
  if (others.length === 0 || schedule === null) return null;
  return (
    <p class="soft">
      Not in the team, but in its schedule: <Everybody names={names} ids={others} />
    </p>
  );
};

const TeamPeople = (props: TeamProps) => {
  const { visit, team, names, read } = props;
  const { data, total_count: total } = read.people;
  const away = read.absences.filter(
    ({ status, start_datetime: start }) => status !== "cancelled" && Date.parse(start) <= visit.now,
  );
  const absenceOf = ({ id }: ReadinessPerson) => away.find((it) => it.account_user_id === id);
  return (
    <Panel title="People" id="people" aside={<a href={`/readiness?team=${team.id}`}>Readiness</a>}>
      <ul class="contacts">
        {data.map((person) => {
          const absence = absenceOf(person);
          return (
            <li class="contact">
              <span>
                {nameOf(person)}{" "}
                {team.admin_account_user_ids.includes(person.id) ? (
                  <Badge tone="neutral">team admin</Badge>
                ) : null}
                {absence ? (
                  <span class="soft">
                    {" "}
                    <a href={absencePath(absence.prefix_id)}>away</a> until{" "}
                    <Moment at={absence.end_datetime} /> (
                    <WhoTakesIt absence={absence} names={names} />)
                  </span>
                ) : null}
              </span>
              <span class="soft">
                <Badge tone={REACHES[person.reach].tone}>{REACHES[person.reach].label}</Badge>{" "}
                {person.problems.map((problem) => PROBLEMS[problem]).join(", ")}
              </span>
            </li>
          );
        })}
      </ul>
      {total > data.length ? (
        <p>
          <a href={`/readiness?team=${team.id}`}>and {total - data.length} more</a>
        </p>
      ) : null}
      <OthersInSchedule {...props} />
    </Panel>
  );
};

const routersOf = ({ team: { id, prefix_id }, read: { routers } }: TeamProps) =>
  routers.filter(
    ({ default_receiver_team_id: receiver, rules }) =>
      receiver === id || rules.includes(id) || rules.includes(prefix_id),
  );

/** A list of people in a sentence: the first ones, and how many others. */
const Named = ({ people }: { readonly people: readonly ReadinessPerson[] }) => (
  <>
    {people.slice(0, 3).map((it, at) => (
      <>
        {at > 0 ? ", " : null}
        {nameOf(it)}
      </>
    ))}
    {people.length > 3 ? ` and ${people.length - 3} more` : null}
  </>
);

/** Why an alert of the team may stay unanswered, the worst first. */
function problemsOf(props: TeamProps): readonly Child[] {
  const { team, policy, read, layers } = props;
  const { integrations } = read;
  const people = read.people.data;
  const unreachable = people.filter(({ reach }) => reach === "unreachable");
  const mailOnly = people.filter(({ reach }) => reach === "mail_only");
  const steps = policy?.escalation_layers ?? [];
  const isServed = layers.some(
    ({ layer, current }) => current && steps.some((step) => step.layer === layer),
  );
  return [
    isServed ? null : <strong>An alert would notify nobody now.</strong>,
    team.schedule_id === null ? "It has no schedule." : null,
    policy === null ? "It has no escalation policy." : null,
    ...layers.flatMap(({ layer, gaps: [gap, ...more] }) =>
      gap
        ? [
            <>
              Nobody is on call on step {layer} <GapText gap={gap} />
              {more.length > 0 ? `, and ${counted(more.length, "more time")} in 30 days` : null}.
            </>,
          ]
        : [],
    ),
    unreachable.length > 0 ? (
      <>
        <Named people={unreachable} /> cannot be reached.
      </>
    ) : null,
    mailOnly.length > 0 ? (
      <>
        <Named people={mailOnly} /> can be reached by e-mail only.
      </>
    ) : null,
    integrations.total_count === 0 && routersOf(props).length === 0 ? (
      <>
        No integration or router sends it alerts.{" "}
        <a href={`/integrations/new?team=${team.id}`}>Create integration</a>
      </>
    ) : null,
  ].filter((it) => it !== null);
}

const Problems = (props: TeamProps) => {
  const problems = problemsOf(props);
  if (problems.length === 0) return null;
  const isServed = props.layers.some(({ current }) => current);
  return (
    <Notice tone={isServed ? "warn" : "bad"} title="What is wrong">
      <ul class="plain-list">
        {problems.map((it) => (
          <li>{it}</li>
        ))}
      </ul>
    </Notice>
  );
};

const Escalation = ({ visit, names, policy, schedule, layers, mayPlan }: TeamProps) => (
  <Panel
    title="Who is notified"
    id="escalation"
    aside={policy ? <a href={`/escalation_policies/${policy.prefix_id}`}>Edit steps</a> : null}
  >
    {policy ? (
      <EscalationLadder
        {...{ visit, names, policy, layers }}
        schedulePath={schedule && mayPlan ? `/schedules/${schedule.prefix_id}` : null}
      />
    ) : (
      <p class="nobody">It has no escalation policy: nobody is notified.</p>
    )}
  </Panel>
);

const Alerts = ({ team, read: { alerts } }: TeamProps) => (
  <Panel
    title="Active alerts"
    id="alerts"
    aside={<a href={`/alerts?team=${team.id}`}>All {alerts.total_count}</a>}
  >
    {alerts.data.length === 0 ? <p class="soft">None.</p> : null}
    <ul class="contacts">
      {alerts.data.map((alert) => (
        <li class="contact">
          <a href={`/alerts/${alert.prefix_id}`}>{alert.title}</a>
          <span class="soft">
            <StatusBadge status={shownStatus(alert)} /> <UrgencyBadge urgency={alert.urgency} />{" "}
            <Moment at={alert.created_at} relative />
          </span>
        </li>
      ))}
    </ul>
  </Panel>
);

const Calendar = ({ visit, names, schedule, layers, mayPlan }: TeamProps) => {
  if (schedule === null) return null;
  const span = spanOf(visit.query, visit.session.timeZone, visit.now);
  const path = `/schedules/${schedule.prefix_id}`;
  const why = whySharedIsFixed(visit, names, "schedule_id", schedule.id);
  return (
    <Panel title="Calendar" id="schedule" aside={<a href={path}>{schedule.name}</a>}>
      <div class="calendar-bar">
        <PeriodSteps span={span} />
        {mayPlan ? (
          <div class="buttons">
            <LinkButton to={`${path}/rotations/new`}>Add rotation</LinkButton>
            <LinkButton to={`${path}/events/new`}>Add shift</LinkButton>
          </div>
        ) : null}
      </div>
      {why ? <p class="soft">{why}</p> : null}
      <ScheduleCalendar
        schedule={schedule.prefix_id}
        span={span}
        may={mayPlan}
        rows={layers.length}
        data={null}
      />
    </Panel>
  );
};

const Senders = (props: TeamProps) => {
  const { integrations } = props.read;
  const routers = routersOf(props);
  const more = integrations.total_count - integrations.data.length;
  return (
    <Panel title="Where its alerts come from" id="senders">
      <ul class="contacts">
        {integrations.data.map(({ prefix_id: id, name, integration_type: type, enabled }) => (
          <li class="contact">
            <a href={`/integrations/${id}`}>{name}</a>
            <span class="soft">
              {type.title} {enabled ? null : <Badge tone="warn">disabled</Badge>}
            </span>
          </li>
        ))}
        {routers.slice(0, MOST_SENDERS).map(({ prefix_id: id, name, enabled }) => (
          <li class="contact">
            <a href={`/routers/${id}`}>{name}</a>
            <span class="soft">Router {enabled ? null : <Badge tone="warn">disabled</Badge>}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p>
          <a href="/integrations">and {more} more</a>
        </p>
      ) : null}
      {integrations.total_count + routers.length === 0 ? (
        <p class="soft">No integration and no router.</p>
      ) : null}
    </Panel>
  );
};

type TeamRecords = {
  readonly team: Team;
  readonly names: Names;
  readonly schedule: Schedule | null;
  readonly policy: EscalationPolicy | null;
};

type TeamContentProps = WithVisit<{ records: TeamRecords; read: TeamPage; settings: Child }>;

/**
 * The content of a team's page.
 *
 * @param read what `readTeamPage` has read
 * @param settings the form of the team's settings
 */
export function TeamContent({ visit, records, read, settings }: TeamContentProps) {
  const { names, schedule, policy } = records;
  const layers = layersOf(read.onCall[0], policy, visit.now);
  const mayPlan = schedule !== null && mayChangeAssigned(visit, names, "schedule_id", schedule.id);
  const shown = { visit, ...records, read, layers, mayPlan };
  const entries = read.onCall.flatMap((it) => it.entries);
  return (
    <>
      <Problems {...shown} />
      <Conflicts {...{ names }} conflicts={conflictsOf(entries, read.absences, visit.now)} />
      <div class="columns even">
        <div>
          <Escalation {...shown} />
        </div>
        <div>
          <Alerts {...shown} />
          <Senders {...shown} />
        </div>
      </div>
      <Calendar {...shown} />
      <div class="columns even">
        <div>
          <TeamPeople {...shown} />
        </div>
        <div>{settings}</div>
      </div>
    </>
  );
}
