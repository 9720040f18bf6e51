// What a security mail says: what changed, who changed it and where, and what to do about it.
import { describeNotice, type StoredNotice } from "../domain/security-notice.ts";
import { minute, oneLine } from "./mail.ts";
import type { Letter } from "./mail-services.ts";
import { letterOf, PLAIN } from "./welcome-mail.ts";

/** Changes that one mail lists. */
const MOST_LISTED = 25;

function detailOf({ at, byName, isOwn, accountName }: StoredNotice): string {
  const by = isOwn ? "by you" : byName === null ? "" : `by ${oneLine(byName, 100)}`;
  const where = accountName === null ? "" : `in ${oneLine(accountName, 100)}`;
  return [[by, where].filter((part) => part !== "").join(" "), minute(at)]
    .filter((part) => part !== "")
    .join(", ");
}

/** To an address as it was before the changes. `publicUrl` empty where the deployment has no address. */
export function securityLetter(
  to: string,
  notices: readonly StoredNotice[],
  publicUrl: string,
): Promise<Letter> {
  const titles = notices.map(({ kind, detail }) => describeNotice(kind, oneLine(detail, 200)));
  const more = notices.length - MOST_LISTED;
  const heading =
    titles.length === 1 ? (titles[0] ?? "") : `${titles.length} changes to your access`;
  const settings = publicUrl === "" ? null : `${publicUrl.replace(/\/+$/, "")}/settings`;
  return letterOf(to, {
    ...PLAIN,
    subject: oneLine(`Security notice: ${heading}`, 150),
    preview: "Was this you? If not, act now.",
    badge: "Security",
    heading,
    paragraphs: ["This is what changed:"],
    facts: [],
    items: notices.slice(0, MOST_LISTED).map((notice, i) => ({
      title: titles[i] ?? "",
      detail: detailOf(notice),
      url: null,
    })),
    buttons: settings === null ? [] : [{ label: "Check your settings", url: settings }],
    footer: [
      ...(more > 0 ? [`${more} more changes are not listed.`] : []),
      "If you expected this, there is nothing to do.",
      "If you did not: sign in, undo it in your settings, choose a new password, sign out everywhere, revoke API keys that you do not know, and tell an admin of your account.",
    ],
  });
}
