// When a standby takes over from its primary, and when it stands down. Pure.

/** Questions in a row that the primary answers, or does not, before anything changes. */
export const IN_A_ROW = 3;

/** As many before people are asked about a primary that is seen from another network: the line may come back. */
const LONG_SILENCE = 15;

export const STANDBY_ORDERS = ["take_over", "stand_down"] as const;
export type StandbyOrder = (typeof STANDBY_ORDERS)[number];

/** After how many answers in a row admins are reminded to stand down, and then each time so many later. */
const REMINDED_AT = 15;
const REMINDED_EVERY = 180;

/** A question to admins, which one of them may answer once. */
export type StandbyQuestion = {
  readonly id: string;
  readonly order: StandbyOrder;
  /** When they were asked last (epoch ms). */
  readonly at: number;
  /** Whether they are asked again, since the primary answers too. */
  readonly isReminder?: boolean;
};

export type StandbyState = {
  /** `silent`: stores events; `active`: has taken over, delivers them and pages. */
  readonly role: "silent" | "active";
  /** A person decided it, which is not undone by itself before the primary has answered. */
  readonly byHand: boolean;
  /** When the primary answered last (epoch ms); null: never. */
  readonly answeredAt: number | null;
  /** How often in a row it did not answer, and did. */
  readonly misses: number;
  readonly answers: number;
  /** How often in a row it was not seen from another network either, while it did not answer. */
  readonly unseen: number;
  /** When the snapshot was read with which it would take over (epoch ms); null: there is none. */
  readonly snapshotAt: number | null;
  /** When it took over last (epoch ms); null: never. */
  readonly takenOverAt: number | null;
  /** What admins are asked; null: nothing. */
  readonly question: StandbyQuestion | null;
};

export const NEW_STANDBY: StandbyState = {
  role: "silent",
  byHand: false,
  answeredAt: null,
  misses: 0,
  answers: 0,
  unseen: 0,
  snapshotAt: null,
  takenOverAt: null,
  question: null,
};

export type StandbySight = {
  /** Whether the primary answered this time. */
  readonly answers: boolean;
  /** Whether the primary is seen from another network; null: nobody knows. */
  readonly isSeenOutside: boolean | null;
  /** The standby that comes before this one: it does not answer or there is none, or its role. */
  readonly earlier: "silent" | "active" | null;
};

/** The state after the primary was asked once. */
export function afterQuestion(state: StandbyState, answers: boolean, now: number): StandbyState {
  if (!answers) return { ...state, misses: state.misses + 1, answers: 0 };
  // Who kept a standby silent meant this failure of the primary, not the next one.
  const byHand = state.byHand && state.role === "active";
  const question = state.role === "active" ? state.question : null;
  return {
    ...state,
    byHand,
    question,
    answeredAt: now,
    misses: 0,
    unseen: 0,
    answers: state.answers + 1,
  };
}

/** The state after somebody in another network was asked. Who says nothing neither confirms nor contradicts what was said. */
export function afterSight(
  state: StandbyState,
  { answers, isSeenOutside }: Pick<StandbySight, "answers" | "isSeenOutside">,
): StandbyState {
  if (answers || isSeenOutside === null) return state;
  return { ...state, unseen: isSeenOutside ? 0 : state.unseen + 1 };
}

/**
 * What follows from the state and what is seen; null: nothing.
 *
 * It takes over if neither it nor somebody in another network has seen the primary several times in a row, and no
 * standby that comes before it is there to do so. It stands down once the primary has answered for a while, or the
 * earlier standby has taken over. Whatever a person decided stays.
 */
export function decideStandby(
  { role, byHand, misses, answers, unseen, snapshotAt }: StandbyState,
  sight: StandbySight,
): "take_over" | "stand_down" | null {
  if (byHand) return null;
  if (role === "active") {
    const isBack = sight.answers && answers >= IN_A_ROW;
    return isBack || sight.earlier === "active" ? "stand_down" : null;
  }
  const isMissed = !sight.answers && misses >= IN_A_ROW;
  // A long cut between the two and a moment's cut elsewhere are no failure of the primary.
  const isGone = isMissed && sight.isSeenOutside === false && unseen >= IN_A_ROW;
  return isGone && snapshotAt !== null && sight.earlier === null ? "take_over" : null;
}

/**
 * What admins are to be asked, who are not asked it yet; null: nothing. To take over from a primary that does not
 * answer, where the standby may not by itself: nobody in another network says that it is gone. And to stand down,
 * from the moment it has taken over.
 */
export function questionDue(
  { role, byHand, misses, snapshotAt, question }: StandbyState,
  { answers, isSeenOutside, earlier }: StandbySight,
): StandbyOrder | null {
  if (question !== null) return null;
  if (role === "active") return "stand_down";
  const patience = isSeenOutside === null ? IN_A_ROW : LONG_SILENCE;
  const isSilent = !answers && misses >= patience && isSeenOutside !== false;
  return isSilent && !byHand && snapshotAt !== null && earlier === null ? "take_over" : null;
}

/**
 * Whether admins are to be asked once more to stand down: a person had the standby take over, so that it does not end
 * that by itself, and the primary has answered for a while.
 */
export function isReminderDue({ role, byHand, answers, question }: StandbyState): boolean {
  if (role !== "active" || !byHand || question === null) return false;
  return answers === REMINDED_AT || (answers > 0 && answers % REMINDED_EVERY === 0);
}

/** Takes over. */
export const takeOver = (state: StandbyState, byHand: boolean, now: number): StandbyState => ({
  ...state,
  role: "active",
  byHand,
  answers: 0,
  unseen: 0,
  takenOverAt: now,
  question: null,
});

/** Stands down. Only a newer snapshot may be taken over with: the old one would page once more. */
export const standDown = (state: StandbyState, byHand: boolean): StandbyState => ({
  ...state,
  role: "silent",
  byHand,
  misses: 0,
  unseen: 0,
  snapshotAt: null,
  question: null,
});
