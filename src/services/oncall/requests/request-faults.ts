// Errors in the parameters of a request for cover (contract 2, Cover requests).
import type { CreateCoverRequest } from "../../../contract/oncall/requests/cover-request-parameters.ts";
import type { Reference } from "../../../db/records/references.ts";
import {
  latestExpiry,
  MOST_ASKED,
  type RequestTerms,
} from "../../../domain/oncall/requests/cover-request.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { timeFaults } from "../covers/cover-faults.ts";

type Times = Pick<RequestTerms, "startAt" | "endAt" | "inReturn">;

/** Errors in the hours, and in those in return. `now` in epoch ms. */
export function hoursFaults(body: Partial<CreateCoverRequest>, now: number): FieldError[] {
  const { start_datetime: startAt, end_datetime: endAt, in_return: inReturn } = body;
  const faults = [...timeFaults(startAt, endAt), ...pastFaults("start_datetime", startAt, now)];
  if (!inReturn) return faults;
  const { start_datetime: from, end_datetime: to } = inReturn;
  const within = (fault: FieldError) => ({ ...fault, field: `in_return.${fault.field}` });
  faults.push(...timeFaults(from, to).map(within));
  faults.push(...pastFaults("start_datetime", from, now).map(within));
  if (startAt !== undefined && endAt !== undefined && from < endAt && to > startAt) {
    const message = "in_return must not overlap the hours to be covered";
    faults.push({ field: "in_return", message });
  }
  return faults;
}

function pastFaults(field: string, at: number | undefined, now: number): FieldError[] {
  const message = `${field} must be in the future`;
  return at !== undefined && at <= now ? [{ field, message }] : [];
}

/** Errors in when a request expires. */
export function expiryFaults(
  expiresAt: number | null | undefined,
  times: Times,
  now: number,
): FieldError[] {
  const field = "expires_at";
  if (expiresAt == null) return [];
  if (expiresAt <= now) return [{ field, message: `${field} must be in the future` }];
  const message = `${field} must not be after the hours, or those in return, have begun`;
  return expiresAt > latestExpiry(times) ? [{ field, message }] : [];
}

/** Errors in how the people who are asked are named. */
export function askedFaults(body: Partial<CreateCoverRequest>): FieldError[] {
  const field = "account_user_ids";
  const count = body.account_user_ids?.length ?? 0;
  if (count > 0 && body.event_id) {
    return [{ field: "event_id", message: `event_id is instead of ${field}` }];
  }
  if (count === 0 && !body.event_id) return [{ field, message: `${field} can't be blank` }];
  const message = `${field} has more than ${MOST_ASKED} people`;
  return count > MOST_ASKED ? [{ field, message }] : [];
}

/** The records that the parameters of a request name. */
export const referencesOf = (body: Partial<CreateCoverRequest>): readonly Reference[] => [
  {
    field: "account_user_id",
    kind: "account_user",
    ids: body.account_user_id ? [body.account_user_id] : [],
  },
  { field: "account_user_ids", kind: "account_user", ids: body.account_user_ids ?? [] },
  { field: "event_id", kind: "event", ids: body.event_id ? [body.event_id] : [] },
  { field: "schedule_ids", kind: "schedule", ids: body.schedule_ids ?? [] },
];
