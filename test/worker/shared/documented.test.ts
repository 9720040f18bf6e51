// The check that every answer of the suite goes through: what the reference does not say is found.
import { describe, expect, test } from "vitest";
import { call, makeAccount } from "../../support/api/api.ts";
import { undocumented } from "../../support/api/documented.ts";

async function answeredTeams() {
  const { api } = await makeAccount();
  const { status, headers, body } = await api("GET", "/teams?limit=1");
  return { method: "GET", path: "/api/v4/teams?limit=1", status, headers, body };
}

describe("an answer against the reference", () => {
  test("is as it says", async () => {
    expect(undocumented(await answeredTeams())).toEqual([]);
  });

  test("has no property that it does not say", async () => {
    const answered = await answeredTeams();
    const [fault] = undocumented({ ...answered, body: { ...answered.body, next: 2 } });
    expect(fault).toContain("GET /api/v4/teams → 200");
    expect(fault).toContain("next");
  });

  test("has every property that it says, in the kind it says", async () => {
    const answered = await answeredTeams();
    const { total_count: _, ...without } = answered.body;
    expect(undocumented({ ...answered, body: without }).join()).toContain("total_count");
    const body = { ...answered.body, total_count: "1" };
    expect(undocumented({ ...answered, body }).join()).toContain("#/total_count");
  });

  test("has the headers that it promises, and its media type", async () => {
    const answered = await answeredTeams();
    const headers = new Headers({ "Content-Type": "text/plain" });
    expect(undocumented({ ...answered, headers })).toEqual([
      "GET /api/v4/teams → 200: no header X-Request-Id",
      "GET /api/v4/teams → 200: text/plain instead of application/json",
    ]);
  });

  test("has a status that it knows", async () => {
    const answered = { ...(await answeredTeams()), status: 418 };
    expect(undocumented(answered)).toEqual([
      "GET /api/v4/teams → 418: the reference has no such status",
    ]);
  });

  test("is of an operation that it knows", async () => {
    const answered = { ...(await answeredTeams()), path: "/api/v4/elsewhere" };
    expect(undocumented(answered)).toEqual(["GET /api/v4/elsewhere → 200: no such operation"]);
    const refused = await call("GET", "/api/v4/elsewhere");
    expect(refused.status).toBe(404);
  });
});
