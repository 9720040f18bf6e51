import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";

const key = (name: string) => ({ "Idempotency-Key": name });

describe("Idempotency-Key", () => {
  test("the same key and body return the first response again", async () => {
    const { api } = await makeAccount();
    const first = await api("POST", "/schedules", { name: "Nights" }, key("a"));
    const second = await api("POST", "/schedules", { name: "Nights" }, key("a"));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
    expect((await api("GET", "/schedules")).body.total_count).toBe(1);
  });

  test("the same key with another body, or on another path, is a conflict", async () => {
    const { api } = await makeAccount();
    await api("POST", "/schedules", { name: "Nights" }, key("a"));
    expect((await api("POST", "/schedules", { name: "Days" }, key("a"))).status).toBe(409);
    expect((await api("GET", "/schedules")).body.total_count).toBe(1);
  });

  test("20 concurrent duplicates create one record", async () => {
    const { api } = await makeAccount();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api("POST", "/schedules", { name: "Nights" }, key("a"))),
    );
    const statuses = new Set(answers.map((answer) => answer.status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    const ids = new Set(answers.filter((it) => it.status === 201).map((it) => it.body.id));
    expect(ids.size).toBe(1);
    expect((await api("GET", "/schedules")).body.total_count).toBe(1);
  });

  test("a refused request creates nothing, and its key can be used again", async () => {
    const { api } = await makeAccount();
    expect((await api("POST", "/schedules", {}, key("a"))).status).toBe(422);
    expect((await api("POST", "/schedules", { name: "Nights" }, key("a"))).status).toBe(201);
  });

  test("a request that was interrupted after it created its record resumes with that record", async () => {
    const { api } = await makeAccount();
    const first = await api("POST", "/schedules", { name: "Nights" }, key("a"));
    // As after a crash between the record and its response: claimed, without a response, the lease ended.
    await env.DB.prepare(
      "update idempotency_keys set status = null, answer = '{}', claimed_until = 0 where record_id = ?",
    )
      .bind(first.body.id)
      .run();
    const second = await api("POST", "/schedules", { name: "Nights" }, key("a"));
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect((await api("GET", "/schedules")).body.total_count).toBe(1);
  });

  test("a request that was interrupted before it created its record creates it with the reserved id", async () => {
    const { api } = await makeAccount();
    const first = await api("POST", "/schedules", { name: "Nights" }, key("a"));
    await env.DB.batch([
      env.DB.prepare(
        "update idempotency_keys set status = null, answer = '{}', claimed_until = 0 where record_id = ?",
      ).bind(first.body.id),
      env.DB.prepare("delete from schedules where id = ?").bind(first.body.id),
    ]);
    const second = await api("POST", "/schedules", { name: "Nights" }, key("a"));
    expect(second.status).toBe(201);
    expect(second.body.id).toBe(first.body.id);
  });

  test("keys belong to one API key, have at most 255 characters, and expire after a day", async () => {
    const one = await makeAccount();
    const other = await makeAccount();
    await one.api("POST", "/schedules", { name: "Nights" }, key("a"));
    const theirs = await other.api("POST", "/schedules", { name: "Days" }, key("a"));
    expect(theirs.status).toBe(201);
    const long = await one.api("POST", "/schedules", { name: "Nights" }, key("k".repeat(256)));
    expect(long.status).toBe(422);
    await env.DB.prepare("update idempotency_keys set expires_at = 0").run();
    const later = await one.api("POST", "/schedules", { name: "Weekends" }, key("a"));
    expect(later.status).toBe(201);
    expect(later.body.name).toBe("Weekends");
  });
});
