// A swap between two phones: asked for on one, accepted on the other.
import { describe, expect, test } from "vitest";
import { actionLink } from "../../../src/channels/links/links.ts";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { signInColleague } from "../colleague.ts";
import { onStage, type Stage, saveScreenshot, WITH_SERVICE_WORKER } from "../harness.ts";
import { poll, pressAction, serviceWorker, shownActions, shownTitles } from "../pushed.ts";

let stage: Stage;

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const PHONE = { width: 390, height: 844 };

/** Puts a person on call for a day of the demo team's schedule, on a layer of its own. */
async function putOnCall(start: number, person: string): Promise<string> {
  const { id } = await stage.api("POST", "/events", {
    start_datetime: iso(start),
    end_datetime: iso(start + DAY),
    layer: 7,
    time_zone: "UTC",
    schedule_ids: [stage.demo.schedule_id],
    account_user_ids: [person],
  });
  return id;
}

const onCallAt = async (start: number) => {
  const window = `start=${iso(start)}&end=${iso(start + DAY)}`;
  const shifts = await stage.api(
    "GET",
    `/schedules/${stage.demo.schedule_id}/window_events?${window}`,
  );
  return shifts
    .filter(({ layer }: { layer: number }) => layer === 7)
    .flatMap((it: { attendees: { attendee_id: string }[] }) =>
      it.attendees.map(({ attendee_id }) => attendee_id),
    );
};

describe.skipIf(chromiumPath === null)("requests for cover in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test.each(selectSome([["light"], ["dark"]] as const, 1, 0))(
    "a swap asked for on one phone and accepted on another: %s",
    async (colorScheme) => {
      const [ada = ""] = stage.demo.account_user_ids;
      const name = `Grace ${colorScheme}`;
      const { page: other, id: grace } = await signInColleague(stage, name, {
        colorScheme,
        viewport: PHONE,
      });
      const start = Math.floor(Date.now() / DAY) * DAY + (colorScheme === "light" ? 8 : 12) * DAY;
      const events = [await putOnCall(start, ada), await putOnCall(start + DAY, grace)];
      const one = await stage.signIn("ada@example.com", { colorScheme, viewport: PHONE });

      await one.goto("/on-call/mine");
      await expectAccessible(one);
      await saveScreenshot(one, `my shifts ${colorScheme}`);
      const shift = `a[href*="${events[0]}"]`;
      await one.locator(shift, { hasText: "Ask for cover" }).click();
      await one.getByLabel("Ask", { exact: true }).selectOption({ label: name });
      await one.getByLabel("Reason").fill("A wedding");
      await expectAccessible(one);
      await saveScreenshot(one, `ask ${colorScheme}`);
      await one.getByRole("button", { name: "Show changes" }).click();
      await one.getByText(`If ${name} accepts:`).waitFor();
      const value = `${iso(start + DAY)}/${iso(start + 2 * DAY)}`;
      await one.getByLabel(/in return$/).selectOption(value);
      await one.getByRole("button", { name: "Send request" }).click();
      // The swap is shown before it is sent.
      await expect.poll(() => one.getByRole("row").count()).toBeGreaterThan(2);
      await expectAccessible(one);
      await saveScreenshot(one, `send ${colorScheme}`);
      await one.getByRole("button", { name: "Send request" }).click();
      await one.getByText("Request sent.").waitFor();
      await expectAccessible(one);

      await other.goto("/on-call/mine");
      const asked = other.getByRole("table", { name: "Requests to me" });
      await expectAccessible(other);
      await saveScreenshot(other, `asked ${colorScheme}`);
      await asked.getByRole("link").first().click();
      await other.getByText("A wedding").waitFor();
      await expectAccessible(other);
      await saveScreenshot(other, `request ${colorScheme}`);
      // By keyboard alone.
      await other.getByRole("button", { name: "Accept" }).press("Enter");
      await other.getByRole("heading", { name: "Accept request" }).waitFor();
      await expectAccessible(other);
      await saveScreenshot(other, `accept ${colorScheme}`);
      await other.getByRole("button", { name: "Accept" }).press("Enter");
      await other.getByText("You have accepted.").first().waitFor();
      await expectAccessible(other);
      expect([await onCallAt(start), await onCallAt(start + DAY)]).toEqual([[grace], [ada]]);

      await one.goto("/on-call/mine");
      const own = one.getByRole("table", { name: "My requests" });
      await own.getByText("accepted").first().waitFor();
      await own.getByText(name).first().waitFor();
      await saveScreenshot(one, `my requests ${colorScheme}`);
      await one.setViewportSize({ width: 1440, height: 900 });
      await expectAccessible(one);
      await saveScreenshot(one, `my requests wide ${colorScheme}`);
      await one.goto("/cover_requests");
      await expectAccessible(one);
      await saveScreenshot(one, `requests ${colorScheme}`);
      for (const id of events) await stage.api("DELETE", `/events/${id}`);
    },
    240_000,
  );

  test("the button of a push notification accepts", async () => {
    const [ada = ""] = stage.demo.account_user_ids;
    const start = Math.floor(Date.now() / DAY) * DAY + 16 * DAY;
    const { page, id: grace } = await signInColleague(stage, `Grace Pushed${Date.now()}`, {
      viewport: PHONE,
      ...WITH_SERVICE_WORKER,
      permissions: ["notifications"],
    });
    const event = await putOnCall(start, ada);
    const request = await stage.api("POST", "/cover_requests", {
      account_user_id: ada,
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
      // Only there: Grace would take Ada's shifts in the schedules of other tests, too.
      schedule_ids: [stage.demo.schedule_id],
      account_user_ids: [grace],
    });
    const secrets = {
      LINK_SECRET: stage.secrets.LINK_SECRET ?? "",
      PUBLIC_URL: stage.demo.base_url,
    };
    const { accountId } = stage;
    const subject = { accountId, recordId: request.id, accountUserId: grace } as const;
    const url = await actionLink(secrets, { ...subject, purpose: "cover_request" }, Date.now());
    const worker = await serviceWorker(page);
    const pushed = {
      notification: {
        ...{ title: "Ada asks", body: "", tag: "request" },
        data: { type: "oncall.cover_request", alert: null, url },
      },
    };
    const actions = await shownActions(page, worker, stage.demo.base_url, pushed);
    expect(actions).toEqual(["accept", "decline"]);
    await pressAction(worker, "accept");
    const read = () => stage.api("GET", `/cover_requests/${request.id}`);
    await poll(async () => (await read()).status === "accepted");
    const { status, accepted_by } = await read();
    expect([status, accepted_by]).toEqual(["accepted", grace]);
    const titles = await poll(async () => {
      const shown = await shownTitles(worker);
      return shown.includes("Accepted") ? shown : null;
    });
    expect(titles ?? (await shownTitles(worker))).toContain("Accepted");
    expect(await onCallAt(start)).toEqual([grace]);
    await stage.api("DELETE", `/events/${event}`);
  }, 240_000);
});
