// The message format of each chat service, and the escaping of text from users and senders in each of them.
import { describe, expect, test } from "vitest";
import type { AnnouncementPayload } from "../../../src/domain/integrations/announcement.ts";
import type { OutgoingMessage, OutgoingRequest } from "../../../src/products/integration-type.ts";
import { integrationTypeNamed } from "../../../src/products/registry.ts";

const at = Date.UTC(2026, 0, 31, 9, 30);
const url = "https://tocsin.test/alerts/alt_1";

const alert = (more: Record<string, unknown> = {}): AnnouncementPayload => ({
  about: "alert",
  alert: {
    id: "01JJ5E6V7P8Q9R0STVWXYZ0123",
    title: "Disk full",
    description: "Writes fail",
    status: "open",
    urgency: "high",
    tags: ["db"],
    ...more,
  },
  sourceName: "Monitoring",
  destinations: ["Payments"],
  by: { accountUserId: null, name: "Ada" },
  detail: null,
});

const message = (
  payload: AnnouncementPayload,
  more: Partial<OutgoingMessage> = {},
): OutgoingMessage => ({
  event: "alert.open",
  at,
  payload,
  url,
  app: null,
  ...more,
});

const secrets = {
  webhook_url: "https://hooks.example.com/services/T/B/x",
  routing_key: "R0123456789012345678901234567890",
};

function announce(type: string, outgoing: OutgoingMessage): OutgoingRequest {
  const request = integrationTypeNamed(type)?.outgoing?.announce(outgoing, {}, secrets);
  if (!request) throw new Error(`${type} sends nothing`);
  return request;
}

test("Slack receives an attachment of blocks in the urgency's color", () => {
  expect(announce("slack", message(alert()))).toEqual({
    url: secrets.webhook_url,
    body: {
      text: "Open: Disk full",
      attachments: [
        {
          color: "#ff5252",
          blocks: [
            { type: "section", text: { type: "mrkdwn", text: "*Open*\nDisk full" } },
            { type: "section", text: { type: "mrkdwn", text: "Writes fail" } },
            {
              type: "section",
              fields: [
                { type: "mrkdwn", text: "*Status*\nopen" },
                { type: "mrkdwn", text: "*Urgency*\nhigh" },
                { type: "mrkdwn", text: "*Source*\nMonitoring" },
                { type: "mrkdwn", text: "*For*\nPayments" },
              ],
            },
            {
              type: "actions",
              elements: [{ type: "button", text: { type: "plain_text", text: "Open" }, url }],
            },
          ],
        },
      ],
    },
  });
});

test("Mattermost receives an attachment with fields", () => {
  expect(announce("mattermost", message(alert(), { event: "alert.acknowledged" }))).toEqual({
    url: secrets.webhook_url,
    body: {
      attachments: [
        {
          fallback: "Acknowledged by Ada: Disk full",
          color: "#fb8c00",
          pretext: "Acknowledged by Ada",
          title: "Disk full",
          title_link: url,
          text: "Writes fail",
          fields: [
            { short: true, title: "Status", value: "open" },
            { short: true, title: "Urgency", value: "high" },
            { short: true, title: "Source", value: "Monitoring" },
            { short: true, title: "For", value: "Payments" },
          ],
        },
      ],
    },
  });
});

test("Teams receives an adaptive card in a message", () => {
  expect(announce("teams", message(alert({ urgency: "critical" })))).toEqual({
    url: secrets.webhook_url,
    body: {
      type: "message",
      summary: "Open: Disk full",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            msteams: { width: "Full" },
            body: [
              {
                type: "Container",
                style: "attention",
                bleed: true,
                items: [
                  {
                    type: "RichTextBlock",
                    inlines: [{ type: "TextRun", text: "Open", weight: "Bolder" }],
                  },
                ],
              },
              {
                type: "RichTextBlock",
                inlines: [{ type: "TextRun", text: "Disk full", size: "Large", weight: "Bolder" }],
              },
              { type: "RichTextBlock", inlines: [{ type: "TextRun", text: "Writes fail" }] },
              {
                type: "FactSet",
                facts: [
                  { title: "Status", value: "open" },
                  { title: "Urgency", value: "critical" },
                  { title: "Source", value: "Monitoring" },
                  { title: "For", value: "Payments" },
                ],
              },
            ],
            actions: [{ type: "Action.OpenUrl", title: "Open", url }],
          },
        },
      ],
    },
  });
});

test("Google Chat receives a card in the alert's thread", () => {
  const thread = "01JJ5E6V7P8Q9R0STVWXYZ0123";
  expect(announce("google_chat", message(alert(), { event: "alert.resolved" }))).toEqual({
    url: `${secrets.webhook_url}?messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`,
    body: {
      thread: { threadKey: thread },
      cardsV2: [
        {
          cardId: thread,
          card: {
            header: { title: "Disk full" },
            sections: [
              {
                widgets: [
                  {
                    textParagraph: {
                      text: '<font color="#4caf50"><b>Resolved by Ada</b></font>',
                    },
                  },
                  { textParagraph: { text: "Writes fail" } },
                  { decoratedText: { topLabel: "Status", text: "open" } },
                  { decoratedText: { topLabel: "Urgency", text: "high" } },
                  { decoratedText: { topLabel: "Source", text: "Monitoring" } },
                  { decoratedText: { topLabel: "For", text: "Payments" } },
                  { buttonList: { buttons: [{ text: "Open", onClick: { openLink: { url } } }] } },
                ],
              },
            ],
          },
        },
      ],
    },
  });
});

describe("PagerDuty", () => {
  const body = (event: OutgoingMessage["event"]) =>
    announce("pagerduty", message(alert(), { event })).body;

  test("receives a trigger event with the alert's details", () => {
    const request = announce("pagerduty", message(alert()));
    expect(request.url).toBe("https://events.pagerduty.com/v2/enqueue");
    expect(request.body).toEqual({
      routing_key: secrets.routing_key,
      event_action: "trigger",
      dedup_key: "01JJ5E6V7P8Q9R0STVWXYZ0123",
      client: "Tocsin",
      client_url: url,
      payload: {
        summary: "Disk full",
        source: "Monitoring",
        severity: "error",
        timestamp: "2026-01-31T09:30:00.000Z",
        custom_details: {
          description: "Writes fail",
          urgency: "high",
          tags: ["db"],
          destinations: ["Payments"],
          alert_id: "01JJ5E6V7P8Q9R0STVWXYZ0123",
        },
      },
    });
  });

  test.each([
    ["alert.acknowledged", "acknowledge"],
    ["alert.resolved", "resolve"],
    ["alert.destroyed", "resolve"],
  ] as const)("receives for %s the action %s with only the alert's id", (event, action) => {
    expect(body(event)).toEqual({
      routing_key: secrets.routing_key,
      event_action: action,
      dedup_key: "01JJ5E6V7P8Q9R0STVWXYZ0123",
      client: "Tocsin",
      client_url: url,
    });
  });

  test("receives no other events", () => {
    const { outgoing } = integrationTypeNamed("pagerduty") ?? {};
    const rejected = message(alert(), { event: "alert.rejected" });
    expect(outgoing?.announce(rejected, {}, secrets)).toBeNull();
    expect(outgoing?.events["comment.created"]).toBeUndefined();
  });
});

describe("text from users and senders", () => {
  const hostile = "<!channel> *a* @all [x](http://evil.example) & `b` \u0000\ud800";
  const payload = alert({ title: hostile, description: hostile });
  const json = (type: string) => JSON.stringify(announce(type, message(payload)).body);

  test("cannot begin a mention or a link in Slack", () => {
    expect(json("slack")).toContain("&lt;!channel&gt; *a* @all [x](http://evil.example) &amp;");
    expect(json("slack")).not.toContain("<");
  });

  test("is neither Markdown nor a mention in Mattermost", () => {
    const text = JSON.parse(json("mattermost")).attachments[0].title;
    expect(text).toBe(
      "\\<\\!channel\\> \\*a\\* @\u200ball \\[x\\]\\(http://evil.example) & \\`b\\` \ufffd",
    );
  });

  test("is not Markdown in Teams: rich text has none, and facts are escaped", () => {
    const { body } = JSON.parse(json("teams")).attachments[0].content;
    expect(body[1].inlines[0].text).toContain("<!channel> *a* @all [x]");
    const named = alert();
    const facts = JSON.stringify(
      announce("teams", message({ ...named, sourceName: "[a](b)" } as AnnouncementPayload)).body,
    );
    expect(facts).toContain("\\\\[a\\\\]\\\\(b\\\\)");
  });

  test("is escaped in Google Chat, which renders some HTML tags", () => {
    const { card } = JSON.parse(json("google_chat")).cardsV2[0];
    const [, text] = card.sections[0].widgets;
    expect(text.textParagraph.text).toContain("&lt;!channel&gt;");
    expect(text.textParagraph.text).not.toContain("<");
  });

  test.each(["slack", "mattermost", "teams", "google_chat"])("is truncated in %s", (type) => {
    const long = alert({ title: "&".repeat(60_000), description: "<".repeat(60_000) });
    expect(JSON.stringify(announce(type, message(long)).body).length).toBeLessThan(20_000);
    if (type !== "slack") return;
    const { attachments } = announce(type, message(long)).body as any;
    for (const { text } of attachments[0].blocks) {
      expect((text?.text ?? "").length).toBeLessThan(3_000);
      expect(text?.text ?? "").not.toMatch(/&(?!amp;|lt;|gt;)/);
    }
  });
});

test.each(["slack", "mattermost", "teams", "google_chat"])(
  "%s formats every kind of announcement",
  (type) => {
    const comment: AnnouncementPayload = {
      about: "comment",
      on: "Disk full",
      comment: { body: "Clearing it", created_by_name: "Ada", commentable_id: "01J" },
    };
    const shift: AnnouncementPayload = {
      about: "shift",
      shift: {},
      personName: "Grace",
      teamNames: ["Payments"],
      layer: 1,
      at,
    };
    const cases = [
      [
        message(comment, { event: "comment.created" }),
        ["Comment by Ada", "Disk full", "Clearing it"],
      ],
      [
        message(shift, { event: "event_reminder.going_on_call", url: null }),
        ["Going on call", "Grace goes on call at 2026", "Payments"],
      ],
      [message({ about: "test", name: "Relay" }, { event: "integration.test" }), ["test of Relay"]],
    ] as const;
    for (const [outgoing, expected] of cases) {
      const text = JSON.stringify(announce(type, outgoing).body).replaceAll("\\", "");
      for (const word of expected) expect(text).toContain(word);
    }
  },
);
