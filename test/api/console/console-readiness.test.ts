// The setup checklist, the notice of teams without anybody on call, readiness and drills, on pages.
import { expect, test, vi } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { makeRota } from "../../support/oncall/rota.ts";
import { addColleague } from "../../support/people/people.ts";
import { signIn, signInAdmin } from "../../support/worker/console.ts";

const soon = { timeout: 10_000, interval: 50 };

const LASTING = { start_datetime: "2020-01-01T00:00:00Z", end_datetime: "2040-01-01T00:00:00Z" };

test("an admin is warned of integrations at which an id is enough, with a link to each", async () => {
  const account = await makeAccount();
  const admin = await signInAdmin(account);
  const warning = "Integrations accept events from whoever knows their ID.";
  const { body } = await account.api("POST", "/integrations", {
    ...{ name: "By id", urgency: "low", integration_type_id: "webhook" },
    account_user_ids: [account.accountUserId],
  });
  const shown = await admin.get("/readiness");
  expect(shown.text).toContain(warning);
  expect(shown.text).toContain(`href="/integrations/${body.id}"`);
  await account.api("PUT", `/integrations/${body.id}`, { accepts_id: false });
  expect((await admin.get("/readiness")).text).not.toContain(warning);
});

test("an admin sees the checklist until a drill was answered, and the team without anybody on call", async () => {
  const rota = await makeRota("AB");
  const admin = await signInAdmin(rota.account);
  const other = await addColleague(rota.account, "Mia Member");
  const member = await signIn(other.id);
  const empty = await admin.get("/alerts");
  expect(empty.text).toContain("Set up paging");
  expect(empty.text).toContain("4 steps left");
  expect(empty.text).not.toContain("appear here automatically");
  const isWarned = async (of: typeof admin, path: string) =>
    (await of.get(path)).text.includes("</a> has nobody on call");
  for (const path of ["/alerts", "/on-call"]) {
    expect([path, await isWarned(admin, path)]).toEqual([path, true]);
    expect((await member.get(path)).text).not.toContain("Set up paging");
  }
  // Others are warned of their own teams.
  expect(await isWarned(await signIn(rota.people.get("B") ?? ""), "/on-call")).toBe(true);
  expect(await isWarned(member, "/on-call")).toBe(false);
  await rota.event("A", LASTING);
  const started = await admin.submit("/drills", { team: rota.teamId, title: "Paging" });
  expect(started.status).toBe(200);
  const address = started.to;
  // The action's browser reads what it changed; others may see what was read a minute ago.
  expect(await isWarned(admin, "/alerts")).toBe(false);
  const id = new URL(address, "http://console").searchParams.get("drill");
  await vi.waitFor(async () => {
    const { body } = await rota.account.api("GET", `/drills/${id}`);
    expect(body.people[0]?.notified_at).toEqual(expect.any(String));
  }, soon);
  expect((await admin.get("/alerts")).text).toContain("2 steps left");
  expect((await admin.submit(`/alerts/${id}/acknowledge`, {})).status).toBe(200);
  const after = await admin.get("/alerts");
  expect(after.text).not.toContain("Set up paging");
  expect(after.text).toContain("DRILL: Paging");
  const report = await admin.get(address);
  expect(report.text).toContain("Acknowledged after");
  expect(report.text).toContain("acknowledged");
  const readiness = await admin.get("/readiness?q=mia&sort=last_sign_in_at");
  expect(readiness.text).toContain("E-mail only");
  expect(readiness.text).not.toContain("B Person");
  const digest = await admin.submit("/readiness/digest", { mine: "true" });
  expect(digest.status).toBe(200);
  expect((await rota.account.api("GET", "/readiness")).body.weekly_digest).toBe(false);
});
