// On-call hours in the console: the form's values, the tables, the CSV links and refused values.
import { describe, expect, test } from "vitest";
import { makeRota } from "../../support/oncall/rota.ts";
import { signIn, signInAdmin } from "../../support/worker/console.ts";

/** The texts of the cells of a table's rows. */
const rowsOf = (html: string, label: string): string[] => {
  const [, table = ""] = html.split(`aria-label="${label}"`);
  const body = table.slice(0, table.indexOf("</table>"));
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row = ""]) =>
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell).join(" "),
    );
};

const ALL = "On-call hours of each person";
const BY_LAYER = "On-call hours of each person by schedule and step";
const WEEKEND = "weekend_days[]=&weekend_days[]=6&weekend_days[]=0";

async function makeServed() {
  const rota = await makeRota("AB");
  await rota.event("A", {
    start_datetime: "2026-01-05T08:00:00Z",
    end_datetime: "2026-01-06T08:00:00Z",
  });
  await rota.event("B", {
    layer: 2,
    start_datetime: "2026-01-10T00:00:00Z",
    end_datetime: "2026-01-10T00:20:00Z",
  });
  return rota;
}

describe("on-call hours", () => {
  test("are shown by person and by step, and exported with the same sums", async () => {
    const rota = await makeServed();
    const browser = await signInAdmin(rota.account);
    const query = `from=2026-01-01&to=2026-01-31&zone=UTC&region=DE-BY&${WEEKEND}`;
    const { status, text } = await browser.get(`/reports?view=hours&${query}`);
    expect(status).toBe(200);
    expect(rowsOf(text, ALL)).toEqual([
      "Ada Admin 14.00 2.00 0.00 8.00 24.00",
      "B Person 0.00 0.00 0.33 0.00 0.33",
    ]);
    expect(rowsOf(text, BY_LAYER)).toEqual([
      "Ada Admin Payments Schedule 1 14.00 2.00 0.00 8.00 24.00",
      "B Person Payments Schedule 2 0.00 0.00 0.33 0.00 0.33",
    ]);
    expect(text).toContain("New Year&#39;s Day (2026-01-01), Epiphany (2026-01-06)");
    const [, link = ""] = /href="(\/reports\/hours\.csv[^"]*by=person)"/.exec(text) ?? [];
    const csv = await browser.get(link.replaceAll("&amp;", "&"));
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toContain("on-call-hours.csv");
    expect(csv.text.trim().split("\r\n").slice(1)).toEqual([
      `Ada Admin,${rota.people.get("A")},14.00,2.00,0.00,8.00,24.00`,
      `B Person,${rota.people.get("B")},0.00,0.00,0.33,0.00,0.33`,
    ]);
  });

  test("follow the form: days in the zone, the last day included, and no weekend days", async () => {
    const rota = await makeServed();
    const browser = await signInAdmin(rota.account);
    const rows = async (query: string) =>
      rowsOf((await browser.get(`/reports?view=hours&${query}`)).text, ALL);
    expect(await rows("from=2026-01-05&to=2026-01-05&zone=UTC")).toEqual([
      "Ada Admin 14.00 2.00 0.00 0.00 16.00",
    ]);
    expect(await rows("from=2026-01-06&to=2026-01-06&zone=Tokyo")).toEqual([
      "Ada Admin 11.00 6.00 0.00 0.00 17.00",
    ]);
    expect(await rows("from=2026-01-10&to=2026-01-10&zone=UTC&weekend_days[]=")).toEqual([
      "B Person 0.00 0.33 0.00 0.00 0.33",
    ]);
    const nights = "night_start=08:00&night_end=12:00";
    expect(await rows(`from=2026-01-05&to=2026-01-05&zone=UTC&${nights}`)).toEqual([
      "Ada Admin 12.00 4.00 0.00 0.00 16.00",
    ]);
    const { text } = await browser.get(
      "/reports?view=hours&from=2026-01-05&to=2026-01-05&region=US-CA",
    );
    expect(text).toMatch(/<option value="US-CA" selected(="")?>/);
    expect(text).toContain('value="2026-01-05"');
  });

  test("at first are those of the last month, in the viewer's time zone", async () => {
    const rota = await makeServed();
    const browser = await signInAdmin(rota.account);
    const { status, text } = await browser.get("/reports?view=hours");
    expect(status).toBe(200);
    const [, from = ""] = /name="from"[^>]*value="([^"]*)"/.exec(text) ?? [];
    const [, to = ""] = /name="to"[^>]*value="([^"]*)"/.exec(text) ?? [];
    const now = new Date();
    const month = (back: number, day: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, day))
        .toISOString()
        .slice(0, 10);
    expect([from, to]).toEqual([month(1, 1), month(0, 0)]);
    expect(text).toContain("Nobody was on call.");
    expect((await browser.get("/reports")).text).toContain('href="/reports?view=hours"');
  });

  test("of a member are their own", async () => {
    const rota = await makeServed();
    const browser = await signIn(rota.people.get("B") ?? "");
    const { text } = await browser.get(
      "/reports?view=hours&from=2026-01-01&to=2026-01-31&zone=UTC",
    );
    expect(rowsOf(text, ALL)).toEqual(["B Person 0.00 0.00 0.33 0.00 0.33"]);
    expect(text).toContain("Your hours on call");
  });

  test.each([
    ["from=2026-02-01&to=2026-01-01", "Last day must be after"],
    ["from=2026-01-01&to=2027-06-01", "Last day must be at most 366 days after"],
    ["from=yesterday&to=2026-01-01", "First day is not a date."],
    ["from=2026-01-01&to=2026-01-02&night_start=22:00&night_end=22:00", "Night until must differ"],
    ["from=2020-01-01&to=2020-01-02&region=DE", "Public holidays of has holidays from 2025"],
    ["from=2026-01-01&to=2026-01-02&schedule=nothing", "Schedule"],
    ["from=2026-01-01&to=2026-01-02&zone=Nowhere", "Time zone is not a time zone."],
  ])("with invalid values show the form with the error: %s", async (query, message) => {
    const rota = await makeRota("A");
    const browser = await signInAdmin(rota.account);
    const { status, text } = await browser.get(`/reports?view=hours&${query}`);
    expect(status).toBe(422);
    const faults = [...text.matchAll(/<p class="faults"[^>]*>(.*?)<\/p>/gs)].map(([, it]) => it);
    expect(faults.join(" ")).toContain(message);
    expect(text).not.toContain(ALL);
    expect((await browser.get(`/reports/hours.csv?${query}`)).status).toBe(422);
  });
});
