// Test pages and fire drills: alerts that page people for real and say everywhere that they are
// exercises (contract 3, Exercises). Pure.

/** `test`: a person pages themself. `drill`: a team is paged as by a real alert. */
export const EXERCISES = ["test", "drill"] as const;
export type Exercise = (typeof EXERCISES)[number];

/** What a drill knows beyond an alert. */
export type Drill = {
  /** The account users to whom its end is reported. */
  readonly reportTo: readonly string[];
  /** When it ended (epoch ms), and who acknowledged it (an account user); absent: it runs. */
  readonly endedAt?: number;
  readonly acknowledgedBy?: string;
};

const MARKS = { test: "TEST: ", drill: "DRILL: " } as const satisfies Record<Exercise, string>;

/** The title with the mark of the exercise, which every channel and integration shows. */
export const markTitle = (title: string, exercise: Exercise): string =>
  title.startsWith(MARKS[exercise]) ? title : `${MARKS[exercise]}${title}`;
