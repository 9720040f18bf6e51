// What this isolate has counted, and what providers answered, that is not stored yet. `src/features/operations/audits/report-counts.ts`
// stores it; a crash loses at most what happened since.
import { AnswerLog } from "../../../domain/operations/provider-answers.ts";
import { SeriesSums } from "../../../domain/operations/series.ts";

export const counted = new SeriesSums();
export const answered = new AnswerLog();
