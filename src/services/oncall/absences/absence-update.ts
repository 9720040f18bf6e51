// What the parameters of an update make of an absence.
import type { UpdateAbsence } from "../../../contract/oncall/absences/absence-parameters.ts";
import type { StoredAbsence } from "../../../db/oncall/absences/stored-absences.ts";
import type { Resolved } from "../../../db/records/references.ts";
import type { AbsenceRecord } from "../../../domain/oncall/absences/absence-record.ts";
import { statusAt } from "../../../domain/oncall/absences/asking.ts";
import type { Interval } from "../../../domain/oncall/override-precedence.ts";
import { type FieldError, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import {
  ASKING_FIELDS,
  askedFaults,
  coveringFaults,
  endedFaults,
  expiryFaults,
  givenAsking,
  returnFaults,
  samePersonFaults,
  superfluousAsking,
  timeFaults,
  toInterval,
} from "./absence-faults.ts";
import { type AskingDraft, draftFaults, openAsking } from "./plan-asking.ts";

type PlannedUpdate = {
  /** The absence with the change. */
  readonly record: AbsenceRecord;
  /** Whom it asks from now on; null: nobody else than before. */
  readonly draft: AskingDraft | null;
  /** Whether it has other hours or people: else what was changed by hand since stays. */
  readonly isDecided: boolean;
};

/**
 * Plans an update.
 *
 * @param rotation the people of the rotation that `event_id` names
 * @param now epoch ms
 * @returns 422 for what is invalid, or cannot change while people are asked
 */
export function planUpdate(
  stored: StoredAbsence,
  body: UpdateAbsence,
  resolved: Resolved,
  rotation: readonly { readonly id: string }[],
  now: number,
): PlannedUpdate | Refusal {
  const unknown = resolved.ok ? [] : resolved.errors;
  const idsOf = (field: string) => (resolved.ok ? resolved.idsOf(field) : []);
  const status = stored.asking && statusAt(stored.asking, now);
  const instead = body.instead ?? stored.instead;
  const kept = keptOf(stored, body, idsOf);
  const asksOn = instead === "ask" && (status === "open" || status === "accepted");
  if (asksOn && stored.asking) {
    const { asking } = stored;
    const record = {
      ...kept,
      instead,
      coveringAccountUserId: stored.coveringAccountUserId,
      asking,
    };
    const expiresAt = body.expires_at;
    if (status === "accepted") {
      const isDecided = !isSameDecision(stored, record);
      const faults = [
        ...unknown,
        ...changedAsking(stored, body, idsOf).map(fixed("once somebody has accepted")),
        ...coveringChange(stored, body, idsOf),
        ...(isDecided ? timeFaults(record.startAt, record.endAt) : []),
      ];
      if (faults.length > 0) return refuseFields(faults);
      return decidedAnew(record, null, isDecided, now);
    }
    const next =
      expiresAt === undefined ? asking : openAsking(stored.startAt, asking.inReturn, expiresAt);
    const faults = [
      ...unknown,
      ...[...changedTerms(stored, kept), ...changedAsking(stored, body, idsOf)]
        .filter((field) => field !== "expires_at")
        .map(fixed("while people are asked: cancel that first")),
      ...coveringChange(stored, body, idsOf),
      ...expiryFaults(expiresAt, { ...stored, inReturn: asking.inReturn }, now),
    ];
    if (faults.length > 0) return refuseFields(faults);
    return {
      record: { ...record, asking: next && { ...asking, ...next } },
      draft: null,
      isDecided: false,
    };
  }
  const asksAgain = instead === "ask" && (body.instead === "ask" || givenAsking(body).length > 0);
  if (instead === "ask" && !asksAgain) {
    const record = { ...kept, instead, coveringAccountUserId: null, asking: stored.asking };
    const isDecided = !isSameDecision(stored, record);
    const faults = [...unknown, ...(isDecided ? timeFaults(record.startAt, record.endAt) : [])];
    return faults.length > 0 ? refuseFields(faults) : decidedAnew(record, null, isDecided, now);
  }
  const coveringAccountUserId = coveringOf(stored, body, instead, idsOf);
  const draft = asksAgain ? draftOf(stored, body, kept.accountUserId, rotation, idsOf) : null;
  const asking = draft ? openAsking(kept.startAt, draft.inReturn, body.expires_at) : null;
  const record: AbsenceRecord = { ...kept, instead, coveringAccountUserId, asking };
  const isDecided = draft !== null || !isSameDecision(stored, record);
  const isNamed = coveringAccountUserId !== null || Boolean(body.covering_account_user_id);
  const faults = [...unknown];
  if (isDecided) {
    faults.push(...timeFaults(record.startAt, record.endAt), ...samePersonFaults(record));
    faults.push(...coveringFaults(instead, isNamed));
  }
  if (draft) faults.push(...endedFaults(record, now), ...askingFaults(body, record, draft, now));
  else faults.push(...superfluousAsking(body));
  return faults.length > 0 ? refuseFields(faults) : decidedAnew(record, draft, isDecided, now);
}

const decidedAnew = (
  record: AbsenceRecord,
  draft: AskingDraft | null,
  isDecided: boolean,
  now: number,
): PlannedUpdate => ({
  record: isDecided ? { ...record, decidedAt: now, released: [] } : record,
  ...{ draft, isDecided },
});

type IdsOf = (field: string) => readonly string[];

/** The absence with the parameters that say who is away, when and from which schedules. */
function keptOf(stored: StoredAbsence, body: UpdateAbsence, idsOf: IdsOf) {
  const { id, decidedAt, released } = stored;
  const [accountUserId = stored.accountUserId] = idsOf("account_user_id");
  const ids = idsOf("schedule_ids");
  const named = ids.length > 0 ? ids : null;
  return {
    ...{ id, accountUserId, decidedAt, ...(released && { released }) },
    startAt: body.start_datetime ?? stored.startAt,
    endAt: body.end_datetime ?? stored.endAt,
    scheduleIds: body.schedule_ids === undefined ? stored.scheduleIds : named,
  };
}

/** Only `person` has a covering person: another choice drops the one that is stored. */
function coveringOf(
  stored: StoredAbsence,
  body: UpdateAbsence,
  instead: AbsenceRecord["instead"],
  idsOf: IdsOf,
): string | null {
  if (body.covering_account_user_id !== undefined) {
    return idsOf("covering_account_user_id")[0] ?? null;
  }
  return instead === "person" ? stored.coveringAccountUserId : null;
}

/** Whom to ask: those who are named, or who were asked before. */
function draftOf(
  { asking }: StoredAbsence,
  body: UpdateAbsence,
  accountUserId: string,
  rotation: readonly { readonly id: string }[],
  idsOf: IdsOf,
): AskingDraft {
  const isRotation = Boolean(body.event_id);
  const named = body.account_user_ids === undefined ? askedIds(asking) : idsOf("account_user_ids");
  const inReturn =
    body.in_return === undefined ? (asking?.inReturn ?? null) : toInterval(body.in_return);
  const others = rotation.map(({ id }) => id).filter((id) => id !== accountUserId);
  return { asked: isRotation ? others : named, isRotation, inReturn };
}

const askedIds = (asking: StoredAbsence["asking"]): readonly string[] =>
  (asking?.asked ?? []).map(({ accountUserId }) => accountUserId);

function askingFaults(
  body: UpdateAbsence,
  record: AbsenceRecord,
  draft: AskingDraft,
  now: number,
): FieldError[] {
  const hours = draft.inReturn && {
    start_datetime: draft.inReturn.startAt,
    end_datetime: draft.inReturn.endAt,
  };
  const named = body.event_id ? body.account_user_ids : [...draft.asked];
  return [
    ...askedFaults({ ...body, account_user_ids: named }),
    ...returnFaults(hours, record, now),
    ...expiryFaults(body.expires_at, { ...record, inReturn: draft.inReturn }, now),
    ...draftFaults(draft, record.accountUserId),
  ];
}

// ── What cannot change while people are asked ──

const fixed =
  (when: string) =>
  (field: string): FieldError => ({ field, message: `${field} cannot change ${when}` });

const sameList = (one: readonly string[] | null, other: readonly string[] | null) =>
  one?.toSorted().join() === other?.toSorted().join();

const sameHours = (one: Interval | null, other: Interval | null) =>
  one?.startAt === other?.startAt && one?.endAt === other?.endAt;

/** The names of the parameters that would change who is away, when and from which schedules. */
const changedTerms = (
  stored: StoredAbsence,
  next: ReturnType<typeof keptOf>,
): readonly string[] => [
  ...(next.accountUserId === stored.accountUserId ? [] : ["account_user_id"]),
  ...(next.startAt === stored.startAt ? [] : ["start_datetime"]),
  ...(next.endAt === stored.endAt ? [] : ["end_datetime"]),
  ...(sameList(next.scheduleIds, stored.scheduleIds) ? [] : ["schedule_ids"]),
];

/** The names of the parameters that would change whom it asks, and what for. */
function changedAsking(
  { asking }: StoredAbsence,
  body: UpdateAbsence,
  idsOf: IdsOf,
): readonly string[] {
  const isSame = {
    account_user_ids: sameList(idsOf("account_user_ids"), askedIds(asking)),
    event_id: false,
    in_return: sameHours(toInterval(body.in_return), asking?.inReturn ?? null),
    expires_at: body.expires_at === asking?.expiresAt,
  };
  const given = new Set(givenAsking(body));
  return ASKING_FIELDS.filter((field) => given.has(field) && !isSame[field]);
}

const coveringChange = (
  stored: StoredAbsence,
  body: UpdateAbsence,
  idsOf: IdsOf,
): readonly FieldError[] =>
  body.covering_account_user_id &&
  idsOf("covering_account_user_id")[0] !== stored.coveringAccountUserId
    ? coveringFaults("ask", true)
    : [];

/** Whether absences have the same hours and people. */
const isSameDecision = (one: StoredAbsence, other: AbsenceRecord): boolean =>
  one.accountUserId === other.accountUserId &&
  one.startAt === other.startAt &&
  one.endAt === other.endAt &&
  one.instead === other.instead &&
  one.coveringAccountUserId === other.coveringAccountUserId &&
  sameList(one.scheduleIds, other.scheduleIds);
