// The cost of a page: one round trip to the database, regardless of its content.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { FORMER_ADDRESSES } from "../../../src/console/former-addresses.ts";
import { pages } from "../../../src/console/pages.ts";
import { accessLink } from "../../../src/features/access/sessions/access-links.ts";
import { forgetSessions } from "../../../src/features/access/sessions/session.ts";
import { chatLink } from "../../../src/features/people/chat-accounts/chat-links.ts";
import { type Browser, newBrowser, signInAdmin } from "../../support/worker/console.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { countTrips, fewestTrips, untilQuiet } from "../../support/worker/round-trips.ts";

const shown = pages.filter(({ method }) => method === "GET");

/** The kind of record that a page's `:id` identifies, by the first segments of its path. */
const KINDS: Readonly<Record<string, keyof Inhabited["ids"]>> = {
  "calendars/absences": "absence_calendar",
  "calendars/holidays": "company_holiday",
  "calendars/imports": "calendar_import",
  alerts: "alert",
  absences: "absence",
  covers: "absence",
  cover_requests: "absence",
  drills: "alert",
  schedules: "schedule",
  events: "event",
  broadcasts: "broadcast",
  escalation_policies: "escalation_policy",
  integrations: "integration",
  maintenance_windows: "maintenance_window",
  notification_rules: "notification_rule",
  people: "account_user",
  routers: "router",
  teams: "team",
};

/** Queries of paths for which a page reads more. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "/broadcasts": ["add=1"],
  "/absences": ["state=past", "add=1&event=EVENT&schedule=SCHEDULE&from=2030-01-06T00:00:00Z"],
  "/calendars": ["region=DE-BY", "view=windows"],
  "/alerts": ["status=all&q=word&urgency=silent&page=2", "team=TEAM"],
  "/choices": ["from=people&q=a", "from=receivers", "from=alerts&q=a"],
  "/schedules/:id/calendar": ["from=2030-01-01T00:00&to=2030-01-08T00:00"],
  "/schedules/:id": ["view=month&zone=Berlin"],
  "/events/:id": [
    "at=2030-01-06T00:00:00Z&schedule=SCHEDULE",
    "change=edit",
    "change=override",
    "change=move",
  ],
  "/readiness": ["view=drills", "view=drills&drill=ALERT"],
  "/search": ["q=word"],
  "/settings": ["test=ALERT", "channel=ntfy"],
  "/reports": [
    "days=84",
    "view=hours&from=2026-01-01&to=2026-12-31&region=GB-ENG&schedule=SCHEDULE",
  ],
  "/reports/hours.csv": ["from=2026-01-01&to=2026-12-31&region=GB-SCT&by=layer"],
};

/** Statuses other than 200: redirects, single sign-on that is not configured, and unknown links. */
const STATUS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.keys(FORMER_ADDRESSES).map((path) => [path, 303])),
  "/sign-in": 303,
  "/sign-in/with": 404,
  "/sign-in/back": 404,
  "/sign-in/link/:token": 404,
  "/forgotten/:token": 404,
  "/verify/:token": 404,
  "/chat/link/:token": 404,
  "/routers/:id/try": 303,
  "/notification_rules/:id/try": 303,
  "/integrations/:id/try": 303,
};

let account: Inhabited;
let browser: Browser;

function addressesOf(path: string): string[] {
  const { ids } = account;
  const [, first = "", second] = path.split("/");
  const kind = KINDS[`${first}/${second}`] ?? KINDS[first];
  const address = path
    .replace("bulk/:id", `bulk/${ids.bulk_operation.prefixId}`)
    .replace(":id", () => (kind ? ids[kind].prefixId : `no kind for ${path}`));
  const queries = (QUERIES[path] ?? []).map((query) =>
    query
      .replace("TEAM", ids.team.prefixId)
      .replace("EVENT", ids.event.prefixId)
      .replace("SCHEDULE", ids.schedule.prefixId)
      .replace("ALERT", ids.alert.prefixId),
  );
  const needsQuery = path.endsWith("/calendar") || path === "/choices";
  return [...(needsQuery ? [] : [address]), ...queries.map((query) => `${address}?${query}`)];
}

/** Loads a page in an isolate that has no cached session of this browser. */
function load(visitor: Browser, address: string, expected = 1) {
  return fewestTrips(expected, () => {
    forgetSessions(() => true);
    return visitor.get(address);
  });
}

beforeAll(async () => {
  account = await makeInhabited("trips");
  await account.api("POST", "/alerts", {
    title: "Still waiting",
    urgency: "high",
    destination_team_ids: [account.ids.team.id],
  });
  browser = await signInAdmin(account);
});

describe("a page takes one round trip to the database", () => {
  test("except the first after sign-in, which reads the session before", async () => {
    await untilQuiet();
    forgetSessions(() => true);
    const { trips, depth } = await countTrips(() => browser.get("/alerts"));
    expect({ trips, depth }).toEqual({ trips: 2, depth: 2 });
  });

  test.each(shown.map(({ path }) => path))("%s", async (path) => {
    for (const address of addressesOf(path)) {
      const { trips, result } = await load(browser, address);
      expect([address, result.status, trips]).toEqual([address, STATUS[path] ?? 200, 1]);
    }
  });

  test("also for an unanswered alert", async () => {
    const { results } = await env.DB.prepare(
      "select prefix_id from alerts where account_id = ? and title = 'Still waiting'",
    )
      .bind(account.accountId)
      .all<{ prefix_id: string }>();
    const { trips, result } = await load(browser, `/alerts/${results[0]?.prefix_id}`);
    expect(result.text).toContain("If nobody acknowledges by");
    expect(trips).toBe(1);
  });

  test("also by a mailed link, except a password reset while signed in, which takes two", async () => {
    const [{ user_id: userId = "", email_id: emailId = "" } = {}] = (
      await env.DB.prepare(
        `select user_id, (select id from user_emails where user_id = account_users.user_id) as email_id
          from account_users where id = ?`,
      )
        .bind(account.accountUserId)
        .all<{ user_id: string; email_id: string }>()
    ).results;
    const linkFor = async (purpose: "address" | "password") => {
      const subject = { userId, emailId, state: [] };
      return new URL((await accessLink(env, purpose, subject, Date.now())) ?? "").pathname;
    };
    expect((await load(browser, await linkFor("address"))).trips).toBe(1);
    const person = { workspaceId: "T0123456789", userId: "U0NEW", name: "new" };
    const chat = { accountId: account.accountId, product: "slack", person } as const;
    const chatPath = new URL((await chatLink(env, chat, Date.now())) ?? "").pathname;
    const { trips, result } = await load(browser, chatPath);
    expect([trips, result.status]).toEqual([1, 200]);
    expect((await load(newBrowser(), await linkFor("password"))).trips).toBe(1);
    expect((await load(browser, await linkFor("password"), 2)).trips).toBe(2);
  });

  test("also in an account with more people than a page of the API", async () => {
    const people = Array.from({ length: 130 }, (_, i) => i);
    await env.DB.batch(
      people.flatMap((i) => {
        const id = `CROWD${String(i).padStart(21, "0")}`;
        return [
          env.DB.prepare(
            `insert into users (id, prefix_id, created_at, updated_at, name) values (?1, 'usr_' || ?1, 1, 1, ?2)`,
          ).bind(id, `Somebody ${i}`),
          env.DB.prepare(
            `insert into account_users (id, prefix_id, created_at, updated_at, account_id, user_id)
              values (?1, 'acu_' || ?1, 1, 1, ?2, ?1)`,
          ).bind(id, account.accountId),
        ];
      }),
    );
    const { trips, result } = await load(browser, "/people?sort=name&direction=desc");
    expect(result.text).toContain("Somebody 129<");
    expect(result.text).not.toContain("Somebody 0<");
    expect(trips).toBe(1);
  });

  test("and none without a session", async () => {
    const { trips, result } = await load(newBrowser(), "/alerts", 0);
    expect(result.to).toBe("/sign-in?to=%2Falerts");
    expect(trips).toBe(0);
  });
});
