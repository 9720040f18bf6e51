// Schedules in the console: who is on call when, adding shifts, and changing one shift, the following ones, or all.
import { describe, expect, test } from "vitest";
import { makeAccount } from "../../../support/api/api.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { type Browser, signIn, signInAdmin } from "../../../support/worker/console.ts";
import { makePerson } from "../../../support/worker/world.ts";

const DAY_SHIFT = {
  start_datetime: "2026-03-02T09:00",
  end_datetime: "2026-03-02T17:00",
  time_zone: "UTC",
  layer: "1",
};
const WEEK = ["2026-03-02 00:00:00", "2026-03-09 00:00:00"] as const;

async function makeWeek() {
  const rota = await makeRota("AB");
  const browser = await signInAdmin(rota.account);
  const made = await browser.submit(`/schedules/${rota.scheduleId}/events`, {
    ...DAY_SHIFT,
    repeat: "true",
    frequency: "1",
    frequency_unit: "daily",
    rotation: "true",
    "account_user_ids[]": [...rota.ids("AB"), "", ""],
  });
  expect(made.to).toContain("from=2026-03-02");
  const { body } = await rota.account.api("GET", `/schedules/${rota.scheduleId}/events`);
  return { rota, browser, id: String(body.data[0].id) };
}

/** Submits a change of this and the following shifts, and confirms the effects that the page lists. */
async function submitConfirmed(browser: Browser, id: string, what: string, fields: Fields) {
  const page = await submit(browser, id, what, fields);
  expect(page.text).toMatch(/Confirm (changes|removal)/);
  return submit(browser, id, what, { ...fields, confirmed: confirmedIn(page.text) });
}

/** What a confirmation page's form confirms. */
const confirmedIn = (html: string) => /name="confirmed" value="([^"]*)"/.exec(html)?.[1] ?? "";

type Fields = Record<string, string | readonly string[]>;

const submit = (browser: Browser, id: string, what: string, fields: Fields) =>
  browser.submit(`/events/${id}${what}`, { schedule: "skd_x", ...fields });

describe("a schedule's page", () => {
  test("shows who is on call when, the gaps, and each person's hours", async () => {
    const { rota, browser } = await makeWeek();
    const path = `/schedules/${rota.scheduleId}?from=2026-03-02`;
    for (const view of ["timeline", "weeks", "week", "month"]) {
      const { status, text } = await browser.get(`${path}&view=${view}`);
      expect([view, status]).toEqual([view, 200]);
      expect(text).toContain("Ada Admin");
      expect(text).toContain("B Person");
      expect(text).toContain("every day, rotation");
      expect(text).not.toContain("Coverage gaps.");
    }
    const ahead = await browser.get(`/schedules/${rota.scheduleId}?from=2099-03-02`);
    expect(ahead.text).toContain("Coverage gaps.");
    const { text } = await browser.get(path);
    expect(text).toContain("32.0");
    expect(text).toContain("24.0");
    expect(text).toContain(`data-view="timeline"`);
  });

  test("returns the calendar's shifts and gaps in the requested time zone, by layer", async () => {
    const { rota, browser } = await makeWeek();
    const { text } = await browser.get(
      `/schedules/${rota.scheduleId}/calendar?from=2026-03-02T00:00&to=2026-03-04T00:00&zone=Asia/Tokyo`,
    );
    const { layers, events } = JSON.parse(text);
    expect(layers.map(({ id }: { id: string }) => id)).toEqual(["layer-1", "layer-2", "layer-3"]);
    const [shift] = events.filter((it: { classNames: string[] }) => it.classNames.includes("turn"));
    expect(events.some((it: { classNames: string[] }) => it.classNames.includes("gap"))).toBe(true);
    expect(shift).toMatchObject({
      title: "Ada Admin (you)",
      start: "2026-03-02T18:00",
      end: "2026-03-03T02:00",
    });
  });

  test("tells overrides, own shifts and the reasons of gaps apart, and rows of series", async () => {
    const { rota, browser, id } = await makeWeek();
    await rota.amend(id, "override", {
      action_time: "2026-03-03T09:00:00.000Z",
      start_time: "2026-03-03T10:00:00Z",
      end_time: "2026-03-03T11:00:00Z",
      ...{ layer: 1, time_zone: "UTC", account_user_ids: rota.ids("A") },
    });
    await rota.event("B", {
      start_datetime: "2026-03-03T20:00:00Z",
      end_datetime: "2026-03-03T22:00:00Z",
    });
    const { text } = await browser.get(
      `/schedules/${rota.scheduleId}/calendar?from=2026-03-03T00:00&to=2026-03-04T00:00&zone=UTC`,
    );
    const { layers, events } = JSON.parse(text);
    const kinds = events
      .filter((it: any) => it.classNames.includes("turn"))
      .map((it: any) => [
        it.start.slice(11),
        it.title,
        it.classNames.filter((name: string) => ["override", "mine"].includes(name)).join(),
      ]);
    expect(kinds).toEqual([
      ["09:00", "B Person", ""],
      ["10:00", "Ada Admin (you)", "override,mine"],
      ["11:00", "B Person", ""],
      ["20:00", "B Person", ""],
    ]);
    expect(layers[0].children.map(({ title }: any) => title)).toEqual([
      "Ada Admin, B Person",
      "B Person",
    ]);
    expect(layers[1].children).toBeUndefined();
    const gaps = events.filter((it: any) => it.classNames.includes("gap"));
    // Layers 2 and 3 of the policy have no shifts: that is said in words.
    expect(new Set(gaps.map(({ title }: any) => title))).toEqual(
      new Set(["Nobody on call: no shift covers these hours"]),
    );
    const { text: page } = await browser.get(`/schedules/${rota.scheduleId}?from=2026-03-02`);
    expect(page).toContain("Steps 2 and 3 have no shifts.");
  });

  test("keeps the first day and the view in its address, also of two weeks", async () => {
    const { rota, browser, id } = await makeWeek();
    const path = `/schedules/${rota.scheduleId}?from=2026-03-04&view=weeks`;
    const { text } = await browser.get(path);
    expect(text).toContain(`data-from="2026-03-04" data-until="2026-03-18"`);
    expect(text).toContain("from=2026-02-25&amp;view=weeks");
    expect(text).toContain("from=2026-03-11&amp;view=weeks");
    const overridden = await submit(browser, id, "/override", {
      ...{ at: "2026-03-03T09:00:00.000Z", zone: "UTC", layer: "1", view: "weeks" },
      ...{ start_time: "2026-03-03T11:00", end_time: "2026-03-03T13:00" },
      "account_user_ids[]": rota.people.get("A") ?? "",
    });
    expect(overridden.to).toBe("/schedules/skd_x?from=2026-03-03&view=weeks");
  });

  test("begins today unless a day is asked for, a month with its first day", async () => {
    const { rota, browser } = await makeWeek();
    const first = async (query: string) =>
      /data-from="([^"]+)"/.exec(
        (await browser.get(`/schedules/${rota.scheduleId}${query}`)).text,
      )?.[1];
    // Of a day that may end in between.
    const days = [new Date().toISOString().slice(0, 10), ""];
    const begun = await first("?zone=UTC");
    days[1] = new Date().toISOString().slice(0, 10);
    expect(days).toContain(begun);
    expect(await first("?zone=UTC&from=2026-03-01&view=week")).toBe("2026-03-01");
    expect(await first("?zone=UTC&from=2026-03-15&view=month")).toBe("2026-03-01");
  });

  test("shows clock changes", async () => {
    const rota = await makeRota("A");
    await rota.event("A", {
      start_datetime: "2026-03-28T20:00:00Z",
      end_datetime: "2026-03-29T08:00:00Z",
      time_zone: "Berlin",
    });
    const browser = await signInAdmin(rota.account);
    const { text } = await browser.get(`/schedules/${rota.scheduleId}?from=2026-03-28&zone=Berlin`);
    expect(text).toContain("Clock change.");
    expect(text).toContain("forward");
  });

  test("shows the first step if there is no schedule", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    expect((await browser.get("/on-call")).text).toContain("Create team");
  });
});

describe("an event", () => {
  test("shows an error at its field, and redisplays the input", async () => {
    const rota = await makeRota("A");
    const browser = await signInAdmin(rota.account);
    const wrong = await browser.submit(`/schedules/${rota.scheduleId}/events`, {
      ...DAY_SHIFT,
      end_datetime: "2026-03-01T17:00",
      "account_user_ids[]": rota.ids("A"),
    });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('id="field-end-datetime-faults"');
    expect(wrong.text).toContain("2026-03-01T17:00");
    const nobody = await browser.submit(`/schedules/${rota.scheduleId}/events`, {
      ...DAY_SHIFT,
      "account_user_ids[]": ["", ""],
    });
    expect(nobody.text).toContain("at least one person");
  });

  test("is overridden in part, which leaves a shift before and one after the override", async () => {
    const { rota, browser, id } = await makeWeek();
    const at = "2026-03-03T09:00:00.000Z";
    const form = await browser.get(
      `/events/${id}?change=override&at=${at}&from=2026-03-03T11:00:00Z&until=2026-03-03T13:00:00Z`,
    );
    expect(form.text).toContain('value="2026-03-03T11:00"');
    const overridden = await submit(browser, id, "/override", {
      at,
      zone: "UTC",
      start_time: "2026-03-03T11:00",
      end_time: "2026-03-03T13:00",
      layer: "1",
      "account_user_ids[]": rota.people.get("A") ?? "",
    });
    expect(overridden.to).toContain("/schedules/skd_x?from=2026-03-03");
    expect(await rota.window("2026-03-03 00:00:00", "2026-03-04 00:00:00")).toEqual([
      "1 2026-03-03T09:00Z..2026-03-03T11:00Z B",
      "1 2026-03-03T11:00Z..2026-03-03T13:00Z A",
      "1 2026-03-03T13:00Z..2026-03-03T17:00Z B",
    ]);
    const invalid = await submit(browser, id, "/override", {
      at,
      zone: "UTC",
      start_time: "2026-03-03T13:00",
      end_time: "2026-03-03T11:00",
      layer: "1",
      "account_user_ids[]": rota.people.get("A") ?? "",
    });
    expect(invalid.status).toBe(422);
    expect(invalid.text).toContain('id="field-end-time-faults"');
  });

  test.each([
    ["one", 6],
    ["following", 1],
    ["all", 0],
  ])("is removed: %s", async (scope, left) => {
    const { rota, browser, id } = await makeWeek();
    const fields = { at: "2026-03-03T09:00:00.000Z", scope };
    const confirmation = await submit(browser, id, "/remove", fields);
    expect(confirmation.text).toContain("Confirm removal");
    expect(confirmation.text).toContain("The next six weeks");
    expect(await rota.window(...WEEK), "only shown").toHaveLength(7);
    await submitConfirmed(browser, id, "/remove", fields);
    expect(await rota.window(...WEEK)).toHaveLength(left);
  });

  test("is moved for one shift, which keeps its person and the rotation", async () => {
    const { rota, browser, id } = await makeWeek();
    await submitConfirmed(browser, id, "/move", {
      at: "2026-03-03T09:00:00.000Z",
      scope: "one",
      start: "2026-03-03T12:00",
      end: "2026-03-03T20:00",
    });
    expect((await rota.window(...WEEK)).slice(0, 3)).toEqual([
      "1 2026-03-02T09:00Z..2026-03-02T17:00Z A",
      "1 2026-03-03T12:00Z..2026-03-03T20:00Z B",
      "1 2026-03-04T09:00Z..2026-03-04T17:00Z A",
    ]);
  });

  test.each([
    ["/move", "one"],
    ["/move", "following"],
    ["/move", "all"],
    ["/remove", "one"],
    ["/remove", "following"],
    ["/remove", "all"],
  ])("is left by %s of %s shown before another change", async (what, scope) => {
    const { rota, browser, id } = await makeWeek();
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const fields = {
      at: `${day}T09:00:00.000Z`,
      scope,
      start: `${day}T10:00`,
      end: `${day}T14:00`,
    };
    const shown = await submit(browser, id, what, fields);
    expect(shown.text).toContain("Confirm");
    expect(shown.text).not.toContain("has changed meanwhile");
    await rota.amend(id, "override", {
      action_time: `${day}T09:00:00Z`,
      start_time: `${day} 15:00`,
      end_time: `${day} 17:00`,
      ...{ layer: 1, time_zone: "UTC", account_user_ids: rota.ids("AB") },
    });
    const window = [`${day} 00:00:00`, `${day} 23:59:59`] as const;
    const before = await rota.window(...window);
    expect(before).toHaveLength(2);
    const confirmed = confirmedIn(shown.text);
    const again = await submit(browser, id, what, { ...fields, confirmed });
    expect(again.text).toContain("The schedule has changed meanwhile");
    expect(await rota.window(...window)).toEqual(before);
    await submit(browser, id, what, { ...fields, confirmed: confirmedIn(again.text) });
    expect(await rota.window(...window)).not.toEqual(before);
  });

  test("is moved for all following shifts, and the rotation continues", async () => {
    const { rota, browser, id } = await makeWeek();
    await submitConfirmed(browser, id, "/move", {
      at: "2026-03-03T09:00:00.000Z",
      scope: "following",
      start: "2026-03-03T12:00",
      end: "2026-03-03T20:00",
    });
    expect((await rota.window(...WEEK)).slice(0, 3)).toEqual([
      "1 2026-03-02T09:00Z..2026-03-02T17:00Z A",
      "1 2026-03-03T12:00Z..2026-03-03T20:00Z B",
      "1 2026-03-04T12:00Z..2026-03-04T20:00Z A",
    ]);
  });

  test("is removed with its overrides, which are shown before", async () => {
    const { rota, browser, id } = await makeWeek();
    const at = "2026-03-03T09:00:00.000Z";
    await rota.amend(id, "override", {
      action_time: at,
      start_time: "2026-03-03T10:00:00Z",
      end_time: "2026-03-03T11:00:00Z",
      ...{ layer: 1, time_zone: "UTC", account_user_ids: rota.ids("A") },
    });
    const all = await submit(browser, id, "/remove", { at, scope: "all" });
    expect(all.text).toContain("Overrides that are removed");
    expect(all.text).toMatch(/3 Mar (2026 )?10:00/);
    const later = { at: "2026-03-04T09:00:00.000Z", scope: "following" };
    expect((await submit(browser, id, "/remove", later)).text).not.toContain("Overrides that are");
  });

  test("is moved for all shifts", async () => {
    const { rota, browser, id } = await makeWeek();
    await submitConfirmed(browser, id, "/move", {
      at: "2026-03-03T09:00:00.000Z",
      scope: "all",
      start: "2026-03-03T10:00",
      end: "2026-03-03T17:00",
    });
    const window = await rota.window(...WEEK);
    expect(window).toHaveLength(7);
    expect(window[0]).toBe("1 2026-03-02T10:00Z..2026-03-02T17:00Z A");
  });

  test("is changed from a shift on, and earlier shifts remain", async () => {
    const { rota, browser, id } = await makeWeek();
    const at = "2026-03-04T09:00:00.000Z";
    const form = await browser.get(`/events/${id}?change=edit&at=${at}`);
    expect(form.text).toContain('value="2026-03-04T09:00"');
    await submitConfirmed(browser, id, "", {
      at,
      ...DAY_SHIFT,
      start_datetime: "2026-03-04T09:00",
      end_datetime: "2026-03-04T17:00",
      layer: "2",
      repeat: "true",
      frequency: "1",
      frequency_unit: "daily",
      rotation: "true",
      "account_user_ids[]": rota.ids("AB"),
    });
    const layers = (await rota.window(...WEEK)).map((it) => it[0] + it.slice(-1));
    expect(layers.join(" ")).toBe("1A 1B 2A 2B 2A 2B 2A");
  });
});

describe("my shifts", () => {
  test("lists the viewer's next shifts in their own zone, each with its override", async () => {
    const rota = await makeRota("AB");
    const start = new Date(Date.now() - 3_600_000);
    start.setUTCMinutes(0, 0, 0);
    const event = await rota.event("AB", {
      start_datetime: start.toISOString(),
      end_datetime: new Date(start.getTime() + 86_400_000).toISOString(),
      ...{ repeat: true, rotation: true, frequency: 1, frequency_unit: "daily" },
    });
    const browser = await signInAdmin(rota.account);
    const { text } = await browser.get("/absences?whole=shifts");
    const links = [...text.matchAll(/href="(\/events\/[^"]*override[^"]*)"/g)].map(([, to]) => to);
    expect(links).toHaveLength(31);
    const query = new URLSearchParams({ at: start.toISOString(), schedule: rota.scheduleId });
    expect(links[0]?.replaceAll("&amp;", "&")).toBe(`/events/${event.id}?${query}&change=override`);
    expect(text.match(/>now</g)).toHaveLength(1);
    const override = await browser.get(links[1]?.replaceAll("&amp;", "&") ?? "");
    expect(override.text).toContain("Override shift");
    const plain = await signIn(rota.people.get("B") ?? "");
    const theirs = await plain.get("/absences?whole=shifts");
    expect(theirs.text).not.toContain("change=override");
    expect(theirs.text.match(/>Open</g)).toHaveLength(30);
    expect((await browser.get("/on-call")).text).toContain('href="/absences"');
  });

  test("lists those of schedules that no team uses, in the order of all, and no others", async () => {
    const rota = await makeRota("AB");
    const { api, accountUserId } = rota.account;
    const { body: lone } = await api("POST", "/schedules", { name: "Nobody's schedule" });
    const day = Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000;
    const shift = (from: number, more: Record<string, unknown>) =>
      rota.event("A", {
        start_datetime: new Date(day + from * 3_600_000).toISOString(),
        end_datetime: new Date(day + (from + 2) * 3_600_000).toISOString(),
        ...more,
      });
    const alone = { schedule_ids: [lone.id] };
    const ids = [
      await shift(1, {}),
      await shift(3, { ...alone, layer: 2 }),
      await shift(3, { layer: 3 }),
      await shift(9, alone),
    ].map(({ id }) => id);
    await shift(5, { ...alone, account_user_ids: rota.ids("B") });
    const end = new Date(day + 86_400_000).toISOString();
    const window = `start=${new Date(day).toISOString()}&end=${end}`;
    const { body } = await api("GET", `/account_users/${accountUserId}/window_events?${window}`);
    expect(body.map((it: { event_id: string }) => it.event_id)).toEqual(ids);
    expect(body.map((it: { schedule_id: string }) => it.schedule_id === lone.id)).toEqual([
      ...[false, true, false, true],
    ]);
    const unknown = `/account_users/acu_AAAAAAAAAAAAAA/window_events?${window}`;
    expect((await api("GET", unknown)).status).toBe(404);
    const { text } = await (await signInAdmin(rota.account)).get("/absences?whole=shifts");
    const links = [...text.matchAll(/href="\/events\/([^/?"]*)\?[^"]*change=override/g)].map(
      ([, id]) => id,
    );
    expect(links).toEqual(ids);
    expect(text).toContain("Nobody&#39;s schedule");
  });

  test("says so if there are none", async () => {
    const browser = await signInAdmin(await makeAccount());
    expect((await browser.get("/absences")).text).toContain("You are not on call");
  });
});

describe("permissions", () => {
  test("a plain member sees the calendar and cannot change it", async () => {
    const { rota, id } = await makeWeek();
    const member = await makePerson(rota.account, "Mia Member");
    const browser = await signIn(member.accountUserId);
    const shown = await browser.get(`/schedules/${rota.scheduleId}?from=2026-03-02`);
    expect(shown.text).toContain("B Person");
    expect(shown.text).not.toContain("Add shift<");
    expect(shown.text).not.toContain("data-modes");
    const before = await rota.window(...WEEK);
    for (const scope of ["one", "following", "all"]) {
      const fields = { at: "2026-03-03T09:00:00.000Z", scope };
      expect((await submit(browser, id, "/remove", fields)).text).toContain("notice bad");
      await submit(browser, id, "/remove", { ...fields, confirmed: "yes" });
    }
    const flushed = await browser.submit(`/schedules/${rota.scheduleId}/flush`);
    expect(flushed.text).toContain("notice bad");
    expect(await rota.window(...WEEK)).toEqual(before);
  });

  test("ids of another account are not found", async () => {
    const { rota, id } = await makeWeek();
    const browser = await signInAdmin(await makeAccount());
    const paths = ["", "?change=edit", "?change=override", "?change=move"].map(
      (it) => `/events/${id}${it}`,
    );
    for (const path of [`/schedules/${rota.scheduleId}`, ...paths]) {
      expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
    }
    const data = `/schedules/${rota.scheduleId}/calendar?from=2026-03-02T00:00&to=2026-03-03T00:00`;
    expect((await browser.get(data)).status).toBe(404);
  });

  test("markup in names is escaped", async () => {
    const account = await makeAccount("<img src=x onerror=alert(1)>");
    const { body } = await account.api("POST", "/schedules", { name: "<script>alert(1)</script>" });
    await account.api("POST", "/events", {
      start_datetime: "2026-03-02T09:00:00Z",
      end_datetime: "2026-03-02T17:00:00Z",
      layer: 1,
      time_zone: "UTC",
      schedule_ids: [body.id],
      account_user_ids: [account.accountUserId],
    });
    const browser = await signInAdmin(account);
    for (const path of ["/on-call", `/schedules/${body.id}?from=2026-03-02`]) {
      const { text } = await browser.get(path);
      expect(text).toContain("&lt;script&gt;");
      expect(text).not.toContain("<script>alert");
      expect(text).not.toContain("<img src=x");
    }
  });
});
