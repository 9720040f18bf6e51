// Errors in the parameters of a cover (contract 2, Covers).
import {
  type Cover,
  type CoveredBy,
  isTooLong,
  LONGEST_COVER_DAYS,
} from "../../../domain/oncall/absences/cover.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";

/** Errors in the times (epoch ms), once both are known. */
export function timeFaults(startAt: number | undefined, endAt: number | undefined): FieldError[] {
  const field = "end_datetime";
  if (startAt === undefined || endAt === undefined) return [];
  if (endAt <= startAt) return [{ field, message: `${field} must be after start_datetime` }];
  const message = `${field} is over ${LONGEST_COVER_DAYS} days after the start`;
  return isTooLong({ startAt, endAt }) ? [{ field, message }] : [];
}

const COVERING = "covering_account_user_id";

/** Errors in whether a covering person is named. */
export function coveringFaults(coveredBy: CoveredBy | undefined, isNamed: boolean): FieldError[] {
  if (coveredBy === "person" && !isNamed) {
    return [{ field: COVERING, message: `${COVERING} can't be blank with covered_by: person` }];
  }
  const message = `${COVERING} is only for covered_by: person`;
  const isSuperfluous = coveredBy !== undefined && coveredBy !== "person" && isNamed;
  return isSuperfluous ? [{ field: COVERING, message }] : [];
}

/** The error of a cover by the absent person. */
export const samePersonFaults = ({ accountUserId, coveringAccountUserId }: Cover): FieldError[] =>
  accountUserId === coveringAccountUserId
    ? [{ field: COVERING, message: `${COVERING} is the absent person` }]
    : [];
