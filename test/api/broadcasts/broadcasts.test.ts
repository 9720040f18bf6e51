// Broadcasts through the API: their parameters, who may write them, and their notifications.
import { describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, faultyFields } from "../../support/people/people.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeTeam } from "../../support/worker/world.ts";

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

/** The fields that sending does not change. */
const withoutProgress = ({ status: _, updated_at: __, ...rest }: Record<string, unknown>) => rest;

describe("broadcasts", () => {
  test("a create returns every parameter, with the options in order", async () => {
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
      const { body } = await api("GET", `/broadcasts/${id}`);
      expect(withoutProgress(body)).toEqual(withoutProgress(made.body));
    }
  });

  test("accepts the command line's bodies, with empty lists and unknown fields", async () => {
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
    expect(rows.body.data.map(withoutProgress)).toEqual([withoutProgress(made)]);
    const changed = await account.api("PUT", `/broadcasts/${made.id}`, {
      title: "Office open",
      status: "open",
      destinations: ["nobody"],
      response_requested: false,
      meta: { notify_sms: true, notify_push: false },
    });
    expect(changed.status, changed.text).toBe(200);
    const rest = withoutProgress(made);
    expect(changed.body).toMatchObject({
      ...rest,
      title: "Office open",
      meta: { notify_sms: true, notify_push: false },
    });
    expect((await account.api("PUT", `/broadcasts/${made.id}`, { meta: {} })).body.meta).toEqual(
      {},
    );
  });

  test("accepts a form, and tags as comma-separated text", async () => {
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

  test("names every invalid field at once", async () => {
    const { api, accountUserId } = await makeAccount();
    const refused = async (body: unknown) => {
      const reply = await api("POST", "/broadcasts", body);
      expect(reply.status, reply.text).toBe(422);
      return faultyFields(reply);
    };
    expect(await refused({})).toEqual(["destination_team_ids", "title"]);
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

  test("only broadcasters and admins may write, and everyone may read", async () => {
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

  test("does not find another account's broadcasts, teams and people", async () => {
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
    const { body } = await other.api("GET", `/broadcasts/${theirs.id}`);
    expect(withoutProgress(body)).toEqual(withoutProgress(theirs));
  });

  test("lists with filters, order and totals", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, []);
    await make(account, { title: "b", tags: ["x", "y"], ...asking("Yes") });
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
    expect(await titles("response_requested=true")).toEqual(["a", "b"]);
    expect(await titles(`destination_team_ids=${teams.data[0].prefix_id}`)).toEqual(["a"]);
    expect(await titles("q=B")).toEqual(["b"]);
    expect((await account.api("GET", "/broadcasts?limit=1")).body).toMatchObject({
      has_more: true,
      total_count: 3,
    });
    expect((await account.api("GET", "/broadcasts?broadcast_responses=x")).status).toBe(422);
  });

  test("lists the notifications of a broadcast", async () => {
    const account = await makeAccount();
    const [made, other] = [await make(account), await make(account)];
    const list = (broadcast: { prefix_id: string }) =>
      account.api("GET", `/broadcasts/${broadcast.prefix_id}/notifications`);
    await vi.waitFor(async () => {
      for (const broadcast of [made, other]) {
        const { body } = await list(broadcast);
        expect([body.total_count, body.data[0]?.status]).toEqual([1, "sent"]);
      }
    }, soon);
    const { id, email } = (await account.api("GET", "/users")).body.data[0];
    expect(id).toBeDefined();
    expect((await list(made)).body.data).toMatchObject([
      { broadcast_id: made.id, account_user_id: account.accountUserId, to: email },
    ]);
    const colleague = await addColleague(account, "Ben Member");
    const masked = await colleague.api("GET", `/broadcasts/${made.id}/notifications`);
    expect(masked.body.data[0].to).toBe("a***@example.com");
  });
});
