// Permissions (contract 1, Roles): calls every route with a key of every role and checks the status against a
// literal table. A route without a row fails.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { routes } from "../../src/routes.ts";
import { type Account, call, type Reply } from "../support/api/api.ts";
import { sampleOf } from "../support/integrations/samples.ts";
import { addColleague, keyOf } from "../support/people/people.ts";
import { openTwilio } from "../support/providers/twilio.ts";
import { type Inhabited, makeInhabited } from "../support/worker/inhabited.ts";

const ROLES = [
  "admin",
  "billing",
  "broadcaster",
  "communicator",
  "member",
  "team_admin",
  "read_only",
] as const;
type Role = (typeof ROLES)[number];

const EVERYONE = ROLES;
const WRITERS = ROLES.filter((role) => role !== "read_only");
const ADMIN: readonly Role[] = ["admin"];
const TEAM_ADMIN: readonly Role[] = ["admin", "team_admin"];
const BROADCASTER: readonly Role[] = ["admin", "broadcaster"];

/**
 * The roles that may call each operation. Operations on users, account users, addresses and phones are called for
 * another person.
 */
const ALLOWED_ROLES: Readonly<Record<string, readonly Role[]>> = {
  listAlerts: EVERYONE,
  getAlert: EVERYONE,
  getDeployment: ["admin", "read_only"],
  startStandbyDrill: ADMIN,
  createAlert: WRITERS,
  updateAlert: WRITERS,
  deleteAlert: ADMIN,
  acknowledgeAlert: WRITERS,
  rejectAlert: WRITERS,
  resolveAlert: WRITERS,
  handOffAlert: WRITERS,
  reopenAlert: WRITERS,
  undoAnswer: WRITERS,
  snoozeAlert: WRITERS,
  escalateAlert: WRITERS,
  requestResponders: WRITERS,
  mergeAlerts: WRITERS,
  previewAlert: WRITERS,
  listAlertWorkflows: EVERYONE,
  listAlertNotifications: EVERYONE,
  getAlertNextSteps: EVERYONE,
  getAlertOverview: EVERYONE,
  getSimilarAlerts: EVERYONE,
  listAlertComments: EVERYONE,
  createAlertComment: WRITERS,
  listAccountUsers: EVERYONE,
  getAccountUser: EVERYONE,
  createAccountUser: ADMIN,
  updateAccountUser: ADMIN,
  deleteAccountUser: ADMIN,
  importAccountUsers: ADMIN,
  inviteAccountUser: ADMIN,
  listApiKeys: WRITERS,
  getApiKey: WRITERS,
  createApiKey: WRITERS,
  revokeApiKey: WRITERS,
  listBroadcasts: EVERYONE,
  getBroadcast: EVERYONE,
  createBroadcast: BROADCASTER,
  updateBroadcast: BROADCASTER,
  deleteBroadcast: BROADCASTER,
  listBroadcastNotifications: EVERYONE,
  listBroadcastComments: EVERYONE,
  createBroadcastComment: WRITERS,
  listBroadcastResponses: EVERYONE,
  createBroadcastResponse: WRITERS,
  listComments: EVERYONE,
  getComment: EVERYONE,
  createComment: WRITERS,
  listCommentComments: EVERYONE,
  createCommentComment: WRITERS,
  listEscalationPolicies: EVERYONE,
  getEscalationPolicy: EVERYONE,
  createEscalationPolicy: ADMIN,
  updateEscalationPolicy: TEAM_ADMIN,
  deleteEscalationPolicy: ADMIN,
  listAbsences: EVERYONE,
  getAbsence: EVERYONE,
  listAbsenceNotifications: EVERYONE,
  createAbsence: TEAM_ADMIN,
  updateAbsence: TEAM_ADMIN,
  deleteAbsence: TEAM_ADMIN,
  acceptAbsence: WRITERS,
  declineAbsence: WRITERS,
  cancelAbsence: TEAM_ADMIN,
  listEvents: EVERYONE,
  getEvent: EVERYONE,
  getEventOccurrence: EVERYONE,
  listTimeZones: EVERYONE,
  listHolidays: EVERYONE,
  listHolidayRegions: EVERYONE,
  createEvent: TEAM_ADMIN,
  updateEvent: TEAM_ADMIN,
  deleteEvent: TEAM_ADMIN,
  overrideEvent: TEAM_ADMIN,
  addEventException: TEAM_ADMIN,
  terminateEvent: TEAM_ADMIN,
  changeFollowingEvents: TEAM_ADMIN,
  previewFollowingEvents: TEAM_ADMIN,
  moveEventPart: TEAM_ADMIN,
  removeEventPart: TEAM_ADMIN,
  takeOverShift: TEAM_ADMIN,
  createScheduleFeed: WRITERS,
  createTeamFeed: WRITERS,
  createAccountUserFeed: WRITERS,
  listAbsenceCalendars: EVERYONE,
  getAbsenceCalendar: EVERYONE,
  createAbsenceCalendar: ADMIN,
  updateAbsenceCalendar: WRITERS,
  refreshAbsenceCalendar: WRITERS,
  deleteAbsenceCalendar: WRITERS,
  listCompanyHolidays: EVERYONE,
  getCompanyHoliday: EVERYONE,
  createCompanyHoliday: ADMIN,
  updateCompanyHoliday: ADMIN,
  deleteCompanyHoliday: ADMIN,
  listCalendarImports: EVERYONE,
  getCalendarImport: EVERYONE,
  createCalendarImport: TEAM_ADMIN,
  updateCalendarImport: TEAM_ADMIN,
  refreshCalendarImport: TEAM_ADMIN,
  deleteCalendarImport: TEAM_ADMIN,
  getScheduleConflicts: EVERYONE,
  listFeeds: EVERYONE,
  getFeed: EVERYONE,
  revokeFeed: WRITERS,
  getScheduleCoverage: EVERYONE,
  listScheduleChanges: EVERYONE,
  getScheduleChange: EVERYONE,
  undoScheduleChange: TEAM_ADMIN,
  reportAlerts: EVERYONE,
  reportPeople: EVERYONE,
  reportOnCallHours: EVERYONE,
  exportOnCallHours: EVERYONE,
  exportConfiguration: ["admin", "read_only"],
  importConfiguration: ADMIN,
  listNotificationRules: EVERYONE,
  getNotificationRule: EVERYONE,
  createNotificationRule: ADMIN,
  updateNotificationRule: ADMIN,
  deleteNotificationRule: ADMIN,
  listRouters: EVERYONE,
  getRouter: EVERYONE,
  createRouter: ADMIN,
  updateRouter: ADMIN,
  deleteRouter: ADMIN,
  replayRouter: ADMIN,
  listIntegrations: EVERYONE,
  getIntegration: EVERYONE,
  createIntegration: ADMIN,
  updateIntegration: ADMIN,
  deleteIntegration: ADMIN,
  previewIntegration: ADMIN,
  replayIntegration: ADMIN,
  testIntegration: ADMIN,
  rotateIntegrationCredential: ADMIN,
  listIntegrationDeliveries: EVERYONE,
  makeSigningSecret: ADMIN,
  listDeliveries: EVERYONE,
  getDelivery: EVERYONE,
  retryDelivery: ADMIN,
  listIntegrationTypes: EVERYONE,
  getIntegrationType: EVERYONE,
  listLogs: EVERYONE,
  getLog: EVERYONE,
  listMaintenanceWindows: EVERYONE,
  getMaintenanceWindow: EVERYONE,
  createMaintenanceWindow: ADMIN,
  updateMaintenanceWindow: ADMIN,
  deleteMaintenanceWindow: ADMIN,
  confirmPhone: ADMIN,
  sendPhoneCode: ADMIN,
  sendEmailLink: ADMIN,
  getContactCard: EVERYONE,
  getPushKey: EVERYONE,
  listChannelAddresses: EVERYONE,
  getChannelAddress: EVERYONE,
  createChannelAddress: WRITERS,
  deleteChannelAddress: WRITERS,
  sendChannelAddressCode: WRITERS,
  confirmChannelAddress: WRITERS,
  listChatAccounts: EVERYONE,
  getChatAccount: EVERYONE,
  deleteChatAccount: WRITERS,
  listPushSubscriptions: EVERYONE,
  getPushSubscription: EVERYONE,
  createPushSubscription: WRITERS,
  deletePushSubscription: WRITERS,
  listSchedules: EVERYONE,
  getSchedule: EVERYONE,
  createSchedule: ADMIN,
  updateSchedule: TEAM_ADMIN,
  deleteSchedule: ADMIN,
  flushSchedule: TEAM_ADMIN,
  getScheduleCurrentOncall: EVERYONE,
  listScheduleWindowEvents: EVERYONE,
  listAccountUserWindowEvents: EVERYONE,
  getTeamsOnCall: EVERYONE,
  getUncoveredTeams: EVERYONE,
  listBulkOperations: EVERYONE,
  getBulkOperation: EVERYONE,
  createBulkOperation: WRITERS,
  listSavedFilters: EVERYONE,
  getSavedFilter: EVERYONE,
  createSavedFilter: WRITERS,
  updateSavedFilter: WRITERS,
  deleteSavedFilter: WRITERS,
  listDrills: EVERYONE,
  getDrill: EVERYONE,
  createDrill: TEAM_ADMIN,
  createTestPage: WRITERS,
  getReadiness: EVERYONE,
  updateReadiness: ADMIN,
  listReadinessPeople: EVERYONE,
  listScheduleEvents: EVERYONE,
  listTeams: EVERYONE,
  getTeam: EVERYONE,
  createTeam: ADMIN,
  updateTeam: TEAM_ADMIN,
  deleteTeam: ADMIN,
  getTeamCurrentOncall: EVERYONE,
  listTeamAlerts: EVERYONE,
  listTeamScheduledAccountUsers: EVERYONE,
  listUsers: EVERYONE,
  getUser: EVERYONE,
  createUser: ADMIN,
  updateUser: ADMIN,
  deleteUser: WRITERS,
};

const UNKNOWN_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

let world: Inhabited;
let keys: Record<Role, Account["api"]>;
/** The owners of the keys, except the first admin. */
const people = new Map<Role, { id: string; userId: string }>();
let pendingKey: Account["api"];
/** The schedule of another team with the same admins: flushing `world`'s would delete the event of later calls. */
let spareScheduleId: string;

async function makeKeys(): Promise<Record<Role, Account["api"]>> {
  const made = { admin: world.api } as Record<Role, Account["api"]>;
  for (const role of ["billing", "broadcaster", "communicator", "member", "team_admin"] as const) {
    const roles = role === "member" || role === "team_admin" ? {} : { [role]: true };
    const colleague = await addColleague(world, `Some ${role}`, roles);
    people.set(role, colleague);
    made[role] = colleague.api;
  }
  const teamAdmin = people.get("team_admin")?.id as string;
  const team = { admin_account_user_ids: [world.accountUserId, teamAdmin] };
  await world.api("PUT", `/teams/${world.ids.team.id}`, team);
  const spare = { ...sampleOf("createTeam").body?.(world), ...team };
  spareScheduleId = (await world.api("POST", "/teams", spare)).body.schedule_id;
  return { ...made, read_only: await keyOf(world.accountId, world.accountUserId, true) };
}

afterAll(() => {
  vi.restoreAllMocks();
});

beforeAll(async () => {
  openTwilio();
  world = await makeInhabited("roles");
  // Sends no code, since it is confirmed already.
  await env.DB.prepare("update channel_addresses set confirmed_at = created_at where id = ?")
    .bind(world.ids.channel_address.id)
    .run();
  keys = await makeKeys();
  const pending = await addColleague(world, "Some Pending");
  pendingKey = pending.api;
  await env.DB.prepare(
    `update account_users set state = 'pending', invited_name = 'Some Pending',
      invited_email = 'some.pending@example.com' where id = ?`,
  )
    .bind(pending.id)
    .run();
});

/** Like the event of the world. */
const DAILY = {
  start_datetime: "2020-01-06T00:00:00Z",
  end_datetime: "2020-01-07T00:00:00Z",
  ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
};

/**
 * Deletes by team admins, and changes that can be made only once, need a record of their own: its list's
 * path, the operation that makes one, and what differs from its sample.
 */
const CREATED_FIRST: Readonly<Record<string, readonly [string, string, object?]>> = {
  deleteEvent: ["/events", "createEvent"],
  changeFollowingEvents: ["/events", "createEvent", DAILY],
  takeOverShift: ["/events", "createEvent", DAILY],
  deleteAbsence: ["/absences", "createAbsence"],
  deleteCalendarImport: ["/calendar_imports", "createCalendarImport"],
};

/** The id in a route's path. Some get a new record; any other delete an unknown id, since later calls need the others. */
async function targetOf(operation: string): Promise<string> {
  const { of } = sampleOf(operation);
  const [path, create, different] = CREATED_FIRST[operation] ?? [];
  if (path !== undefined && create !== undefined) {
    const sample: object = sampleOf(create).body?.(world) ?? {};
    const made = await world.api("POST", path, { ...sample, ...different });
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  }
  if (operation === "flushSchedule") return spareScheduleId;
  if (of === undefined || /^(delete|revoke)/.test(operation)) return UNKNOWN_ID;
  return world.ids[of].id;
}

async function attempt(
  route: (typeof routes)[number],
  api: Account["api"] | null,
): Promise<Reply & { path: string }> {
  const sample = sampleOf(route.operation);
  const id = await targetOf(route.operation);
  const path = `${route.path.replace(":id", id)}${sample.query ? `?${sample.query}` : ""}`;
  const body = sample.body?.(world);
  const reply = api
    ? await api(route.method, path, body)
    : await call(route.method, `/api/v4${path}`, { body });
  return { ...reply, path };
}

/** Without PATCH routes, which have the permissions of their PUT routes. */
const distinct = routes.filter(({ method }) => method !== "PATCH");

test("PATCH has the operation, permissions and body of PUT", () => {
  const patches = routes.filter(({ method }) => method === "PATCH");
  expect(patches.length).toBeGreaterThan(10);
  for (const patch of patches) {
    const put = routes.find(({ method, path }) => method === "PUT" && path === patch.path);
    for (const name of ["operation", "allow", "administers", "body"] as const) {
      expect(patch[name] === put?.[name], `${patch.path} ${name}`).toBe(true);
    }
  }
});

describe("allows a call only with a permitted role", () => {
  test.each(distinct.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s",
    async (_, route) => {
      expect(ALLOWED_ROLES, route.operation).toHaveProperty(route.operation);
      await Promise.all(ROLES.map((role) => tryAs(route, role)));
      expect((await attempt(route, pendingKey)).status).toBe(401);
      const unauthenticated = await attempt(route, null);
      expect(unauthenticated.status).toBe(401);
      expect(unauthenticated.headers.get("www-authenticate")).toBe("Bearer");
    },
  );
});

async function tryAs(route: (typeof routes)[number], role: Role): Promise<void> {
  const reply = await attempt(route, keys[role]);
  const why = `${role} at ${reply.path}: ${reply.text}`;
  if (!ALLOWED_ROLES[route.operation]?.includes(role)) {
    expect(reply.status, why).toBe(403);
    expect(reply.body.code).toBe(403);
    return;
  }
  expect([200, 201, 204, 403, 404, 405, 409], why).toContain(reply.status);
  if (reply.status === 403) expect(isForRecipientsOnly(route.operation), why).toBe(true);
}

/** Only who is asked may answer a broadcast or an absence, whatever their role. */
const isForRecipientsOnly = (operation: string) =>
  ["createBroadcastResponse", "acceptAbsence", "declineAbsence"].includes(operation);

describe("permissions beyond roles", () => {
  test.each(["billing", "member"] as const)(
    "a %s may change their own name, not their roles or teams",
    async (role) => {
      const person = people.get(role) as { id: string; userId: string };
      const api = keys[role];
      expect((await api("PUT", `/users/${person.userId}`, { name: "New Name" })).status).toBe(200);
      const mine = `/account_users/${person.id}`;
      expect((await api("PUT", mine, { user_attributes: { name: "New Name" } })).status).toBe(200);
      expect((await api("PUT", mine, { roles: { admin: true } })).status).toBe(403);
      expect((await api("PUT", mine, { team_ids: [world.ids.team.id] })).status).toBe(403);
      expect((await world.api("GET", mine)).body.roles.admin).toBe(false);
    },
  );

  test("only an admin may read, create and revoke keys of other people", async () => {
    const { api } = world;
    const mine = (await keys.member("POST", "/api_keys", { name: "mine" })).body;
    expect((await keys.billing("GET", `/api_keys/${mine.id}`)).status).toBe(404);
    expect((await keys.billing("DELETE", `/api_keys/${mine.id}`)).status).toBe(404);
    const other = { account_user_id: people.get("member")?.id };
    expect((await keys.billing("POST", "/api_keys", other)).status).toBe(403);
    expect((await api("POST", "/api_keys", other)).status).toBe(201);
    expect((await api("DELETE", `/api_keys/${mine.id}`)).status).toBe(204);
  });

  test("a team admin may change only records of their team", async () => {
    const { api, accountUserId } = world;
    const people = { member_account_user_ids: [accountUserId] };
    const body = { name: "Other", ...people, admin_account_user_ids: [accountUserId] };
    const other = (await api("POST", "/teams", body)).body;
    for (const path of [
      `/teams/${other.id}`,
      `/schedules/${other.schedule_id}`,
      `/escalation_policies/${other.escalation_policy_id}`,
    ]) {
      expect((await keys.team_admin("PUT", path, { name: "Mine" })).status, path).toBe(403);
      expect((await api("GET", path)).body.name).not.toBe("Mine");
    }
    const shift = { ...sampleOf("createEvent").body?.(world), schedule_ids: [other.schedule_id] };
    expect((await keys.team_admin("POST", "/events", shift)).status).toBe(403);
  });

  test.each(["id", "prefixId", "lower case"])(
    "a team admin may change records by every form of the id: %s",
    async (form) => {
      for (const [path, pair] of [
        ["/teams", world.ids.team],
        ["/schedules", world.ids.schedule],
        ["/escalation_policies", world.ids.escalation_policy],
        ["/events", world.ids.event],
      ] as const) {
        const id = form === "prefixId" ? pair.prefixId : pair.id;
        const written = form === "lower case" ? id.toLowerCase() : id;
        const reply = await keys.team_admin("PUT", `${path}/${written}`, { meta: { by: form } });
        expect(reply.status, `${path} ${reply.text}`).toBe(200);
      }
    },
  );
});
