// Examples of conditions, one per operator: shown in the rule reference and run by a test.

/** The input of a condition: an alert, the request that created it, and the time. */
export type Subject = {
  readonly alert?: Readonly<Record<string, unknown>>;
  readonly log?: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly now?: string;
};

export type ConditionExample = {
  /** The operators that it shows. */
  readonly of: readonly string[];
  /** What they do, in one or two sentences of plain text. */
  readonly about: string;
  /** The condition of a rule, as YAML. */
  readonly match: string;
  readonly matches: readonly Subject[];
  readonly misses: readonly Subject[];
};

const titled = (title: string): Subject => ({ alert: { title } });
const urgent = (urgency: string): Subject => ({ alert: { urgency } });
const tagged = (...tags: string[]): Subject => ({ alert: { tags } });
const sent = (data: Readonly<Record<string, unknown>>): Subject => ({ log: { data } });
const at = (now: string): Subject => ({ now });

export const CONDITION_EXAMPLES: readonly ConditionExample[] = [
  {
    of: ["always"],
    about: "Matches every alert. Useful as the last rule.",
    match: "always: true",
    matches: [titled("Disk full"), {}],
    misses: [],
  },
  {
    of: ["$eq"],
    about: "Equal to a value. A value without an operator means the same.",
    match: "alert.urgency: { $eq: critical }",
    matches: [urgent("critical")],
    misses: [urgent("high"), {}],
  },
  {
    of: ["$ne"],
    about: "Not equal to a value. Also matches when there is nothing at the path.",
    match: "alert.urgency: { $ne: low }",
    matches: [urgent("high"), {}],
    misses: [urgent("low")],
  },
  {
    of: ["$in"],
    about: "Equal to one of several values. A list matches when one of its elements does.",
    match: "alert.tags: { $in: [database, storage] }",
    matches: [tagged("database"), tagged("eu", "storage")],
    misses: [tagged("eu"), tagged()],
  },
  {
    of: ["$nin"],
    about: "Equal to none of several values.",
    match: "alert.urgency: { $nin: [low, medium] }",
    matches: [urgent("high")],
    misses: [urgent("low")],
  },
  {
    of: ["$gt"],
    about: "Greater than a number, or a text that sorts after another.",
    match: "log.data.load: { $gt: 90 }",
    matches: [sent({ load: 91 })],
    misses: [sent({ load: 90 }), sent({ load: "95" })],
  },
  {
    of: ["$gte"],
    about: "Greater than or equal to.",
    match: "log.data.load: { $gte: 90 }",
    matches: [sent({ load: 90 })],
    misses: [sent({ load: 89.9 })],
  },
  {
    of: ["$lt"],
    about: "Less than. Several operators on one path must all hold.",
    match: "log.data.load: { $gte: 50, $lt: 90 }",
    matches: [sent({ load: 50 }), sent({ load: 89 })],
    misses: [sent({ load: 90 }), sent({ load: 49 })],
  },
  {
    of: ["$lte"],
    about: "Less than or equal to.",
    match: "log.data.free_percent: { $lte: 5 }",
    matches: [sent({ free_percent: 5 })],
    misses: [sent({ free_percent: 6 })],
  },
  {
    of: ["$exists"],
    about: "Whether there is anything at the path.",
    match: "log.data.runbook: { $exists: true }",
    matches: [sent({ runbook: "https://example.com/runbook" })],
    misses: [sent({})],
  },
  {
    of: ["$all"],
    about: "The list has all of these elements.",
    match: "alert.tags: { $all: [production, database] }",
    matches: [tagged("database", "eu", "production")],
    misses: [tagged("database")],
  },
  {
    of: ["$size"],
    about: "The list has exactly so many elements.",
    match: "log.data.hosts: { $size: 2 }",
    matches: [sent({ hosts: ["db-1", "db-2"] })],
    misses: [sent({ hosts: ["db-1"] })],
  },
  {
    of: ["$type"],
    about: "The value is of a kind: string, number, boolean, array, object, null and more.",
    match: "log.data.value: { $type: number }",
    matches: [sent({ value: 3 })],
    misses: [sent({ value: "3" })],
  },
  {
    of: ["$mod"],
    about: "The number, divided by the first, leaves the second.",
    match: "log.data.shard: { $mod: [4, 1] }",
    matches: [sent({ shard: 1 }), sent({ shard: 9 })],
    misses: [sent({ shard: 2 })],
  },
  {
    of: ["$regex", "$options"],
    about:
      "The text matches a regular expression (RE2: no look-around, no back-references). $options: i ignores case, m lets ^ and $ match at line ends, s lets a dot match line ends.",
    match: "alert.title: { $regex: '^disk .* full$', $options: i }",
    matches: [titled("Disk sda1 is full"), titled("DISK 3 FULL")],
    misses: [titled("The disk is full")],
  },
  {
    of: ["$elemMatch"],
    about: "One element of the list meets the whole condition.",
    match: "log.data.checks: { $elemMatch: { status: failed, level: { $gte: 3 } } }",
    matches: [
      sent({
        checks: [
          { status: "ok", level: 5 },
          { status: "failed", level: 3 },
        ],
      }),
    ],
    misses: [
      sent({
        checks: [
          { status: "ok", level: 5 },
          { status: "failed", level: 1 },
        ],
      }),
    ],
  },
  {
    of: ["$and"],
    about: "All of the conditions hold. Conditions side by side in one map mean the same.",
    match: "$and: [{ alert.urgency: high }, { alert.tags: database }]",
    matches: [{ alert: { urgency: "high", tags: ["database"] } }],
    misses: [{ alert: { urgency: "high", tags: [] } }],
  },
  {
    of: ["$or"],
    about: "At least one of the conditions holds.",
    match: "$or: [{ alert.urgency: critical }, { alert.incident: true }]",
    matches: [urgent("critical"), { alert: { urgency: "low", incident: true } }],
    misses: [urgent("high")],
  },
  {
    of: ["$nor"],
    about: "None of the conditions holds.",
    match: "$nor: [{ alert.tags: test }, { alert.title: { $regex: '^\\[test\\]' } }]",
    matches: [titled("Disk full")],
    misses: [tagged("test"), titled("[test] Disk full")],
  },
  {
    of: ["$not"],
    about: "The condition does not hold.",
    match: "alert.title: { $not: { $regex: recovered } }",
    matches: [titled("Disk full")],
    misses: [titled("Disk recovered")],
  },
  {
    of: ["$timeBetween"],
    about:
      "Between two times of day, both included, in a time zone (UTC without one). A start after the end means overnight. 08:00 am and 08:00 are both read.",
    match: '$timeBetween: { timezone: Europe/Berlin, starttime: "22:00", endtime: "06:59" }',
    matches: [at("2026-01-15T21:00:00Z"), at("2026-01-15T05:59:30Z")],
    misses: [at("2026-01-15T20:59:00Z"), at("2026-01-15T06:00:00Z")],
  },
  {
    of: ["$day"],
    about: "The day of the week in a time zone: Monday is 1, Sunday 7.",
    match: "$day: { timezone: America/New_York, $in: [6, 7] }",
    matches: [at("2026-01-17T12:00:00Z"), at("2026-01-19T04:00:00Z")],
    misses: [at("2026-01-19T12:00:00Z")],
  },
  {
    of: ["$now"],
    about:
      "The present time in a time zone, written in a format (YYYY-MM-DD without one) and compared as text.",
    match: '$now: { timezone: UTC, format: MM-DD, $in: ["12-24", "12-25", "12-26"] }',
    matches: [at("2026-12-25T10:00:00Z")],
    misses: [at("2026-12-27T10:00:00Z")],
  },
];
