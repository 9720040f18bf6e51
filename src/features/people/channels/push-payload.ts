// The payload of a push message: a declarative one, which Safari shows even without our service
// worker. Where there is one, also in other browsers, it shows the message with its buttons.
import type { ChannelMessage } from "../../../domain/notifications/page.ts";
import { titlePrefix } from "../../../domain/notifications/title-prefix.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { joinUrl } from "../../../domain/shared/urls.ts";
import { actionLink } from "../../../kernel/links.ts";
import { answerLink } from "../../../products/answer-links.ts";
import { pushReceiptUrl } from "./push-receipt.ts";

/** Marks a declarative push message: the number of the RFC of Web Push. */
const DECLARATIVE = 8030;

/** Maximum lengths in characters; together they fit a push message in any script. */
const MAX_TITLE_LENGTH = 200;
const MAX_BODY_LENGTH = 300;

/** Cuts to one well-formed line, in which no character takes more than three bytes. */
const cut = (text: string, maxLength: number) =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

/** A newer broadcast or handoff replaces one that was not shown yet; other notices stay. */
function tagOf({ notice, page }: ChannelMessage): string {
  const isReplaced = page.event === "broadcast.sent" || page.event === "oncall.handoff";
  return isReplaced ? (notice?.schedule ?? page.event) : page.effectId;
}

type ShownMessage = {
  readonly title: string;
  readonly body: string;
  /** Notifications with the same tag replace each other. */
  readonly tag: string;
  readonly alert: {
    readonly id: string;
    readonly urgency: string;
    readonly destination: string;
  } | null;
  /** The page that answers it; null if it asks for no answer or there are no links. */
  readonly url: string | null;
};

async function shownAlert(
  env: Cloudflare.Env,
  alert: NonNullable<ChannelMessage["alert"]>,
  { page, bundle, accountId }: ChannelMessage,
): Promise<ShownMessage> {
  const id = prefixIdOf("alert", alert.id);
  const subject = { purpose: "alert", recordId: alert.id } as const;
  const more = (bundle?.total ?? 1) - 1;
  const title = `${titlePrefix(page.event)}${cut(alert.title, MAX_TITLE_LENGTH)}`;
  return {
    title: more === 0 ? title : `${title} and ${more} more`,
    body: cut(alert.description ?? "", MAX_BODY_LENGTH),
    tag: id,
    alert: {
      id,
      urgency: alert.urgency,
      destination: cut(alert.destinationName, MAX_TITLE_LENGTH),
    },
    url: await actionLink(
      env,
      { ...subject, accountId, accountUserId: page.accountUserId },
      page.at,
    ),
  };
}

const shownNotice = async (
  env: Cloudflare.Env,
  message: ChannelMessage,
): Promise<ShownMessage> => ({
  title: cut(message.notice?.subject ?? "", MAX_TITLE_LENGTH),
  body: cut(message.notice?.text ?? "", MAX_BODY_LENGTH),
  tag: tagOf(message),
  alert: null,
  url: await answerLink(env, message),
});

/** The page that a browser opens that shows the message by itself. */
function navigateTo(env: Cloudflare.Env, { url, alert }: ShownMessage): string {
  const path = alert === null ? "/alerts" : `/alerts/${alert.id}`;
  return url ?? joinUrl(env.PUBLIC_URL, path);
}

/**
 * The payload, which the service worker reads too. `mutable` lets it show the message in its own
 * way; if it does not, the browser shows what is declared. `id`: of the notification, whose `receipt` the service worker
 * of this subscription confirms.
 */
export async function pushPayload(
  env: Cloudflare.Env,
  message: ChannelMessage,
  id: string,
  subscriptionId: string,
): Promise<object> {
  const { alert, accountId, page } = message;
  const { accountUserId, at } = page;
  const key = { accountId, accountUserId, id };
  const receipt = await pushReceiptUrl(env, key, subscriptionId, at);
  const shown = alert ? await shownAlert(env, alert, message) : await shownNotice(env, message);
  const { title, body, tag, url } = shown;
  return {
    web_push: DECLARATIVE,
    mutable: true,
    notification: {
      ...{ title, body, tag, lang: "en", dir: "auto", silent: false },
      navigate: navigateTo(env, shown),
      data: {
        ...{ type: page.event, alert: shown.alert },
        ...{ ...(url !== null && { url }), ...(receipt !== null && { receipt }) },
      },
    },
  };
}
