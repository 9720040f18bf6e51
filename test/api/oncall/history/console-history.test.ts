// The history in the console: a list, and an undo in two steps. And how long entries are stored.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { retire } from "../../../../src/features/operations/retention/retention.ts";
import { newIdOf } from "../../../../src/kernel/db/identifiers.ts";
import { bodyOf, formsOf } from "../../../support/api/forms.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { signIn, signInAdmin } from "../../../support/worker/console.ts";

const DAY = 86_400_000;
/** Midnight (UTC) so many days after a day in three months. */
const dayAt = (days: number) =>
  new Date((Math.floor(Date.now() / DAY) + 90 + days) * DAY).toISOString();

async function makeTurns() {
  const rota = await makeRota("ABC");
  const event = await rota.event("AB", {
    start_datetime: dayAt(0),
    end_datetime: dayAt(1),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
  });
  const week = async () =>
    (await rota.window(dayAt(0), dayAt(7))).map((line) => line.at(-1)).join("");
  return { rota, event, week };
}

describe("the history in the console", () => {
  test("lists changes, and undoes one after a look at what changes", async () => {
    const { rota, event, week } = await makeTurns();
    const browser = await signInAdmin(rota.account);
    await rota.account.api("PUT", `/events/${event.id}`, { account_user_ids: rota.ids("CA") });
    const before = await week();
    expect(before).toContain("C");
    const calendar = await browser.get(`/schedules/${rota.scheduleId}`);
    expect(calendar.text).toContain("Changed shifts: people");
    const { body } = await rota.account.api("GET", `/schedules/${rota.scheduleId}`);
    const history = await browser.get(`/schedules/${body.prefix_id}?view=history`);
    expect(history.status).toBe(200);
    expect(history.text).toContain("by API key");
    expect(history.text).toContain("a later change depends on it");
    const [undo, ...others] = formsOf(history.text).filter(({ action }) =>
      action.endsWith("/undo"),
    );
    expect(others).toEqual([]);
    const path = undo?.action ?? "";
    const shown = await browser.submit(path, {});
    expect(shown.text).toContain("Confirm undo");
    expect(await week()).toBe(before);
    const confirmation = formsOf(shown.text).find(({ action }) => action === path);
    if (!confirmation) throw new Error(shown.text);
    const { form_token: _, ...confirmed } = bodyOf(confirmation);
    const after = await browser.submit(path, confirmed);
    expect(after.text).toContain("Change undone.");
    expect(after.text).toContain("Redo");
    expect(await week()).toBe("ABABABA");
    // The form that is sent twice undoes once.
    expect((await browser.submit(path, confirmed)).text).toContain("Change undone.");
    expect(await week()).toBe("ABABABA");
  });

  test("undoes only what was shown: a change in between is shown first", async () => {
    const { rota, event, week } = await makeTurns();
    const browser = await signInAdmin(rota.account);
    await rota.account.api("PUT", `/events/${event.id}`, { account_user_ids: rota.ids("CA") });
    const path = `/schedules/${rota.scheduleId}/changes`;
    const { body } = await rota.account.api("GET", path);
    const to = `${path}/${body.data[0].id}/undo`;
    const confirmedBy = (text: string) => /name="confirmed" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const shown = await browser.submit(to, {});
    expect(shown.text).not.toContain("meanwhile");
    await rota.event("C", {
      start_datetime: dayAt(1),
      end_datetime: dayAt(3),
      priority: 1,
    });
    const again = await browser.submit(to, { confirmed: confirmedBy(shown.text) });
    expect(again.text).toContain("The schedule has changed meanwhile");
    expect(await week()).toBe("CCACAC");
    const done = await browser.submit(to, { confirmed: confirmedBy(again.text) });
    expect(done.text).toContain("Change undone.");
    expect(await week()).toBe("ACBABA");
  });

  test("offers no undo to members", async () => {
    const { rota } = await makeTurns();
    const browser = await signIn(rota.colleagues.get("B")?.id ?? "");
    const history = await browser.get(`/schedules/${rota.scheduleId}?view=history`);
    expect(history.text).toContain("Added shifts");
    const forms = formsOf(history.text);
    expect(forms.filter(({ action }) => action.endsWith("/undo"))).toEqual([]);
  });
});

test("entries are deleted when their retention ends", async () => {
  const { rota } = await makeTurns();
  const { accountId } = rota.account;
  const [old, recent] = [401, 300].map((days) => newIdOf("change", Date.now() - days * DAY));
  for (const id of [old, recent]) {
    await env.DB.batch([
      env.DB.prepare(`insert into changes (account_id, id, created_at, actor_kind, verb, kind,
        record_id, schedule_ids) values (?, ?, 0, 'system', 'update', 'schedule', ?, ?)`).bind(
        accountId,
        id,
        rota.scheduleId,
        JSON.stringify([rota.scheduleId]),
      ),
      env.DB.prepare("insert into change_schedules values (?, ?, ?)").bind(
        accountId,
        rota.scheduleId,
        id,
      ),
    ]);
  }
  for (let run = 0; run < 2; run++) {
    await retire(env, Date.now(), { batch: 100, rounds: 1, ms: 60_000, rows: 100 });
  }
  const ids = async (table: string, column: string) => {
    const query = env.DB.prepare(`select ${column} as id from ${table} where account_id = ?`);
    return (await query.bind(accountId).all()).results.map(({ id }) => id);
  };
  for (const stored of [await ids("changes", "id"), await ids("change_schedules", "change_id")]) {
    expect(stored).not.toContain(old);
    expect(stored).toContain(recent);
  }
});
