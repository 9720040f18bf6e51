// The weekly digest of an account's readiness, in the recipient's time zone. Pure.

import { hoursText, type NoticeText } from "../oncall/notices/notice-text.ts";
import type { UncoveredLayer } from "../oncall/notices/uncovered.ts";
import type { StandbyProblem } from "../operations/standby-drill.ts";
import { END_OF_TIME } from "../shared/time.ts";
import type { PersonReach } from "./readiness.ts";

/** Maximum number of teams and of people that the digest names. */
export const MAX_LISTED = 30;

export type ReadinessProblems = {
  readonly uncovered: readonly (UncoveredLayer & { readonly teamName: string })[];
  /** The people who are not `wakeable`; at most one more than `MAX_LISTED`. */
  readonly people: readonly { readonly name: string; readonly reach: PersonReach }[];
  readonly standby: StandbyProblem | null;
};

/** What is wrong with the drills through the standby, in a sentence. */
export const STANDBY_PROBLEM_TEXTS = {
  not_drilled: "The standby has had no drill in the last 40 days.",
  not_acknowledged: "Nobody acknowledged the last drill through the standby.",
  failed: "The last drill through the standby failed: it could page nobody.",
} as const satisfies Record<StandbyProblem, string>;

const REACHES = {
  wakeable: "can be woken",
  mail_only: "e-mail only",
  unreachable: "cannot be reached",
} as const satisfies Record<PersonReach, string>;

/** The first lines of a list, and whether there are more. */
const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0
    ? []
    : [
        "",
        title,
        ...lines.slice(0, MAX_LISTED).map((line) => `- ${line}`),
        ...(lines.length > MAX_LISTED ? ["- and more"] : []),
      ];

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count > MAX_LISTED ? `over ${MAX_LISTED}` : count} ${many}`;

/** The digest of these problems; null if there are none. */
export function readinessText(
  { uncovered, people, standby }: ReadinessProblems,
  zone: string,
): NoticeText | null {
  const teams = new Set(uncovered.map(({ teamName }) => teamName)).size;
  if (teams + people.length === 0 && standby === null) return null;
  const parts = [
    teams > 0 && counted(teams, "team without anybody on call", "teams without anybody on call"),
    people.length > 0 &&
      counted(people.length, "person who cannot be woken", "people who cannot be woken"),
    standby !== null && "a standby that is not known to page",
  ].filter((it) => it !== false);
  const hours = uncovered.map(
    ({ teamName, layer, startAt, endAt }) =>
      `${teamName}, step ${layer}: ${hoursText({ startAt, endAt: endAt ?? END_OF_TIME }, zone)}`,
  );
  const lines = [
    `This account has ${parts.join(", and ")}.`,
    ...listed("Nobody is on call now or within a day:", hours),
    ...listed(
      "Without push, SMS or phone calls:",
      people.map(({ name, reach }) => `${name}: ${REACHES[reach]}`),
    ),
    ...(standby === null ? [] : ["", STANDBY_PROBLEM_TEXTS[standby]]),
    "",
    `Times in ${zone}. The page Readiness of the console shows what is missing.`,
  ];
  return { subject: `Readiness: ${parts.join(", ")}`, text: `${lines.join("\n")}\n` };
}
