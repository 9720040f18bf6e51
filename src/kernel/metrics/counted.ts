// What this isolate has counted, and what providers answered, that is not stored yet. `src/kernel/metrics/report-counts.ts`
// stores it; a crash loses at most what happened since.
import { AnswerLog } from "../../domain/shared/metrics/provider-answers.ts";
import { SeriesSums } from "../../domain/shared/metrics/series.ts";

export const counted = new SeriesSums();
export const answered = new AnswerLog();
