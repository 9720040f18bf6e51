import type { CoverRequest } from "../../../contract/oncall/requests/cover-request.ts";
import type { CreateCoverRequest } from "../../../contract/oncall/requests/cover-request-parameters.ts";
import {
  type CoverState,
  selectCoverState,
  toCover,
  toCoverState,
} from "../../../db/oncall/absences/cover-rows.ts";
import {
  assertMembers,
  selectMembers,
  selectRotationPeople,
} from "../../../db/oncall/requests/asked-people.ts";
import { coverRequestRecords } from "../../../db/oncall/requests/request-records.ts";
import { countOpenRequests } from "../../../db/oncall/requests/request-rows.ts";
import { insertAsked } from "../../../db/oncall/requests/request-writes.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { coverRequests } from "../../../db/schema/calendars/cover-requests.ts";
import { build } from "../../../db/shared/database.ts";
import { newId, newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { batch } from "../../../db/shared/select.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import {
  type Acceptance,
  decideAcceptance,
  hoursOf,
  servesInReturn,
} from "../../../domain/oncall/requests/acceptance.ts";
import {
  latestExpiry,
  MOST_OPEN_REQUESTS,
  type RequestTerms,
} from "../../../domain/oncall/requests/cover-request.ts";
import {
  type FieldError,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { onCallChangeOfAcceptance } from "./accept-cover-request.ts";
import { problemMessage, requestedHours } from "./acceptance-problems.ts";
import { askedFaults, expiryFaults, hoursFaults, referencesOf } from "./request-faults.ts";

const TOO_MANY = refuse("invalid", `a person may have ${MOST_OPEN_REQUESTS} open requests`);

type Member = { readonly id: string; readonly name: string; readonly isActive: boolean };

/**
 * Asks people to be on call instead of a person (contract 2, Cover requests). Its preview shows what
 * happens if the first of those who are asked accepts.
 *
 * @param id the ULID of the new request
 * @returns the request; 422 for invalid times, unknown records, a person who is not on call then, or
 *   people who have nothing to give in return; 409 when people leave the account at the same time
 */
export const createCoverRequest = (
  context: Context<MemberActor>,
  id: string,
  body: CreateCoverRequest,
): Promise<CoverRequest | Refusal> => retryOnConflict(() => attemptCreate(context, id, body));

async function attemptCreate(
  context: Context<MemberActor>,
  id: string,
  body: CreateCoverRequest,
): Promise<CoverRequest | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectRotationPeople(accountId, body.event_id),
    selectRecord(coverRequestRecords, accountId, { form: "id", value: id }),
  ]);
  const [rotation, [earlier]] = rows;
  // A retry of a create whose answer was lost.
  if (earlier) return earlier;
  const terms = termsOf(body);
  const faults = [
    ...hoursFaults(body, now),
    ...expiryFaults(body.expires_at, terms, now),
    ...askedFaults(body),
  ];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  const [accountUserId = actor.accountUserId] = resolved.idsOf("account_user_id");
  const scheduleIds = resolved.idsOf("schedule_ids");
  const named = {
    ...terms,
    accountUserId,
    scheduleIds: scheduleIds.length > 0 ? scheduleIds : null,
  };
  const asked = body.event_id
    ? rotation.map((it) => it.id).filter((person) => person !== accountUserId)
    : resolved.idsOf("account_user_ids");
  faults.push(...personFaults(asked, accountUserId, Boolean(body.event_id)));
  if (faults.length > 0) return refuseFields(faults);

  const scope = { accountId, now, people: [accountUserId, ...asked] };
  const [[open], members, stored, events, absences] = await batch(db, [
    countOpenRequests(accountId, accountUserId, now),
    selectMembers(accountId, [accountUserId, ...asked]),
    ...selectCoverState(scope),
  ]);
  const state = toCoverState(scope, stored, events, absences);
  const known = { covers: state.covers.map(toCover), schedules: state.schedules };
  const [first = ""] = asked;
  const planned = decideAcceptance(known, named, first, now, () => newId(now));
  const refused = [
    ...memberFaults(members, asked),
    ...problemFaults(planned, named, members),
    ...returnFaults(named, asked, members, state, now),
  ];
  if (refused.length > 0) return refuseFields(refused);
  if ((open?.count ?? 0) >= MOST_OPEN_REQUESTS) return TOO_MANY;
  const hours = requestedHours(hoursOf(named, state.schedules, now));
  const write = build.insert(coverRequests).values({
    ...newIdentity("cover_request", now, id),
    ...{ accountId, accountUserId, startAt: named.startAt, endAt: named.endAt, hours },
    scheduleIds: named.scheduleIds,
    returnStartAt: named.inReturn?.startAt ?? null,
    returnEndAt: named.inReturn?.endAt ?? null,
    reason: body.reason || null,
    status: "open",
    expiresAt: body.expires_at ?? latestExpiry(named),
    ...(body.meta && { meta: body.meta }),
  });
  const { after } = await commitChange(context, {
    ...{ verb: "create", records: coverRequestRecords, id, before: null },
    writes: [
      assertMembers(accountId, [accountUserId, ...asked]),
      write,
      insertAsked(accountId, id, asked),
    ],
    ...(context.preview && { onCall: onCallChangeOfAcceptance(planned, state, now) }),
  });
  return after ?? notFound("cover_request");
}

/** The terms without the records that they name. */
function termsOf(body: CreateCoverRequest): RequestTerms {
  const inReturn = body.in_return
    ? { startAt: body.in_return.start_datetime, endAt: body.in_return.end_datetime }
    : null;
  const { start_datetime: startAt, end_datetime: endAt } = body;
  return { accountUserId: "", startAt, endAt, scheduleIds: null, inReturn };
}

function personFaults(
  asked: readonly string[],
  accountUserId: string,
  isRotation: boolean,
): FieldError[] {
  if (isRotation) {
    const message = "event_id: nobody else is in this rotation";
    return asked.length === 0 ? [{ field: "event_id", message }] : [];
  }
  const field = "account_user_ids";
  const message = `${field} has the person who is to be covered`;
  return asked.includes(accountUserId) ? [{ field, message }] : [];
}

const ASKED = "account_user_ids";

const nameOf = (members: readonly Member[], id: string) =>
  members.find((it) => it.id === id)?.name ?? "a person";

/** Who has not joined the account is told of nothing. */
function memberFaults(members: readonly Member[], asked: readonly string[]): FieldError[] {
  const pending = members.filter((it) => !it.isActive && asked.includes(it.id));
  return pending.map(({ name }) => ({
    field: ASKED,
    message: `${ASKED}: ${name} has not joined the account yet`,
  }));
}

/** The problems of the person who asks; those of a person who accepts are only theirs. */
const problemFaults = (
  { problems }: Acceptance,
  { accountUserId }: RequestTerms,
  members: readonly Member[],
): FieldError[] =>
  problems
    .filter((it) => it.accountUserId === accountUserId)
    .map((it) => ({
      field: "start_datetime",
      message: problemMessage(it, nameOf(members, accountUserId)),
    }));

/** Names the people who are not on call in the hours in return. */
function returnFaults(
  terms: RequestTerms,
  asked: readonly string[],
  members: readonly Member[],
  { schedules }: CoverState,
  now: number,
): FieldError[] {
  if (terms.inReturn === null) return [];
  const without = asked.filter((person) => !servesInReturn(terms, person, schedules, now));
  if (without.length === 0) return [];
  const names = without.map((person) => nameOf(members, person)).join(", ");
  const message = `in_return: ${names} ${without.length === 1 ? "is" : "are"} not on call in these hours`;
  return [{ field: "in_return", message }];
}
