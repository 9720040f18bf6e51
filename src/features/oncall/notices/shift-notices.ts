// Notices of a schedule's object to its people: that a change put them on or took them off a shift,
// and that a shift of theirs is about to begin.
import type { PageEvent } from "../../../domain/alerts/alert.ts";
import type { PageMessage } from "../../../domain/notifications/page.ts";
import { reminderText, shiftChangeText } from "../../../domain/oncall/notices/notice-text.ts";
import { hoursBetween } from "../../../domain/oncall/notices/person-hours.ts";
import {
  type DueReminder,
  nextReminderAt,
  type RemindersByPerson,
  remindersDue,
} from "../../../domain/oncall/notices/reminders.ts";
import {
  changesDueAt,
  type HoursChange,
  KNOWN_WINDOW_MS,
  observeShifts,
  type ShiftMemory,
  takeChanges,
} from "../../../domain/oncall/notices/shift-changes.ts";
import {
  relievedText,
  type TakeOverNotice,
  takeOverRecipients,
  takeOverText,
} from "../../../domain/oncall/notices/take-overs.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { HOUR, MINUTE } from "../../../domain/shared/time.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import type { WatchedSchedule } from "../../rpc.ts";
import type { ShiftFacts } from "./handoff-rows.ts";
import { noticePage } from "./notice-page.ts";
import { type NoticeRecipient, readNoticeRecipients } from "./notice-recipient-rows.ts";
import { readTakeOvers } from "./take-over-rows.ts";

/** A reminder is not sent any more this long after its shift began (ms): the alarm was late. */
const MAX_LATENESS_MS = 15 * MINUTE;

/** What is stored of the people of a schedule. */
export type ShiftWatch = WatchedSchedule & {
  /** The schedule's name, for notices after its deletion. */
  readonly name: string;
  readonly memory: ShiftMemory;
  /** When the next reminder to a person is due (epoch ms); null: none. */
  readonly remindAt: number | null;
  /** The number of times that changes were notified: identifies a notice. */
  readonly sent: number;
  /** The id of the last change of which take-overs were notified; absent: none yet. */
  readonly takeOversTo?: string;
};

export type WatchUpdate = {
  /** Null: there is nothing to store. */
  readonly watch: ShiftWatch | null;
  readonly pages: readonly PageMessage[];
};

/** When the next notice or reading is due (epoch ms); null: none. */
export const shiftNoticeAt = ({ memory, remindAt }: ShiftWatch): number | null =>
  earliest(changesDueAt(memory), remindAt, memory.readAgainAt);

/**
 * Notes a change of the schedule, and sends the reminders that are due. Throws if D1 does.
 *
 * @param actors who changed the schedule since the last call; empty: nobody
 */
export async function noteShifts(
  env: Cloudflare.Env,
  schedule: WatchedSchedule,
  known: ShiftWatch | null,
  { facts, actors, now }: { facts: ShiftFacts; actors: readonly string[]; now: number },
): Promise<WatchUpdate> {
  const { id, accountId } = schedule;
  const from = Math.min(known?.remindAt ?? now, now) - 1;
  const current = hoursBetween(facts.schedule, from, now + KNOWN_WINDOW_MS);
  const memory = observeShifts(known?.memory ?? null, current, actors, now);
  const recipients = await readNoticeRecipients(env.DB, accountId, Object.keys(current.people));
  const wanted = remindersOf(recipients);
  const name = facts.scheduleName ?? known?.name ?? "a deleted schedule";
  const due = remindersDue(current.people, wanted, from, known?.remindAt ? now : from);
  const pages = due
    .filter(({ startAt }) => startAt > now - MAX_LATENESS_MS)
    .flatMap((it) => reminderPage({ id, accountId, name }, it, recipients));
  const remindAt = nextReminderAt(current.people, wanted, now);
  const { sent = 0, takeOversTo } = known ?? {};
  const watch = {
    ...{ id, accountId, name, memory, remindAt, sent },
    ...(takeOversTo !== undefined && { takeOversTo }),
  };
  return { watch: isEmpty(memory) ? null : watch, pages };
}

/** Nothing is known of a schedule without people, except while changes are pending. */
const isEmpty = ({ people, burst }: ShiftMemory) =>
  Object.keys(people).length === 0 && burst === null;

const remindersOf = (recipients: ReadonlyMap<string, NoticeRecipient>): RemindersByPerson =>
  new Map([...recipients].map(([id, { shiftReminders }]) => [id, shiftReminders]));

type Named = WatchedSchedule & { readonly name: string };

function reminderPage(
  { id, accountId, name }: Named,
  due: DueReminder,
  recipients: ReadonlyMap<string, NoticeRecipient>,
): PageMessage[] {
  const { accountUserId, dueAt, layer, startAt, reminder } = due;
  const { minutes_before: minutes, channel } = reminder;
  const person = recipients.get(accountUserId);
  if (person === undefined) return [];
  return [
    noticePage({
      ...{ accountId, accountUserId, at: dueAt, event: "oncall.shift_reminder" },
      effectId: `${id}:reminder:${layer}:${startAt}:${minutes}:${channel ?? ""}:${accountUserId}`,
      sender: prefixIdOf("schedule", id),
      content: reminderText(name, due, person.timeZone),
      channels: channel && [channel],
    }),
  ];
}

/** A change that was recorded this long (ms) before it was seen is still notified as a take-over. */
const MAX_DELAY_MS = HOUR;

/** Takes the changes that are due: the pages, and what remains. Throws if D1 does. */
export async function takeShiftChanges(
  env: Cloudflare.Env,
  known: ShiftWatch,
  now: number,
): Promise<WatchUpdate> {
  const { id, accountId } = known;
  const { memory, changes } = takeChanges(known.memory, now);
  const firstAt = known.memory.burst?.firstAt ?? now;
  const after = known.takeOversTo ?? firstIdentifierAt(firstAt - MAX_DELAY_MS);
  const { takeOvers, adminIds } = await readTakeOvers(env.DB, accountId, id, after);
  const ids = [...changes.map(({ accountUserId }) => accountUserId), ...adminIds];
  const recipients = await readNoticeRecipients(env.DB, accountId, ids);
  const sent = known.sent + 1;
  const shiftPages = changes.flatMap((change) => {
    const person = recipients.get(change.accountUserId);
    if (!person?.shiftNotices) return [];
    const notes = relievedText(takeOvers, person.id);
    return [changePage({ ...known, sent }, { ...change, notes }, person, now)];
  });
  const notifiedIds = new Set(shiftPages.map(({ page }) => page.accountUserId));
  const takeOverPages = takeOvers.flatMap((it) =>
    takeOverRecipients(it, adminIds, notifiedIds).flatMap((adminId) => {
      const admin = recipients.get(adminId);
      return admin ? [takeOverPage(known, it, admin)] : [];
    }),
  );
  const takeOversTo = takeOvers.at(-1)?.id ?? known.takeOversTo;
  const watch = {
    ...{ ...known, memory, sent },
    ...(takeOversTo !== undefined && { takeOversTo }),
  };
  return { watch: isEmpty(memory) ? null : watch, pages: [...shiftPages, ...takeOverPages] };
}

/** The page of a take-over to an admin: its id and its time are the same however often it is read. */
const takeOverPage = (
  { id, accountId, name }: ShiftWatch,
  notice: TakeOverNotice,
  admin: NoticeRecipient,
): PageMessage =>
  noticePage({
    ...{ accountId, accountUserId: admin.id, at: notice.createdAt, channels: null },
    event: "oncall.shift_taken",
    effectId: `${id}:take_over:${notice.id}:${admin.id}`,
    sender: prefixIdOf("schedule", id),
    content: takeOverText(name, notice, admin.timeZone),
  });

function changePage(
  { id, accountId, name, sent }: ShiftWatch,
  change: HoursChange & { readonly notes: readonly string[] },
  person: NoticeRecipient,
  now: number,
): PageMessage {
  const { accountUserId, notes } = change;
  return noticePage({
    ...{ accountId, accountUserId, at: now, event: eventOf(change), channels: null },
    effectId: `${id}:shifts:${sent}:${now}:${accountUserId}`,
    sender: prefixIdOf("schedule", id),
    content: shiftChangeText(name, change, person.timeZone, notes),
  });
}

function eventOf({ added, removed }: HoursChange): PageEvent {
  if (removed.length === 0) return "oncall.shift_added";
  return added.length === 0 ? "oncall.shift_removed" : "oncall.shift_changed";
}
