// Finds a team's gaps in the next 14 days and makes the pages of those that are new.
import type { PageMessage } from "../../../domain/notifications/page.ts";
import { decideGaps, gapsDueAt } from "../../../domain/oncall/notices/gaps.ts";
import { gapText } from "../../../domain/oncall/notices/notice-text.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { WatchedTeam } from "../../rpc.ts";
import type { GapWatch } from "../teams/team-storage.ts";
import { readTeamGaps } from "./gap-rows.ts";
import { noticePage } from "./notice-page.ts";
import { readNoticeRecipients } from "./notice-recipient-rows.ts";

/** The watch after a change: gaps are looked for once there are no more changes. */
export function gapsChanged(known: GapWatch | null, team: WatchedTeam, now: number): GapWatch {
  const { memory = null, changedAt, sent = 0 } = known ?? {};
  const firstAt = changedAt ?? now;
  const { id, accountId } = team;
  return { id, accountId, memory, sent, changedAt: firstAt, nextAt: gapsDueAt(firstAt, now) };
}

export type FoundGaps = { readonly watch: GapWatch; readonly pages: readonly PageMessage[] };

/** Looks for gaps; null if the team notifies nobody of them, or is gone. Throws if D1 does. */
export async function findGaps(
  env: Cloudflare.Env,
  known: GapWatch,
  now: number,
): Promise<FoundGaps | null> {
  const { id, accountId } = known;
  const facts = await readTeamGaps(env.DB, accountId, id, now);
  if (!facts?.notifies) return null;
  const { memory, gaps, nextAt } = decideGaps(known.memory, facts, now);
  const watch = { ...known, memory, nextAt, changedAt: null };
  if (gaps.length === 0) return { watch, pages: [] };
  const sent = known.sent + 1;
  const recipients = await readNoticeRecipients(env.DB, accountId, facts.recipientIds);
  const pages = [...recipients.values()].map((person) =>
    noticePage({
      ...{ accountId, accountUserId: person.id, at: now, channels: null },
      effectId: `${id}:gap:${sent}:${now}:${person.id}`,
      event: "oncall.gap",
      sender: prefixIdOf("team", id),
      content: gapText(facts.name, gaps, person.timeZone),
    }),
  );
  return { watch: { ...watch, sent }, pages };
}
