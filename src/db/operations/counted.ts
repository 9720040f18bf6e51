// What this isolate has counted and not stored yet. `src/objects/operations/report-counts.ts`
// stores it; a crash loses at most what was counted since.
import { SeriesSums } from "../../domain/operations/series.ts";

export const counted = new SeriesSums();
