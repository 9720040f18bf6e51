// The page of a team: who is notified as a ladder of people, what is wrong, and everything about it.
import { describe, expect, test } from "vitest";
import { makeRota } from "../../../support/oncall/rota.ts";
import { signIn, signInAdmin } from "../../../support/worker/console.ts";
import { makeIntegration, makePerson } from "../../../support/worker/world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

function daily(layer: number, hours = 24) {
  const start = Date.now() - HOUR;
  return {
    ...{ start_datetime: iso(start), end_datetime: iso(start + hours * HOUR) },
    ...{ layer, repeat: true, frequency: 1, frequency_unit: "daily" },
  };
}

const wordsOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/** The steps of the ladder, without times of the clock. */
const stepsIn = (text: string): readonly string[] => {
  const [, ladder = ""] = /<ol class="ladder">(.*?)<\/ol>/s.exec(text) ?? [];
  return ladder
    .split("<li>")
    .slice(1)
    .map((step) => wordsOf(step).replace(/ (for more than 30 days|until .*? left\))/, ""));
};

/** The text of the notice of what is wrong; null without one. */
const wrongIn = (text: string): string | null => {
  const [, notice] = /<strong>What is wrong<\/strong>(.*?)<\/ul>/s.exec(text) ?? [];
  return notice === undefined ? null : wordsOf(notice);
};

describe("a team's page", () => {
  test("says whom an alert notifies, and after how long, by the people on call now", async () => {
    const rota = await makeRota("ABC");
    const admin = await signInAdmin(rota.account);
    const path = `/teams/${rota.teamId}`;
    const empty = await admin.get(path);
    expect(stepsIn(empty.text)).toEqual([
      "Skipped Nobody Step 1 has no shifts. Add rotation",
      "Skipped Nobody Step 2 has no shifts. Add rotation",
      "Skipped Nobody Step 3 has no shifts. Add rotation",
      "Then Nobody is left.",
    ]);
    expect(wrongIn(empty.text)).toMatch(/^An alert would notify nobody now\./);
    expect(empty.text).toMatch(/href="\/schedules\/[\w-]+\/rotations\/new\?layer=2"/);
    await rota.event("A", daily(1));
    await rota.event("B", daily(3));
    const { text } = await admin.get(path);
    // A layer without anybody is skipped at once; the default policy has 5, 10 and 15 minutes.
    expect(stepsIn(text)).toEqual([
      "At once Ada Admin you",
      "Skipped Nobody Step 2 has no shifts. Add rotation",
      "After 5 min B Person Take this shift",
      "After 20 min Nobody is left.",
    ]);
    expect(wrongIn(text)).not.toContain("nobody");
  });

  test("says what comes after the last step", async () => {
    const rota = await makeRota("AB");
    await rota.event("A", daily(1));
    const [b = ""] = rota.ids("B");
    const { body: team } = await rota.account.api("GET", `/teams/${rota.teamId}`);
    await rota.account.api("PUT", `/escalation_policies/${team.escalation_policy_id}`, {
      ...{ repeat: 2, reassign_account_user_ids: [b] },
    });
    const { text } = await (await signInAdmin(rota.account)).get(`/teams/${rota.teamId}`);
    expect(stepsIn(text).at(-1)).toBe("After 5 min All steps again, twice. Then B Person");
  });

  test("names gaps ahead, people who cannot be woken, and a team without a sender", async () => {
    const rota = await makeRota("AB");
    const admin = await signInAdmin(rota.account);
    const read = async () => (await admin.get(`/teams/${rota.teamId}`)).text;
    await rota.event("A", daily(1, 20));
    const wrong = wrongIn(await read());
    expect(wrong).toMatch(/Nobody is on call on step 1 from .+ \(4 h\), and \d+ more times/);
    expect(wrong).toMatch(/B Person.* can be reached by e-mail only/);
    expect(wrong).toContain("No integration or router sends it alerts.");
    const { prefixId } = await makeIntegration(rota.account, [rota.teamId]);
    const shown = await read();
    expect(wrongIn(shown)).not.toContain("No integration");
    expect(shown).toContain(`href="/integrations/${prefixId}"`);
  });

  test("has its active alerts, routers, people, calendar and settings, for members too", async () => {
    const rota = await makeRota("AB");
    const { api } = rota.account;
    await rota.event("A", daily(1));
    const made = await api("POST", "/alerts", {
      ...{ title: "Disk full", urgency: "silent", destination_team_ids: [rota.teamId] },
    });
    const router = await api("POST", "/routers", {
      ...{ name: "By severity", default_receiver_team_id: rota.teamId },
    });
    const other = await api("POST", "/alerts", {
      ...{ title: "Elsewhere", urgency: "silent" },
      destination_account_user_ids: [rota.account.accountUserId],
    });
    expect([made.status, router.status, other.status]).toEqual([201, 201, 201]);
    const [b = ""] = rota.ids("B");
    const admin = await signInAdmin(rota.account);
    for (const browser of [admin, await signIn(b)]) {
      const { status, text } = await browser.get(`/teams/${rota.teamId}`);
      expect(status).toBe(200);
      for (const link of [
        `/alerts/${made.body.prefix_id}`,
        `/routers/${router.body.prefix_id}`,
        `/readiness?team=${rota.teamId}`,
      ]) {
        expect(text).toContain(`href="${link}"`);
      }
      expect(text).toContain('id="calendar"');
      expect(text).toContain('name="member_account_user_ids[]"');
      expect(text).not.toContain("Elsewhere");
    }
    const stranger = await signIn((await makePerson(rota.account, "Otto Other")).accountUserId);
    expect((await stranger.get(`/teams/${rota.teamId}`)).text).not.toContain("Add rotation");
    const refused = await admin.submit(`/teams/${rota.teamId}`, { name: " " });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('<details id="settings" open');
  });

  test("says who of its people is away, and who is in the schedule without being in the team", async () => {
    const rota = await makeRota("AB");
    const now = Date.now();
    const helper = await makePerson(rota.account, "Hanna Helper");
    await rota.account.api("POST", "/events", {
      ...{ ...daily(2), time_zone: "UTC", schedule_ids: [rota.scheduleId] },
      account_user_ids: [helper.accountUserId],
    });
    const [b = ""] = rota.ids("B");
    await rota.account.api("POST", "/absences", {
      ...{ account_user_id: b, start_datetime: iso(now), end_datetime: iso(now + DAY / 2) },
    });
    const { text } = await (await signInAdmin(rota.account)).get(`/teams/${rota.teamId}`);
    const words = wordsOf(text);
    expect(words).toMatch(/B Person away until/);
    expect(words).toContain("Not in the team, but in its schedule: Hanna Helper");
  });
});
