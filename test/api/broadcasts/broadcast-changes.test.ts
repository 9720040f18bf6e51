// Changes to broadcasts through the API.
import { describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, faultyFields } from "../../support/people/people.ts";
import { soon } from "../../support/worker/faults.ts";

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

describe("changing a broadcast", () => {
  test("an update merges, and the result is validated as a whole", async () => {
    const account = await makeAccount();
    const colleague = await addColleague(account, "Ben Member");
    const made = await make(account, { ...asking("Yes"), description: "why" });
    const path = `/broadcasts/${made.prefix_id}`;
    const change = async (body: unknown, method = "PUT") => {
      const reply = await account.api(method, path, body);
      expect(reply.status, reply.text).toBe(200);
      return withoutProgress(reply.body);
    };
    const unchanged = withoutProgress(made);
    expect(await change({})).toEqual(unchanged);
    expect(await change({ tags: "a,b" }, "PATCH")).toEqual({
      ...unchanged,
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

  test("changes options by id, adds options without an id, and removes options", async () => {
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
    expect(withoutProgress((await account.api("GET", path)).body)).toEqual(
      withoutProgress(changed.body),
    );
  });

  test("a closed broadcast cannot be reopened, and its recipients and options cannot change", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const made = await make(account, asking("Yes"));
    const path = `/broadcasts/${made.id}`;
    const set = async (status: unknown) => (await api("PUT", path, { status })).body.status;
    await vi.waitFor(async () => expect(await set(null)).toBe("open"), soon);
    expect(await set("queued")).toBe("open");
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

  test("applies all concurrent changes", async () => {
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
});

describe("case-insensitive uniqueness of response options", () => {
  test("a new broadcast names each repeated option", async () => {
    const { api, accountUserId } = await makeAccount();
    const body = {
      title: "Fire drill",
      destination_account_user_ids: [accountUserId],
      ...asking("Yes", "no", "YES", " Да", "да "),
    };
    const reply = await api("POST", "/broadcasts", body);
    expect([reply.status, faultyFields(reply)]).toEqual([
      422,
      [`${OPTIONS}[2].value`, `${OPTIONS}[4].value`],
    ]);
  });

  test("a change compares with the remaining options and not with the removed ones", async () => {
    const account = await makeAccount();
    const made = await make(account, asking("Yes", "No"));
    const [yes, no] = made.broadcast_response_options;
    const change = async (...entries: object[]) => {
      const reply = await account.api("PUT", `/broadcasts/${made.id}`, { [OPTIONS]: entries });
      return [reply.status, reply.status === 422 ? faultyFields(reply) : []];
    };
    expect(await change({ value: "yes" })).toEqual([422, [`${OPTIONS}[0].value`]]);
    expect(await change({ id: no.id, value: "YES" })).toEqual([422, [`${OPTIONS}[0].value`]]);
    expect(await change({ id: yes.id, value: "YES" })).toEqual([200, []]);
    expect(await change({ id: yes.id, value: "no" }, { id: no.id, value: "yes" })).toEqual([
      200,
      [],
    ]);
    expect(await change({ id: yes.id, _destroy: true }, { value: "No" })).toEqual([200, []]);
  });
});
