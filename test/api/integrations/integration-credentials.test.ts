// Who sees an integration's URL and intake key, and how they are rotated: with either, a sender can create and resolve
// alerts.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { integrationTypes } from "../../../src/products/registry.ts";
import { routes } from "../../../src/routes.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { addColleague, keyOf } from "../../support/people/people.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import {
  failDatabase,
  inboxStub,
  rewriteConfiguration,
  rowsOf,
  soon,
} from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

const CREDENTIALS = ["url", "intake_key"] as const;

type Api = Account["api"];

let account: Account;
let integration: { id: string; prefix_id: string; url: string; intake_key: string };
const apis = {} as Record<"admin" | "readOnlyAdmin" | "teamAdmin" | "otherAdmin" | "member", Api>;

async function makeTeamOf(adminId: string): Promise<string> {
  const people = { member_account_user_ids: [adminId], admin_account_user_ids: [adminId] };
  return (await account.api("POST", "/teams", { name: "Team", ...people })).body.id;
}

async function makeIntegration(more: Record<string, unknown> = {}) {
  const reply = await account.api("POST", "/integrations", {
    ...{ name: "Monitoring", urgency: "low", integration_type_id: "webhook" },
    account_user_ids: [account.accountUserId],
    ...more,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

beforeAll(async () => {
  account = await makeAccount();
  const [ours, theirs] = [await addColleague(account, "Pat"), await addColleague(account, "Olga")];
  apis.admin = account.api;
  apis.readOnlyAdmin = await keyOf(account.accountId, account.accountUserId, true);
  apis.teamAdmin = ours.api;
  apis.otherAdmin = theirs.api;
  apis.member = (await addColleague(account, "Mo")).api;
  const team = await makeTeamOf(ours.id);
  await makeTeamOf(theirs.id);
  integration = await makeIntegration({ team_ids: [team] });
});

describe("the URL and the intake key", () => {
  const seenBy = async (api: Api) => {
    const one = (await api("GET", `/integrations/${integration.id}`)).body;
    const [listed] = (await api("GET", `/integrations?name=Monitoring`)).body.data;
    for (const name of CREDENTIALS) expect(listed[name]).toEqual(one[name]);
    return CREDENTIALS.filter((name) => Object.hasOwn(one, name));
  };

  test.each([
    ["admin", CREDENTIALS],
    ["teamAdmin", CREDENTIALS],
    ["otherAdmin", []],
    ["member", []],
    ["readOnlyAdmin", []],
  ] as const)("%s sees %j", async (who, seen) => {
    expect(await seenBy(apis[who])).toEqual(seen);
  });

  test("a team admin sees only those of the team's integrations in a list", async () => {
    const other = await makeIntegration({ name: "Elsewhere" });
    const { data } = (await apis.teamAdmin("GET", "/integrations")).body;
    const seen = data.filter((it: { url?: string }) => it.url !== undefined);
    expect(seen.map(({ id }: { id: string }) => id)).toEqual([integration.id]);
    expect(data.map(({ id }: { id: string }) => id)).toContain(other.id);
  });

  test.each(CREDENTIALS)("nobody can filter or sort by %s", async (name) => {
    const queries = [`${name}=x`, `ops[${name}]=beginsWith&${name}=a`, `sort=${name}`];
    for (const api of [apis.admin, apis.member, apis.readOnlyAdmin]) {
      for (const query of queries) {
        expect((await api("GET", `/integrations?${query}`)).status, query).toBe(422);
      }
    }
  });
});

test("an integration's page shows its intake key to an admin", async () => {
  const page = await (await signInAdmin(account)).get(`/integrations/${integration.prefix_id}`);
  expect(page.text).toContain(integration.intake_key);
});

describe("read operations", () => {
  let world: Inhabited;
  let others: Api[];

  beforeAll(async () => {
    world = await makeInhabited("credentials");
    const member = await addColleague(world, "Mo");
    others = [member.api, await keyOf(world.accountId, world.accountUserId, true)];
  });

  const reads = routes.filter(({ method }) => method === "GET");
  test.each(reads.map((route) => [route.path, route] as const))(
    "%s does not show the intake key to a member or a read-only key",
    async (_, route) => {
      const path = `/integrations/${world.ids.integration.id}`;
      const { intake_key } = (await world.api("GET", path)).body;
      expect(intake_key).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
      const { of, query } = sampleOf(route.operation);
      const target = `${route.path.replace(":id", of ? world.ids[of].id : "")}?${query ?? ""}`;
      for (const api of others) {
        const { status, text } = await api("GET", target);
        expect([200, 403, 404], `${target}: ${text}`).toContain(status);
        expect(text).not.toContain(intake_key);
      }
    },
  );
});

describe("the URL that an outgoing webhook posts to", () => {
  const webhookUrl = "https://hooks.example.com/T0/s3cret";
  const outgoing = integrationTypes.filter((type) => type.outgoing !== undefined);

  test.each(
    outgoing.flatMap(({ name, options }) =>
      options.filter(({ key }) => key === "webhook_url").map(() => [name] as const),
    ),
  )("%s: only admins can read it, and an update with the mask keeps it", async (type) => {
    const made = await makeIntegration({
      integration_type_id: type,
      option_webhook_url: webhookUrl,
    });
    const path = `/integrations/${made.id}`;
    for (const who of ["member", "teamAdmin", "readOnlyAdmin"] as const) {
      const { text, body } = await apis[who]("GET", path);
      expect(text).not.toContain("s3cret");
      expect(body.options.webhook_url).toBe("***");
      expect((await apis[who]("GET", "/integrations")).text).not.toContain("s3cret");
    }
    const stored = async () => {
      const query = "select options, secrets from integrations where id = ?";
      const row = await env.DB.prepare(query).bind(made.id).first();
      const { options, secrets } = row as { options: string; secrets: string };
      return { ...JSON.parse(secrets), ...JSON.parse(options) }.webhook_url;
    };
    expect(await stored()).toBe(webhookUrl);
    expect((await apis.admin("PUT", path, { option_webhook_url: "***" })).status).toBe(200);
    expect(await stored()).toBe(webhookUrl);
  });
});

describe("rotation", () => {
  let id = "";
  const event = () => ({ event_type: "create", Title: "Disk full", Id: crypto.randomUUID() });
  const post = async (token: string | null) => {
    const headers: Record<string, string> = token === null ? {} : { "service-token": token };
    const { status } = await call("POST", `/integration/${id}`, { body: event(), headers });
    return status;
  };
  const enqueue = async (routing_key: string) => {
    const payload = { summary: "Disk full", source: "db-1", severity: "error" };
    const body = { routing_key, event_action: "trigger", payload };
    const { status } = await call("POST", "/v2/enqueue", { body });
    return status;
  };
  const rotate = async (body: Record<string, unknown>) => {
    const reply = await account.api("POST", `/integrations/${id}/rotate`, body);
    expect(reply.status, reply.text).toBe(200);
    return reply.body as { value: string; previous_valid_until: string | null };
  };

  test("of a token accepts the previous one until the overlap ends", async () => {
    ({ id } = await makeIntegration({ option_token: "first" }));
    expect([await post("first"), await post(null)]).toEqual([200, 401]);
    const second = await rotate({ what: "token", overlap: 3600 });
    expect(Date.parse(second.previous_valid_until ?? "") - Date.now()).toBeGreaterThan(3_500_000);
    expect([await post("first"), await post(second.value), await post(null)]).toEqual([
      200, 200, 401,
    ]);
    const third = await rotate({ what: "token", overlap: 0 });
    expect(third.previous_valid_until).toBeNull();
    expect([await post("first"), await post(second.value), await post(third.value)]).toEqual([
      401, 401, 200,
    ]);
    const shown = (await account.api("GET", `/integrations/${id}`)).text;
    expect(shown).not.toContain(third.value);
  });

  test("keeps the overlap on other updates, and ends it when a token is set", async () => {
    ({ id } = await makeIntegration({ option_token: "first" }));
    await rotate({ what: "token" });
    const update = async (body: Record<string, unknown>) => {
      const { status, text } = await account.api("PUT", `/integrations/${id}`, body);
      expect(status, text).toBe(200);
    };
    await update({ name: "Renamed" });
    expect(await post("first")).toBe(200);
    await update({ option_token: "chosen" });
    expect([await post("first"), await post("chosen")]).toEqual([401, 200]);
  });

  test("to a first token accepts requests without one until the overlap ends", async () => {
    ({ id } = await makeIntegration());
    const { value } = await rotate({ what: "token", overlap: 60 });
    expect([await post(null), await post(value)]).toEqual([200, 200]);
    await rotate({ what: "token", overlap: 0 });
    expect(await post(null)).toBe(401);
  });

  test("of an intake key keeps the integration's inbox", async () => {
    const made = await makeIntegration();
    ({ id } = made);
    const second = await rotate({ what: "intake_key", overlap: 60 });
    expect(second.value).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
    expect(second.value.slice(0, 16)).toBe(made.intake_key.slice(0, 16));
    expect(second.value).not.toBe(made.intake_key);
    expect([await enqueue(made.intake_key), await enqueue(second.value)]).toEqual([202, 202]);
    const third = await rotate({ what: "intake_key", overlap: 0 });
    expect(await enqueue(third.value)).toBe(202);
    for (const old of [made.intake_key, second.value]) {
      expect(await enqueue(old)).not.toBe(202);
    }
    expect((await account.api("GET", `/integrations/${id}`)).body.intake_key).toBe(third.value);
  });

  test("of an intake key is known at once to an inbox that was not told", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const made = await makeIntegration();
    ({ id } = made);
    const inbox = inboxStub(made.prefix_id);
    const [stored] = await rowsOf(inbox, "select body from configuration");
    const forget = () =>
      rewriteConfiguration(inbox, "update configuration set body = ?", stored?.body);
    const { value } = await rotate({ what: "intake_key", overlap: 0 });
    await forget();
    const mend = failDatabase();
    // Not known to be wrong: it is asked to be sent again.
    expect([await enqueue(value), await enqueue(value)]).toEqual([503, 503]);
    mend();
    expect(await inbox.refusedSince()).not.toBeNull();
    expect([await enqueue(value), await enqueue(made.intake_key)]).toEqual([202, 400]);
    expect(await inbox.refusedSince()).not.toBeNull();
    await forget();
    expect(await enqueue(value)).toBe(202);
    vi.restoreAllMocks();
  });

  test("of a URL accepts the previous one until the overlap ends", async () => {
    const made = await makeIntegration({ accepts_id: false });
    ({ id } = made);
    const paths = [made.url];
    const send = async (url: string) => {
      const { status } = await call("POST", new URL(url).pathname, { body: event() });
      return status;
    };
    const answers = async () => Promise.all(paths.map(send));
    expect(await answers()).toEqual([200]);
    for (const [overlap, expected] of [
      [3600, [200, 200]],
      [60, [404, 200, 200]],
      [0, [404, 404, 404, 200]],
    ] as const) {
      const { value } = await rotate({ what: "url", overlap });
      expect((await account.api("GET", `/integrations/${id}`)).body.url).toBe(value);
      paths.push(value);
      expect(await answers()).toEqual(expected);
    }
    expect(new Set(paths).size).toBe(4);
    const query = `/logs?owner_id=${id}&limit=100`;
    const logged = async () => JSON.stringify((await account.api("GET", query)).body.data);
    await vi.waitFor(async () => expect(await logged()).toContain("was replaced"), soon);
    for (const url of paths) expect(await logged()).not.toContain(new URL(url).pathname);
  });

  test("is rejected for an outgoing integration, and all invalid fields are reported", async () => {
    const made = await makeIntegration({
      integration_type_id: "slack",
      option_webhook_url: "https://hooks.slack.com/services/T0/B0/x",
    });
    const path = `/integrations/${made.id}/rotate`;
    expect((await account.api("POST", path, { what: "token" })).status).toBe(409);
    const { status, body } = await account.api("POST", path, { what: "all", overlap: 2_592_001 });
    expect(status).toBe(422);
    expect(body.errors.map((it: { field: string }) => it.field).sort()).toEqual([
      "overlap",
      "what",
    ]);
  });
});
