// Reports in the console: charts with their tables, and each table as CSV.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { csvOf } from "../../../src/domain/reports/csv.ts";
import { newDatedId } from "../../../src/kernel/db/identifiers.ts";
import { makeAccount } from "../../support/api/api.ts";
import { signIn, signInAdmin } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

const CHARTS = /<svg viewBox="0 0 (688|560)/g;

describe("reports", () => {
  test("show that there are no alerts in an account without alerts", async () => {
    const browser = await signInAdmin(await makeAccount());
    const { text } = await browser.get("/reports");
    expect(text).toContain("No alerts in this period");
  });

  test("show charts and tables with escaped names, and export them as CSV", async () => {
    const markup = "<img src=x onerror=alert(1)>";
    const account = await makeAccount();
    const person = await makePerson(account, markup);
    const team = await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }], {
      name: markup,
    });
    const { body: alert } = await account.api("POST", "/alerts", {
      title: "Down",
      urgency: "high",
      destination_team_ids: [team.id],
    });
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", `/alerts/${alert.id}/notifications`);
      expect(body.data).toMatchObject([{ status: "sent" }]);
    }, soon);
    await account.api("POST", `/alerts/${alert.id}/acknowledge`);
    const browser = await signIn(person.accountUserId);
    const before = (await browser.get("/reports?days=7")).text;
    expect(before).toContain("No alert has been resolved yet.");
    expect(before.match(CHARTS)).toHaveLength(3);
    await account.api("POST", `/alerts/${alert.id}/resolve`);
    const { status, text } = await browser.get("/reports?days=7");
    expect(status).toBe(200);
    expect(text.match(CHARTS)).toHaveLength(4);
    expect(text).toContain("Time to acknowledge");
    expect(text).toContain("&lt;img src=x");
    expect(text).not.toContain("<img src=x");
    expect(text).toContain(`href="/reports/by-week?days=7"`);
    const csv = await browser.get("/reports/by-week?days=7");
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toContain("by-week.csv");
    const [head, row] = csv.text.split("\r\n");
    expect(head).toMatch(/^week,team,alerts,dropped,/);
    expect(row).toContain(`,${markup},1,0,`);
    const hours = await browser.get("/reports/by-hour?days=7");
    expect(hours.text.trim().split("\r\n")).toHaveLength(169);
    const people = await browser.get("/reports/by-person?days=7");
    expect(people.text).toMatch(/^person,hours_on_call,pages,pages_at_night,nights_disturbed\r\n/);
  });
});

test("reports lead with four numbers beside those of the days before, of any days and teams", async () => {
  const account = await makeAccount();
  const { accountUserId } = account;
  const day = (at: number) => `2026-03-${String(at).padStart(2, "0")}`;
  const teams = await Promise.all(
    ["Payments", "Search"].map((name) =>
      makeTeam(account, [{ seconds: 600, people: [accountUserId] }], { name }),
    ),
  );
  /** An alert at noon of a day of March, acknowledged some minutes later. */
  const put = async (at: number, team: number, minutes: number) => {
    const { body } = await account.api("POST", "/alerts", {
      ...{ title: "Past", urgency: "silent", destination_team_ids: [teams[team]?.id] },
    });
    const createdAt = Date.parse(`${day(at)}T12:00:00Z`);
    await env.DB.prepare(
      "update alerts set id = ?, created_at = ?, acknowledged_at = ? where id = ?",
    )
      .bind(newDatedId(createdAt), createdAt, createdAt + minutes * 60_000, body.id)
      .run();
  };
  for (const [at, team, minutes] of [
    [10, 0, 2],
    [11, 0, 4],
    [12, 1, 9],
    [4, 0, 8],
    [5, 1, 8],
    [2, 0, 1],
  ] as const) {
    await put(at, team, minutes);
  }
  const browser = await signInAdmin(account);
  const measures = async (query: string) =>
    [...(await browser.get(`/reports?${query}`)).text.matchAll(/<dd><strong>(.*?)<\/dd>/g)].map(
      ([, text = ""]) =>
        text
          .replace(/<[^>]*>/g, " ")
          .replace(/\s+/g, " ")
          .trim(),
    );
  // Seven days, so before them the 3rd to the 9th.
  expect(await measures(`from=${day(10)}&to=${day(16)}`)).toEqual([
    "3 before: 2 (+50 %)",
    "4 min before: 8 min (−50 %)",
    "0 before: 0",
    "People and the API before: 2 (+50 %)",
  ]);
  expect(await measures(`from=${day(10)}&to=${day(16)}&team[]=${teams[1]?.id}`)).toEqual([
    "1 before: 1 (the same)",
    "9 min before: 8 min (+13 %)",
    "0 before: 0",
    "People and the API before: 1 (the same)",
  ]);
  const wrong = await browser.get(`/reports?from=${day(16)}&to=${day(10)}`);
  expect([wrong.status, wrong.text.includes("End must be after start")]).toEqual([422, true]);
});

test("CSV cells are quoted where needed, and formulas are escaped", () => {
  expect(
    csvOf(
      ["a", "b"],
      [
        ['=1+1, "x"', 2.5],
        [null, "plain"],
      ],
    ),
  ).toBe('a,b\r\n"\'=1+1, ""x""",2.5\r\n,plain\r\n');
});
