// The pages of one handoff: one per recipient, with an id derived from the handoff's number.
import { EMPTY_RULE_VIEW, type PageMessage } from "../../../domain/notifications/page.ts";
import {
  type Handoff,
  handoffNotice,
  rotationRecipients,
} from "../../../domain/oncall/shift-handoff.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { TeamHandoffFacts } from "./handoff-rows.ts";

type Sender = { readonly id: string; readonly accountId: string; readonly sequence: number };

/** @param known names of people who were on call, for those who are no longer members */
export function handoffPages(
  { id, accountId, sequence }: Sender,
  team: TeamHandoffFacts,
  handoff: Handoff,
  known: Readonly<Record<string, string>>,
): PageMessage[] {
  const nameOf = (one: string) => team.names.get(one) ?? known[one] ?? "Former member";
  const notice = handoffNotice(team.name, handoff, nameOf);
  return team.recipients(rotationRecipients(handoff)).map((accountUserId) => ({
    accountId,
    page: {
      effectId: `${id}:${sequence}:${handoff.at}:${accountUserId}`,
      event: "oncall.handoff",
      accountUserId,
      workflowId: null,
      layer: null,
      pass: null,
      at: handoff.at,
      until: null,
      detail: null,
    },
    alert: null,
    notice: { schedule: prefixIdOf("team", id), ...notice },
    stage: 0,
    view: EMPTY_RULE_VIEW,
  }));
}
