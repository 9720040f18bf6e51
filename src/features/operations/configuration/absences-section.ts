import { sql } from "drizzle-orm";
import { servedBy } from "../../../domain/oncall/absences/absence-record.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { mapped, parsed, select } from "../../../kernel/db/select.ts";
import { schedulesOfAbsence } from "../../oncall/absences/absence-rows.ts";
import {
  ConfiguredAbsence,
  createConfiguredAbsence,
  updateConfiguredAbsence,
} from "../../oncall/absences/configured-absence.ts";
import { absences } from "../../schema/absences.ts";
import { accountUsers } from "../../schema/people.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type KeyOf,
  type Parameters,
  pick,
  plainFields,
  validated,
} from "./section.ts";

const PLAIN = plainFields(ConfiguredAbsence);

/**
 * The absences that are not over, in the order in which they apply, without their reasons. Those of
 * calendars are read from them.
 */
export const absencesSection = declareSection({
  name: "absences",
  kind: "absence",
  fields: ["person", ...PLAIN, "substitute", "schedules"],
  fieldNames: {
    account_user_id: "person",
    covering_account_user_id: "substitute",
    schedule_ids: "schedules",
  },
  isOrdered: true,
  select: selectConfigured,
  settle,
  show,
  parametersOf,
  create: validated(ConfiguredAbsence, createConfiguredAbsence),
  update: validated(ConfiguredAbsence, (context, id, body) =>
    updateConfiguredAbsence(context, byId(id), body),
  ),
});

/** `now` in epoch ms. Whoever cancels that others are asked is not away. */
function selectConfigured(accountId: string, now: number) {
  const placed = sql`(${absences.scheduleIds} is null or ${schedulesOfAbsence} <> '[]')`;
  const query = select(
    {
      id: absences.id,
      prefix_id: absences.prefixId,
      meta: absences.meta,
      accountUserId: absences.accountUserId,
      startAt: absences.startAt,
      endAt: absences.endAt,
      scheduleIds: parsed<readonly string[] | null>(
        sql`iif(${absences.scheduleIds} is null, 'null', ${schedulesOfAbsence})`,
      ),
      instead: absences.instead,
      coveringAccountUserId: absences.coveringAccountUserId,
      decidedAt: absences.decidedAt,
      askingStatus: absences.askingStatus,
    },
    sql`from ${absences} join ${accountUsers} on ${accountUsers.id} = ${absences.accountUserId}
      where ${absences.accountId} = ${accountId} and ${absences.endAt} > ${now}
        and ${absences.absenceCalendarId} is null and ${absences.askingStatus} is not 'cancelled'
        and ${placed} order by ${absences.id}`,
  );
  return mapped(query, ({ askingStatus: status, ...row }) => {
    const asking = status === null ? null : { status, expiresAt: 0 };
    const served = servedBy({ ...row, asking });
    return { ...row, instead: served?.instead ?? "nobody_yet" };
  });
}

type Configured = ReturnType<ReturnType<typeof selectConfigured>["toRow"]>;

function show(
  { accountUserId, startAt, endAt, scheduleIds, decidedAt, ...served }: Configured,
  keyOf: KeyOf,
): Entry {
  const { instead, coveringAccountUserId: covering } = served;
  return {
    person: keyOf("account_user", accountUserId),
    start_datetime: formatInstant(startAt),
    end_datetime: formatInstant(endAt),
    instead,
    ...(instead === "person" && { substitute: covering && keyOf("account_user", covering) }),
    ...(scheduleIds && {
      schedules: scheduleIds.flatMap((id) => keyOf("schedule", id) ?? []).sort(),
    }),
    decided_at: formatInstant(decidedAt),
  };
}

/** What an absence decides. If nothing of it changes, it was decided when it was. */
const TERMS = ["person", "start_datetime", "end_datetime", "instead", "substitute", "schedules"];

function settle(entry: Entry, stored: Entry | null, now: number) {
  const { substitute: _, ...others } = stored ?? {};
  const kept = entry.instead === undefined || entry.instead === "person" ? stored : others;
  const written: Entry = {
    ...kept,
    instead: "nobody_yet",
    ...pick(kept ?? {}, ["instead"]),
    ...entry,
  };
  const { start_datetime: start, end_datetime: end, decided_at: decided, ...rest } = written;
  const shown: Entry = {
    ...rest,
    ...address(written, "person"),
    ...at("start_datetime", start),
    ...at("end_datetime", end),
    ...address(written, "substitute"),
    ...(Array.isArray(written.schedules) && { schedules: written.schedules.toSorted() }),
  };
  if (Date.parse(String(end)) <= now) return null;
  const isDecided =
    JSON.stringify(pick(shown, TERMS)) !== JSON.stringify(pick(stored ?? {}, TERMS));
  const isNew = entry.decided_at == null && isDecided;
  const { decided_at: __, ...undecided } = written;
  return {
    written: isNew ? undecided : written,
    shown: { ...shown, ...(!isNew && at("decided_at", decided)) },
  };
}

const address = (entry: Entry, field: string): Entry =>
  typeof entry[field] === "string" ? { [field]: entry[field].trim().toLowerCase() } : {};

/** An instant as an export writes it; what is none stays. */
function at(field: string, value: unknown): Entry {
  const instant = Date.parse(String(value));
  return { [field]: Number.isNaN(instant) ? value : formatInstant(instant) };
}

function parametersOf(entry: Entry, find: Finder, place: string): Parameters {
  const { person, substitute, schedules } = entry;
  return {
    ...pick(entry, PLAIN),
    account_user_id: find.idOf("account_user", person, `${place}.person`),
    ...(substitute !== undefined && {
      covering_account_user_id:
        substitute && find.idOf("account_user", substitute, `${place}.substitute`),
    }),
    ...(schedules !== undefined && {
      schedule_ids: find.idsOf("schedule", schedules, `${place}.schedules`),
    }),
  };
}

/** An absence after an import, and its place in the file; null: it is not in it. */
type Placed = { readonly entry: Entry; readonly place: string | null };

/** The absences of the file beside which another one decides about the same shifts. */
export function overlappingAbsences(after: ReadonlyMap<string, Placed>): readonly FieldError[] {
  const deciding = [...after].filter(([, { entry }]) => entry.instead !== "nobody_yet");
  const byPerson = Map.groupBy(deciding, ([, { entry }]) => entry.person);
  return [...byPerson.values()].flatMap((own) =>
    own.flatMap(([, { entry, place }], index) => {
      if (place === null) return [];
      const others = own.filter(([, it], other) => it.place === null || other < index);
      const [same] = others.find(([, it]) => isOverlapping(entry, it.entry)) ?? [];
      if (same === undefined) return [];
      const field = `${place}.start_datetime`;
      const message = `${field}: the person has another absence that says who is on call instead, ${same}`;
      return [{ field, message }];
    }),
  );
}

function isOverlapping(one: Entry, other: Entry): boolean {
  const time = (value: unknown) => Date.parse(String(value));
  const sharesTime =
    time(one.start_datetime) < time(other.end_datetime) &&
    time(one.end_datetime) > time(other.start_datetime);
  const [first, second] = [one.schedules, other.schedules];
  if (!Array.isArray(first) || !Array.isArray(second)) return sharesTime;
  return sharesTime && first.some((key) => second.includes(key));
}
