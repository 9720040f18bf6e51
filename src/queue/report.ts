// What the senders of pages are told: that a page's attempts have been recorded, and what its alert's story is to say.
import { prefixIdOf } from "../domain/identifiers.ts";
import { messageKey, type PageReport, type StoryLine, senderOf } from "../domain/page.ts";
import { personObject } from "../objects/stubs.ts";
import { pageSender } from "./page-sender.ts";
import type { Work } from "./work.ts";

/** Tells each object which of its pages are done with; those that wait for another attempt are not. */
export async function confirm(all: readonly Work[], env: Cloudflare.Env): Promise<void> {
  const ended = all.filter(({ state }) => state === "done" || state === "unreached");
  const first = ended.filter(({ message }) => message.stage === 0);
  const later = ended.filter(({ message }) => message.stage > 0);
  const told = later.filter((work) => linesOf(work).length > 0);
  await Promise.all(
    grouped([...first, ...told], ({ message }) => senderOf(message)).map(([name, works]) =>
      pageSender(env, name).confirm(works.map(reportOf)),
    ),
  );
  await Promise.all(
    grouped(later, ({ message }) => prefixIdOf("account_user", message.page.accountUserId)).map(
      ([name, works]) => personObject(env, name).done(works.map((it) => messageKey(it.message))),
    ),
  );
}

function grouped(works: readonly Work[], nameOf: (work: Work) => string): [string, Work[]][] {
  const groups = new Map<string, Work[]>();
  for (const work of works) {
    groups.set(nameOf(work), [...(groups.get(nameOf(work)) ?? []), work]);
  }
  return [...groups];
}

function reportOf(work: Work): PageReport {
  const { page } = work.message;
  return {
    effectId: page.effectId,
    lines: linesOf(work),
    unreached: work.state === "unreached",
    page,
  };
}

/** Every way that failed, and why a page went nowhere. */
function linesOf({ message, rows, outcomes, name }: Work): StoryLine[] {
  return [...rows.values()].flatMap(({ id, channel, stage }): StoryLine[] => {
    const { status, reason } = outcomes.get(id) ?? {};
    const key = `${message.page.effectId}:${stage}:${channel}`;
    const nowhere = channel === "none";
    if (status === "failed") {
      const why = reason ?? "unknown";
      const message = nowhere
        ? `Not notified: ${why}`
        : `Not notified by ${channel}: ${why} (${name})`;
      return [{ key, level: "error", message }];
    }
    if (status !== "skipped" || !nowhere || !reason?.startsWith("ignored")) return [];
    return [{ key, level: "warn", message: `${name} is not notified: ${reason}` }];
  });
}
