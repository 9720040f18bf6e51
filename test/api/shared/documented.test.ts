// The check of every response in the tests reports what the reference does not document.
import { describe, expect, test } from "vitest";
import { call, makeAccount } from "../../support/api/api.ts";
import { undocumented } from "../../support/api/documented.ts";

async function teamsResponse() {
  const { api } = await makeAccount();
  const { status, headers, body } = await api("GET", "/teams?limit=1");
  return { method: "GET", path: "/api/v4/teams?limit=1", status, headers, body };
}

describe("checking a response against the reference", () => {
  test("accepts a documented response", async () => {
    expect(undocumented(await teamsResponse())).toEqual([]);
  });

  test("reports an undocumented property", async () => {
    const response = await teamsResponse();
    const [fault] = undocumented({ ...response, body: { ...response.body, next: 2 } });
    expect(fault).toContain("GET /api/v4/teams → 200");
    expect(fault).toContain("next");
  });

  test("reports a missing property, and one of another type", async () => {
    const response = await teamsResponse();
    const { total_count: _, ...without } = response.body;
    expect(undocumented({ ...response, body: without }).join()).toContain("total_count");
    const body = { ...response.body, total_count: "1" };
    expect(undocumented({ ...response, body }).join()).toContain("#/total_count");
  });

  test("reports a missing header, and another media type", async () => {
    const response = await teamsResponse();
    const headers = new Headers({ "Content-Type": "text/plain" });
    expect(undocumented({ ...response, headers })).toEqual([
      "GET /api/v4/teams → 200: no header X-Request-Id",
      "GET /api/v4/teams → 200: text/plain instead of application/json",
    ]);
  });

  test("reports an undocumented status", async () => {
    const response = { ...(await teamsResponse()), status: 418 };
    expect(undocumented(response)).toEqual([
      "GET /api/v4/teams → 418: the reference has no such status",
    ]);
  });

  test("reports an undocumented operation", async () => {
    const response = { ...(await teamsResponse()), path: "/api/v4/elsewhere" };
    expect(undocumented(response)).toEqual(["GET /api/v4/elsewhere → 200: no such operation"]);
    const refused = await call("GET", "/api/v4/elsewhere");
    expect(refused.status).toBe(404);
  });
});
