// The next steps of an alert agree with its workflows, and `/oncall` with each schedule's window and coverage.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { soon } from "../../support/worker/faults.ts";
import { fewestTrips } from "../../support/worker/round-trips.ts";
import {
  makeIntegration,
  makePerson,
  makeTeam,
  type Person,
  type Team,
} from "../../support/worker/world.ts";

let account: Account;
let crew: Person[];
let team: Team;

/** Creates an alert to these destinations, and reads its first next step. */
async function makeAlert(destinations: Record<string, readonly string[]>) {
  const { body } = await account.api("POST", "/alerts", {
    title: "It waits",
    urgency: "high",
    ...destinations,
  });
  const path = `/alerts/${body.prefix_id}/next_steps`;
  const steps = await account.api("GET", path);
  expect(steps.status, steps.text).toBe(200);
  return { path, id: body.id as string, step: steps.body[0] };
}

beforeAll(async () => {
  account = await makeAccount();
  crew = [await makePerson(account, "One"), await makePerson(account, "Two")];
  const layers = [
    { seconds: 600, people: [crew[0]?.accountUserId ?? ""] },
    { seconds: 600, people: [] },
    { seconds: 600, people: [crew[1]?.accountUserId ?? ""] },
  ];
  team = await makeTeam(account, layers, { repeat: 1 });
});

describe("the next steps of an alert", () => {
  test("show the current layer, and the next layer with somebody on call at its time-out", async () => {
    const { id, step } = await makeAlert({ destination_team_ids: [team.id] });
    const workflows = await account.api("GET", `/alerts/${id}/workflows`);
    const [workflow] = workflows.body.data;
    expect(step).toMatchObject({
      workflow_id: workflow.id,
      destination_type: "team",
      destination_id: team.id,
      layer: 1,
      pass: 1,
      account_user_ids: [crew[0]?.accountUserId],
      at: workflow.next_step_at,
      next: { layer: 3, pass: 1, account_user_ids: [crew[1]?.accountUserId] },
    });
  });

  test("show the layer that follows if who acknowledged does not answer to news", async () => {
    const other = await makeAccount();
    const people = [await makePerson(other, "One"), await makePerson(other, "Two")];
    const [one = "", two = ""] = people.map(({ accountUserId }) => accountUserId);
    const both = await makeTeam(other, [{ seconds: 600, people: [one, two] }]);
    const integration = await makeIntegration(other, [both.id]);
    const send = (Urgency: string) =>
      integration.send({ event_type: "create", Id: "news", Title: "News", Urgency });
    await send("low");
    const alert = await vi.waitFor(async () => {
      const { body } = await other.api("GET", "/alerts?thirdparty_id=news");
      expect(body.data).toHaveLength(1);
      return body.data[0];
    }, soon);
    const key = people[0]?.key ?? "";
    await call("POST", `/api/v4/alerts/${alert.id}/acknowledge`, { key });
    await send("high");
    await vi.waitFor(async () => {
      const { body } = await other.api("GET", `/alerts/${alert.id}/next_steps`);
      expect(body).toMatchObject([
        { layer: 1, account_user_ids: [one], next: { layer: 1, account_user_ids: [one, two] } },
      ]);
    }, soon);
  });

  test("show the first layer of the next pass if the last layer has only pending people", async () => {
    const { path } = await makeAlert({ destination_team_ids: [team.id] });
    const set = (state: string) =>
      env.DB.prepare("update account_users set state = ? where id = ?")
        .bind(state, crew[1]?.accountUserId)
        .run();
    await set("pending");
    const { body } = await account.api("GET", path);
    await set("active");
    expect(body[0].next).toEqual({
      layer: 1,
      pass: 2,
      account_user_ids: [crew[0]?.accountUserId],
    });
  });

  test("show no next layer for a person, and are empty once the alert is acknowledged", async () => {
    const ids = [crew[1]?.accountUserId ?? ""];
    const { id, path, step } = await makeAlert({ destination_account_user_ids: ids });
    expect(step).toMatchObject({ destination_type: "account_user", account_user_ids: ids });
    expect(step.next).toBeNull();
    await account.api("POST", `/alerts/${id}/acknowledge`);
    expect((await account.api("GET", path)).body).toEqual([]);
  });

  test("are read in one round trip, and are a 404 for an unknown alert", async () => {
    const { path } = await makeAlert({ destination_team_ids: [team.id] });
    expect((await fewestTrips(1, () => account.api("GET", path))).trips).toBe(1);
    const none = "/alerts/alt_BBBBBBBBBBBBBB/next_steps";
    expect((await account.api("GET", none)).status).toBe(404);
  });
});

describe("who is on call by team", () => {
  const window = `start=${new Date(Date.now() - 3_600_000).toISOString()}&end=${new Date(
    Date.now() + 3 * 86_400_000,
  ).toISOString()}`;

  test("equals each schedule's window and coverage, in one round trip", async () => {
    const other = await makeTeam(account, [{ seconds: 60, people: [account.accountUserId] }], {
      name: "Others",
    });
    const own = [account.accountUserId];
    const members = { member_account_user_ids: own, admin_account_user_ids: own };
    const bare = await account.api("POST", "/teams", { name: "Without", ...members });
    const gone = await account.api("DELETE", `/schedules/${bare.body.schedule_id}`);
    expect(gone.status, gone.text).toBe(204);
    const shared = await account.api("POST", "/teams", {
      name: "Shared",
      ...members,
      schedule_id: team.scheduleId,
    });
    const { body, status, text } = await account.api("GET", `/oncall?${window}`);
    expect(status, text).toBe(200);
    const ids = body.map((it: { team_id: string }) => it.team_id);
    expect(ids.toSorted()).toEqual([team.id, other.id, bare.body.id, shared.body.id].toSorted());
    for (const { schedule_id, entries, layers } of body) {
      if (schedule_id === null) {
        expect([entries, layers]).toEqual([[], []]);
        continue;
      }
      const path = `/schedules/${schedule_id}`;
      const shifts = await account.api("GET", `${path}/window_events?${window}`);
      const coverage = await account.api("GET", `${path}/coverage?${window}`);
      expect(shifts.body.length).toBeGreaterThan(0);
      expect(entries).toEqual(shifts.body);
      expect(layers).toEqual(coverage.body.layers);
    }
    expect((await fewestTrips(1, () => account.api("GET", `/oncall?${window}`))).trips).toBe(1);
  });

  test("rejects a window of more than 92 days, and a missing window", async () => {
    const { status, body } = await account.api(
      "GET",
      "/oncall?start=2030-01-01T00:00:00Z&end=2030-06-01T00:00:00Z",
    );
    expect([status, body.errors[0].field]).toEqual([422, "end"]);
    expect((await account.api("GET", "/oncall")).status).toBe(422);
  });
});
