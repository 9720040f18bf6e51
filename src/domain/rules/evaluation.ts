// A compiled condition, and what it is asked about.
import type { Work } from "./work.ts";

/** A document, at an instant (`now`, epoch ms). */
type Evaluation = { readonly view: unknown; readonly now: number; readonly work: Work };
export type Condition = (evaluation: Evaluation) => boolean;
