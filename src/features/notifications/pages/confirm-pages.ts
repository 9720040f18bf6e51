// Confirms pages to their senders, with the lines to add to the alerts' timelines.

import {
  messageKey,
  type PageReport,
  sendingObjectName,
  type TimelineLine,
} from "../../../domain/notifications/page.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { personObject } from "../../stubs.ts";
import { pageSender } from "./page-sender.ts";
import type { PageInProgress } from "./work.ts";

/** Confirms finished pages to their objects. Pages that wait for another attempt are left out. */
export async function confirmPages(
  all: readonly PageInProgress[],
  env: Cloudflare.Env,
): Promise<void> {
  const ended = all.filter(({ state }) => state === "done" || state === "unreached");
  const first = ended.filter(({ message }) => message.stage === 0);
  const later = ended.filter(({ message }) => message.stage > 0);
  const withLines = later.filter((work) => linesOf(work).length > 0);
  await Promise.all(
    groupByName([...first, ...withLines], ({ message }) => sendingObjectName(message)).map(
      ([name, works]) =>
        pageSender(env, name).confirm(works.map(reportOf), works[0]?.message.accountId ?? ""),
    ),
  );
  await Promise.all(
    groupByName(later, ({ message }) => prefixIdOf("account_user", message.page.accountUserId)).map(
      ([name, works]) => personObject(env, name).done(works.map((it) => messageKey(it.message))),
    ),
  );
}

function groupByName(
  works: readonly PageInProgress[],
  nameOf: (work: PageInProgress) => string,
): [string, PageInProgress[]][] {
  const groups = new Map<string, PageInProgress[]>();
  for (const work of works) {
    groups.set(nameOf(work), [...(groups.get(nameOf(work)) ?? []), work]);
  }
  return [...groups];
}

function reportOf(work: PageInProgress): PageReport {
  const { page } = work.message;
  return {
    effectId: page.effectId,
    lines: linesOf(work),
    unreached: work.state === "unreached",
    page,
  };
}

/** The timeline lines of every failed channel, or of a page that was not sent at all. */
function linesOf({ message, rows, outcomes, name }: PageInProgress): TimelineLine[] {
  return [...rows.values()].flatMap(({ id, channel, stage }): TimelineLine[] => {
    const { status, reason } = outcomes.get(id) ?? {};
    const key = `${message.page.effectId}:${stage}:${channel}`;
    const hasNoChannel = channel === "none";
    if (status === "failed") {
      const why = reason ?? "unknown";
      const message = hasNoChannel
        ? `Not notified: ${why}`
        : `Not notified by ${channel}: ${why} (${name})`;
      return [{ key, level: "error", message }];
    }
    if (status !== "skipped" || !hasNoChannel || !reason?.startsWith("ignored")) return [];
    return [{ key, level: "warn", message: `${name} is not notified: ${reason}` }];
  });
}
