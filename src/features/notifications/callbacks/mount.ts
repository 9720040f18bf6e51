// The callbacks of every provider.
import type { Hono } from "hono";
import type { Environment } from "../../../kernel/http/serve.ts";
import { TELEGRAM_PATH } from "../../../products/messengers/telegram.ts";
import { reportingMailProviders } from "../../people/channels/mail-providers.ts";
import { allPhoneProviders } from "../../people/channels/phone-providers.ts";
import { mountDiscord } from "../chat/discord.ts";
import { mountGoogleChat } from "../chat/google-chat.ts";
import { mountMattermost } from "../chat/mattermost.ts";
import { mountSlack } from "../chat/slack.ts";
import { mountTeams } from "../chat/teams.ts";
import { serveCallAnswer } from "./call-answers.ts";
import { serveDeliveryReport, serveMailReport } from "./delivery-reports.ts";
import { aboutNotification, fromProvider } from "./provider-request.ts";
import { servePushReceipt } from "./push-receipts.ts";
import { servePushoverReceipt } from "./pushover-receipts.ts";
import { serveSmsAnswer } from "./sms-answers.ts";
import { serveTelegramUpdate } from "./telegram-updates.ts";

export function mountCallbacks(app: Hono<Environment>): void {
  for (const provider of allPhoneProviders) {
    const base = `/callbacks/${provider.name}`;
    app.post(`${base}/messages`, fromProvider(provider, serveSmsAnswer));
    app.post(`${base}/calls/:token`, aboutNotification(provider, "calls", serveCallAnswer));
    app.post(`${base}/status/:token`, aboutNotification(provider, "status", serveDeliveryReport));
  }
  for (const provider of reportingMailProviders) {
    app.post(`/callbacks/${provider.name}`, fromProvider(provider, serveMailReport));
  }
  app.post("/callbacks/push/:token", servePushReceipt);
  app.post("/callbacks/pushover/:token", servePushoverReceipt);
  app.post(TELEGRAM_PATH, serveTelegramUpdate);
  mountSlack(app);
  mountMattermost(app);
  mountDiscord(app);
  mountGoogleChat(app);
  mountTeams(app);
}
