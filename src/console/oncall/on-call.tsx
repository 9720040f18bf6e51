// On call now: for each team and layer who is on call, until when, who is next, and the gaps of the
// next 30 days.

import { isRefusal } from "../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../domain/shared/time.ts";
import type { Absence } from "../../features/oncall/absences/contract.ts";
import type { OnCallEntry, OnCallTeam } from "../../features/oncall/on-call/contract.ts";
import type { Team } from "../../features/oncall/teams/contract.ts";
import type { EscalationPolicy } from "../../features/routing/escalation-policies/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Filters, Pager, Search } from "../../kernel/console/filters.tsx";
import { containsWords, pageOf, wordsOf } from "../../kernel/console/list-view.ts";
import { lengthOf, Moment } from "../../kernel/console/moment.tsx";
import { Empty, Heading, Panel } from "../../kernel/console/panel.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { belongsToTeams } from "../access/reach.ts";
import { allOf } from "../api.ts";
import { type Names, readNames } from "../names.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { Everybody } from "../people/person-panels.tsx";
import { absencePath, WhoTakesIt } from "./absences/absence-list.tsx";
import { Conflicts, type ShownConflict } from "./conflicts.tsx";
import { mergeShifts, type OnCallShift } from "./current-shifts.ts";
import { firstShiftAt } from "./gap-reason.ts";
import { Gaps } from "./layer-gaps.tsx";
import { spanText, stepsOf } from "./layers.tsx";
import { OnCallViews } from "./on-call-views.tsx";
import { hoursStillOnCall } from "./still-on-call.ts";
import { TakeOverButton } from "./take-over-button.tsx";

const WINDOW = 30 * DAY;

type Layer = {
  readonly layer: number;
  /** `10 min`, from the policy; null if no policy escalates to the layer. */
  readonly timeout: string | null;
  readonly current: OnCallShift | null;
  readonly next: OnCallShift | null;
  /** The entry that runs now; null if there is none, or several are on the layer. */
  readonly running: OnCallEntry | null;
  /** Instead of whom others are on call now: people who are away. */
  readonly absent: readonly string[];
  readonly gaps: OnCallTeam["layers"][number]["gaps"];
  readonly has_shifts: boolean;
  /** When the first shift starts, if that is still to come (epoch ms). */
  readonly startsAt: number | null;
};

type TeamLayers = {
  readonly team: Team;
  readonly layers: readonly Layer[];
  /** The absences of its members that run now. */
  readonly away: readonly Absence[];
};

function layersOf(
  { entries, layers }: OnCallTeam,
  policy: EscalationPolicy | undefined,
  now: number,
): Layer[] {
  return layers.map((coverage) => {
    const { layer, gaps, has_shifts } = coverage;
    const ofLayer = entries.filter((entry) => entry.layer === layer);
    const shifts = mergeShifts(ofLayer, now, now + WINDOW);
    const current = shifts.find(({ from }) => from === now) ?? null;
    const running = ofLayer.filter(
      ({ start_time, end_time }) => Date.parse(start_time) <= now && now < Date.parse(end_time),
    );
    const step = policy?.escalation_layers.find((it) => it.layer === layer);
    return {
      layer,
      timeout: step ? spanText(stepsOf([step], 0)[0]?.to ?? 0) : null,
      current,
      next: shifts.find(({ from }) => from > now) ?? null,
      running: running.length === 1 ? (running[0] ?? null) : null,
      absent: running.flatMap((it) => it.absent.map(({ account_user_id: id }) => id)),
      gaps,
      has_shifts,
      startsAt: firstShiftAt(coverage, ofLayer, now),
    };
  });
}

/** The layers of every team, sorted by name. */
function teamLayersOf(
  teams: readonly Team[],
  onCall: readonly OnCallTeam[],
  policies: readonly EscalationPolicy[],
  absences: readonly Absence[],
  now: number,
): TeamLayers[] {
  const current = absences.filter(
    ({ status, start_datetime: start }) => status !== "cancelled" && Date.parse(start) <= now,
  );
  const byTeam = new Map(onCall.map((it) => [it.team_id, it]));
  const teamLayers = teams.map((team) => {
    const policy = policies.find(({ id }) => id === team.escalation_policy_id);
    const ofTeam = byTeam.get(team.id);
    const away = current.filter((it) => team.member_account_user_ids.includes(it.account_user_id));
    return { team, layers: ofTeam ? layersOf(ofTeam, policy, now) : [], away };
  });
  return teamLayers.toSorted((a, b) => a.team.name.localeCompare(b.team.name));
}

type CurrentProps = {
  readonly visit: Visit;
  readonly shift: OnCallShift;
  readonly layer: Layer;
  readonly names: Names;
};

const CurrentShift = ({ visit, shift, layer: { running, absent }, names }: CurrentProps) => {
  const { now, session } = visit;
  const isMine = shift.people.includes(session.actor.accountUserId);
  return (
    <div class="shift-now">
      <strong>
        <Everybody names={names} ids={shift.people} />
      </strong>{" "}
      {isMine ? <Badge tone="busy">you</Badge> : null}
      {absent.length > 0 ? (
        <div class="soft">
          instead of <Everybody names={names} ids={absent} />, away
        </div>
      ) : null}
      <div class="soft">
        {shift.until >= now + WINDOW ? (
          "for more than 30 days"
        ) : (
          <>
            until <Moment at={shift.until} zone={session.timeZone} now={now} />{" "}
            {`(${lengthOf(shift.until - now)} left)`}
          </>
        )}
      </div>
      {running && !isMine && belongsToTeams(visit, names, [running.schedule_id]) ? (
        <TakeOverButton visit={visit} eventId={running.event_id} at={running.start_time} />
      ) : null}
    </div>
  );
};

const LayerLine = ({
  visit,
  layer,
  names,
}: Readonly<{ visit: Visit; layer: Layer; names: Names }>) => (
  <div class="team-shift">
    <div>
      Layer {layer.layer}
      {layer.timeout ? <div class="soft">timeout {layer.timeout}</div> : null}
    </div>
    {layer.current ? (
      <CurrentShift {...{ visit, shift: layer.current, layer, names }} />
    ) : (
      <div class={layer.layer > 1 && !layer.has_shifts ? "soft" : "nobody"}>Nobody</div>
    )}
    <div>
      {layer.next ? (
        <>
          <span class="soft">next:</span> <Everybody names={names} ids={layer.next.people} />
          <div class="soft">
            from <Moment at={layer.next.from} zone={visit.session.timeZone} now={visit.now} />
          </div>
        </>
      ) : null}
    </div>
  </div>
);

const MOST_AWAY = 5;

/** The members of a team who are away now, until when, and who takes it. */
const AwayNow = ({
  visit,
  away,
  names,
}: Readonly<{ visit: Visit; away: readonly Absence[]; names: Names }>) =>
  away.length === 0 ? null : (
    <p class="soft">
      Away now:{" "}
      {away.slice(0, MOST_AWAY).map((it, place) => (
        <>
          {place > 0 ? "; " : null}
          <a href={absencePath(it.prefix_id)}>{names.of(it.account_user_id)}</a> until{" "}
          <Moment at={it.end_datetime} zone={visit.session.timeZone} now={visit.now} /> (
          <WhoTakesIt absence={it} names={names} />)
        </>
      ))}
      {away.length > MOST_AWAY ? ` and ${away.length - MOST_AWAY} more` : null}
    </p>
  );

const TeamPanel = ({
  visit,
  held,
  names,
}: Readonly<{ visit: Visit; held: TeamLayers; names: Names }>) => (
  <Panel
    title={held.team.name}
    aside={
      held.team.schedule_id ? (
        <a href={`/schedules/${held.team.schedule_id}`}>Schedule</a>
      ) : (
        <Badge tone="warn">no schedule</Badge>
      )
    }
  >
    {held.layers.length === 0 ? (
      <p class="nobody">Nobody is on call. The schedule has no events.</p>
    ) : (
      <div>
        {held.layers.map((layer) => (
          <LayerLine visit={visit} layer={layer} names={names} />
        ))}
      </div>
    )}
    {held.layers.length === 0 ? null : (
      <Gaps visit={visit} layers={held.layers} windowMs={WINDOW} />
    )}
    <AwayNow visit={visit} away={held.away} names={names} />
  </Panel>
);

/** The coming shifts of people who are away. */
const conflictsOf = (
  onCall: readonly OnCallTeam[],
  absences: readonly Absence[],
  now: number,
): readonly ShownConflict[] => {
  const entries = onCall.flatMap((team) => team.entries);
  return hoursStillOnCall(entries, absences, now, now + WINDOW).map(
    ({ absence, layer, startAt, endAt }) => ({
      ...{ accountUserId: absence.account_user_id, absenceId: absence.id, layer },
      ...{ start: startAt, end: endAt, reason: absence.reason },
    }),
  );
};

const TEAMS_PER_PAGE = 20;
/** Fewer teams are seen at a glance. */
const SEARCHED_FROM = 8;

/** What a search for a team looks at: its name, and who is on call. */
const searchedText = ({ team, layers }: TeamLayers, names: Names): string =>
  [team.name, ...layers.flatMap(({ current }) => (current?.people ?? []).map(names.of))].join(" ");

async function show(visit: Visit): Promise<Reply> {
  const { api, now } = visit;
  const window = { start: formatInstant(now), end: formatInstant(now + WINDOW) };
  const read = await allOf(
    readNames(api),
    api.every("/escalation_policies"),
    api.get("/oncall", window),
    api.every("/absences", {
      ops: "end_datetime:gte,start_datetime:lte",
      end_datetime: window.start,
      start_datetime: window.end,
    }),
  );
  if (isRefusal(read)) return read;
  const [names, policies, onCall, absences] = read;
  const conflicts = conflictsOf(onCall, absences, now);
  const byName = teamLayersOf(names.teams, onCall, policies, absences, now);
  const words = wordsOf(visit.query.get("q") ?? "");
  const found = byName.filter((held) => containsWords(searchedText(held, names), words));
  const from = (pageOf(visit.url) - 1) * TEAMS_PER_PAGE;
  const page = found.slice(from, from + TEAMS_PER_PAGE);
  return {
    kind: "page",
    title: "On call now",
    section: "on-call",
    body: (
      <>
        <Heading title="On call now" lead={`All times in ${visit.session.timeZone}`}>
          <OnCallViews path={visit.url.pathname} />
        </Heading>
        <Conflicts visit={visit} names={names} conflicts={conflicts} />
        {byName.length > SEARCHED_FROM ? (
          <Filters url={visit.url} keep={[]}>
            <Search url={visit.url} label="Search teams and people on call" />
          </Filters>
        ) : null}
        <div
          id="current"
          class="teams"
          hx-get={`/on-call${visit.url.search}`}
          hx-trigger="every 60s"
          data-lasting
          hx-select="#current"
          hx-swap="outerMorph"
          data-current
        >
          {byName.length === 0 ? (
            <Empty
              title="No teams yet"
              {...(visit.session.actor.roles.admin && {
                next: { to: "/teams/new", label: "Create team" },
              })}
            >
              A team has a schedule, which defines who is on call, and an escalation policy, which
              defines who is notified next.
            </Empty>
          ) : (
            <>
              {page.map((held) => (
                <TeamPanel visit={visit} held={held} names={names} />
              ))}
              {found.length === 0 ? (
                <p class="soft">No team has this name or this person on call.</p>
              ) : null}
            </>
          )}
        </div>
        <Pager
          {...{ url: visit.url, limit: TEAMS_PER_PAGE, total: found.length }}
          labels={["Previous", "Next"]}
        />
      </>
    ),
  };
}

export const onCallPages: readonly ConsolePage[] = [page("/on-call", show)];
