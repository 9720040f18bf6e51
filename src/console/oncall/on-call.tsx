// On call: a row per team with who is on call, until when, who is next, and the next hours without
// anybody; and the schedules and policies that are not one team's.

import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { containsTerms, searchTerms } from "../../domain/shared/search-terms.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import { CreateSchedule } from "../../features/oncall/schedules/parameters.ts";
import type { Team } from "../../features/oncall/teams/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Current } from "../../kernel/console/current.tsx";
import { declareForm } from "../../kernel/console/declared-form.ts";
import { Filters, Pager, Search } from "../../kernel/console/filters.tsx";
import { Button } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { pageOf } from "../../kernel/console/list-view.ts";
import { Empty, Heading, LinkButton } from "../../kernel/console/panel.tsx";
import { done, pageReply, type Reply } from "../../kernel/console/reply.ts";
import { ScopeChips, scopeOf } from "../../kernel/console/scope.tsx";
import { type Column, Table } from "../../kernel/console/table.tsx";
import { peopleOf } from "../access/reach.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { allOf, type Names, readNames, type WithVisit } from "../reads.ts";
import { isAdmin } from "../resource-pages.tsx";
import { Conflicts, conflictsOf } from "./conflicts.tsx";
import { OnCallViews } from "./on-call-views.tsx";
import {
  AHEAD,
  CurrentShift,
  GapText,
  layersOf,
  NextShift,
  type TeamLayer,
} from "./team-layers.tsx";

type Row = {
  readonly team: Team;
  /** The shifts of the time ahead. */
  readonly entries: readonly OnCallEntry[];
  readonly layers: readonly TeamLayer[];
};

/** Whether an alert of the team would notify nobody of the first layer now. */
const isUncovered = ({ layers }: Row): boolean => !layers[0]?.current;

/** Teams without anybody on call first, then by name. */
const compareRows = (one: Row, other: Row): number =>
  Number(isUncovered(other)) - Number(isUncovered(one)) ||
  one.team.name.localeCompare(other.team.name, "en", { numeric: true });

/** Whether the viewer has a shift of the team in the time ahead. */
const hasOwnShift = ({ entries }: Row, me: string): boolean =>
  entries.some(({ attendees }) => attendees.some(({ attendee_id: id }) => id === me));

const isInTeam = ({ team }: Row, me: string): boolean => peopleOf(team).includes(me);

/** What a search looks at: the name, and who is on call. */
const searchedText = ({ team, layers }: Row, names: Names): string =>
  [team.name, ...layers.flatMap(({ current }) => (current?.people ?? []).map(names.of))].join(" ");

/** Who is notified when those on the first layer do not answer: `step 2: Mo; step 3: Eva`. */
const Then = ({ row, names }: { readonly row: Row; readonly names: Names }) => {
  const then = row.layers
    .slice(1)
    .flatMap(({ layer, current: to }) =>
      to ? `step ${layer}: ${to.people.map(names.of).join(", ")}` : [],
    );
  return then.length === 0 ? null : <div class="soft">{then.join("; ")}</div>;
};

const NextGap = ({ row: { layers } }: { readonly row: Row }) => {
  const gaps = layers
    .flatMap(({ layer, gaps: ofLayer }) => ofLayer.map((gap) => ({ layer, gap })))
    .toSorted((one, other) => one.gap.start_time.localeCompare(other.gap.start_time));
  const [first] = gaps;
  if (!first) {
    const hasShifts = layers.some((it) => it.hasShifts);
    return hasShifts ? <span class="soft">none</span> : <span class="gap-text">no shifts</span>;
  }
  return (
    <span class="gap-text">
      {first.layer > 1 ? `step ${first.layer}: ` : null}
      <GapText gap={first.gap} />
      {gaps.length > 1 ? `, and ${gaps.length - 1} more` : null}
    </span>
  );
};

const columnsOf = (visit: Visit, names: Names): readonly Column<Row>[] => [
  {
    title: "Team",
    cell: ({ team: { name, prefix_id: id, schedule_id: schedule } }) => (
      <>
        <a href={`/teams/${id}`}>{name}</a>{" "}
        {schedule === null ? <Badge tone="warn">no schedule</Badge> : null}
      </>
    ),
  },
  {
    title: "On call now",
    cell: (row) => {
      const [layer] = row.layers;
      if (!layer?.current) return <strong class="nobody">Nobody</strong>;
      return (
        <>
          <CurrentShift visit={visit} layer={layer} names={names} />
          <Then row={row} names={names} />
        </>
      );
    },
  },
  {
    title: "Next",
    cell: ({ layers: [layer] }) => layer && <NextShift layer={layer} names={names} />,
  },
  {
    title: "Next gap",
    cell: (row) => <NextGap row={row} />,
  },
];

const FORM = declareForm(CreateSchedule, [
  {
    name: "name",
    label: "Name",
    help: "For a team that switches to it later, or for several teams.",
  },
]);

/** A schedule or a policy that is not one team's: that team's page has its own. */
type Shared = { readonly name: string; readonly path: string; readonly teams: readonly string[] };

const SharedList = ({ title, shared }: Readonly<{ title: string; shared: readonly Shared[] }>) => (
  <>
    <h3>{title}</h3>
    <ul class="plain-list">
      {shared.map(({ name, path, teams }) => (
        <li>
          <a href={path}>{name}</a>{" "}
          {teams.length > 0 ? (
            <span class="soft">{teams.join(", ")}</span>
          ) : (
            <Badge tone="warn">no teams</Badge>
          )}
        </li>
      ))}
    </ul>
  </>
);

type SharedRecordsProps = WithVisit<{
  schedules: readonly Shared[];
  policies: readonly Shared[];
  refusal: Refusal | null;
  /** Whether a search finds one of them, which must not stay folded. */
  isFound: boolean;
}>;

/** The schedules and policies of several teams, or of none. */
const SharedRecords = ({ visit, schedules, policies, refusal, isFound }: SharedRecordsProps) =>
  schedules.length + policies.length === 0 && !isAdmin(visit) ? null : (
    <details class="panel" id="shared" open={refusal !== null || isFound}>
      <summary>
        Schedules and policies of several teams, or of none ({schedules.length + policies.length})
      </summary>
      <div class="stack">
        <SharedList title="Schedules" shared={schedules} />
        {isAdmin(visit) ? (
          <FieldsForm to="/schedules" form={FORM} state={{ values: visit.form, refusal }}>
            <Button tone="plain">Create schedule</Button>
          </FieldsForm>
        ) : null}
        <SharedList title="Escalation policies" shared={policies} />
        {isAdmin(visit) ? (
          <LinkButton to="/escalation_policies/new">Create escalation policy</LinkButton>
        ) : null}
      </div>
    </details>
  );

const NoTeams = ({ visit }: { readonly visit: Visit }) => (
  <Empty
    title="No teams yet"
    {...(isAdmin(visit) && { next: { to: "/teams/new", label: "Create team" } })}
  >
    A team has a schedule, which defines who is on call, and an escalation policy, which defines who
    is notified next.
  </Empty>
);

async function readRows(visit: Visit) {
  const { api, now } = visit;
  const window = { start: formatInstant(now), end: formatInstant(now + AHEAD) };
  const read = await allOf(
    readNames(api),
    api.every("/escalation_policies"),
    api.every("/schedules"),
    api.get("/oncall", window),
    api.every("/absences", {
      ops: "end_datetime:gte,start_datetime:lte",
      end_datetime: window.start,
      start_datetime: window.end,
    }),
  );
  if (isRefusal(read)) return read;
  const [names, policies, schedules, onCall, absences] = read;
  const byTeam = new Map(onCall.map((it) => [it.team_id, it]));
  const policyById = new Map(policies.map((it) => [it.id, it]));
  const rows = names.teams.map((team): Row => {
    const ofTeam = byTeam.get(team.id);
    const policy = policyById.get(team.escalation_policy_id ?? "");
    return { team, entries: ofTeam?.entries ?? [], layers: layersOf(ofTeam, policy, now) };
  });
  const isShared = ({ teams }: Shared) => teams.length !== 1;
  const bySchedule = Map.groupBy(names.teams, ({ schedule_id: id }) => id);
  const shared = {
    schedules: schedules
      .map(({ id, prefix_id, name }) => ({
        ...{ name, path: `/schedules/${prefix_id}` },
        teams: (bySchedule.get(id) ?? []).map((team) => team.name),
      }))
      .filter(isShared),
    policies: policies
      .map(({ prefix_id, name, team_ids: teams }) => ({
        ...{ name, path: `/escalation_policies/${prefix_id}`, teams: teams.map(names.of) },
      }))
      .filter(isShared),
  };
  return { names, absences, shared, rows: rows.toSorted(compareRows) };
}

const ROWS_PER_PAGE = 20;
/** Fewer teams are seen at a glance. */
const SEARCHED_FROM = 8;

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { url, session, now } = visit;
  const read = await readRows(visit);
  if (isRefusal(read)) return read;
  const { names, absences, shared, rows } = read;
  const me = session.actor.accountUserId;
  const teams = rows.filter((row) => isInTeam(row, me));
  const byScope = { mine: rows.filter((row) => hasOwnShift(row, me)), teams, all: rows };
  const chosen = scopeOf(visit.context, "on_call_scope", teams.length > 0 ? "teams" : "all");
  const terms = searchTerms(visit.query.get("q") ?? "");
  // A search is for any team; so is the page of an account whose teams are all the viewer's.
  const scope = terms.length > 0 || rows.length === teams.length ? "all" : chosen;
  const found = byScope[scope].filter((row) => containsTerms(searchedText(row, names), terms));
  const isFound =
    terms.length > 0 &&
    [...shared.schedules, ...shared.policies].some(({ name }) => containsTerms(name, terms));
  const from = (pageOf(url) - 1) * ROWS_PER_PAGE;
  return pageReply(
    "On call",
    <>
      <Heading title="On call">
        <OnCallViews path={visit.url.pathname} />
        {isAdmin(visit) && names.teams.length > 0 ? (
          <LinkButton to="/teams/new">Create team</LinkButton>
        ) : null}
      </Heading>
      {rows.length > teams.length || rows.length > SEARCHED_FROM ? (
        <div class="list-bar">
          <ScopeChips
            scope={scope}
            counts={{ mine: byScope.mine.length, teams: teams.length, all: rows.length }}
          />
          {rows.length > SEARCHED_FROM ? (
            <Filters>
              <Search label="Search teams and people" />
            </Filters>
          ) : null}
        </div>
      ) : null}
      <Conflicts
        {...{ names }}
        conflicts={conflictsOf(
          byScope[scope].flatMap(({ entries }) => entries),
          absences,
          now,
        )}
      />
      <Current from={`/on-call${url.search}`} trigger="every 60s" data={{ "data-lasting": true }}>
        {names.teams.length === 0 ? <NoTeams visit={visit} /> : null}
        {rows.length === 0 ? null : (
          <Table
            label="On call"
            rows={found.slice(from, from + ROWS_PER_PAGE)}
            columns={columnsOf(visit, names)}
            empty={<p class="soft">{EMPTY_TEXTS[terms.length > 0 ? "search" : scope]}</p>}
          />
        )}
      </Current>
      <Pager limit={ROWS_PER_PAGE} total={found.length} labels={["Previous", "Next"]} />
      {names.teams.length + shared.schedules.length > 0 ? (
        <SharedRecords {...{ visit, refusal, isFound }} {...shared} />
      ) : null}
    </>,
    refusal,
  );
}

const EMPTY_TEXTS = {
  search: "No team has this name or this person on call.",
  mine: "You have no shifts in the next 30 days.",
  teams: "You are in no team.",
  all: "No teams.",
} as const;

async function createSchedule(visit: Visit): Promise<Reply> {
  const created = await visit.api.post("/schedules", FORM.bodyOf(visit.form));
  if (isRefusal(created)) return created.reason === "invalid" ? show(visit, created) : created;
  return done(`/schedules/${created.prefix_id}`, "Schedule created. Add a shift next.");
}

export const onCallPages: readonly ConsolePage[] = [
  page("/on-call", (visit) => show(visit)),
  action("/schedules", createSchedule),
];
