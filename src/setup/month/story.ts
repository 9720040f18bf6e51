// What happened in the demo's month: people, teams and alerts of a believable month, drawn from a seed. Pure.
import type { AlertUrgency } from "../../domain/alerts/alert.ts";

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** How far back the month goes (days): four weeks, so that rotations have whole turns. */
export const MONTH_DAYS = 28;

/** The people beside the first two, who are in the first team. */
export const PEOPLE = [
  "Nia Okafor",
  "Łukasz Nowak",
  "Sofia Rossi",
  "Jonas Weber",
  "Priya Raman",
  "Tomáš Novák",
  "Emma Larsen",
  "Kenji Mori",
  "Léa Dubois",
  "Omar Haddad",
] as const;

export type TeamStory = {
  readonly name: string;
  /** Positions among the twelve people: 0 and 1 are the first two. The first is the team's admin. */
  readonly members: readonly number[];
  readonly integration: { readonly name: string; readonly type: string };
  readonly problems: readonly Problem[];
};

type Problem = {
  readonly title: string;
  readonly urgency: AlertUrgency;
  readonly description: string;
  readonly comment?: string;
};

/** The first team exists already, with an integration of its own. */
export const TEAMS: readonly TeamStory[] = [
  {
    name: "Lamp Room",
    members: [0, 1, 2, 3],
    integration: { name: "Foghorn", type: "webhook" },
    problems: [
      {
        title: "The lamp is out",
        urgency: "critical",
        description: "No light since the last watch.",
        comment: "The bulb was loose again. Ordered a new socket.",
      },
      {
        title: "Generator runs on reserve",
        urgency: "high",
        description: "Fuel for less than six hours.",
        comment: "Refuelled at first light.",
      },
      {
        title: "Fog signal missed a beat",
        urgency: "medium",
        description: "One of the last sixty signals was late.",
      },
    ],
  },
  {
    name: "Payments",
    members: [4, 5, 6, 7],
    integration: { name: "Grafana", type: "grafana" },
    problems: [
      {
        title: "Error rate of checkout-api above 5 %",
        urgency: "critical",
        description: "5.8 % of requests to checkout-api failed in the last five minutes.",
        comment: "The new certificate of the bank was not trusted. Rolled back.",
      },
      {
        title: "Card payments slower than 2 s",
        urgency: "high",
        description: "The 95th percentile is 2.7 s.",
        comment: "The provider confirms it. They are on it.",
      },
      {
        title: "Ledger export is late",
        urgency: "medium",
        description: "The nightly export has not ended by 06:00.",
      },
      {
        title: "Refund queue grows",
        urgency: "low",
        description: "412 refunds wait; usual are less than 50.",
      },
    ],
  },
  {
    name: "Platform",
    members: [8, 9, 10, 11],
    integration: { name: "Alertmanager", type: "prometheus" },
    problems: [
      {
        title: "Disk of db-1 is almost full",
        urgency: "high",
        description: "94 % used; full in about four hours.",
        comment: "It is the log volume. Cleared it, and lowered the retention.",
      },
      {
        title: "db-2 does not replicate",
        urgency: "critical",
        description: "The replica is 11 minutes behind.",
        comment: "A long transaction of the report held it up. Ended it.",
      },
      {
        title: "Certificate of static.example.com expires in 7 days",
        urgency: "low",
        description: "It was not renewed by itself.",
      },
      {
        title: "Node k8s-7 is not ready",
        urgency: "medium",
        description: "For five minutes.",
      },
    ],
  },
];

/** The steps of each team's policy. */
export const LAYERS = [
  { layer: 1, timeout: 5, timeout_unit: "minutes" },
  { layer: 2, timeout: 10, timeout_unit: "minutes" },
] as const;

/** Who is on call on a layer in the week of `at` (epoch ms): the line moves on by one each week. */
export function personOnCall(
  team: TeamStory,
  layer: number,
  weekStart: number,
  at: number,
): number {
  const week = Math.floor((at - weekStart) / (7 * DAY_MS));
  const length = team.members.length;
  return team.members[(((week + layer - 1) % length) + length) % length] ?? 0;
}

export type StoryAlert = {
  /** The position of its team. */
  readonly team: number;
  readonly problem: Problem;
  /** When it was created (epoch ms). */
  readonly at: number;
  /** After what time who is on call then acknowledges it (ms); null: nobody does. */
  readonly acknowledgedAfter: number | null;
  /** After what time its sender resolves it (ms). */
  readonly resolvedAfter: number;
};

/** Numbers in [0, 1), always the same (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SEED = 1_810;

/**
 * The alerts of the month before `now` (epoch ms), oldest first: more by day than at night, most answered by whoever
 * is called first, some by the second, a few by nobody.
 */
export function pastAlerts(now: number): readonly StoryAlert[] {
  const next = numbersFrom(SEED);
  const within = (from: number, to: number) => from + next() * (to - from);
  const alerts: StoryAlert[] = [];
  for (let day = MONTH_DAYS; day >= 1; day--) {
    const start = now - day * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(start).getUTCDay());
    for (const [team, { problems }] of TEAMS.entries()) {
      const count = Math.floor(within(0, isWeekend ? 1.6 : 3.2));
      for (let i = 0; i < count; i++) {
        const problem = problems[Math.floor(next() ** 1.3 * problems.length)];
        if (problem === undefined) continue;
        const isByDay = next() < 0.8;
        const hour = isByDay ? within(7, 19) : within(0, 6);
        const midnight = start - (start % DAY_MS);
        const at = Math.min(midnight + Math.round(hour * HOUR_MS), now - 2 * HOUR_MS);
        const fate = next();
        const isShort = fate >= 0.8 && fate < 0.94;
        const answer = fate < 0.62 ? within(0.5, 4.5) : fate < 0.8 ? within(5.5, 14) : null;
        alerts.push({
          ...{ team, problem, at },
          // Nobody: it ends by itself before anybody answers, or after everybody was asked.
          acknowledgedAfter: answer === null ? null : Math.round(answer * MINUTE_MS),
          resolvedAfter: Math.round((isShort ? within(1, 4) : within(18, 95)) * MINUTE_MS),
        });
      }
    }
  }
  return alerts.sort((one, other) => one.at - other.at);
}
