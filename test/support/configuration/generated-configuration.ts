// Generates the configurations of accounts: every kind of record that a file contains, with
// references between them, texts that YAML must quote, and comments in rules.
import fc from "fast-check";

const text = fc.oneof(
  fc.constantFrom(
    "Payments",
    "# no comment",
    "yes",
    "1.0",
    "- item",
    "a: b",
    "Zürich №5",
    "'q\"",
    "null",
  ),
  fc.string({ minLength: 1, maxLength: 30 }).filter((it) => it.trim() !== ""),
);
const key = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,12}$/);
const keys = (most: number) => fc.uniqueArray(key, { maxLength: most });
const meta = fc.dictionary(fc.constantFrom("region", "cost", "a b"), fc.oneof(text, fc.integer()), {
  maxKeys: 2,
  noNullPrototype: true,
});
const audience = fc.constantFrom(
  "none",
  "team_all",
  "team_admins",
  "oncall_rotation",
  "specific_users",
);

const RULES =
  "# quiet at night\nrules:\n  - match: { always: true }\n    actions: [{ type: ignore }] # for now\n";

const rulesTo = (receivers: readonly string[]) =>
  `rules:\n  - match: { alert.urgency: low } # low only\n    actions:\n      - type: assign\n        receiver: [${receivers.map((it, i) => (i % 2 === 0 ? it : `"${it}"`)).join(", ")}]\n`;

type Names = {
  readonly people: readonly string[];
  readonly rules: readonly string[];
  readonly schedules: readonly string[];
  readonly policies: readonly string[];
  readonly teams: readonly string[];
  readonly routers: readonly string[];
  readonly holidays: readonly string[];
  readonly calendars: readonly string[];
  readonly integrations: readonly string[];
  readonly windows: readonly string[];
};

const sorted = (names: readonly string[]) => names.toSorted((a, b) => (a < b ? -1 : 1));

const names: fc.Arbitrary<Names> = fc
  .record({
    people: fc.uniqueArray(key, { minLength: 1, maxLength: 4 }),
    rules: keys(2),
    schedules: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }),
    policies: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }),
    teams: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }),
    routers: keys(3),
    holidays: keys(2),
    calendars: keys(2),
    integrations: keys(3),
    windows: keys(2),
  })
  .map(({ people, ...rest }) => ({
    people: sorted(people.map((it) => `p${it}x@example.com`.replaceAll(/\.+@/g, "@"))),
    rules: sorted(rest.rules),
    schedules: sorted(rest.schedules),
    policies: sorted(rest.policies),
    teams: sorted(rest.teams),
    routers: sorted(rest.routers),
    holidays: sorted(rest.holidays),
    calendars: sorted(rest.calendars),
    integrations: sorted(rest.integrations),
    windows: rest.integrations.length > 0 ? sorted(rest.windows) : [],
  }));

const each = (all: readonly string[], make: (name: string, at: number) => fc.Arbitrary<object>) =>
  fc.tuple(...all.map(make));

const withMeta = (made: fc.Arbitrary<object>) =>
  fc
    .tuple(made, meta)
    .map(([it, hash]) => (Object.keys(hash).length > 0 ? { ...it, meta: hash } : it));

const named = (keyed: string, fields: Record<string, fc.Arbitrary<unknown>>) =>
  withMeta(fc.record({ key: fc.constant(keyed), name: text, ...fields }));

const some = (all: readonly string[], least = 0): fc.Arbitrary<readonly string[]> =>
  all.length === 0
    ? fc.constant([])
    : fc.uniqueArray(fc.constantFrom(...all), { minLength: least, maxLength: all.length });

const layers = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }).chain((numbers) =>
  fc.tuple(
    ...numbers
      .toSorted((a, b) => a - b)
      .map((layer) =>
        fc.record({
          layer: fc.constant(layer),
          timeout: fc.integer({ min: 1, max: 90 }),
          timeout_unit: fc.constantFrom("seconds", "minutes", "hours"),
          color_hex: fc.constantFrom(null, "#1e90ff"),
        }),
      ),
  ),
);

const person = (email: string, { rules }: Names) =>
  fc.record({
    email: fc.constant(email),
    name: text,
    time_zone: fc.constantFrom("London", "Tokyo"),
    roles: fc.subarray(["admin", "billing", "broadcaster", "communicator"]),
    notification_rule: fc.constantFrom(null, ...rules),
  });

const team = (keyed: string, { people, schedules, policies }: Names) =>
  named(keyed, {
    notes: fc.oneof(fc.constant(null), text),
    schedule: fc.constantFrom(...schedules),
    escalation_policy: fc.constantFrom(...policies),
    members: some(people, 1),
    admins: some(people, 1),
    drop_notification_people: some(people),
    handoff_notification_people: some(people),
    gap_notification_people: some(people),
    drop_notifications: audience,
    handoff_notifications: audience,
    gap_notifications: audience,
    attachments: fc.constantFrom([], [{ filename: "run.pdf", url: "https://example.com/run.pdf" }]),
  });

const router = (keyed: string, at: number, { people, teams, routers }: Names) => {
  const all = [
    ...people.map((it) => `person:${it}`),
    ...teams.map((it) => `team:${it}`),
    // Only to later ones: a loop is refused.
    ...routers.slice(at + 1).map((it) => `router:${it}`),
  ];
  return named(keyed, {
    enabled: fc.boolean(),
    rules: fc.oneof(fc.constant(""), fc.constant(RULES), some(all, 1).map(rulesTo)),
    default_receiver: fc.constantFrom(...all),
  });
};

const calendar = (keyed: string, { people }: Names) =>
  withMeta(
    fc
      .record({
        key: fc.constant(keyed),
        person: fc.constantFrom(...people),
        name: text,
        region: fc.constantFrom(null, "DE-BY", "GB"),
      })
      .chain((it) =>
        fc.record({
          ...Object.fromEntries(
            Object.entries(it).map(([name, value]) => [name, fc.constant(value)]),
          ),
          company_holidays: it.region === null ? fc.constant(true) : fc.boolean(),
        }),
      ),
  );

const integration = (keyed: string, { people, teams, routers }: Names) =>
  named(keyed, {
    type: fc.constantFrom("webhook", "grafana"),
    enabled: fc.boolean(),
    urgency: fc.constantFrom("low", "medium", "high", "critical"),
    accepts_id: fc.boolean(),
    accepts_get: fc.boolean(),
    options: fc.constantFrom({}, { pause_for: 5 }, { reopen_within: 30 }),
    teams: some(teams, 1),
    routers: some(routers),
    people: some(people),
  });

const window = (keyed: string, { integrations }: Names) =>
  named(keyed, {
    description: fc.oneof(fc.constant(null), text),
    start_datetime: fc.constantFrom("2031-06-12T10:00:00.000Z", "2020-06-12T10:00:00.000Z"),
    end_datetime: fc.constant("2031-06-13T10:00:00.000Z"),
    time_zone: fc.constantFrom("London", "Tokyo"),
    integrations: some(integrations, 1).map(sorted),
  });

/** A whole configuration, as a file contains it, in the order and form of an export. */
export const configurations: fc.Arbitrary<Readonly<Record<string, unknown>>> = names.chain((it) =>
  fc.record({
    tocsin: fc.constant(1),
    notification_rules: each(it.rules, (name) =>
      named(name, { enabled: fc.boolean(), rules: fc.constantFrom("", RULES) }),
    ),
    people: each(it.people, (email) => person(email, it)),
    schedules: each(it.schedules, (name) => named(name, {})),
    escalation_policies: each(it.policies, (name) =>
      named(name, {
        repeat: fc.integer({ min: 0, max: 3 }),
        layers,
        reassign_teams: some(it.teams),
        reassign_people: some(it.people),
      }),
    ),
    teams: each(it.teams, (name) => team(name, it)),
    company_holidays: each(it.holidays, (name) =>
      named(name, {
        start_date: fc.constant("2031-06-12"),
        end_date: fc.constantFrom("2031-06-12", "2031-06-14"),
        repeats_yearly: fc.boolean(),
      }),
    ),
    absence_calendars: each(it.calendars, (name) => calendar(name, it)),
    routers: each(it.routers, (name, at) => router(name, at, it)),
    integrations: each(it.integrations, (name) => integration(name, it)),
    maintenance_windows: each(it.windows, (name) => window(name, it)),
  }),
);
