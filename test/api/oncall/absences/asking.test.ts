// Absences that ask, and swaps, through the API: who may ask and answer, what accepting does, and who
// gets it when several accept at once.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { makeAccount, type Reply } from "../../../support/api/api.ts";
import { announced, differences, entriesOf } from "../../../support/oncall/previewed.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";
import { soon } from "../../../support/worker/faults.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const firstDay = () => Math.floor(Date.now() / DAY) * DAY + 2 * DAY;

/** A, B, C and D take daily turns from the day after tomorrow on; E is in no rotation. */
async function makeTurns() {
  const rota = await makeRota("ABCDE");
  const start = firstDay();
  const event = await rota.event("ABCD", {
    start_datetime: iso(start),
    end_datetime: iso(start + DAY),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
  });
  const apiOf = (letter: string) =>
    letter === "A" ? rota.account.api : colleague(rota, letter).api;
  /** Who serves each of eight days. */
  const days = async () =>
    (await rota.window(iso(start), iso(start + 8 * DAY))).map((line) => line.at(-1)).join("");
  /** A day of the rotation: `at(0)` is A's first one, `at(1)` B's. */
  const at = (day: number) => ({
    start_datetime: iso(start + day * DAY),
    end_datetime: iso(start + (day + 1) * DAY),
  });
  return { rota, event, apiOf, days, at };
}

type Turns = Awaited<ReturnType<typeof makeTurns>>;

function colleague(rota: Rota, letter: string) {
  const found = rota.colleagues.get(letter);
  if (!found) throw new Error(`no ${letter}`);
  return found;
}

async function ask(turns: Turns, by: string, body: Record<string, unknown>) {
  const reply = await turns.apiOf(by)("POST", "/absences", { instead: "ask", ...body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

const readAbsence = async ({ rota }: Turns, id: string) =>
  (await rota.account.api("GET", `/absences/${id}`)).body;

describe("an absence that asks", () => {
  test("puts who accepts on call instead", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, days, at } = turns;
    expect(await days()).toBe("ABCDABCD");
    const [b] = rota.ids("B");
    const made = await ask(turns, "B", {
      ...at(1),
      account_user_ids: rota.ids("CE"),
      reason: "Dentist",
    });
    expect(made).toMatchObject({
      account_user_id: b,
      instead: "ask",
      status: "asking",
      expires_at: at(1).start_datetime,
      in_return: null,
      covering_account_user_id: null,
      shifts: [],
      warnings: [],
      asked: rota
        .ids("CE")
        .map((id) => ({ account_user_id: id, answer: "pending", channel: null })),
      account_user_ids: rota.ids("CE"),
    });
    expect(made.prefix_id).toMatch(/^abs_/);
    expect((await readAbsence(turns, made.prefix_id)).uncovered).toMatchObject([
      { layer: 1, start_time: at(1).start_datetime, end_time: at(1).end_datetime },
    ]);
    const accepted = await apiOf("E")("POST", `/absences/${made.id}/accept`);
    expect(accepted.status, accepted.text).toBe(200);
    const [e] = rota.ids("E");
    expect(accepted.body).toMatchObject({
      ...{ instead: "ask", status: "covered", covering_account_user_id: e },
    });
    expect(accepted.body.asked[1]).toMatchObject({ answer: "accepted", channel: "api" });
    expect(await days()).toBe("AECDABCD");
    expect(await readAbsence(turns, made.id)).toMatchObject({
      reason: "Dentist",
      shifts: [{ account_user_ids: [e], start_time: at(1).start_datetime }],
      uncovered: [],
    });
  });

  test("asks everybody of a rotation but the person", async () => {
    const turns = await makeTurns();
    const { rota, event, at } = turns;
    const made = await ask(turns, "B", { ...at(1), event_id: event.prefix_id });
    expect(rota.letters(made.account_user_ids)).toBe("ACD");
  });

  test("of a swap has another one made, for the hours in return", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, days, at } = turns;
    const swap = { ...at(1), account_user_ids: rota.ids("C"), in_return: at(2) };
    const made = await ask(turns, "B", swap);
    expect(made.in_return).toEqual(at(2));
    const accepted = await apiOf("C")("POST", `/absences/${made.id}/accept`);
    expect(accepted.status, accepted.text).toBe(200);
    expect(await days()).toBe("ACBDABCD");
    const { body: returned } = await rota.account.api("GET", `/absences?return_of=${made.id}`);
    const [b, c] = rota.ids("BC");
    expect(returned.data).toMatchObject([
      {
        ...{ account_user_id: c, covering_account_user_id: b, instead: "person", ...at(2) },
        ...{ schedule_ids: [], reason: null, return_of: made.id, status: "covered" },
      },
    ]);
  });

  test("of a swap expires when the hours in return begin, if that is earlier", async () => {
    const turns = await makeTurns();
    const { rota, at } = turns;
    const swap = { ...at(2), account_user_ids: rota.ids("B"), in_return: at(1) };
    expect((await ask(turns, "C", swap)).expires_at).toBe(at(1).start_datetime);
  });

  test("is refused with every error", async () => {
    const { rota, event, apiOf, at } = await makeTurns();
    const faults = async (body: Record<string, unknown>) => {
      const reply = await apiOf("B")("POST", "/absences", { instead: "ask", ...body });
      expect(reply.status, reply.text).toBe(422);
      return { fields: faultyFields(reply), text: reply.text };
    };
    const toC = { account_user_ids: rota.ids("C") };
    const past = { start_datetime: iso(Date.now() - DAY), end_datetime: at(1).end_datetime };
    expect((await faults({ ...past, ...toC })).fields).toEqual(["start_datetime"]);
    expect((await faults({ ...at(1), account_user_ids: rota.ids("BC") })).fields).toEqual([
      "account_user_ids",
    ]);
    expect((await faults({ ...at(1), ...toC, event_id: event.id })).fields).toEqual(["event_id"]);
    expect((await faults({ ...at(2), ...toC })).text).toContain("B Person is not on call");
    expect((await faults({ ...at(1), ...toC, expires_at: at(1).end_datetime })).fields).toEqual([
      "expires_at",
    ]);
    const inReturn = { ...at(1), account_user_ids: rota.ids("CDE"), in_return: at(2) };
    const refused = await faults(inReturn);
    expect(refused.fields).toEqual(["in_return"]);
    expect(refused.text).toContain("D Person, E Person are not on call");
    const overlapping = { ...at(1), ...toC, in_return: at(1) };
    expect((await faults(overlapping)).text).toContain("must not overlap");
    const alone = await rota.event("B", { layer: 2, ...at(1) });
    expect((await faults({ ...at(1), event_id: alone.id })).text).toContain("nobody else");
    await rota.account.api("POST", "/absences", {
      account_user_id: rota.ids("B")[0],
      ...at(1),
      instead: "next_in_line",
      schedule_ids: [rota.scheduleId],
    });
    expect((await faults({ ...at(1), ...toC })).text).toContain("already has an absence");
  });

  test("is of oneself, or of people whom one may cover", async () => {
    const { rota, apiOf, at } = await makeTurns();
    const ofB = {
      ...{ instead: "ask", ...at(1) },
      ...{ account_user_id: rota.ids("B")[0], account_user_ids: rota.ids("C") },
    };
    expect((await apiOf("D")("POST", "/absences", ofB)).status).toBe(403);
    const own = await apiOf("B")("POST", "/absences", ofB);
    expect(own.status).toBe(201);
    expect((await apiOf("D")("DELETE", `/absences/${own.body.id}`)).status).toBe(403);
    expect((await apiOf("B")("DELETE", `/absences/${own.body.id}`)).status).toBe(204);
    const byAdmin = await apiOf("A")("POST", "/absences", ofB);
    expect(byAdmin.status).toBe(201);
    const path = `/absences/${byAdmin.body.id}`;
    expect((await apiOf("D")("PUT", path, { reason: "no" })).status).toBe(403);
    expect((await apiOf("D")("POST", `${path}/cancel`)).status).toBe(403);
    expect((await apiOf("B")("PUT", path, { reason: "yes" })).body.reason).toBe("yes");
    await rota.account.api("PUT", `/teams/${rota.teamId}`, {
      admin_account_user_ids: rota.ids("D"),
    });
    expect((await apiOf("D")("POST", `${path}/cancel`)).body.status).toBe("cancelled");
    const again = await apiOf("D")("POST", "/absences", ofB);
    expect(again.status, again.text).toBe(201);
  });

  test("is answered only by the people who are asked, and seen only in its account", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, at } = turns;
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("C") });
    const path = `/absences/${made.id}`;
    for (const what of ["accept", "decline"]) {
      expect((await apiOf("D")("POST", `${path}/${what}`)).status).toBe(403);
      expect((await apiOf("A")("POST", `${path}/${what}`)).status).toBe(403);
    }
    const { api } = await makeAccount();
    for (const what of ["accept", "decline", "cancel"]) {
      expect((await api("POST", `${path}/${what}`)).status).toBe(404);
    }
    expect((await api("GET", path)).status).toBe(404);
  });

  test("is declined once everybody has declined; until then they may still accept", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, at } = turns;
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("CD") });
    const path = `/absences/${made.id}`;
    expect((await apiOf("C")("POST", `${path}/decline`)).body.status).toBe("asking");
    expect((await apiOf("C")("POST", `${path}/decline`)).status).toBe(409);
    const last = await apiOf("D")("POST", `${path}/decline`);
    expect(last.body).toMatchObject({ status: "declined", covering_account_user_id: null });
    expect(last.body.ended_at).not.toBeNull();
    const late = await apiOf("C")("POST", `${path}/accept`);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("has declined")]);
    const other = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("CD") });
    await apiOf("C")("POST", `/absences/${other.id}/decline`);
    const changed = await apiOf("C")("POST", `/absences/${other.id}/accept`);
    expect(changed.body, changed.text).toMatchObject({ status: "covered" });
  });

  test("is cancelled, and then over", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, at } = turns;
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("C") });
    const path = `/absences/${made.id}`;
    expect((await apiOf("B")("POST", `${path}/cancel`)).body.status).toBe("cancelled");
    for (const [by, method, to] of [
      ["C", "POST", "/accept"],
      ["C", "POST", "/decline"],
      ["B", "POST", "/cancel"],
    ] as const) {
      const refused = await apiOf(by)(method, `${path}${to}`, {});
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("cancelled")]);
    }
  });

  test("cannot be accepted once its hours are gone, or covered otherwise", async () => {
    const turns = await makeTurns();
    const { rota, event, apiOf, at, days } = turns;
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("C") });
    await rota.amend(event.id, "add_exception", { action_time: at(1).start_datetime });
    const path = `/absences/${made.id}`;
    expect((await readAbsence(turns, made.id)).uncovered).toEqual([]);
    const gone = await apiOf("C")("POST", `${path}/accept`);
    expect([gone.status, gone.text]).toEqual([
      409,
      expect.stringContaining("not on call in these"),
    ]);
    const swap = { ...at(5), account_user_ids: rota.ids("C"), in_return: at(2) };
    const other = await ask(turns, "B", swap);
    const [a, c] = rota.ids("AC");
    await rota.account.api("POST", "/absences", {
      ...at(2),
      account_user_id: c,
      instead: "person",
      covering_account_user_id: a,
    });
    const before = await days();
    const taken = await apiOf("C")("POST", `/absences/${other.id}/accept`);
    expect([taken.status, taken.text]).toEqual([
      409,
      expect.stringContaining("C Person already has an absence"),
    ]);
    expect(await days()).toBe(before);
  });

  test("cannot be accepted after it has expired, also if nothing has noted it", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, at } = turns;
    const expiry = Date.now() + 60_000;
    const body = { ...at(1), account_user_ids: rota.ids("C"), expires_at: iso(expiry) };
    const made = await ask(turns, "B", body);
    await env.DB.prepare("update absences set asking_expires_at = ? where id = ?")
      .bind(Date.now() - 1, made.id)
      .run();
    expect((await readAbsence(turns, made.id)).status).toBe("expired");
    const { body: listed } = await apiOf("B")("GET", "/absences?status=expired");
    expect(listed.data.map((it: { id: string }) => it.id)).toEqual([made.id]);
    const late = await apiOf("C")("POST", `/absences/${made.id}/accept`);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("expired")]);
  });

  test("changes its expiry while it is open, within its limits", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, at } = turns;
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("C") });
    const put = (expires_at: string | null) =>
      apiOf("B")("PUT", `/absences/${made.id}`, { expires_at });
    const earlier = iso(Date.now() + 600_000);
    expect((await put(earlier)).body.expires_at).toBe(earlier);
    expect((await put(null)).body.expires_at).toBe(at(1).start_datetime);
    expect(faultyFields(await put(at(1).end_datetime))).toEqual(["expires_at"]);
  });
});

describe("while people are asked", () => {
  test("a person is away, which changes nothing until somebody accepts or it is cancelled", async () => {
    const turns = await makeTurns();
    const { rota, event, apiOf, days, at } = turns;
    await rota.account.api("PUT", `/events/${event.id}`, { when_away: "next_in_line" });
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("E") });
    // The rotation gives the hours to the next in line; whoever accepts takes them from there.
    expect(await days()).toBe("ACCDABCD");
    expect(made.shifts).toMatchObject([{ account_user_ids: rota.ids("C") }]);
    const path = `/absences/${made.id}`;
    await apiOf("B")("POST", `${path}/cancel`);
    expect(await days()).toBe("ABCDABCD");
    expect((await readAbsence(turns, made.id)).uncovered).toEqual([]);
    const again = await apiOf("B")("PUT", path, { instead: "ask" });
    expect(again.body, again.text).toMatchObject({ status: "asking", ended_at: null });
    expect((await apiOf("E")("POST", `${path}/accept`)).status).toBe(200);
    expect(await days()).toBe("AECDABCD");
  });

  test("only when it ends, why and whether it asks can change", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, days, at } = turns;
    const body = { ...at(1), account_user_ids: rota.ids("C"), in_return: at(2) };
    const made = await ask(turns, "B", body);
    const put = (change: object) => apiOf("B")("PUT", `/absences/${made.id}`, change);
    expect((await put({ instead: "ask", ...body, reason: "Dentist" })).body).toMatchObject({
      ...{ status: "asking", reason: "Dentist", ...body },
    });
    for (const [field, value] of Object.entries({
      start_datetime: at(0).start_datetime,
      end_datetime: at(2).end_datetime,
      schedule_ids: [rota.scheduleId],
      account_user_ids: rota.ids("CE"),
      in_return: at(6),
      covering_account_user_id: rota.ids("E")[0],
    })) {
      const refused = await put({ [field]: value });
      expect([refused.status, faultyFields(refused)], field).toEqual([422, [field]]);
    }
    const undecided = await put({ instead: "nobody_yet" });
    expect(undecided.body, undecided.text).toMatchObject({
      ...{ instead: "nobody_yet", status: "uncovered", asked: [], in_return: null },
      ...{ expires_at: null, ended_at: null },
      warnings: [{ reason: "nobody_yet" }],
    });
    expect((await apiOf("C")("POST", `/absences/${made.id}/accept`)).status).toBe(403);
    expect(faultyFields(await put({ account_user_ids: rota.ids("C") }))).toEqual([
      "account_user_ids",
    ]);
    expect(await days()).toBe("ABCDABCD");
  });

  test("nobody else may decide the same hours of the person", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, at } = turns;
    const asked = { account_user_ids: rota.ids("C") };
    const made = await ask(turns, "B", { ...at(1), ...asked });
    const decided = { account_user_id: rota.ids("B")[0], ...at(1) };
    for (const more of [{ instead: "ask", ...asked }, { instead: "empty" }]) {
      const refused = await apiOf("A")("POST", "/absences", { ...decided, ...more });
      expect([refused.status, refused.text]).toEqual([
        422,
        expect.stringContaining(made.prefix_id),
      ]);
    }
    const beside = await apiOf("B")("POST", "/absences", at(1));
    expect(beside.body, beside.text).toMatchObject({ status: "uncovered" });
    await apiOf("C")("POST", `/absences/${made.id}/decline`);
    const empty = await apiOf("A")("POST", "/absences", { ...decided, instead: "empty" });
    expect(empty.status, empty.text).toBe(201);
    const again = await apiOf("B")("PUT", `/absences/${made.id}`, { instead: "ask" });
    expect([again.status, again.text]).toEqual([
      422,
      expect.stringContaining(empty.body.prefix_id),
    ]);
  });

  test("once somebody has accepted, only who may override the shifts changes it", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, days, at } = turns;
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("C") });
    const path = `/absences/${made.id}`;
    await apiOf("C")("POST", `${path}/accept`);
    const longer = { end_datetime: at(5).end_datetime };
    expect((await apiOf("B")("PUT", path, longer)).status).toBe(403);
    expect((await apiOf("B")("PUT", path, { instead: "ask" })).status).toBe(403);
    const changed = await apiOf("A")("PUT", path, longer);
    expect(changed.body, changed.text).toMatchObject({ instead: "ask", status: "covered" });
    expect(await days()).toBe("ACCDACCD");
    const asked = await apiOf("A")("PUT", path, { account_user_ids: rota.ids("E") });
    expect(faultyFields(asked)).toEqual(["account_user_ids"]);
    const other = { instead: "person", covering_account_user_id: rota.ids("E")[0] };
    expect((await apiOf("A")("PUT", path, other)).body).toMatchObject({ ...other, asked: [] });
    expect((await apiOf("B")("DELETE", path)).status).toBe(204);
    expect(await days()).toBe("ABCDABCD");
  });
});

describe("the first who accepts gets it", () => {
  test("of many at once, one does, and the others learn who", async () => {
    const turns = await makeTurns();
    const { rota, event, apiOf, days, at } = turns;
    const made = await ask(turns, "B", { ...at(1), event_id: event.id });
    const path = `/absences/${made.id}/accept`;
    const replies = await Promise.all(
      [..."ACDACDACD"].map(async (letter) => ({
        letter,
        reply: await apiOf(letter)("POST", path),
      })),
    );
    const won = replies.filter(({ reply }) => reply.status === 200);
    expect(won.length, replies.map(({ reply }) => reply.text).join("\n")).toBe(1);
    const [winner] = won;
    expect(replies.filter(({ reply }) => reply.status === 409).length).toBe(8);
    const { name } = (
      await rota.account.api("GET", `/account_users/${winner?.reply.body.covering_account_user_id}`)
    ).body.user;
    for (const { letter, reply } of replies.filter((it) => it !== winner)) {
      const who = letter === winner?.letter ? "you have" : `${name} has`;
      expect(reply.text).toContain(`${who} already accepted the request`);
    }
    expect(await days()).toBe(`A${winner?.letter}CDABCD`);
    const absences = await rota.account.api("GET", "/absences");
    expect(absences.body.total_count).toBe(1);
  });

  test("of an acceptance and a cancellation at once, one counts", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, days, at } = turns;
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("C") });
    const path = `/absences/${made.id}`;
    const [accepted, cancelled] = await Promise.all([
      apiOf("C")("POST", `${path}/accept`),
      apiOf("B")("POST", `${path}/cancel`),
    ]);
    expect([accepted.status, cancelled.status].sort()).toEqual([200, 409]);
    expect(await days()).toBe(accepted.status === 200 ? "ACCDABCD" : "ABCDABCD");
  });
});

test.each([
  ["cover", false],
  ["swap", true],
])("the previews of a %s announce what then happens", async (_, isSwap) => {
  const turns = await makeTurns();
  const { rota, apiOf, days, at } = turns;
  const body = {
    ...{ instead: "ask", ...at(1) },
    account_user_ids: rota.ids("CD"),
    schedule_ids: [rota.scheduleId],
    ...(isSwap && { account_user_ids: rota.ids("C"), in_return: at(2) }),
  };
  const asked = await apiOf("B")("POST", "/absences?preview=true", body);
  expect(asked.status, asked.text).toBe(200);
  expect((await apiOf("B")("GET", "/absences")).body.total_count).toBe(0);
  const made = await ask(turns, "B", body);
  const path = `/absences/${made.id}/accept`;
  const preview = await apiOf("C")("POST", `${path}?preview=true`);
  const changesOf = ({ body }: Reply) =>
    body.schedules.map((it: { changes: unknown }) => it.changes);
  expect(changesOf(preview)).toEqual(changesOf(asked));
  expect(await days()).toBe("ABCDABCD");
  expect((await apiOf("D")("POST", `${path}?preview=true`)).status).toBe(isSwap ? 403 : 200);
  const before = await entriesOf(rota, preview.body.window);
  expect((await apiOf("C")("POST", path)).status).toBe(200);
  const after = await entriesOf(rota, preview.body.window);
  const happened = differences(before, after, preview.body.window);
  expect(happened.length).toBe(isSwap ? 2 : 1);
  expect([...announced(preview.body)].sort()).toEqual([...happened].sort());
});

describe("when a person leaves", () => {
  const leave = async ({ rota }: Turns, letter: string) => {
    const { status, text } = await rota.account.api(
      "DELETE",
      `/account_users/${rota.ids(letter)[0]}`,
    );
    expect(status, text).toBe(204);
  };

  test("nobody is asked for them any more", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, at } = turns;
    const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("C") });
    await leave(turns, "B");
    expect((await readAbsence(turns, made.id)).status).toBe("cancelled");
    expect((await apiOf("C")("POST", `/absences/${made.id}/accept`)).status).toBe(409);
  });

  test("they count as having declined what they were asked", async () => {
    const turns = await makeTurns();
    const { rota, apiOf, at } = turns;
    const both = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("CE") });
    const one = await ask(turns, "B", { ...at(5), account_user_ids: rota.ids("E") });
    await leave(turns, "E");
    expect((await readAbsence(turns, both.id)).status).toBe("asking");
    expect((await readAbsence(turns, one.id)).status).toBe("declined");
    expect((await readAbsence(turns, one.id)).asked).toMatchObject([
      { answer: "declined", channel: null },
    ]);
    expect((await apiOf("C")("POST", `/absences/${both.id}/decline`)).body.status).toBe("declined");
  });
});

test("a retry with the same key makes one request", async () => {
  const turns = await makeTurns();
  const { rota, apiOf, at } = turns;
  const body = { instead: "ask", ...at(1), account_user_ids: rota.ids("C") };
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const [one, other] = [
    await apiOf("B")("POST", "/absences", body, headers),
    await apiOf("B")("POST", "/absences", body, headers),
  ];
  expect(other?.body).toEqual(one?.body);
  expect((await apiOf("B")("GET", "/absences")).body.total_count).toBe(1);
});

test("nothing stays to be announced", async () => {
  const turns = await makeTurns();
  const { rota, apiOf, at } = turns;
  const made = await ask(turns, "B", { ...at(1), account_user_ids: rota.ids("C") });
  await apiOf("C")("POST", `/absences/${made.id}/accept`);
  const changes = "select count(*) as n from on_call_changes where account_id = ?";
  await vi.waitFor(async () => {
    const row = await env.DB.prepare(changes).bind(rota.account.accountId).first<{ n: number }>();
    expect(row?.n).toBe(0);
  }, soon);
});
