// Public holidays over HTTP: the regions, a region's holidays, and refusals.
import { expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";

test("lists the regions, each country followed by its subdivisions", async () => {
  const { api } = await makeAccount();
  const { status, body } = await api("GET", "/holidays/regions?limit=1");
  expect(status).toBe(200);
  expect(body.data.length).toBe(body.total_count);
  expect(body.has_more).toBe(false);
  expect(body.total_count).toBeGreaterThan(600);
  const codes = body.data.map(({ code }: { code: string }) => code);
  expect(codes).toEqual(expect.arrayContaining(["DE", "DE-BY", "DE-BY-KATH", "US-CA", "GB-SCT"]));
  const germany = codes.indexOf("DE");
  expect(body.data[germany]).toEqual({ code: "DE", name: "Germany", parent_code: null });
  expect(body.data[codes.indexOf("DE-BY-A")]).toMatchObject({ parent_code: "DE-BY" });
  expect(codes[germany + 1]).toMatch(/^DE-/);
});

test("lists a region's holidays between two dates, both inclusive, for a code in any case", async () => {
  const { api } = await makeAccount();
  const { body } = await api("GET", "/holidays?region=de-by&from=2026-01-01&to=2026-01-06&limit=1");
  expect(body).toEqual({
    data: [
      { date: "2026-01-01", starts_at: "00:00", name: "New Year's Day" },
      { date: "2026-01-06", starts_at: "00:00", name: "Epiphany" },
    ],
    has_more: false,
    total_count: 2,
  });
  const none = await api("GET", "/holidays?region=DE&from=2026-01-02&to=2026-01-31");
  expect(none.body).toEqual({ data: [], has_more: false, total_count: 0 });
  const eve = await api("GET", "/holidays?region=AU-QLD&from=2026-12-24&to=2026-12-24");
  expect(eve.body.data).toEqual([
    { date: "2026-12-24", starts_at: "18:00", name: "Christmas Eve" },
  ]);
});

test.each([
  ["region=XX&from=2026-01-01&to=2026-01-31", 422, "region"],
  ["region=DE-XX&from=2026-01-01&to=2026-01-31", 422, "region"],
  ["region=regions&from=2026-01-01&to=2026-01-31", 422, "region"],
  ["region=DE&from=2024-12-31&to=2025-01-31", 422, "from"],
  ["region=DE&from=2036-01-01&to=2037-01-01", 422, "to"],
  ["region=DE&from=2026-02-02&to=2026-02-01", 422, "to"],
  ["region=DE&from=2026-02-02", 422, "to"],
  ["region=DE&from=2026-02-30&to=2026-03-01", 400, "from"],
])("refuses %s", async (query, status, field) => {
  const { api } = await makeAccount();
  const reply = await api("GET", `/holidays?${query}`);
  expect(reply.status).toBe(status);
  expect(reply.body.errors).toMatchObject([{ field }]);
});
