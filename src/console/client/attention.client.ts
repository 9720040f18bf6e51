// Calls attention to open alerts: their number in the tab's title and icon and, if the person has
// turned it on in this browser, a sound for new critical ones.

const SOUND_KEY = "alert-sound";
const MOST_SHOWN = 99;

const isSoundOn = () => localStorage.getItem(SOUND_KEY) === "on";

/** The number of open alerts, as the page shows it. */
const openCount = () =>
  Number(document.querySelector<HTMLElement>("[data-open-alerts]")?.dataset.openAlerts ?? 0);

/** A page may show an alert later than its creation by as much (ms). */
const MAX_LATE_MS = 60_000;

/** When the newest open critical alert was created, which may be on another page; null: not since an instant (epoch ms). */
function newestCritical(since: number): string | null {
  const { critical = "" } = document.querySelector<HTMLElement>("[data-critical]")?.dataset ?? {};
  return Date.parse(critical) >= since ? critical : null;
}

/** The alerts for which a tab of this browser has played the sound, the latest, by their instants. */
const SOUNDED_KEY = "alert-sounded";
const MAX_SOUNDED = 200;

/** Returns whether no tab of this browser has played the sound for the alert, and notes it. */
function claimSound(at: string): boolean {
  const sounded = (localStorage.getItem(SOUNDED_KEY) ?? "").split(" ");
  if (sounded.includes(at)) return false;
  localStorage.setItem(SOUNDED_KEY, [...sounded, at].slice(-MAX_SOUNDED).join(" "));
  return true;
}

/** Plays the sound in one tab of this browser, however many show the alert. */
function soundFor(at: string): void {
  const play = () => {
    const isOurs = claimSound(at);
    if (isOurs) playSound();
    return isOurs;
  };
  // Without https, browsers have no locks.
  if (navigator.locks === undefined) {
    play();
    return;
  }
  // Tabs are refreshed at the same time, and each may be a process, which sees the storage of
  // another only after a while: the lock is kept as long as one may still show the alert late.
  void navigator.locks.request(`${SOUNDED_KEY} ${at}`, { ifAvailable: true }, async (lock) => {
    if (lock !== null && play()) await new Promise((done) => setTimeout(done, MAX_LATE_MS));
  });
}

const iconOf = (text: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#b42318"/><text x="32" y="${text.length > 1 ? 45 : 48}" font-family="sans-serif" font-size="${text.length > 1 ? 38 : 48}" font-weight="700" text-anchor="middle" fill="#fff">${text}</text></svg>`,
  )}`;

/** Two short tones. A browser that blocks sounds until the page is used plays none. */
function playSound(): void {
  const audio = new AudioContext();
  for (const [at, frequency] of [
    [0, 880],
    [0.22, 660],
  ] as const) {
    const tone = new OscillatorNode(audio, { frequency });
    const volume = new GainNode(audio, { gain: 0.2 });
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + at);
    tone.stop(audio.currentTime + at + 0.18);
  }
  setTimeout(() => void audio.close(), 1_000);
}

function offerSound(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-sound]");
  if (button === null) return;
  const show = () => button.setAttribute("aria-pressed", String(isSoundOn()));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    localStorage.setItem(SOUND_KEY, isSoundOn() ? "off" : "on");
    if (isSoundOn()) playSound();
    show();
  });
}

/** Returns what to call after each refresh of the page. */
export function callAttention(): () => void {
  const title = document.title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const plainIcon = icon?.href ?? "";
  const shownAt = Number(document.querySelector<HTMLElement>("[data-shown]")?.dataset.shown ?? 0);
  const since = shownAt - MAX_LATE_MS;
  const known = new Set([newestCritical(since)]);
  const update = () => {
    const count = openCount();
    const text = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
    document.title = count === 0 ? title : `(${text}) ${title}`;
    if (icon) icon.href = count === 0 ? plainIcon : iconOf(text.slice(0, 2));
    const critical = newestCritical(since);
    if (critical !== null && !known.has(critical) && isSoundOn()) soundFor(critical);
    known.add(critical);
  };
  offerSound();
  update();
  return update;
}
