// Errors in the parameters of an absence (contract 2, Absences).
import {
  type AbsenceRecord,
  type Instead,
  isTooLong,
  LONGEST_ABSENCE_DAYS,
} from "../../../domain/oncall/absences/absence-record.ts";
import { latestExpiry, MOST_ASKED } from "../../../domain/oncall/absences/asking.ts";
import type { Interval } from "../../../domain/oncall/override-precedence.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import type { UpdateAbsence } from "./parameters.ts";

/** Errors in the times (epoch ms), once both are known. */
export function timeFaults(startAt: number | undefined, endAt: number | undefined): FieldError[] {
  const field = "end_datetime";
  if (startAt === undefined || endAt === undefined) return [];
  if (endAt <= startAt) return [{ field, message: `${field} must be after start_datetime` }];
  const message = `${field} must be at most ${LONGEST_ABSENCE_DAYS} days after start_datetime`;
  return isTooLong({ startAt, endAt }) ? [{ field, message }] : [];
}

/** Errors in what is over already, of an absence that decides who is on call instead. */
export function endedFaults(
  { instead, startAt, endAt }: Pick<AbsenceRecord, "instead" | "startAt" | "endAt">,
  now: number,
): FieldError[] {
  const field = instead === "ask" ? "start_datetime" : "end_datetime";
  const at = instead === "ask" ? startAt : endAt;
  if (instead === "nobody_yet" || at > now || endAt <= startAt) return [];
  return [{ field, message: `${field} must be in the future` }];
}

const COVERING = "covering_account_user_id";

/** Errors in whether a covering person is named. */
export function coveringFaults(instead: Instead, isNamed: boolean): FieldError[] {
  if (instead === "person" && !isNamed) {
    return [{ field: COVERING, message: `${COVERING} can't be blank with instead: person` }];
  }
  const message = `${COVERING} is only for instead: person`;
  return instead !== "person" && isNamed ? [{ field: COVERING, message }] : [];
}

/** The error of an absence that is covered by the absent person. */
export const samePersonFaults = ({
  accountUserId,
  coveringAccountUserId,
}: Pick<AbsenceRecord, "accountUserId" | "coveringAccountUserId">): FieldError[] =>
  accountUserId === coveringAccountUserId
    ? [{ field: COVERING, message: `${COVERING} is the absent person` }]
    : [];

// ── Asking ──

type Asking = Pick<
  UpdateAbsence,
  "account_user_ids" | "event_id" | "in_return" | "expires_at" | "start_datetime" | "end_datetime"
>;

/** The names of the parameters that say whom to ask and what for. */
export const ASKING_FIELDS = ["account_user_ids", "event_id", "in_return", "expires_at"] as const;

const isGiven = (value: unknown): boolean =>
  value != null && !(Array.isArray(value) && value.length === 0);

/** The names of the parameters about asking that have a value. */
export const givenAsking = (body: Asking): readonly string[] =>
  ASKING_FIELDS.filter((field) => isGiven(body[field]));

/** Errors in parameters that are only for asking. */
export const superfluousAsking = (body: Asking): FieldError[] =>
  givenAsking(body).map((field) => ({ field, message: `${field} is only for instead: ask` }));

/** Errors in how the people who are asked are named. */
export function askedFaults(body: Asking): FieldError[] {
  const field = "account_user_ids";
  const count = body.account_user_ids?.length ?? 0;
  if (count > 0 && body.event_id) {
    return [{ field: "event_id", message: `event_id is instead of ${field}` }];
  }
  if (count === 0 && !body.event_id) return [{ field, message: `${field} can't be blank` }];
  const message = `${field} has more than ${MOST_ASKED} people`;
  return count > MOST_ASKED ? [{ field, message }] : [];
}

/** Errors in the hours in return, beside those of the absence. `now` in epoch ms. */
export function returnFaults(
  inReturn: UpdateAbsence["in_return"],
  { startAt, endAt }: Partial<Interval>,
  now: number,
): FieldError[] {
  if (!inReturn) return [];
  const { start_datetime: from, end_datetime: to } = inReturn;
  const within = (fault: FieldError) => ({ ...fault, field: `in_return.${fault.field}` });
  const faults = timeFaults(from, to).map(within);
  if (from !== undefined && from <= now) {
    faults.push(
      within({ field: "start_datetime", message: "start_datetime must be in the future" }),
    );
  }
  if (startAt !== undefined && endAt !== undefined && from < endAt && to > startAt) {
    const message = "in_return must not overlap the hours of the absence";
    faults.push({ field: "in_return", message });
  }
  return faults;
}

/** Errors in when the asking expires. */
export function expiryFaults(
  expiresAt: number | null | undefined,
  times: Parameters<typeof latestExpiry>[0],
  now: number,
): FieldError[] {
  const field = "expires_at";
  if (expiresAt == null) return [];
  if (expiresAt <= now) return [{ field, message: `${field} must be in the future` }];
  const message = `${field} must not be after the absence, or the hours in return, have begun`;
  return expiresAt > latestExpiry(times) ? [{ field, message }] : [];
}

/** Errors in the parameters of a new absence, as far as they are known. `now` in epoch ms. */
export function parameterFaults(body: UpdateAbsence, now: number): FieldError[] {
  const { start_datetime: startAt, end_datetime: endAt, in_return: inReturn, instead } = body;
  const faults = timeFaults(startAt, endAt);
  if (!instead) return faults;
  faults.push(...coveringFaults(instead, Boolean(body.covering_account_user_id)));
  if (startAt !== undefined && endAt !== undefined) {
    faults.push(...endedFaults({ instead, startAt, endAt }, now));
  }
  if (instead !== "ask") return [...faults, ...superfluousAsking(body)];
  faults.push(...returnFaults(inReturn, { startAt, endAt }, now), ...askedFaults(body));
  if (startAt === undefined) return faults;
  const times = { startAt, inReturn: toInterval(inReturn) };
  return [...faults, ...expiryFaults(body.expires_at, times, now)];
}

/** Hours in return as an interval; null: none. */
export const toInterval = (hours: UpdateAbsence["in_return"]): Interval | null =>
  hours ? { startAt: hours.start_datetime, endAt: hours.end_datetime } : null;
