// The demonstration that an empty local database begins with, made the way a client would make it: through the
// API. Only the two accounts' first keys come from elsewhere.

const DAY_MS = 86_400_000;

/** What a first account gives to begin with. */
export type Beginning = {
  readonly apiKey: string;
  readonly accountUserId: string;
  /** What the first person signs in to the console with. */
  readonly email: string;
  readonly password: string;
  /** A plain member from the beginning; without one the demonstration adds one. */
  readonly colleague?: { readonly accountUserId: string; readonly apiKey: string };
};

/** What `.wrangler/demo.json` holds: how to call the demonstration, and what is in it. */
export type Demo = {
  readonly base_url: string;
  /** An admin's, who is on call first. */
  readonly api_key: string;
  /** A plain member's, who is on call second. */
  readonly member_api_key: string;
  /** An admin's of another account. */
  readonly other_account_api_key: string;
  /** The admin and the member. */
  readonly account_user_ids: readonly string[];
  readonly team_id: string;
  readonly schedule_id: string;
  readonly escalation_policy_id: string;
  readonly integration_url: string;
  /** Who signs in to the console as the admin, and by what password. */
  readonly console_email: string;
  readonly console_password: string;
};

/** The first accounts' names and people; example.com is nobody's. */
export const FIRST_ACCOUNTS = [
  { account: "Lighthouse", person: "Ada Keeper", email: "ada@example.com" },
  { account: "Harbour", person: "Otto Pilot", email: "otto@example.com" },
] as const;

/** Who is on call second. */
export const MATE = { person: "Mo Mate", email: "mo@example.com" } as const;

type Body = Readonly<Record<string, unknown>>;
type Post = (path: string, body: Body) => Promise<Record<string, string>>;

/** Posts as the bearer of a key; anything but 2xx throws with the answer's text. */
function poster(baseUrl: string, apiKey: string): Post {
  return async (path, body) => {
    const response = await fetch(`${baseUrl}/api/v4${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}

/** The same person every day, all day, from the start of the present UTC day. */
function allDay(layer: number, accountUserId: string, scheduleId: string, now: number): Body {
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

/** The layers: short enough to watch an alert climb them. */
const LAYERS = [
  { layer: 1, timeout: 1, timeout_unit: "minutes" },
  { layer: 2, timeout: 2, timeout_unit: "minutes" },
];

/** A team whose policy has both people on call now; answers with the team. */
async function makeTeam(post: Post, people: readonly string[], now: number) {
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
  for (const [index, person] of people.entries()) {
    await post("/events", allDay(index + 1, person, String(team.schedule_id), now));
  }
  return team;
}

/** Adds the second person; their key is one that the admin has made. */
async function addMate(post: Post): Promise<NonNullable<Beginning["colleague"]>> {
  const { id } = await post("/account_users", {
    user_attributes: { name: MATE.person, emails_attributes: [{ email: MATE.email }] },
  });
  const { key } = await post("/api_keys", { name: "demo", account_user_id: id });
  return { accountUserId: String(id), apiKey: String(key) };
}

/** The identifier of the integration type `webhook`. */
async function webhookType(baseUrl: string, apiKey: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v4/integration_types?name=webhook`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const { data } = (await response.json()) as { data?: readonly { id: string }[] };
  const [type] = data ?? [];
  if (!type) throw new Error(`no integration type webhook: ${response.status}`);
  return type.id;
}

/**
 * Makes the demonstration.
 *
 * @param now epoch ms
 */
export async function makeDemo(
  baseUrl: string,
  first: Beginning,
  other: Beginning,
  now: number,
): Promise<Demo> {
  const post = poster(baseUrl, first.apiKey);
  const mate = first.colleague ?? (await addMate(post));
  const people = [first.accountUserId, mate.accountUserId];
  const team = await makeTeam(post, people, now);
  const integration = await post("/integrations", {
    name: "Foghorn",
    urgency: "high",
    integration_type_id: await webhookType(baseUrl, first.apiKey),
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
    integration_url: `${baseUrl}/integration/${integration.id}`,
    console_email: first.email,
    console_password: first.password,
  };
}

/** The same demonstration at another address. */
export function movedTo(demo: Demo, baseUrl: string): Demo {
  const { pathname } = new URL(demo.integration_url);
  return { ...demo, base_url: baseUrl, integration_url: baseUrl + pathname };
}

/** Where the console is and who signs in; two lines for a shell: one that pages somebody, one that shows whom the newest alert has reached. */
export function invitation(demo: Demo): string {
  const { base_url, api_key, integration_url } = demo;
  const authorization = `-H 'Authorization: Bearer ${api_key}'`;
  const newest =
    `$(curl -s ${authorization} '${base_url}/api/v4/alerts?limit=1'` +
    ` | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)`;
  const event =
    `'{"event_type":"create","Id":"demo-'$(date +%s)'",` +
    `"Title":"The lamp is out","Description":"No light since the last watch"}'`;
  return [
    `The console: ${base_url}/ (sign in as ${demo.console_email}, ${demo.console_password})`,
    "Page somebody:",
    `  curl -s -X POST '${integration_url}' -H 'Content-Type: application/json' -d ${event}`,
    "See whom the newest alert has reached:",
    `  curl -s ${authorization} "${base_url}/api/v4/alerts/${newest}/notifications"`,
  ].join("\n");
}
