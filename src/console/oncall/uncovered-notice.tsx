// The line on the main pages about teams without anybody on call now or within a day: of the
// account for admins, of their own teams for others.

import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { MINUTE } from "../../domain/shared/time.ts";
import type { Session } from "../../features/access/sessions/session.ts";
import {
  type CoverageNow,
  findUncovered,
  type UncoveredTeam,
} from "../../features/oncall/notices/find-uncovered.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { NoticeLine } from "../../kernel/console/panel.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import type { Connection } from "../../kernel/db/database.ts";

/** The pages that show it. */
const MAIN_PAGES: ReadonlySet<string> = new Set(["/", "/alerts", "/on-call", "/configuration"]);

/** How long what was read is shown again (ms). */
const FRESH_MS = MINUTE;
const MAX_ACCOUNTS = 200;

/** By account, so that page views of an account read its schedules at most once a minute. */
const known = new Map<string, { readonly at: number; readonly coverage: CoverageNow }>();

/** What is uncovered, of how many teams. */
export type Uncovered = { readonly teams: number; readonly uncovered: readonly UncoveredTeam[] };

export const NOTHING_UNCOVERED: Uncovered = { teams: 0, uncovered: [] };

/** What concerns a person: all of it an admin, others their own teams. */
function concerning({ actor }: Session, { teams, uncovered }: CoverageNow): Uncovered {
  if (actor.roles.admin) return { teams: teams.length, uncovered };
  const own = teams.filter(({ peopleIds }) => peopleIds.includes(actor.accountUserId));
  const ids = new Set(own.map(({ id }) => id));
  return { teams: own.length, uncovered: uncovered.filter(({ teamId }) => ids.has(teamId)) };
}

/**
 * Reads what to warn a person of on a main page; nothing on other pages.
 *
 * @param changed whether the viewer has just changed something, which they want to see
 */
export async function readUncoveredFor(
  db: Connection,
  session: Session,
  path: string,
  now: number,
  changed: boolean,
): Promise<Uncovered> {
  if (!MAIN_PAGES.has(path)) return NOTHING_UNCOVERED;
  const { accountId } = session.actor;
  const recent = known.get(accountId);
  if (recent && !changed && recent.at > now - FRESH_MS) return concerning(session, recent.coverage);
  const coverage = await findUncovered(db, accountId, now);
  if (known.size >= MAX_ACCOUNTS) known.clear();
  known.set(accountId, { at: now, coverage });
  return concerning(session, coverage);
}

const hrefOf = ({ scheduleId, teamId }: UncoveredTeam) =>
  scheduleId === null
    ? `/teams/${prefixIdOf("team", teamId)}`
    : `/schedules/${prefixIdOf("schedule", scheduleId)}`;

type UncoveredNoticeProps = { readonly uncovered: Uncovered };

/** One line, however many teams; nothing if all are covered. */
export const UncoveredNotice = ({ uncovered: { teams, uncovered } }: UncoveredNoticeProps) => {
  const { now } = useViewer();
  const empty = uncovered.filter(({ layer, startAt }) => layer === 1 && startAt <= now);
  const [first] = empty.length > 0 ? empty : uncovered;
  if (first === undefined) return null;
  const count = new Set((empty.length > 0 ? empty : uncovered).map(({ teamId }) => teamId)).size;
  const tone = empty.length > 0 ? "bad" : "warn";
  if (count === 1) {
    const { layer, startAt, endAt, teamName } = first;
    return (
      <NoticeLine tone={tone}>
        <a href={hrefOf(first)}>{teamName}</a> has nobody on call
        {layer > 1 ? `, step ${layer}` : ""}
        {startAt > now ? " from " : ""}
        {startAt > now ? <Moment at={startAt} /> : null}
        {endAt === null ? "" : " until "}
        {endAt === null ? null : <Moment at={endAt} />}
      </NoticeLine>
    );
  }
  return (
    <NoticeLine tone={tone}>
      <a href="/readiness">
        {count} of {teams} teams
      </a>{" "}
      have nobody on call{empty.length > 0 ? "" : " within a day"}
    </NoticeLine>
  );
};
