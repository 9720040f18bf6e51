// The page of who is on call: a row per team, whose teams it lists, and what it warns of.
import { describe, expect, test } from "vitest";
import { makeAccount } from "../../../support/api/api.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { signIn, signInAdmin } from "../../../support/worker/console.ts";
import { makePerson } from "../../../support/worker/world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

/** The texts of a team's row, by cell; none without such a row. */
function rowOf(text: string, name: string): readonly string[] {
  const [, body = ""] = text.split("<tbody>");
  const rows = body.split("<tr>").filter((row) => row.includes(`>${name}</a>`));
  expect(rows.length).toBeLessThan(2);
  return [...(rows[0] ?? "").matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) =>
    cell
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

/** A shift that began an hour ago and is repeated every day for so many hours. */
function daily(hours: number, layer: number) {
  const start = Date.now() - HOUR;
  return {
    ...{ start_datetime: iso(start), end_datetime: iso(start + hours * HOUR) },
    ...{ layer, repeat: true, frequency: 1, frequency_unit: "daily" },
  };
}

describe("the page On call", () => {
  test("has a row per team: who, until when, who is next, and no warning of what nobody fills", async () => {
    const rota = await makeRota("ABC");
    const now = Date.now();
    await rota.event("AB", {
      ...{ start_datetime: iso(now - HOUR), end_datetime: iso(now + DAY) },
      ...{ repeat: true, rotation: true, frequency: 25, frequency_unit: "hourly" },
    });
    await rota.event("C", daily(24, 2));
    const { text } = await (await signInAdmin(rota.account)).get("/on-call");
    const [team, current, next, gap] = rowOf(text, "Payments");
    expect(team).toBe("Payments");
    expect(current).toMatch(/^Ada Admin you until .+ left\) step 2: C Person$/);
    expect(next).toMatch(/^B Person from /);
    // The third layer of the default policy has no shifts.
    expect(gap).toBe("none");
    expect(text).not.toContain('class="nobody"');
  });

  test("warns of gaps ahead on layers that somebody means to fill, and of no past ones", async () => {
    const rota = await makeRota("ABC");
    const admin = await signInAdmin(rota.account);
    const gapOf = async () => rowOf((await admin.get("/on-call")).text, "Payments")[3];
    expect(await gapOf()).toBe("no shifts");
    // Nobody for the 30 days before it, as nobody counts.
    await rota.event("A", daily(24, 1));
    expect(await gapOf()).toBe("none");
    // A few hours on a layer are help, and no promise of all hours; most hours are.
    const help = await rota.event("B", daily(4, 2));
    expect(await gapOf()).toBe("none");
    await rota.account.api("DELETE", `/events/${help.id}`);
    await rota.event("B", daily(20, 2));
    expect(await gapOf()).toMatch(/^step 2: from .+ \(4 h\), and \d+ more$/);
    // A layer that the policy does not have notifies nobody.
    await rota.event("C", daily(20, 7));
    expect(await gapOf()).not.toContain("step 7");
  });

  test("lists one's own teams first, remembers the choice, and finds any team", async () => {
    const rota = await makeRota("AB");
    await rota.event("A", daily(24, 1));
    const { accountId, accountUserId } = rota.account;
    expect(accountId).not.toBe("");
    await rota.account.api("POST", "/teams", {
      ...{ name: "Away team", member_account_user_ids: [accountUserId] },
      admin_account_user_ids: [accountUserId],
    });
    const [b = ""] = rota.ids("B");
    const ben = await signIn(b);
    const names = (text: string) =>
      ["Payments", "Away team"].filter((name) => rowOf(text, name).length > 0).join();
    const first = await ben.get("/on-call");
    expect(names(first.text)).toBe("Payments");
    expect(first.text).toMatch(
      /Mine <span class="count">0<.*My teams <span class="count">1<.*All <span class="count">2</s,
    );
    expect(names((await ben.get("/on-call?scope=all")).text)).toBe("Payments,Away team");
    expect(names((await ben.get("/on-call")).text)).toBe("Payments,Away team");
    const mine = await ben.get("/on-call?scope=mine");
    expect(mine.text).toContain("You have no shifts in the next 30 days.");
    expect(names((await ben.get("/on-call?q=away")).text)).toBe("Away team");
    expect((await ben.get("/on-call")).text).toContain("You have no shifts");
    const other = await signIn((await makePerson(rota.account, "Otto Other")).accountUserId);
    // Those without anybody on call are first.
    const { text } = await other.get("/on-call");
    expect(text.indexOf(">Away team<")).toBeLessThan(text.indexOf(">Payments<"));
  });

  test("lists the schedules of several teams and of none, which admins create there", async () => {
    const account = await makeAccount();
    const admin = await signInAdmin(account);
    expect((await admin.get("/schedules")).to).toBe("/on-call#shared");
    const teamOf = (name: string, body = {}) =>
      account.api("POST", "/teams", {
        ...{ name, member_account_user_ids: [account.accountUserId], ...body },
        admin_account_user_ids: [account.accountUserId],
      });
    const { body: payments } = await teamOf("Payments");
    await teamOf("Refunds", { schedule_id: payments.schedule_id });
    await teamOf("Ledger");
    const wrong = await admin.submit("/schedules", { name: "" });
    expect([wrong.status, wrong.text.includes('<details class="panel" id="shared" open')]).toEqual([
      422,
      true,
    ]);
    const made = await admin.submit("/schedules", { name: "Holiday cover" });
    expect(made.to).toMatch(/^\/schedules\/skd_/);
    const member = await signIn((await makePerson(account, "Mia Member")).accountUserId);
    for (const browser of [admin, member]) {
      const { text } = await browser.get("/on-call");
      const listed = [...text.matchAll(/<li><a href="\/schedules\/[^"]+">(.*?)<\/li>/g)];
      expect(listed.map(([, it = ""]) => it.replace(/<[^>]+>/g, "")).sort()).toEqual([
        "Holiday cover no teams",
        "Payments Schedule Payments, Refunds",
      ]);
      expect(text.includes("Create schedule")).toBe(browser === admin);
    }
    // What a search finds is not folded away.
    const isOpen = async (q: string) =>
      (await admin.get(`/on-call?q=${q}`)).text.includes('id="shared" open');
    expect([await isOpen("holiday"), await isOpen("nothing"), await isOpen("")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
