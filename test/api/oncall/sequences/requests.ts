// Changes as requests.
import type { Line } from "../../../support/oncall/roster-reference.ts";
import type { Rota } from "../../../support/oncall/rota.ts";
import type { Change } from "./changes.ts";
import type { Rule } from "./recurrence.ts";

export type Request = {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: Record<string, unknown>;
};

const iso = (at: number) => new Date(at).toISOString();
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** The people of positions; a list of people where each has its own. */
function peopleOf(rota: Rota, line: Line): Record<string, unknown> {
  if (line.some((it) => it.length > 1)) {
    return { positions: line.map((it) => rota.ids(it.join(""))) };
  }
  return { account_user_ids: line.map(([person]) => (person ? rota.ids(person)[0] : null)) };
}

function ruleOf(rule: Partial<Rule>): Record<string, unknown> {
  const { start, end, zone, layer, priority, unit, every, days, lastDay, restrictions } = rule;
  const body = {
    ...{ start_datetime: start && iso(start), end_datetime: end && iso(end), layer, priority },
    ...{
      when_away:
        rule.skipsAway === undefined ? undefined : rule.skipsAway ? "next_in_line" : "stay",
      time_zone: zone,
      days_of_week: days,
      frequency: unit === null ? undefined : every,
    },
    ...(unit !== undefined && { repeat: unit !== null, frequency_unit: unit ?? undefined }),
    ...(lastDay !== undefined && { repeat_end_datetime: lastDay && iso(lastDay) }),
    restrictions: restrictions?.map((it) => ({
      ...{ days_of_week: it.days, start_time: clock(it.start), end_time: clock(it.end) },
    })),
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/**
 * The request of a change.
 *
 * @param idOf the id of the event that was made for a key
 * @param present who belongs to the team
 */
export function requestOf(
  rota: Rota,
  change: Change,
  idOf: (key: string) => string,
  present: string,
): Request {
  const amend = (key: string, what: string, body: Record<string, unknown>): Request => ({
    ...{ method: "POST", path: `/events/${idOf(key)}/${what}`, body },
  });
  const put = (key: string, body: Record<string, unknown>): Request => ({
    ...{ method: "PUT", path: `/events/${idOf(key)}`, body },
  });
  switch (change.kind) {
    case "create": {
      const { rule, rotates, line } = change;
      const where = { schedule_ids: [rota.scheduleId], rotation: rotates };
      const body = { ...where, ...ruleOf(rule), ...peopleOf(rota, line) };
      return { method: "POST", path: "/events", body };
    }
    case "people": {
      const { when, keepsPlans = false } = change;
      const effective = when !== null && {
        effective_at: typeof when === "number" ? iso(when) : when,
      };
      const plans = !keepsPlans && { replaces_planned: true };
      return put(change.series, { ...peopleOf(rota, change.line), ...effective, ...plans });
    }
    case "rule":
      return put(change.series, ruleOf(change.patch));
    case "following": {
      const people = change.line && peopleOf(rota, change.line);
      const body = { action_time: iso(change.at), ...ruleOf(change.patch), ...people };
      const plans = people && { replaces_planned: true };
      return amend(change.series, "change_following", { ...body, ...plans });
    }
    case "override":
      return amend(change.of, "override", {
        ...{ action_time: iso(change.at), start_time: iso(change.from), end_time: iso(change.to) },
        ...{ layer: change.layer, time_zone: "UTC", account_user_ids: rota.ids(change.people) },
      });
    case "override_hours":
      return put(change.key, { start_datetime: iso(change.from), end_datetime: iso(change.to) });
    case "override_people":
      return put(change.key, { account_user_ids: rota.ids(change.people) });
    case "exception":
      return amend(change.series, "add_exception", { action_time: iso(change.at) });
    case "terminate":
      return amend(change.series, "terminate_on", { action_time: iso(change.at) });
    case "remove_part":
      return amend(change.series, "remove_part", { action_time: iso(change.at) });
    case "delete":
      return { method: "DELETE", path: `/events/${idOf(change.key)}` };
    case "flush":
      return { method: "DELETE", path: `/schedules/${rota.scheduleId}/flush` };
    case "leave_account":
      return { method: "DELETE", path: `/account_users/${rota.ids(change.person)[0]}` };
    case "leave_team": {
      const members = rota.ids(present.replace(change.person, ""));
      const body = { member_account_user_ids: members, leave_schedule: true };
      return { method: "PUT", path: `/teams/${rota.teamId}`, body };
    }
    case "absence": {
      const { person, from, to, instead } = change;
      const [account_user_id] = rota.ids(person);
      const hours = { start_datetime: iso(from), end_datetime: iso(to) };
      const words: Record<string, string> = {
        ...{ next: "next_in_line", nobody: "empty", skip: "nobody_yet" },
      };
      const body = { account_user_id, ...hours, instead: words[instead] ?? "person" };
      const by = body.instead === "person" && { covering_account_user_id: rota.ids(instead)[0] };
      return { method: "POST", path: "/absences", body: { ...body, ...by } };
    }
    case "end_absence": {
      return { method: "DELETE", path: `/absences/${idOf(change.key)}` };
    }
    default:
      throw new Error(`${change.kind} is no single request`);
  }
}
