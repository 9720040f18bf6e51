// The type of a compiled condition and of its input.
import type { WorkBudget } from "./work-budget.ts";

/** The input of a condition: a document, at an instant (`now`, epoch ms). */
type Evaluation = { readonly view: unknown; readonly now: number; readonly work: WorkBudget };
export type Condition = (evaluation: Evaluation) => boolean;
