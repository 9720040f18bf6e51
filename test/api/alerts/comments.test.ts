// Comments through the API: on which records, by whom, and their deletion with the record.
import { describe, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { makeOutgoingIntegration } from "../../support/integrations/outgoing.ts";
import { openReceiver } from "../../support/integrations/receiver.ts";
import { addColleague, faultyFields, keyOf } from "../../support/people/people.ts";
import { soon } from "../../support/worker/faults.ts";
import { fewestTrips } from "../../support/worker/round-trips.ts";

async function makeAlert({
  api,
  accountUserId,
}: Account): Promise<{ id: string; prefix_id: string }> {
  const made = await api("POST", "/alerts", {
    title: "Disk full",
    urgency: "silent",
    destination_account_user_ids: [accountUserId],
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

async function makeBroadcast({ api, accountUserId }: Account) {
  const body = { title: "Office closed", destination_account_user_ids: [accountUserId] };
  const made = await api("POST", "/broadcasts", body);
  expect(made.status, made.text).toBe(201);
  return made.body;
}

async function addComment({ api }: Account, path: string, body: unknown = { body: "Looking" }) {
  const made = await api("POST", path, body);
  expect(made.status, made.text).toBe(201);
  return made.body;
}

describe("comments", () => {
  test("are created, listed and read on an alert", async () => {
    const account = await makeAccount("Ada Admin");
    const alert = await makeAlert(account);
    const other = await makeAlert(account);
    const comment = await addComment(account, `/alerts/${alert.prefix_id}/comments`);
    expect(comment).toMatchObject({
      account_id: account.accountId,
      body: "Looking",
      commentable_type: "Alert",
      commentable_id: alert.id,
      parent_id: null,
      account_user_id: account.accountUserId,
      created_by_name: "Ada Admin",
      meta: {},
    });
    expect(comment.prefix_id).toMatch(/^com_/);
    await addComment(account, `/alerts/${other.id}/comments`, { body: "Elsewhere" });
    await addComment(account, `/alerts/${alert.id}/comments`, { body: "Found it" });
    const list = await account.api("GET", `/alerts/${alert.id}/comments?limit=10&offset=0`);
    expect(list.body.data.map((it: { body: string }) => it.body)).toEqual(["Found it", "Looking"]);
    expect(list.body).toMatchObject({ has_more: false, total_count: 2 });
    const read = await account.api("GET", `/comments/${comment.prefix_id}`);
    expect(read.body).toEqual(comment);
  });

  test("are created on a broadcast, on a comment, and on nothing", async () => {
    const account = await makeAccount();
    const broadcast = await makeBroadcast(account);
    const first = await addComment(account, `/broadcasts/${broadcast.prefix_id}/comments`);
    expect(first).toMatchObject({ commentable_type: "Broadcast", commentable_id: broadcast.id });
    const reply = await addComment(account, `/comments/${first.prefix_id}/comments`, {
      body: "And?",
    });
    expect(reply).toMatchObject({
      commentable_type: "Comment",
      commentable_id: first.id,
      parent_id: first.id,
    });
    const ids = async (path: string) =>
      (await account.api("GET", path)).body.data.map((it: { id: string }) => it.id);
    expect(await ids(`/broadcasts/${broadcast.id}/comments`)).toEqual([first.id]);
    expect(await ids(`/comments/${first.id}/comments`)).toEqual([reply.id]);
    const free = await addComment(account, "/comments", { body: "Note", meta: { colour: "red" } });
    expect(free).toMatchObject({
      commentable_type: null,
      commentable_id: null,
      parent_id: null,
      meta: { colour: "red" },
    });
    const nulls = { body: "Note", commentable_type: null, commentable_id: null };
    expect(await addComment(account, "/comments", nulls)).toMatchObject({ commentable_id: null });
    expect((await account.api("GET", "/comments")).body.total_count).toBe(4);
  });

  test("are attached by type and id, in any case and either form, by POST /comments", async () => {
    const account = await makeAccount();
    const alert = await makeAlert(account);
    for (const [type, id] of [
      ["Alert", alert.id],
      ["ALERT", alert.prefix_id],
      ["alert", alert.id.toLowerCase()],
    ]) {
      const body = { body: "x", commentable_type: type, commentable_id: id };
      expect(await addComment(account, "/comments", body)).toMatchObject({
        commentable_type: "Alert",
        commentable_id: alert.id,
      });
    }
    const parent = await addComment(account, "/comments");
    const reply = { body: "x", commentable_type: "comment", commentable_id: parent.prefix_id };
    expect(await addComment(account, "/comments", reply)).toMatchObject({ parent_id: parent.id });
    const { body: list } = await account.api("GET", `/alerts/${alert.id}/comments`);
    expect(list.total_count).toBe(3);
  });

  test("are created from a form", async () => {
    const account = await makeAccount();
    const alert = await makeAlert(account);
    const form = new URLSearchParams({
      body: "From a form",
      commentable_type: "Alert",
      commentable_id: alert.id,
    });
    const made = await account.api("POST", "/comments", form.toString(), {
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ body: "From a form", commentable_id: alert.id });
  });

  test("are rejected with all invalid fields at once", async () => {
    const account = await makeAccount();
    const { api } = account;
    const alert = await makeAlert(account);
    const refused = async (body: unknown) => {
      const reply = await api("POST", "/comments", body);
      expect(reply.status, reply.text).toBe(422);
      return faultyFields(reply);
    };
    expect(await refused({})).toEqual(["body"]);
    expect(await refused({ body: " " })).toEqual(["body"]);
    expect(await refused({ body: "x".repeat(65_537) })).toEqual(["body"]);
    expect(await refused({ commentable_type: "Alert" })).toEqual(["body", "commentable_id"]);
    expect(await refused({ commentable_id: alert.id })).toEqual(["body", "commentable_type"]);
    expect(await refused({ body: "", commentable_type: "User", commentable_id: 5 })).toEqual([
      "body",
      "commentable_id",
      "commentable_type",
    ]);
    for (const id of ["nope", "alt_AAAAAAAAAAAAAA", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]) {
      const body = { body: "x", commentable_type: "Alert", commentable_id: id };
      expect(await refused(body)).toEqual(["commentable_id"]);
    }
    const wrongType = { body: "x", commentable_type: "Broadcast", commentable_id: alert.id };
    expect(await refused(wrongType)).toEqual(["commentable_id"]);
    expect((await api("POST", `/alerts/${alert.id}/comments`, {})).status).toBe(422);
    expect(
      (await api("POST", "/broadcasts/bro_AAAAAAAAAAAAAA/comments", { body: "x" })).status,
    ).toBe(404);
    expect((await api("PUT", "/comments/com_AAAAAAAAAAAAAA", { body: "x" })).status).toBe(405);
    expect((await api("GET", "/comments")).body.total_count).toBe(0);
  });

  test("do not expose another account's records", async () => {
    const [account, other] = [await makeAccount(), await makeAccount()];
    const theirs = await makeAlert(other);
    const comment = await addComment(other, `/alerts/${theirs.id}/comments`);
    const { api } = account;
    for (const path of [
      `/alerts/${theirs.id}/comments`,
      `/alerts/${theirs.prefix_id}/comments`,
      `/comments/${comment.id}/comments`,
    ]) {
      expect((await api("GET", path)).status, path).toBe(404);
      expect((await api("POST", path, { body: "x" })).status, path).toBe(404);
    }
    expect((await api("GET", `/comments/${comment.prefix_id}`)).status).toBe(404);
    const refused = await api("POST", "/comments", {
      body: "x",
      commentable_type: "Alert",
      commentable_id: theirs.id,
    });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["commentable_id"]]);
    expect((await api("GET", "/comments")).body.data).toEqual([]);
    expect((await other.api("GET", "/comments")).body.total_count).toBe(1);
  });

  test("are created by every member, but not with a read-only key or without a key", async () => {
    const account = await makeAccount();
    const alert = await makeAlert(account);
    const path = `/alerts/${alert.id}/comments`;
    const colleague = await addColleague(account, "Ben Member");
    const made = await colleague.api("POST", path, { body: "Mine" });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      account_user_id: colleague.id,
      created_by_name: "Ben Member",
    });
    const reader = await keyOf(account.accountId, colleague.id, true);
    expect((await reader("POST", path, { body: "x" })).status).toBe(403);
    expect((await reader("GET", path)).body.total_count).toBe(1);
    expect((await call("GET", `/api/v4${path}`)).status).toBe(401);
  });

  test("are filtered by record, by author and by text", async () => {
    const account = await makeAccount();
    const alert = await makeAlert(account);
    await addComment(account, `/alerts/${alert.id}/comments`, { body: "b disk" });
    const reply = await addComment(account, "/comments", { body: "a note" });
    await addComment(account, `/comments/${reply.id}/comments`, { body: "c disk" });
    const bodies = async (query: string) => {
      const { status, body, text } = await account.api("GET", `/comments?${query}`);
      expect(status, text).toBe(200);
      return body.data.map((it: { body: string }) => it.body);
    };
    expect(await bodies("sort=body&direction=asc")).toEqual(["a note", "b disk", "c disk"]);
    expect(await bodies("commentable_type=Alert")).toEqual(["b disk"]);
    expect(await bodies(`commentable_id=${alert.prefix_id}`)).toEqual(["b disk"]);
    expect(await bodies(`parent_id=${reply.prefix_id}`)).toEqual(["c disk"]);
    expect(await bodies("commentable_id=")).toEqual(["a note"]);
    expect(await bodies(`account_user_id=${account.accountUserId}&limit=1&page=3`)).toEqual([
      "b disk",
    ]);
    expect(await bodies("q=DISK")).toEqual(["c disk", "b disk"]);
    expect(await bodies("body=note&ops=body:contains")).toEqual(["a note"]);
    expect((await account.api("GET", "/comments?colour=red")).status).toBe(422);
  });

  test("are created once by a repeated request", async () => {
    const account = await makeAccount();
    const alert = await makeAlert(account);
    const headers = { "Idempotency-Key": "once" };
    const path = `/alerts/${alert.id}/comments`;
    const first = await account.api("POST", path, { body: "x" }, headers);
    const second = await account.api("POST", path, { body: "x" }, headers);
    expect(second.body).toEqual(first.body);
    expect((await account.api("GET", path)).body.total_count).toBe(1);
  });
});

describe("writing a comment", () => {
  /** Counts the round trips of writing a comment; the API key is already cached. */
  async function tripsFor(account: Account, path: string, expected: number): Promise<number> {
    await account.api("GET", path);
    return (await fewestTrips(expected, () => addComment(account, path))).trips;
  }

  test("takes one round trip, and two with an enabled outgoing integration", async () => {
    const account = await makeAccount();
    const path = `/alerts/${(await makeAlert(account)).id}/comments`;
    expect(await tripsFor(account, path, 1)).toBe(1);
    const receiver = openReceiver();
    const people = { account_user_ids: [account.accountUserId] };
    const { id } = await makeOutgoingIntegration(account, receiver, people, { enabled: false });
    expect(await tripsFor(account, path, 1)).toBe(1);
    await account.api("PUT", `/integrations/${id}`, { enabled: true });
    const before = (await account.api("GET", path)).body.total_count;
    expect(await tripsFor(account, path, 2)).toBe(2);
    const sent = (await account.api("GET", path)).body.total_count - before;
    await vi.waitFor(() => expect(receiver.got.length).toBe(sent), soon);
    vi.restoreAllMocks();
  });

  test("on an unknown record is a 404, with and without an outgoing integration", async () => {
    const account = await makeAccount();
    const path = "/alerts/alt_BBBBBBBBBBBBBB/comments";
    expect((await account.api("POST", path, { body: "x" })).status).toBe(404);
    const receiver = openReceiver();
    await makeOutgoingIntegration(account, receiver, { account_user_ids: [account.accountUserId] });
    expect((await account.api("POST", path, { body: "x" })).status).toBe(404);
    vi.restoreAllMocks();
  });
});

describe("deleting a record with comments", () => {
  test.each(["/alerts", "/broadcasts"])("%s: deletes its comments at any depth", async (path) => {
    const account = await makeAccount();
    const { api } = account;
    const make = path === "/alerts" ? makeAlert : makeBroadcast;
    const [deleted, other] = [await make(account), await make(account)];
    const remaining = [
      await addComment(account, "/comments", { body: "free" }),
      await addComment(account, `${path}/${other.id}/comments`),
    ];
    const first = await addComment(account, `${path}/${deleted.id}/comments`);
    const second = await addComment(account, `/comments/${first.id}/comments`);
    await addComment(account, `/comments/${second.id}/comments`);
    expect((await api("DELETE", `${path}/${deleted.id}`)).status).toBe(204);
    await vi.waitFor(async () => {
      const { body } = await api("GET", "/comments?direction=asc");
      expect(body.data.map((it: { id: string }) => it.id)).toEqual(remaining.map((it) => it.id));
      expect(body.total_count).toBe(2);
    }, soon);
    expect((await api("GET", `${path}/${deleted.id}/comments`)).status).toBe(404);
    expect((await api("POST", `/comments/${second.id}/comments`, { body: "x" })).status).toBe(404);
  });
});
