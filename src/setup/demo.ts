// Creates the demo data of an empty local database through the API, as a client would. Only the
// accounts and their first keys are inserted directly.
import type { JsonObject } from "../domain/shared/json.ts";

const DAY_MS = 86_400_000;

/** The credentials of a first account. */
export type FirstCredentials = {
  readonly accountId: string;
  readonly apiKey: string;
  readonly accountUserId: string;
  /** Console credentials of the first person; a colleague has the same password. */
  readonly email: string;
  readonly password: string;
  /** A plain member who already exists; otherwise the demo adds one. */
  readonly colleague?: { readonly accountUserId: string; readonly apiKey: string };
};

/** Contents of `.wrangler/demo.json`: how to call the demo, and the ids in it. */
export type Demo = {
  readonly base_url: string;
  /** Key of the admin, who is on call first. */
  readonly api_key: string;
  /** Key of the plain member, who is on call second. */
  readonly member_api_key: string;
  /** Key of an admin of another account. */
  readonly other_account_api_key: string;
  /** The admin and the member. */
  readonly account_user_ids: readonly string[];
  readonly team_id: string;
  readonly schedule_id: string;
  readonly escalation_policy_id: string;
  readonly integration_id: string;
  /** Where its sender posts: its address, a secret. */
  readonly integration_url: string;
  /** Console credentials of the admin; the member has the same password. */
  readonly console_email: string;
  readonly console_password: string;
  readonly member_email: string;
};

/** The first accounts and their people; example.com is reserved. */
export const FIRST_ACCOUNTS = [
  { account: "Lighthouse", person: "Ada Keeper", email: "ada@example.com" },
  { account: "Harbour", person: "Otto Pilot", email: "otto@example.com" },
] as const;

/** The second person on call. */
export const SECOND_PERSON = { person: "Mo Mate", email: "mo@example.com" } as const;

type Write = (path: string, body: JsonObject) => Promise<Record<string, string>>;

/** The calls by which the demo is made. They throw unless the status is 2xx. */
export type DemoCalls = {
  readonly post: Write;
  readonly put: Write;
  /** The id of an integration type. */
  readonly typeNamed: (name: string) => Promise<string>;
};

export function callsWith(baseUrl: string, apiKey: string): DemoCalls {
  const call = async (method: string, path: string, body?: JsonObject) => {
    const response = await fetch(`${baseUrl}/api/v4${path}`, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    post: (path, body) => call("POST", path, body),
    put: (path, body) => call("PUT", path, body),
    typeNamed: async (name) => {
      const { data } = await call("GET", `/integration_types?name=${name}`);
      if (!data?.[0]) throw new Error(`no integration type ${name}`);
      return data[0].id;
    },
  };
}

/** An event that repeats daily, 24 hours a day, from the start of the current UTC day. */
function dailyEvent(
  layer: number,
  accountUserId: string,
  scheduleId: string,
  now: number,
): JsonObject {
  const start = now - (now % DAY_MS);
  return {
    start_datetime: new Date(start).toISOString(),
    end_datetime: new Date(start + DAY_MS).toISOString(),
    time_zone: "UTC",
    layer,
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    schedule_ids: [scheduleId],
    account_user_ids: [accountUserId],
  };
}

/** Layers with short timeouts, so that an alert can be watched escalating. */
const LAYERS = [
  { layer: 1, timeout: 1, timeout_unit: "minutes" },
  { layer: 2, timeout: 2, timeout_unit: "minutes" },
];

/** Creates a team, with both people on call now where `isOnCall`. */
async function createTeam(post: Write, people: readonly string[], isOnCall: boolean, now: number) {
  const policy = await post("/escalation_policies", {
    name: "Watch, then mate",
    escalation_layers_attributes: LAYERS,
  });
  const team = await post("/teams", {
    name: "Lamp Room",
    escalation_policy_id: policy.id,
    member_account_user_ids: people,
    admin_account_user_ids: people.slice(0, 1),
  });
  for (const [index, person] of isOnCall ? people.entries() : []) {
    await post("/events", dailyEvent(index + 1, person, String(team.schedule_id), now));
  }
  return team;
}

/** Adds the second person, with a key created by the admin. */
async function addMate(post: Write): Promise<NonNullable<FirstCredentials["colleague"]>> {
  const { id } = await post("/account_users", {
    user_attributes: {
      name: SECOND_PERSON.person,
      emails_attributes: [{ email: SECOND_PERSON.email }],
    },
  });
  const { key } = await post("/api_keys", { name: "demo", account_user_id: id });
  return { accountUserId: String(id), apiKey: String(key) };
}

/**
 * Creates the demo data.
 *
 * @param isOnCall whether both people are on call by shifts that repeat daily
 * @param now epoch ms
 */
export async function createDemo(
  baseUrl: string,
  first: FirstCredentials,
  other: FirstCredentials,
  isOnCall: boolean,
  now: number,
): Promise<Demo> {
  const { post, typeNamed } = callsWith(baseUrl, first.apiKey);
  const mate = first.colleague ?? (await addMate(post));
  const people = [first.accountUserId, mate.accountUserId];
  const team = await createTeam(post, people, isOnCall, now);
  const integration = await post("/integrations", {
    name: "Foghorn",
    urgency: "high",
    integration_type_id: await typeNamed("webhook"),
    accepts_id: false,
    team_ids: [team.id],
  });
  return {
    base_url: baseUrl,
    api_key: first.apiKey,
    member_api_key: mate.apiKey,
    other_account_api_key: other.apiKey,
    account_user_ids: people,
    team_id: String(team.id),
    schedule_id: String(team.schedule_id),
    escalation_policy_id: String(team.escalation_policy_id),
    integration_id: String(integration.id),
    integration_url: String(integration.url),
    console_email: first.email,
    console_password: first.password,
    member_email: SECOND_PERSON.email,
  };
}

/** The demo at another base URL. */
export function withBaseUrl(demo: Demo, baseUrl: string): Demo {
  const { pathname } = new URL(demo.integration_url);
  return { ...demo, base_url: baseUrl, integration_url: baseUrl + pathname };
}

const RULE = "─".repeat(72);

/**
 * Describes how to try the demo, in a box of at most twelve lines: the console's address, how both
 * people sign in, and the shell command that pages somebody, which can be copied.
 */
export function describeDemo(demo: Demo): string {
  const event =
    `'{"event_type":"create","Id":"demo-'$(date +%s)'",` +
    `"Title":"The lamp is out","Description":"No light since the last watch"}'`;
  return [
    RULE,
    `Tocsin is ready on ${demo.base_url}`,
    "",
    `Sign in as ${demo.console_email} (admin) or ${demo.member_email} (member)`,
    `with the password ${demo.console_password}`,
    "",
    "Page Ada, and a minute later Mo:",
    `curl -X POST '${demo.integration_url}' -H 'Content-Type: application/json' -d ${event}`,
    RULE,
  ].join("\n");
}
