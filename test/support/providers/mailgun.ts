// A fake Mailgun: accepts mails like its API, and sends signed callbacks.
// Sending: documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages. Callbacks:
// /docs/mailgun/user-manual/webhooks/webhook-payloads and /securing-webhooks (HMAC-SHA256 of the
// time and the token, in hex), /docs/mailgun/user-manual/events/event-types.
import { createHmac } from "node:crypto";
import type { Reply } from "../api/api.ts";
import { serveAt } from "./outbound.ts";
import { configure, post } from "./phone-stand-in.ts";

const KEY = "only the tests' Mailgun knows this";

type MailgunMail = Readonly<Record<string, string>>;

export type Mailgun = {
  /** The fields of accepted mails. */
  readonly mails: MailgunMail[];
  /** The response instead of accepting; null = accept. */
  refusal: (() => Response) | null;
  /** Reports an event of a mail; pass another `key` to forge the signature. */
  readonly report: (mail: MailgunMail, event: object, key?: string) => Promise<Reply>;
};

/** Starts the fake and configures the deployment for it. */
export function openMailgun(): Mailgun {
  configure({
    MAILGUN_API: "https://mailgun.test",
    MAILGUN_API_KEY: "key-1",
    MAILGUN_SIGNING_KEY: KEY,
  });
  serveAt("mailgun.test", async ({ method, url, headers, body }) => {
    if (method !== "POST" || url.pathname !== "/v3/example.com/messages") {
      return Response.json({ message: "not found" }, { status: 404 });
    }
    if (headers.get("authorization") !== `Basic ${btoa("api:key-1")}`) {
      return Response.json({ message: "Forbidden" }, { status: 401 });
    }
    if (mailgun.refusal) return mailgun.refusal();
    const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers }).formData();
    const mail = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
    mailgun.mails.push(mail);
    return Response.json({ id: mail["h:Message-Id"], message: "Queued. Thank you." });
  });
  const mailgun: Mailgun = {
    mails: [],
    refusal: null,
    report: (mail, event, key = KEY) => {
      const [timestamp, token] = [
        String(Math.floor(Date.now() / 1000)),
        crypto.randomUUID().padEnd(50, "t"),
      ];
      const signature = createHmac("sha256", key)
        .update(timestamp + token)
        .digest("hex");
      const id = (mail["h:Message-Id"] ?? "").replace(/[<>]/g, "");
      const data = {
        ...{ message: { headers: { "message-id": id } }, recipient: mail.to },
        "user-variables": { notification: mail["v:notification"] },
        ...event,
      };
      const body = JSON.stringify({
        signature: { timestamp, token, signature },
        "event-data": data,
      });
      return post("/callbacks/mailgun", body, { "Content-Type": "application/json" });
    },
  };
  return mailgun;
}
