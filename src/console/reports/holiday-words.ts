// The holidays that count, in one sentence: days of one name that follow each other are one span.
import type { Holiday } from "../../features/oncall/holidays/contract.ts";

const DAY_MS = 86_400_000;

type Span = { readonly first: Holiday; readonly last: Holiday };

const isNextDay = (one: Holiday, next: Holiday): boolean =>
  Date.parse(next.date) - Date.parse(one.date) === DAY_MS;

/** Whether both are whole days of one holiday. */
const isContinued = (one: Holiday, next: Holiday): boolean =>
  one.name === next.name && one.starts_at === "00:00" && next.starts_at === "00:00";

const spanText = ({ first, last }: Span): string => {
  const { name, date, starts_at } = first;
  if (last !== first) return `${name} (${date} – ${last.date})`;
  return starts_at === "00:00" ? `${name} (${date})` : `${name} (${date}, from ${starts_at})`;
};

/** "Christmas Day (2026-12-25), Shutdown (2026-12-28 – 2026-12-31)"; ordered by date, as given. */
export function holidayText(holidays: readonly Holiday[]): string {
  const spans: Span[] = [];
  for (const next of holidays) {
    const at = spans.findLastIndex(({ last }) => isContinued(last, next) && isNextDay(last, next));
    const span = spans[at];
    if (span === undefined) spans.push({ first: next, last: next });
    else spans[at] = { ...span, last: next };
  }
  return spans.map(spanText).join(", ");
}
