// The decisions of contract 2, Public holidays and Hours on call: a test each.
import { beforeAll, describe, expect, test } from "vitest";
import { makeRota, type Rota } from "../../support/oncall/rota.ts";

const JUNE = "start=2026-06-01 00:00:00&end=2026-07-01 00:00:00";
const OCTOBER = "start=2026-10-01 00:00:00&end=2026-11-01 00:00:00";

let rota: Rota;
beforeAll(async () => {
  rota = await makeRota("AB");
});

/** `weekday night weekend holiday` in hours, of one person. */
async function hoursOf(letter: string, query: string): Promise<string> {
  const { body } = await rota.account.api("GET", `/reports/on_call_hours?${query}`);
  const [id] = rota.ids(letter);
  const found = body.by_person.find((it: any) => it.account_user_id === id);
  const { weekday, night, weekend, holiday } = found.minutes;
  return [weekday, night, weekend, holiday].map((minutes) => minutes / 60).join(" ");
}

describe("Public holidays", () => {
  const list = async (query: string) => {
    const { status, body } = await rota.account.api("GET", `/holidays?${query}`);
    return status === 200 ? body.data.map(({ date }: any) => date) : status;
  };

  test("a subdivision has the country's holidays too; both dates are inclusive", async () => {
    expect(await list("region=DE&from=2026-10-03&to=2026-11-01")).toEqual(["2026-10-03"]);
    const bavaria = await list("region=DE-BY&from=2026-10-03&to=2026-11-01");
    expect(bavaria).toEqual(["2026-10-03", "2026-11-01"]);
  });

  test("not days on which only banks or schools are closed", async () => {
    // 24 and 31 December, and the schools' Day of Prayer and Repentance.
    const late = await list("region=DE-BY&from=2026-11-02&to=2026-12-31");
    expect(late).toEqual(["2026-12-25", "2026-12-26"]);
  });

  test("an unknown region and other years are a 422", async () => {
    expect(await list("region=EU&from=2026-01-01&to=2026-01-02")).toBe(422);
    expect(await list("region=DE&from=2024-01-01&to=2024-01-02")).toBe(422);
  });
});

describe("Hours on call", () => {
  test("holiday before weekend before night before weekday; Friday's night ends at midnight", async () => {
    // Friday 2 October 2026 to Monday; Saturday is the German national holiday.
    await rota.event("A", {
      start_datetime: "2026-10-02T18:00:00Z",
      end_datetime: "2026-10-05T08:00:00Z",
    });
    expect(await hoursOf("A", OCTOBER)).toBe("6 8 48 0");
    expect(await hoursOf("A", `${OCTOBER}&holiday_region=DE`)).toBe("6 8 24 24");
  });

  test("across a change of clocks, the night has 7 or 9 hours", async () => {
    const nights = "weekend_days=&time_zone=London";
    await rota.event("A", {
      start_datetime: "2026-10-24T21:00:00Z",
      end_datetime: "2026-10-25T06:00:00Z",
      layer: 3,
    });
    await rota.event("A", {
      start_datetime: "2026-03-28T22:00:00Z",
      end_datetime: "2026-03-29T05:00:00Z",
      layer: 3,
    });
    const around = (from: string, to: string) =>
      hoursOf("A", `start=${from} 12:00:00&end=${to} 12:00:00&${nights}`);
    expect(await around("2026-10-24", "2026-10-25")).toBe("0 9 0 0");
    expect(await around("2026-03-28", "2026-03-29")).toBe("0 7 0 0");
  });

  test("simultaneous shifts count once; by_layer counts each layer", async () => {
    const shift = { start_datetime: "2026-06-02T08:00:00Z", end_datetime: "2026-06-02T12:00:00Z" };
    await rota.event("B", shift);
    await rota.event("B", { ...shift, layer: 2 });
    expect(await hoursOf("B", JUNE)).toBe("4 0 0 0");
    const { body } = await rota.account.api("GET", `/reports/on_call_hours?${JUNE}`);
    const [person] = body.by_person;
    expect(person.by_layer.map((it: any) => [it.layer, it.minutes.total])).toEqual([
      [1, 240],
      [2, 240],
    ]);
  });

  test("an override's hours belong to whoever serves it", async () => {
    const { id } = await rota.event("B", {
      start_datetime: "2026-06-09T08:00:00Z",
      end_datetime: "2026-06-09T12:00:00Z",
    });
    const { status } = await rota.amend(id, "override", {
      start_time: "2026-06-09 10:00",
      end_time: "2026-06-09 11:00",
      time_zone: "UTC",
      layer: 1,
      account_user_ids: rota.ids("A"),
      action_time: "2026-06-09T08:00:00Z",
    });
    expect(status).toBe(201);
    const day = "start=2026-06-09 00:00:00&end=2026-06-10 00:00:00";
    expect([await hoursOf("A", day), await hoursOf("B", day)]).toEqual(["1 0 0 0", "3 0 0 0"]);
  });

  test("members see their own hours only", async () => {
    const member = rota.colleagues.get("B");
    const { body } = (await member?.api("GET", `/reports/on_call_hours?${OCTOBER}`)) ?? {};
    expect(body.by_person).toEqual([]);
    expect(await hoursOf("A", OCTOBER)).not.toBe("");
  });
});
