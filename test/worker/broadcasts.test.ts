// Broadcasts, through the front door: what is sent, to whom, and by whom it may be changed.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { build, statement } from "../../src/db/database.ts";
import { newIdentity } from "../../src/db/identifiers.ts";
import { notifications } from "../../src/db/schema/alerts.ts";
import { type Account, makeAccount } from "../support/api.ts";
import { addColleague, faultyFields } from "../support/people.ts";
import { makeTeam } from "../support/world.ts";

const OPTIONS = "broadcast_response_options_attributes";

async function make({ api, accountUserId }: Account, more: Record<string, unknown> = {}) {
  const made = await api("POST", "/broadcasts", {
    title: "Office closed",
    destination_account_user_ids: [accountUserId],
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const asking = (...values: string[]) => ({
  response_requested: true,
  [OPTIONS]: values.map((value) => ({ value })),
});

describe("broadcasts", () => {
  test("a create reads back, with its options in order", async () => {
    const account = await makeAccount();
    const { api, accountUserId, accountId } = account;
    const team = await makeTeam(account, []);
    const made = await api("POST", "/broadcasts", {
      title: "Are you safe?",
      description: "There was an earthquake",
      tag_list: ["safety", " office ", "safety"],
      ...asking("Yes", "No"),
      response_requested_by: "2031-07-01T10:00:00+02:00",
      destination_team_ids: [team.id],
      destination_account_user_ids: [accountUserId],
      meta: { colour: "red" },
      status: "open",
      unheard_of: 1,
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      account_id: accountId,
      account_user_id: accountUserId,
      title: "Are you safe?",
      description: "There was an earthquake",
      tag_list: ["safety", "office"],
      tags: ["safety", "office"],
      status: "queued",
      response_requested: true,
      response_requested_by: "2031-07-01T08:00:00.000Z",
      destination_team_ids: [team.id],
      destination_account_user_ids: [accountUserId],
      broadcast_responses: [],
      meta: { colour: "red" },
    });
    expect(made.body.prefix_id).toMatch(/^bro_/);
    expect(made.body).not.toHaveProperty("unheard_of");
    const options = made.body.broadcast_response_options;
    expect(options).toMatchObject([
      { value: "Yes", position: 0, broadcast_responses_count: 0 },
      { value: "No", position: 1, broadcast_responses_count: 0 },
    ]);
    expect(new Set(options.map((it: { id: string }) => it.id)).size).toBe(2);
    for (const id of [made.body.id, made.body.prefix_id]) {
      expect((await api("GET", `/broadcasts/${id}`)).body).toEqual(made.body);
    }
  });

  test("the command line's bodies do: empty lists, and what we know nothing of", async () => {
    const account = await makeAccount();
    const made = await make(account, { description: "Snow", destination_team_ids: [] });
    expect(made).toMatchObject({
      response_requested: false,
      response_requested_by: null,
      tag_list: [],
      destination_team_ids: [],
      broadcast_response_options: [],
    });
    const rows = await account.api("GET", "/broadcasts?limit=10&offset=0");
    expect(rows.body.data).toEqual([made]);
    const changed = await account.api("PUT", `/broadcasts/${made.id}`, {
      title: "Office open",
      status: "open",
      destinations: ["nobody"],
      response_requested: false,
      meta: { notify_sms: true, notify_push: false },
    });
    expect(changed.status, changed.text).toBe(200);
    const { updated_at: _, ...rest } = made;
    expect(changed.body).toMatchObject({
      ...rest,
      title: "Office open",
      meta: { notify_sms: true, notify_push: false },
    });
    expect((await account.api("PUT", `/broadcasts/${made.id}`, { meta: {} })).body.meta).toEqual(
      {},
    );
  });

  test("a form, and tags as one text, will do", async () => {
    const { api, accountUserId } = await makeAccount();
    const form = new URLSearchParams([
      ["title", "Lunch?"],
      ["tags", "food, fun ,"],
      ["response_requested", "1"],
      ["destination_account_user_ids[]", accountUserId],
      [`${OPTIONS}[][value]`, "Pizza"],
      [`${OPTIONS}[][value]`, "Soup"],
    ]);
    const made = await api("POST", "/broadcasts", form.toString(), {
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ tag_list: ["food", "fun"], response_requested: true });
    const values = made.body.broadcast_response_options.map((it: { value: string }) => it.value);
    expect(values).toEqual(["Pizza", "Soup"]);
  });

  test("every fault is named at once", async () => {
    const { api, accountUserId } = await makeAccount();
    const refused = async (body: unknown) => {
      const reply = await api("POST", "/broadcasts", body);
      expect(reply.status, reply.text).toBe(422);
      return faultyFields(reply);
    };
    expect(await refused({})).toEqual(["title"]);
    expect(
      await refused({
        title: " ",
        description: "x".repeat(65_537),
        tag_list: [{}],
        response_requested: "perhaps",
        response_requested_by: "tomorrow",
        destination_team_ids: {},
        [OPTIONS]: [{}, { value: "" }],
        meta: [],
      }),
    ).toEqual(
      [
        `${OPTIONS}[0].value`,
        `${OPTIONS}[1].value`,
        "description",
        "destination_team_ids",
        "meta",
        "response_requested",
        "response_requested_by",
        "tag_list[0]",
        "title",
      ].sort(),
    );
    const none = { title: "x", destination_team_ids: [], destination_account_user_ids: null };
    expect(await refused({ ...none, response_requested: true })).toEqual([
      OPTIONS,
      "destination_team_ids",
    ]);
    const unknown = { title: "x", destination_team_ids: ["nope"], ...asking() };
    expect(
      await refused({
        ...unknown,
        destination_account_user_ids: ["acu_AAAAAAAAAAAAAA", accountUserId],
      }),
    ).toEqual([OPTIONS, "destination_account_user_ids", "destination_team_ids"]);
    expect((await api("GET", "/broadcasts")).body.total_count).toBe(0);
  });

  test("an update merges, and is decided on the whole", async () => {
    const account = await makeAccount();
    const colleague = await addColleague(account, "Ben Member");
    const made = await make(account, { ...asking("Yes"), description: "why" });
    const path = `/broadcasts/${made.prefix_id}`;
    const change = async (body: unknown, method = "PUT") => {
      const reply = await account.api(method, path, body);
      expect(reply.status, reply.text).toBe(200);
      const { updated_at: _, ...rest } = reply.body;
      return rest;
    };
    const { updated_at: _, ...held } = made;
    expect(await change({})).toEqual(held);
    expect(await change({ tags: "a,b" }, "PATCH")).toEqual({
      ...held,
      tags: ["a", "b"],
      tag_list: ["a", "b"],
    });
    expect(await change({ tag_list: [], description: null })).toMatchObject({
      tags: [],
      description: null,
    });
    const by = { response_requested_by: "2031-07-01T08:00:00.000Z" };
    expect(await change(by)).toMatchObject(by);
    expect(await change({ response_requested_by: null })).toMatchObject({
      response_requested_by: null,
    });
    expect(
      await change({ destination_account_user_ids: [colleague.id, colleague.id] }),
    ).toMatchObject({ destination_account_user_ids: [colleague.id] });
    const refuse = async (body: unknown) => {
      const reply = await account.api("PUT", path, body);
      expect(reply.status, reply.text).toBe(422);
      return faultyFields(reply);
    };
    expect(await refuse({ title: null })).toEqual(["title"]);
    expect(await refuse({ destination_account_user_ids: [] })).toEqual(["destination_team_ids"]);
    const [option] = made.broadcast_response_options;
    const destroy = { [OPTIONS]: [{ id: option.id, _destroy: true }] };
    expect(await refuse(destroy)).toEqual([OPTIONS]);
    expect(await change({ ...destroy, response_requested: false })).toMatchObject({
      broadcast_response_options: [],
    });
    expect(await refuse({ response_requested: true })).toEqual([OPTIONS]);
  });

  test("options are changed by id, added without one, and removed", async () => {
    const account = await makeAccount();
    const made = await make(account, asking("Yes", "No", "Maybe"));
    const [yes, no, maybe] = made.broadcast_response_options;
    const path = `/broadcasts/${made.id}`;
    const changed = await account.api("PUT", path, {
      [OPTIONS]: [
        { id: no.prefix_id, value: "Never" },
        { id: yes.id, _destroy: true },
        { value: "Later" },
        { value: "Not", _destroy: true },
      ],
    });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body.broadcast_response_options).toMatchObject([
      { id: no.id, prefix_id: no.prefix_id, value: "Never", position: 1 },
      { id: maybe.id, value: "Maybe", position: 2 },
      { value: "Later", position: 3 },
    ]);
    const others = await make(account, asking("Theirs"));
    const refused = await account.api("PUT", path, {
      title: "",
      [OPTIONS]: [{}, { id: no.id, value: "" }],
    });
    expect(faultyFields(refused)).toEqual([`${OPTIONS}[0].value`, `${OPTIONS}[1].value`, "title"]);
    const foreign = await account.api("PUT", path, {
      [OPTIONS]: [
        { id: "bop_AAAAAAAAAAAAAA", value: "x" },
        { id: others.broadcast_response_options[0].id, _destroy: true },
      ],
    });
    expect(foreign.status).toBe(422);
    expect(faultyFields(foreign)).toEqual([`${OPTIONS}[0].id`, `${OPTIONS}[1].id`]);
    expect((await account.api("GET", path)).body).toEqual(changed.body);
  });

  test("closing is for good, and keeps what was asked of whom", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const made = await make(account, asking("Yes"));
    const path = `/broadcasts/${made.id}`;
    const set = async (status: unknown) => (await api("PUT", path, { status })).body.status;
    expect(await set("open")).toBe("queued");
    expect(await set(null)).toBe("queued");
    expect(await set("closed")).toBe("closed");
    expect(await set("open")).toBe("closed");
    expect(await set("closed")).toBe("closed");
    const same = { title: "Was", destination_account_user_ids: [accountUserId], tags: ["a"] };
    expect((await api("PUT", path, same)).body).toMatchObject({ title: "Was", tags: ["a"] });
    const colleague = await addColleague(account, "Ben Member");
    for (const body of [
      { destination_account_user_ids: [colleague.id] },
      { [OPTIONS]: [{ value: "Late" }] },
      { [OPTIONS]: [{ id: made.broadcast_response_options[0].id, value: "Other" }] },
    ]) {
      const refused = await api("PUT", path, { title: "Not", ...body });
      expect(refused.status).toBe(409);
    }
    expect((await api("GET", path)).body.title).toBe("Was");
  });

  test("two changes at once are both there afterwards", async () => {
    const account = await makeAccount();
    const made = await make(account, asking("Yes"));
    const replies = await Promise.all(
      ["a", "b", "c"].map((value) =>
        account.api("PUT", `/broadcasts/${made.id}`, { [OPTIONS]: [{ value }] }),
      ),
    );
    expect(replies.map((it) => it.status)).toEqual([200, 200, 200]);
    const { body } = await account.api("GET", `/broadcasts/${made.id}`);
    const options: { value: string; position: number }[] = body.broadcast_response_options;
    expect(options.map((it) => it.position)).toEqual([0, 1, 2, 3]);
    expect(options.map((it) => it.value).sort()).toEqual(["Yes", "a", "b", "c"]);
  });

  test("broadcasters and admins write; everyone reads", async () => {
    const account = await makeAccount();
    const made = await make(account);
    const path = `/broadcasts/${made.id}`;
    const broadcaster = await addColleague(account, "Bea Broadcaster", { broadcaster: true });
    const member = await addColleague(account, "Max Member", { communicator: true, billing: true });
    const body = { title: "x", destination_account_user_ids: [member.id] };
    expect((await member.api("GET", path)).status).toBe(200);
    expect((await member.api("POST", "/broadcasts", body)).status).toBe(403);
    expect((await member.api("PUT", path, { title: "x" })).status).toBe(403);
    expect((await member.api("DELETE", path)).status).toBe(403);
    const theirs = await broadcaster.api("POST", "/broadcasts", body);
    expect([theirs.status, theirs.body.account_user_id]).toEqual([201, broadcaster.id]);
    expect((await broadcaster.api("PUT", path, { title: "y" })).status).toBe(200);
    expect((await broadcaster.api("DELETE", path)).status).toBe(204);
    expect((await broadcaster.api("DELETE", path)).status).toBe(404);
  });

  test("another account's broadcasts, teams and people are not there", async () => {
    const [account, other] = [await makeAccount(), await makeAccount()];
    const theirs = await make(other);
    const team = await makeTeam(other, []);
    for (const id of [theirs.id, theirs.prefix_id]) {
      const path = `/broadcasts/${id}`;
      expect((await account.api("GET", path)).status).toBe(404);
      expect((await account.api("PUT", path, { status: "closed" })).status).toBe(404);
      expect((await account.api("DELETE", path)).status).toBe(404);
      expect((await account.api("GET", `${path}/notifications`)).status).toBe(404);
    }
    const refused = await account.api("POST", "/broadcasts", {
      title: "x",
      destination_team_ids: [team.id],
      destination_account_user_ids: [other.accountUserId],
    });
    expect([refused.status, faultyFields(refused)]).toEqual([
      422,
      ["destination_account_user_ids", "destination_team_ids"],
    ]);
    expect((await other.api("GET", `/broadcasts/${theirs.id}`)).body).toEqual(theirs);
  });

  test("lists with filters, order and totals", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, []);
    await make(account, { title: "b", tags: ["x", "y"] });
    await make(account, { title: "a", ...asking("Yes"), destination_team_ids: [team.id] });
    const last = await make(account, { title: "c" });
    await account.api("PUT", `/broadcasts/${last.id}`, { status: "closed" });
    const titles = async (query: string) => {
      const { status, body, text } = await account.api("GET", `/broadcasts?${query}`);
      expect(status, text).toBe(200);
      return body.data.map((it: { title: string }) => it.title);
    };
    const { body: teams } = await account.api("GET", "/teams");
    expect(await titles("")).toEqual(["c", "a", "b"]);
    expect(await titles("sort=title&direction=asc&limit=2")).toEqual(["a", "b"]);
    expect(await titles("status=closed")).toEqual(["c"]);
    expect(await titles("tags=y")).toEqual(["b"]);
    expect(await titles("tag_list=y&ops=tag_list:contains")).toEqual(["b"]);
    expect(await titles("response_requested=true")).toEqual(["a"]);
    expect(await titles(`destination_team_ids=${teams.data[0].prefix_id}`)).toEqual(["a"]);
    expect(await titles("q=B")).toEqual(["b"]);
    expect((await account.api("GET", "/broadcasts?limit=1")).body).toMatchObject({
      has_more: true,
      total_count: 3,
    });
    expect((await account.api("GET", "/broadcasts?broadcast_responses=x")).status).toBe(422);
  });

  test("shows the notifications it sent", async () => {
    const account = await makeAccount();
    const [made, other] = [await make(account), await make(account)];
    const rows = [made, other].map((broadcast) => ({
      ...newIdentity("notification", Date.now()),
      accountId: account.accountId,
      effectId: broadcast.id,
      broadcastId: broadcast.id,
      accountUserId: account.accountUserId,
      channel: "email",
      to: "ada@example.com",
      event: "broadcast.sent",
      status: "sent" as const,
    }));
    await statement(env.DB, build.insert(notifications).values(rows)).run();
    const list = await account.api("GET", `/broadcasts/${made.prefix_id}/notifications`);
    expect(list.body).toMatchObject({
      data: [{ id: rows[0]?.id, broadcast_id: made.id, to: "ada@example.com", status: "sent" }],
      total_count: 1,
    });
    const colleague = await addColleague(account, "Ben Member");
    const masked = await colleague.api("GET", `/broadcasts/${made.id}/notifications`);
    expect(masked.body.data[0].to).toBe("a***@example.com");
  });
});
