// Every way in which a person answers an alert: by the API, the console, a link, a push button, the telephone, a
// messenger and a chat. Each acknowledges as somebody, and gives what is said to them.
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { PhoneProviderName } from "../../../src/domain/people/phone-provider.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { actionLink, signedLink } from "../../../src/kernel/links.ts";
import { updateSecret } from "../../../src/products/messengers/telegram.ts";
import { callbackUrl } from "../../../src/products/phone/callback-url.ts";
import { type Account, call } from "../api/api.ts";
import { open, press } from "../api/links.ts";
import { codeOf, givePhone, paged } from "../people/phones.ts";
import * as discord from "../providers/chat/discord.ts";
import * as google from "../providers/chat/google-chat.ts";
import { linkIn } from "../providers/chat/linking.ts";
import * as mattermost from "../providers/chat/mattermost.ts";
import * as slack from "../providers/chat/slack.ts";
import * as teams from "../providers/chat/teams.ts";
import { updateBot } from "../providers/messengers.ts";
import { configure } from "../providers/phone-stand-in.ts";
import { openTelnyx } from "../providers/telnyx.ts";
import { callBack, text } from "../providers/twilio.ts";
import { openVonage } from "../providers/vonage.ts";
import { signIn } from "../worker/console.ts";
import { soon } from "../worker/faults.ts";
import type { Person } from "../worker/world.ts";

/** Who answers; `user` is their name in chats. */
export type Answerer = Person & { readonly user: string };

/** Acknowledges an alert as somebody; gives what is said to them. */
export type Answering = (who: Answerer, alertId: string) => Promise<string>;

/** Prepares a way before the alert is created. */
export type Way = (account: Account) => Promise<Answering>;

const linkFor = (account: Account, { accountUserId }: Answerer, recordId: string) =>
  actionLink(
    env,
    { purpose: "alert", accountId: account.accountId, recordId, accountUserId },
    Date.now(),
  ).then(String);

const numbers = new Map<string, string>();

async function numberOf({ accountUserId }: Answerer): Promise<string> {
  const number = numbers.get(accountUserId) ?? (await givePhone(accountUserId));
  numbers.set(accountUserId, number);
  return number;
}

let effects = 0;
const fresh = () => {
  effects += 1;
  return { effect: `answering ${effects}` };
};

/** The notification of an alert to somebody by telephone. */
const notified = async (
  account: Account,
  who: Answerer,
  alertId: string,
  channel: "sms" | "voice",
) => paged(account, alertId, who.accountUserId, channel, await numberOf(who), fresh());

const callUrl = async (
  account: Account,
  who: Answerer,
  alertId: string,
  provider: PhoneProviderName,
) => {
  const id = await notified(account, who, alertId, "voice");
  const key = { accountId: account.accountId, accountUserId: who.accountUserId, id };
  return String(await callbackUrl(env, provider, "calls", key, Date.now()));
};

const CALL = `CA${"0".repeat(32)}`;

/** The providers whose replies are messages of their own. */
const phones = { vonage: openVonage, telnyx: openTelnyx } as const;

const smsBy =
  (name: keyof typeof phones): Way =>
  async (account) => {
    const provider = await phones[name]();
    configure({ SMS_PROVIDERS: name, VOICE_PROVIDERS: name });
    return async (who, alertId) => {
      const id = await notified(account, who, alertId, "sms");
      await provider.text(await numberOf(who), `A ${codeOf(who.accountUserId, id)}`);
      return provider.taken.at(-1)?.text ?? "";
    };
  };

const callBy =
  (name: keyof typeof phones): Way =>
  async (account) => {
    const provider = await phones[name]();
    configure({ SMS_PROVIDERS: name, VOICE_PROVIDERS: name });
    return async (who, alertId) => {
      const answerUrl = await callUrl(account, who, alertId, name);
      const taken = { kind: "call", to: "", text: "", id: CALL, statusUrl: "", answerUrl } as const;
      return (await provider.press(taken, "1")).text;
    };
  };

/** A chat: how somebody presses Acknowledge in the message of an alert as it was first posted. */
type Chat<Message> = {
  readonly rootOf: (alertId: string) => Message | undefined;
  readonly press: (message: Message, user: string) => Promise<string>;
  /** The latest text with a link for somebody who has not linked their account. */
  readonly linkFor: (user: string, said: string) => string;
};

function answerIn<Message>({ rootOf, press, linkFor: linkOf }: Chat<Message>): Answering {
  const first = new Map<string, Message>();
  return async (who, alertId) => {
    const root = await vi.waitFor(() => {
      const found = rootOf(alertId);
      if (found === undefined) throw new Error("the alert is not posted");
      return found;
    }, soon);
    const message = first.get(alertId) ?? structuredClone(root);
    first.set(alertId, message);
    const said = await press(message, who.user);
    if (!said.includes("Link your")) return said;
    const shown = await (await signIn(who.accountUserId)).submit(linkIn(linkOf(who.user, said)));
    if (!shown.to.startsWith("/settings")) throw new Error(shown.text);
    return press(message, who.user);
  };
}

const ALL = { option_everything: true };

/** By the product. */
export const CHATS = {
  slack: async (account) => {
    const stand = slack.openSlack();
    const app = await slack.makeSlackApp(account, ALL);
    const told = async (message: slack.SlackMessage, user: string) => {
      stand.told.length = 0;
      const body = slack.pressed(message, "acknowledge", `U0${user.toUpperCase()}`);
      await slack.fromSlack(app, "interactions", body);
      return stand.told.at(-1) ?? "";
    };
    return answerIn({ rootOf: stand.rootOf, press: told, linkFor: (_, said) => said });
  },
  mattermost: async (account) => {
    const stand = mattermost.openMattermost();
    await mattermost.makeMattermostApp(account);
    return answerIn({
      rootOf: stand.rootOf,
      press: async (post, user) =>
        (await mattermost.press(post, "acknowledge", user)).body.ephemeral_text ?? "",
      linkFor: (user) =>
        stand.direct.findLast((it) => it.userId === mattermost.userId(user))?.text ?? "",
    });
  },
  discord: async (account) => {
    const stand = discord.openDiscord();
    const app = await discord.makeDiscordApp(account);
    return answerIn({
      rootOf: stand.rootOf,
      press: async (message, user) =>
        (await app.send(discord.pressed(message, "acknowledge", user))).body.data?.content ?? "",
      linkFor: (_, said) => said,
    });
  },
  google_chat: async (account) => {
    const stand = await google.openGoogleChat();
    const app = await google.makeGoogleApp(account, stand);
    return answerIn({
      rootOf: stand.rootOf,
      press: async (message, user) =>
        (await app.send(google.clicked(message, "acknowledge", user))).body.text ?? "",
      linkFor: (_, said) => said,
    });
  },
  teams: async (account) => {
    const stand = teams.openTeams();
    const app = await teams.makeTeamsApp(account);
    return answerIn({
      rootOf: stand.rootOf,
      press: async (message, user) =>
        (await app.send(teams.pressed(message, "acknowledge", user))).body.value ?? "",
      linkFor: (user) => stand.textsIn(teams.personal(user)).at(-1) ?? "",
    });
  },
} as const satisfies Record<string, Way>;

/** By telephone and messenger. */
export const MESSAGES = {
  "an SMS by Twilio": async (account) => async (who, alertId) => {
    const id = await notified(account, who, alertId, "sms");
    return (await text(await numberOf(who), `A ${codeOf(who.accountUserId, id)}`)) ?? "";
  },
  "an SMS by Vonage": smsBy("vonage"),
  "an SMS by Telnyx": smsBy("telnyx"),
  "a call by Twilio": async (account) => async (who, alertId) => {
    const url = await callUrl(account, who, alertId, "twilio");
    return (await callBack(url, { CallSid: CALL, Digits: "1" })).text;
  },
  "a call by Vonage": callBy("vonage"),
  "a call by Telnyx": callBy("telnyx"),
  Telegram: async (account) => async (who, alertId) => {
    const { id, prefixId } = newIdentity("channel_address", Date.now());
    const chatId = Number.parseInt(who.user, 36);
    await env.DB.prepare(
      `insert into channel_addresses (id, prefix_id, created_at, updated_at, account_id, account_user_id,
        channel, settings, confirmed_at) values (?, ?, 0, 0, ?, ?, 'telegram', ?, 1)`,
    )
      .bind(id, prefixId, account.accountId, who.accountUserId, `{"chat_id":"${chatId}"}`)
      .run();
    const more = { ...fresh(), channel: "telegram" as const, to: prefixId };
    const notification = await paged(account, alertId, who.accountUserId, "sms", "", more);
    const data = `a:${who.accountUserId}:${notification}`;
    const query = { id: notification, from: { id: chatId }, data };
    const secret = updateSecret(env.TELEGRAM_BOT_TOKEN ?? "");
    return (await updateBot(secret, { update_id: 1, callback_query: query })).body.text;
  },
  Pushover: async (account) => async (who, alertId) => {
    effects += 1;
    const claims = {
      ...{ aud: "/callbacks/pushover/", acc: account.accountId, rec: alertId },
      sub: who.accountUserId,
    };
    const end = Date.now() + 3_600_000 + effects * 1_000;
    const url = String(await signedLink(env, "/callbacks/pushover/", claims, end));
    const { status } = await call("POST", new URL(url).pathname, {
      body: "acknowledged=1&receipt=r",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    return String(status);
  },
} as const satisfies Record<string, Way>;

/** By our own pages and the API. */
export const OWN = {
  "the API": async () => async (who, alertId) => {
    const { status, body } = await call("POST", `/api/v4/alerts/${alertId}/acknowledge`, {
      key: who.key,
    });
    return `${status} ${body.errors?.[0]?.message ?? ""}`;
  },
  "the console": async () => async (who, alertId) => {
    const browser = await signIn(who.accountUserId);
    return (await browser.submit(`/alerts/${alertId}/acknowledge`)).text;
  },
  "a link": async (account) => async (who, alertId) =>
    (await press(await linkFor(account, who, alertId), "acknowledge")).text,
  // The service worker reads the status alone.
  "a push button": async (account) => async (who, alertId) => {
    const link = await linkFor(account, who, alertId);
    await open(link);
    return String((await press(link, "acknowledge")).status);
  },
} as const satisfies Record<string, Way>;
