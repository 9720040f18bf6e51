// Responses to broadcasts through the API: who may respond, until when, and which response counts.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague, faultyFields, keyOf } from "../../support/people/people.ts";
import { makeTeam } from "../../support/worker/world.ts";

type Option = { readonly id: string; readonly prefix_id: string; readonly value: string };
type Question = {
  readonly id: string;
  readonly path: string;
  readonly yes: Option;
  readonly no: Option;
};

/** Creates a broadcast with the response options Yes and No. */
async function makeQuestion(account: Account, more: Record<string, unknown>): Promise<Question> {
  const made = await account.api("POST", "/broadcasts", {
    title: "Are you safe?",
    response_requested: true,
    broadcast_response_options_attributes: [{ value: "Yes" }, { value: "No" }],
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  const [yes, no] = made.body.broadcast_response_options;
  return { id: made.body.id, path: `/broadcasts/${made.body.prefix_id}/responses`, yes, no };
}

const respond = (person: Pick<Colleague, "api">, { path }: Question, option: string) =>
  person.api("POST", path, { broadcast_response_option_id: option });

const read = async (account: Account, { id }: Question) =>
  (await account.api("GET", `/broadcasts/${id}`)).body;

/** Sets the status that a broadcast has once sending starts. */
const markOpen = ({ id }: Question) =>
  env.DB.prepare("update broadcasts set status = 'open' where id = ?").bind(id).run();

describe("responses to a broadcast", () => {
  test("counts only a person's last response", async () => {
    const account = await makeAccount();
    const [ben, eve] = [await addColleague(account, "Ben"), await addColleague(account, "Eve")];
    const ids = [ben.id, eve.id, account.accountUserId];
    const question = await makeQuestion(account, { destination_account_user_ids: ids });
    const first = await respond(ben, question, question.yes.id);
    expect(first.status, first.text).toBe(201);
    expect(first.body).toMatchObject({
      account_id: account.accountId,
      broadcast_id: question.id,
      account_user_id: ben.id,
      broadcast_response_option_id: question.yes.id,
      channel: "api",
    });
    await respond(eve, question, question.yes.prefix_id);
    const last = await respond(ben, question, question.no.id);
    expect(last.status).toBe(201);
    const broadcast = await read(account, question);
    expect(broadcast.broadcast_response_options).toMatchObject([
      { value: "Yes", broadcast_responses_count: 1 },
      { value: "No", broadcast_responses_count: 1 },
    ]);
    const { id, prefix_id, account_user_id, broadcast_response_option_id, channel, created_at } =
      last.body;
    expect(broadcast.broadcast_responses).toHaveLength(2);
    expect(broadcast.broadcast_responses).toContainEqual({
      id,
      prefix_id,
      account_user_id,
      broadcast_response_option_id,
      channel,
      created_at,
    });
    const list = await account.api("GET", question.path);
    expect(list.body).toMatchObject({ total_count: 2, has_more: false });
    expect(list.body.data).toContainEqual(last.body);
    const filter = `${question.path}?broadcast_response_option_id=${question.no.id}`;
    expect((await account.api("GET", filter)).body.data).toEqual([last.body]);
    const mine = `${question.path}?account_user_id=${eve.id}`;
    expect((await account.api("GET", mine)).body.total_count).toBe(1);
  });

  test("accepts responses only from recipients, named directly or through a team", async () => {
    const account = await makeAccount();
    const [direct, member, admin, stranger] = [
      await addColleague(account, "Dan Direct"),
      await addColleague(account, "Mia Member"),
      await addColleague(account, "Ada Admin"),
      await addColleague(account, "Sam Stranger"),
    ];
    const { body: team } = await account.api("POST", "/teams", {
      name: "Payments",
      member_account_user_ids: [member.id],
      admin_account_user_ids: [admin.id],
    });
    const question = await makeQuestion(account, {
      destination_account_user_ids: [direct.id],
      destination_team_ids: [team.prefix_id],
    });
    for (const person of [direct, member, admin]) {
      expect((await respond(person, question, question.yes.id)).status).toBe(201);
    }
    for (const person of [stranger, account]) {
      expect((await respond(person, question, question.yes.id)).status).toBe(403);
    }
    const readOnly = await keyOf(account.accountId, direct.id, true);
    expect((await respond({ api: readOnly }, question, question.yes.id)).status).toBe(403);
    const other = await makeAccount();
    expect((await respond(other, question, question.yes.id)).status).toBe(404);
    expect((await other.api("GET", question.path)).status).toBe(404);
    expect((await stranger.api("GET", question.path)).body.total_count).toBe(3);
  });

  test("rejects an option that is not one of this broadcast", async () => {
    const account = await makeAccount();
    const mine = { destination_account_user_ids: [account.accountUserId] };
    const [question, other] = [
      await makeQuestion(account, mine),
      await makeQuestion(account, mine),
    ];
    for (const option of ["nope", "bop_AAAAAAAAAAAAAA", other.yes.id]) {
      const refused = await respond(account, question, option);
      expect([refused.status, faultyFields(refused)]).toEqual([
        422,
        ["broadcast_response_option_id"],
      ]);
    }
    for (const body of [{}, { broadcast_response_option_id: null }]) {
      expect((await account.api("POST", question.path, body)).status).toBe(422);
    }
    expect((await read(account, question)).broadcast_responses).toEqual([]);
  });

  test("rejects responses after the deadline, once closed, and if no response is requested", async () => {
    const account = await makeAccount();
    const mine = { destination_account_user_ids: [account.accountUserId] };
    const late = await makeQuestion(account, {
      ...mine,
      response_requested_by: "2020-01-01T00:00:00Z",
    });
    const refused = await respond(account, late, late.yes.id);
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].message).toContain("2020-01-01T00:00:00.000Z");
    const inTime = await makeQuestion(account, {
      ...mine,
      response_requested_by: "2031-01-01T00:00:00Z",
    });
    expect((await respond(account, inTime, inTime.yes.id)).status).toBe(201);
    await account.api("PUT", `/broadcasts/${inTime.id}`, { status: "closed" });
    expect((await respond(account, inTime, inTime.no.id)).status).toBe(409);
    expect((await read(account, inTime)).broadcast_responses).toMatchObject([
      { broadcast_response_option_id: inTime.yes.id },
    ]);
    const unasked = await makeQuestion(account, { ...mine, response_requested: false });
    expect((await respond(account, unasked, unasked.yes.id)).status).toBe(409);
  });

  test("closes an open broadcast with the last recipient's response", async () => {
    const account = await makeAccount();
    const [ben, eve] = [await addColleague(account, "Ben"), await addColleague(account, "Eve")];
    const team = await makeTeam(account, [{ seconds: 600, people: [ben.id] }]);
    const question = await makeQuestion(account, {
      destination_account_user_ids: [ben.id, eve.id],
      destination_team_ids: [team.id],
    });
    await markOpen(question);
    await respond(ben, question, question.yes.id);
    await respond(ben, question, question.no.id);
    await respond(account, question, question.no.id);
    expect((await read(account, question)).status).toBe("open");
    expect((await respond(eve, question, question.no.id)).status).toBe(201);
    expect((await read(account, question)).status).toBe("closed");
    expect((await respond(eve, question, question.yes.id)).status).toBe(409);
  });

  test("does not wait for recipients who cannot respond", async () => {
    const account = await makeAccount();
    const [ben, gone, invited] = [
      await addColleague(account, "Ben"),
      await addColleague(account, "Gus Gone"),
      await addColleague(account, "Ivy Invited"),
    ];
    const question = await makeQuestion(account, {
      destination_account_user_ids: [ben.id, gone.id, invited.id],
    });
    await markOpen(question);
    await account.api("DELETE", `/account_users/${gone.id}`);
    await env.DB.prepare("update account_users set state = 'pending' where id = ?")
      .bind(invited.id)
      .run();
    expect((await respond(ben, question, question.yes.id)).status).toBe(201);
    expect((await read(account, question)).status).toBe("closed");
  });

  test("counts each of several concurrent responses once", async () => {
    const account = await makeAccount();
    const people = await Promise.all(
      ["A", "B", "C", "D"].map((name) => addColleague(account, name)),
    );
    const question = await makeQuestion(account, {
      destination_account_user_ids: people.map((it) => it.id),
    });
    await markOpen(question);
    const replies = await Promise.all(people.map((it) => respond(it, question, question.yes.id)));
    expect(replies.map((it) => it.status)).toEqual([201, 201, 201, 201]);
    const broadcast = await read(account, question);
    expect(broadcast.broadcast_responses).toHaveLength(4);
    expect(broadcast.status).toBe("closed");
  });

  test("deletes a removed option's responses", async () => {
    const account = await makeAccount();
    const { id } = await addColleague(account, "Silent");
    const ids = [account.accountUserId, id];
    const question = await makeQuestion(account, { destination_account_user_ids: ids });
    await respond(account, question, question.yes.id);
    await account.api("PUT", `/broadcasts/${question.id}`, {
      broadcast_response_options_attributes: [{ id: question.yes.id, _destroy: true }],
    });
    expect(await read(account, question)).toMatchObject({
      broadcast_response_options: [{ id: question.no.id, broadcast_responses_count: 0 }],
      broadcast_responses: [],
    });
    expect((await respond(account, question, question.no.id)).status).toBe(201);
  });

  test("replays a repeated request without a second response", async () => {
    const account = await makeAccount();
    const question = await makeQuestion(account, {
      destination_account_user_ids: [account.accountUserId],
    });
    const send = () =>
      account.api(
        "POST",
        question.path,
        { broadcast_response_option_id: question.yes.id },
        { "Idempotency-Key": "answer" },
      );
    const first = await send();
    const second = await send();
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
  });
});
