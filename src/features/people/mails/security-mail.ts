// The text of a security notice: what changed, who changed it and where, and what to do about it.
import { describeNotice, type StoredNotice } from "../../../domain/access/security-notice.ts";
import { joinUrl } from "../../../domain/shared/urls.ts";
import { formatMinute, type MailItem, oneLine } from "../../../products/mail/mail.ts";
import type { Letter } from "../../../products/mail/mail-provider.ts";
import { ACCESS_MAIL_DEFAULTS, renderLetter } from "./welcome-mail.ts";

/** Maximum number of changes of one kind in one account that a mail lists. */
const MAX_PER_KIND = 5;

function detailOf({ at, byName, isOwn, accountName }: StoredNotice): string {
  const by = isOwn
    ? "with your sign-in or your API key"
    : byName === null
      ? ""
      : `by ${oneLine(byName, 100)}`;
  const where = accountName === null ? "" : `in ${oneLine(accountName, 100)}`;
  return [[by, where].filter((part) => part !== "").join(" "), formatMinute(at)]
    .filter((part) => part !== "")
    .join(", ");
}

const itemOf = (notice: StoredNotice): MailItem => ({
  title: describeNotice(notice.kind, oneLine(notice.detail, 200)),
  detail: detailOf(notice),
  url: null,
});

/** To the address as it was before the changes. `publicUrl` is empty if it is not configured. */
export function securityLetter(
  to: string,
  notices: readonly StoredNotice[],
  publicUrl: string,
): Promise<Letter> {
  const groups = Map.groupBy(notices, ({ kind, accountName }) => `${kind} ${accountName}`);
  const items = [...groups.values()].flatMap((group) => group.slice(0, MAX_PER_KIND)).map(itemOf);
  const more = notices.length - items.length;
  const heading =
    notices.length === 1 ? (items[0]?.title ?? "") : `${notices.length} changes to your access`;
  const settings = publicUrl === "" ? null : joinUrl(publicUrl, "/settings");
  return renderLetter(to, {
    ...ACCESS_MAIL_DEFAULTS,
    subject: oneLine(`Security notice: ${heading}`, 150),
    preview: "Was this you? If not, act now.",
    badge: "Security",
    heading,
    paragraphs: ["The following changed:"],
    facts: [],
    items,
    buttons: settings === null ? [] : [{ label: "Check your settings", url: settings }],
    footer: [
      ...(more > 0 ? [`${more} more changes of the same kind are not listed.`] : []),
      "If you expected this, no action is needed.",
      "If you did not: sign in, undo the change in your settings, choose a new password, sign out everywhere, revoke unknown API keys, and inform an admin of your account.",
    ],
  });
}
