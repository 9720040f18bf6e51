// The notice on the main pages of teams without anybody on call now or within a day.

import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { MINUTE } from "../../domain/shared/time.ts";
import type { Session } from "../../features/access/sessions/session.ts";
import { findUncovered, type UncoveredTeam } from "../../features/oncall/notices/find-uncovered.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import type { Connection } from "../../kernel/db/database.ts";

/** The pages that show it. */
const MAIN_PAGES: ReadonlySet<string> = new Set([
  "/alerts",
  "/on-call",
  "/schedules",
  "/teams",
  "/configuration",
]);

/** How long what was read is shown again (ms). */
const FRESH_MS = MINUTE;
const MAX_ACCOUNTS = 200;

type Known = { readonly at: number; readonly uncovered: readonly UncoveredTeam[] };

/** By account, so that page views of an account read its schedules at most once a minute. */
const known = new Map<string, Known>();

/**
 * Reads the teams to warn of on a main page; none on other pages.
 *
 * @param changed whether the viewer has just changed something, which they want to see
 */
export async function readUncoveredFor(
  db: Connection,
  { actor: { accountId } }: Session,
  path: string,
  now: number,
  changed: boolean,
): Promise<readonly UncoveredTeam[]> {
  if (!MAIN_PAGES.has(path)) return [];
  const recent = known.get(accountId);
  if (recent && !changed && recent.at > now - FRESH_MS) return recent.uncovered;
  const { uncovered } = await findUncovered(db, accountId, now);
  if (known.size >= MAX_ACCOUNTS) known.clear();
  known.set(accountId, { at: now, uncovered });
  return uncovered;
}

/** The teams that are named; of more there is a number. */
const MAX_NAMED = 4;

const hrefOf = ({ scheduleId, teamId }: UncoveredTeam) =>
  scheduleId === null
    ? `/teams/${prefixIdOf("team", teamId)}`
    : `/schedules/${prefixIdOf("schedule", scheduleId)}`;

const Uncovered = ({
  team,
  zone,
  now,
}: {
  readonly team: UncoveredTeam;
  readonly zone: string;
  readonly now: number;
}) => (
  <li>
    <a href={hrefOf(team)}>{team.teamName}</a>, layer {team.layer}:{" "}
    {team.startAt <= now ? "now" : <Moment at={team.startAt} zone={zone} now={now} />}
    {team.endAt === null ? (
      ", for at least 14 days"
    ) : (
      <>
        {" until "}
        <Moment at={team.endAt} zone={zone} now={now} />
      </>
    )}
  </li>
);

/** Names the teams that nobody would be paged for; nothing if there are none. */
export const UncoveredNotice = ({
  uncovered,
  zone,
  now,
}: {
  readonly uncovered: readonly UncoveredTeam[];
  readonly zone: string;
  readonly now: number;
}) => {
  if (uncovered.length === 0) return null;
  const isNow = uncovered.some(({ layer, startAt }) => layer === 1 && startAt <= now);
  const more = uncovered.length - MAX_NAMED;
  return (
    <Notice tone={isNow ? "bad" : "warn"} title="Nobody is on call.">
      <ul class="plain-list">
        {uncovered.slice(0, MAX_NAMED).map((team) => (
          <Uncovered team={team} zone={zone} now={now} />
        ))}
        {more > 0 ? (
          <li>
            <a href="/readiness">{more} more</a>
          </li>
        ) : null}
      </ul>
    </Notice>
  );
};
