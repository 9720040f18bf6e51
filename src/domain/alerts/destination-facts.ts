// Computes what a destination's escalation depends on from its stored records: the policy, and who
// is on call on each layer.

import { REQUESTED_EVENTS } from "../notifications/requested-notifications.ts";
import type { OnCallSchedule } from "../oncall/absences/absence.ts";
import { audienceOf, idsIn, type TeamPerson } from "../oncall/audiences.ts";
import { onCallAt } from "../oncall/oncall.ts";
import type { Destination } from "./alert.ts";
import {
  type DestinationFacts,
  type OnCallPerson,
  personFacts,
  type TimeoutUnit,
  timeoutMs,
} from "./escalation.ts";

/** An active member of the account. */
export type StoredPerson = {
  readonly id: string;
  readonly name: string;
  /** The events that their enabled notification rule names; null without one. */
  readonly types: readonly string[] | null;
};

export type StoredTeam = {
  readonly id: string;
  readonly name: string;
  readonly scheduleId: string | null;
  /** The layers of its policy, in any order. */
  readonly layers: readonly StoredLayer[];
  readonly repeat: number;
  readonly people: readonly TeamPerson[];
  readonly dropNotifications: string;
  readonly reassign: readonly Destination[];
};

type StoredLayer = {
  readonly layer: number;
  readonly timeout: number;
  readonly unit: TimeoutUnit;
};

/** The facts of a person as a destination. */
export const factsOfPerson = (person: StoredPerson): DestinationFacts =>
  personFacts({ type: "account_user", id: person.id }, person.name, wantsOf(person));

/**
 * The facts of a team at `now` (epoch ms).
 *
 * @param schedule the team's
 * @param people the active members who may be on call
 */
export function factsOfTeam(
  team: StoredTeam,
  schedule: OnCallSchedule,
  people: readonly StoredPerson[],
  now: number,
): DestinationFacts {
  const onCall = onCallByLayer(schedule, people, now);
  return {
    destination: { type: "team", id: team.id },
    name: team.name,
    layers: team.layers
      .map(({ layer, timeout, unit }) => ({ layer, timeoutMs: timeoutMs(timeout, unit) }))
      .sort((a, b) => a.layer - b.layer),
    repeat: team.repeat,
    onCall,
    memberIds: idsIn(team.people, ["member", "admin"]),
    dropRecipientIds: audienceOf(team.dropNotifications, "drop", team.people, onCall),
    reassign: team.reassign,
  };
}

/** The events that are sent only to people whose rule names them, of this person's rule. */
const wantsOf = ({ types }: StoredPerson): readonly string[] =>
  (types ?? []).filter((type) => REQUESTED_EVENTS.some((it) => it === type));

/** Each layer's people, once each; people without an active membership are left out. */
function onCallByLayer(
  schedule: OnCallSchedule,
  people: readonly StoredPerson[],
  now: number,
): Record<number, OnCallPerson[]> {
  const known = new Map(people.map((person) => [person.id, person]));
  const byLayer: Record<number, OnCallPerson[]> = {};
  for (const entry of onCallAt(schedule, now)) {
    const layer = byLayer[entry.layer] ?? [];
    byLayer[entry.layer] = layer;
    for (const { attendeeId } of entry.attendees) {
      const person = known.get(attendeeId);
      if (person === undefined || layer.some((it) => it.accountUserId === attendeeId)) continue;
      const reason = `on call until ${new Date(entry.endAt).toISOString()}`;
      const { name } = person;
      layer.push({ accountUserId: attendeeId, name, reason, wants: wantsOf(person) });
    }
  }
  return byLayer;
}
