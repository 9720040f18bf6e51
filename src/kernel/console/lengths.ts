// Lengths of time in words and figures. The console's scripts use them, too: this file imports nothing.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3 min`, `2 h`, `5 days`: an approximate, positive duration. */
export function lengthOf(ms: number): string {
  const length = Math.abs(ms);
  if (length < MINUTE) return `${Math.round(length / 1000)} s`;
  if (length < HOUR) return `${Math.round(length / MINUTE)} min`;
  if (length < 2 * DAY) {
    const hours = Math.floor(length / HOUR);
    const minutes = Math.round((length % HOUR) / MINUTE);
    return minutes === 0 || hours >= 10 ? `${hours} h` : `${hours} h ${minutes} min`;
  }
  return `${Math.round(length / DAY)} days`;
}

/** `0:30`, `12:05`, `1:00:00`: the exact length of a wait, to the second. */
export function waitOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, ...others] = parts;
  const shown = hours > 0 ? parts : others;
  return shown.map((it, i) => (i === 0 ? String(it) : String(it).padStart(2, "0"))).join(":");
}
