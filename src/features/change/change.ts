// What a verb returns: the change that it has decided. Whoever runs the verb commits the change,
// previews it, composes it with others or makes an undo of it.
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { IrreversibleReason } from "../../domain/oncall/changes/history-entry.ts";
import type { ServingChange } from "../../domain/oncall/changes/schedule-after.ts";
import type { Refusal } from "../../domain/shared/refusal.ts";
import type { Records } from "../../kernel/db/records.ts";
import type { RowsOf } from "../../kernel/db/select.ts";
import type { AnswerName, AnswerNamed } from "../answers.ts";
import type { Context } from "./context.ts";

/** A change of a record: its statements, the record before them, and their effect on who is on call. */
export type Change<Name extends AnswerName> = {
  /** `create`, `update`, `delete`, or the action's own name, such as `rotate`. */
  readonly verb: string;
  readonly records: Records<Name>;
  /** The record's ULID. */
  readonly id: string;
  /** The record as it was read for the decision; null for a create. */
  readonly before: AnswerNamed<Name> | null;
  /** Preconditions and writes, in their order. */
  readonly writes: readonly SQLWrapper[];
  /** For a change of on-call events: its effect, by the events as the writes store them. */
  readonly onCall?: OnCallEffect;
} & Recorded;

/** What the entry of the history cannot tell from the change itself. */
export type Recorded = {
  /** A select of the ids of the events that the writes change, where `onCall` does not say so. */
  readonly touches?: SQL;
  /** A select of the ids of schedules that the change concerns apart from its events'. */
  readonly concerns?: SQL;
  /** Why it cannot be undone, where the kind and the verb do not say so. */
  readonly irreversible?: IrreversibleReason;
  /** Of a take-over: the account users whom it relieves. */
  readonly relieved?: readonly string[];
} & OfPast;

/** What a change does to earlier changes and hours, as whoever runs the verb asks for. */
export type OfPast = {
  /** The entry of the history that the change undoes, if it is an undo. */
  readonly undoes?: string;
  /** Whether it changes who was on call before it, too. */
  readonly correctsPast?: boolean;
};

/** What a change does to who is on call. */
export type OnCallEffect = {
  /** The events and absences that it changes: of several changes, together they say who is on call. */
  readonly serving: ServingChange;
  /** The ids of all events that change, go or are new. */
  readonly eventIds: readonly string[];
  /**
   * The writes of the change, with those that keep, or correct, who was on call before it.
   *
   * @param entryId the change's entry of the history
   */
  readonly keepPast: (
    context: Context,
    change: OfPast & { readonly writes: readonly SQLWrapper[] },
    entryId: string,
  ) => Promise<readonly SQLWrapper[]>;
  /** The preview of the change, as answers show it. */
  readonly preview: (context: Context, change: OfPast) => Promise<unknown>;
};

/** Writes of events, with what they do to who is on call. */
export type EventWrites = Required<Pick<Change<AnswerName>, "writes" | "onCall">>;

/** The record after the change, null once it is deleted; and the rows of the further reads. */
export type Committed<Name extends AnswerName, Reads extends readonly SQLWrapper[]> = {
  readonly after: AnswerNamed<Name> | null;
  readonly rows: RowsOf<Reads>;
};

type Previewable = {
  /** The effect that a preview shows, where `onCall` is not it. Called for previews only. */
  readonly effect?: () => Promise<OnCallEffect>;
};

/** The decision of a verb that changes a record. */
export type Decision<
  Name extends AnswerName,
  Answer = AnswerNamed<Name>,
  Reads extends readonly SQLWrapper[] = readonly SQLWrapper[],
> = Change<Name> &
  Previewable & {
    /** Further selects, which see the change. */
    readonly reads?: Reads;
    /** How often to decide, if others write at the same time; absent: as often as any verb. */
    readonly attempts?: number;
    /** What has to happen before the writes. */
    readonly prepare?: () => Promise<void>;
    /** The refusal that a failed write means; null if it means none. */
    readonly refusalOf?: (error: unknown) => Refusal | null;
    /**
     * What follows the commit, and the answer. A method, so that a decision about records of one kind
     * is one about any: whoever calls it has committed this decision.
     */
    answer(committed: Committed<Name, Reads>): Answer | Refusal | Promise<Answer | Refusal>;
  };

/** The decision of a verb that writes no record itself: nothing is to be changed, or an object does it. */
export type Unwritten<Answer> = Previewable & {
  readonly answer: () => Answer | Refusal | Promise<Answer | Refusal>;
};

/** What any verb decides. */
export type Decided<Answer> = Decision<AnswerName, Answer> | Unwritten<Answer> | Refusal;

/** Whether a decision writes a record. */
export const isWritten = <Answer>(
  decided: Decision<AnswerName, Answer> | Unwritten<Answer>,
): decided is Decision<AnswerName, Answer> => "writes" in decided;
