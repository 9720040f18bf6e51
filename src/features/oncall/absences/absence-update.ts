// What the parameters of an update make of an absence.
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
import type { UpdateAbsence } from "./parameters.ts";
import { type AskingDraft, draftFaults, openAsking } from "./plan-asking.ts";
import type { StoredAbsence } from "./stored-absences.ts";

type PlannedUpdate = {
  /** The absence with the change. */
  readonly record: AbsenceRecord;
  /** Whom it asks from now on; null: nobody else than before. */
  readonly draft: AskingDraft | null;
  /** Whether it has other hours or people: else what was changed by hand since stays. */
  readonly isDecided: boolean;
};

type IdsOf = (field: string) => readonly string[];

type Update = {
  readonly stored: StoredAbsence;
  readonly body: UpdateAbsence;
  /** The records that the parameters name: all are known. */
  readonly idsOf: IdsOf;
  /** The people of the rotation that `event_id` names. */
  readonly rotation: readonly { readonly id: string }[];
  /** Epoch ms. */
  readonly now: number;
};

/**
 * Plans an update.
 *
 * @returns 422 for what is invalid, or cannot change while people are asked
 */
export function planUpdate(update: Update): PlannedUpdate | Refusal {
  const { stored, body, now } = update;
  const instead = body.instead ?? stored.instead;
  if (instead !== "ask") return decideOtherwise(update, instead);
  const status = stored.asking && statusAt(stored.asking, now);
  if (status === "open") return goOnAsking(update);
  if (status === "accepted") return changeAccepted(update);
  const asksAgain = body.instead === "ask" || givenAsking(body).length > 0;
  return asksAgain ? ask(update) : changeEnded(update);
}

function decideOtherwise(update: Update, instead: AbsenceRecord["instead"]) {
  const { stored, body } = update;
  const coveringAccountUserId = coveringOf(update, instead);
  const record = { ...keptOf(update), instead, coveringAccountUserId, asking: null };
  const isNamed = coveringAccountUserId !== null || Boolean(body.covering_account_user_id);
  const faults = superfluousAsking(body);
  if (!isSameDecision(stored, record)) {
    faults.push(...timeFaults(record.startAt, record.endAt), ...samePersonFaults(record));
    faults.push(...coveringFaults(instead, isNamed));
  }
  return planned(update, record, null, faults);
}

/** Only when the asking ends may change, beside the reason. */
function goOnAsking(update: Update) {
  const { stored, body, now } = update;
  const { asking, coveringAccountUserId } = stored;
  const kept = keptOf(update);
  const inReturn = asking?.inReturn ?? null;
  const next =
    body.expires_at === undefined ? asking : openAsking(stored.startAt, inReturn, body.expires_at);
  const fields = [...changedTerms(stored, kept), ...changedAsking(update)];
  return planned(update, { ...kept, instead: "ask", coveringAccountUserId, asking: next }, null, [
    ...fields
      .filter((field) => field !== "expires_at")
      .map(fixed("while people are asked: cancel that first")),
    ...coveringChange(update),
    ...expiryFaults(body.expires_at, { ...stored, inReturn }, now),
  ]);
}

/** As if it named whoever has accepted. */
function changeAccepted(update: Update) {
  const { asking, coveringAccountUserId } = update.stored;
  const record = { ...keptOf(update), instead: "ask", coveringAccountUserId, asking } as const;
  return planned(update, record, null, [
    ...changedAsking(update).map(fixed("once somebody has accepted")),
    ...coveringChange(update),
    ...timeFaults(record.startAt, record.endAt),
  ]);
}

/** Nobody is asked any more, and nobody else serves. */
function changeEnded(update: Update) {
  const { asking } = update.stored;
  const kept = keptOf(update);
  const record = { ...kept, instead: "ask", coveringAccountUserId: null, asking } as const;
  const faults = [...coveringChange(update), ...timeFaults(record.startAt, record.endAt)];
  return planned(update, record, null, faults);
}

function ask(update: Update) {
  const { body, now } = update;
  const kept = keptOf(update);
  const draft = draftOf(update, kept.accountUserId);
  const { inReturn } = draft;
  const asking = openAsking(kept.startAt, inReturn, body.expires_at);
  const record = { ...kept, instead: "ask", coveringAccountUserId: null, asking } as const;
  const hours = inReturn && { start_datetime: inReturn.startAt, end_datetime: inReturn.endAt };
  const named = body.event_id ? body.account_user_ids : [...draft.asked];
  return planned(update, record, draft, [
    ...timeFaults(record.startAt, record.endAt),
    ...coveringChange(update),
    ...endedFaults(record, now),
    ...askedFaults({ ...body, account_user_ids: named }),
    ...returnFaults(hours, record, now),
    ...expiryFaults(body.expires_at, { ...record, inReturn }, now),
    ...draftFaults(draft, record.accountUserId),
  ]);
}

function planned(
  { stored, now }: Update,
  record: AbsenceRecord,
  draft: AskingDraft | null,
  faults: readonly FieldError[],
): PlannedUpdate | Refusal {
  if (faults.length > 0) return refuseFields(faults);
  const isDecided = draft !== null || !isSameDecision(stored, record);
  const next = isDecided ? { ...record, decidedAt: now, released: [] } : record;
  return { record: next, draft, isDecided };
}

/** The absence with the parameters that say who is away, when and from which schedules. */
function keptOf({ stored, body, idsOf }: Update) {
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
function coveringOf({ stored, body, idsOf }: Update, instead: AbsenceRecord["instead"]) {
  if (body.covering_account_user_id !== undefined) {
    return idsOf("covering_account_user_id")[0] ?? null;
  }
  return instead === "person" ? stored.coveringAccountUserId : null;
}

/** Whom to ask: those who are named, or who were asked before. */
function draftOf({ stored, body, rotation, idsOf }: Update, accountUserId: string): AskingDraft {
  const { asking } = stored;
  const isRotation = Boolean(body.event_id);
  const named = body.account_user_ids === undefined ? askedIds(asking) : idsOf("account_user_ids");
  const inReturn =
    body.in_return === undefined ? (asking?.inReturn ?? null) : toInterval(body.in_return);
  const others = rotation.map(({ id }) => id).filter((id) => id !== accountUserId);
  return { asked: isRotation ? others : named, isRotation, inReturn };
}

const askedIds = (asking: StoredAbsence["asking"]): readonly string[] =>
  (asking?.asked ?? []).map(({ accountUserId }) => accountUserId);

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
function changedAsking({ stored, body, idsOf }: Update): readonly string[] {
  const { asking } = stored;
  const isSame = {
    account_user_ids: sameList(idsOf("account_user_ids"), askedIds(asking)),
    event_id: false,
    in_return: sameHours(toInterval(body.in_return), asking?.inReturn ?? null),
    expires_at: body.expires_at === asking?.expiresAt,
  };
  const given = new Set(givenAsking(body));
  return ASKING_FIELDS.filter((field) => given.has(field) && !isSame[field]);
}

/** The error of naming who serves instead of asking; whom is shown may be sent back. */
const coveringChange = ({ stored, body, idsOf }: Update): readonly FieldError[] =>
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
