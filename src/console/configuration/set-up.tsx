// The setup guide: contact methods, a test page and calendar feeds of the signed-in person.

import { isRefusal } from "../../domain/shared/refusal.ts";
import { Heading, Notice } from "../../kernel/console/panel.tsx";
import { statusAfter } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { readMe } from "../access/me.ts";
import { NotificationLines } from "../alerts/notifications.tsx";
import { allOf } from "../api.ts";
import { readNames } from "../names.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { Phones } from "../people/phones.tsx";
import {
  Channels,
  Feeds,
  Push,
  Reach,
  type Refused,
  Step,
  Test,
  Zone,
} from "../people/reach-panels.tsx";

/** The outcome of the test page in the query string. */
async function TestResult(visit: Visit, id: string) {
  const read = await allOf(
    visit.api.get("/alerts/:id", { id }),
    visit.api.get("/alerts/:id/notifications", { id, event: "alert.open" }),
    readNames(visit.api),
  );
  if (isRefusal(read)) return null;
  const [alert, { data }, names] = read;
  const answered = alert.acknowledged_at !== null || alert.resolved_at !== null;
  return (
    <div
      id="current"
      class="stack"
      hx-get={`/set-up?test=${encodeURIComponent(id)}`}
      hx-trigger="every 3s"
      hx-select="#current"
      hx-swap="outerMorph"
      data-current
    >
      {answered ? (
        <Notice tone="good" title="Test page answered.">
          Notifications reach you, and you can answer them.
        </Notice>
      ) : (
        <p>
          Test page sent. Acknowledge it in the message or on{" "}
          <a href={`/alerts/${alert.prefix_id}`}>the alert page</a>.
        </p>
      )}
      <NotificationLines
        notifications={data}
        names={names}
        zone={visit.session.timeZone}
        now={visit.now}
      />
    </div>
  );
}

/** Renders the page; `made` is a new calendar feed's URL, which is shown only once. */
export async function setUpPage(
  visit: Visit,
  made?: string,
  refused: Refused | null = null,
): Promise<Reply> {
  const test = visit.query.get("test");
  const [me, result] = await Promise.all([
    readMe(visit),
    test === null ? null : TestResult(visit, test),
  ]);
  if (isRefusal(me)) return me;
  const { user } = me.person;
  const shared = { visit, me, back: "/set-up", refused } as const;
  return {
    kind: "page",
    status: statusAfter(refused?.refusal ?? null),
    title: "Setup guide",
    section: "settings",
    body: (
      <div class="narrow">
        <Heading
          title="Set up your notifications"
          lead="Complete these steps so that alerts reach you."
        />
        <Reach {...shared} />
        <Step title="1. Time zone" id="zone" state={user.time_zone !== "UTC"}>
          <Zone {...shared} />
        </Step>
        <Step
          title="2. Phone"
          id="phones"
          state={user.phones.some(({ confirmed, blocked }) => confirmed && !blocked)}
        >
          <Phones {...shared} />
        </Step>
        <Step title="3. Push notifications" id="push" state={me.subscriptions.length > 0}>
          <Push {...shared} />
        </Step>
        <Step title="4. Notification channels" id="channels">
          <Channels {...shared} />
        </Step>
        <Step title="5. Test page" id="test">
          <p>
            Pages you now by your own rules and channels, as a real alert would. At most five times
            an hour.
          </p>
          {result}
          <Test {...shared} />
        </Step>
        <Step title="6. Calendar feed" id="feeds" state={me.feeds.length > 0}>
          <Feeds {...shared} made={made} />
        </Step>
        <p>
          <a class="button primary" href="/alerts">
            Go to alerts
          </a>
        </p>
      </div>
    ),
  };
}

export const setUpPages: readonly ConsolePage[] = [page("/set-up", (visit) => setUpPage(visit))];
