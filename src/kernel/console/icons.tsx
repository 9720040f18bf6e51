// The console's icons, drawn in the text colour. Always next to text.

const PATHS = {
  home: "M4 11 12 4l8 7v9h-6v-5h-4v5H4Z",
  bell: "M12 3a6 6 0 0 0-6 6v4l-2 3h16l-2-3V9a6 6 0 0 0-6-6Zm-2.5 16a2.5 2.5 0 0 0 5 0",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.5 2.7-6 6-6s6 2.5 6 6m1-9.3A3 3 0 1 0 15 5m3 9c1.9.8 3 2.9 3 6",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4m8-4v4",
  megaphone: "M4 10v4h3l8 4V6l-8 4Zm14-1a4 4 0 0 1 0 6M8 14l1 6h2l-1-5",
  chart: "M4 20h16M7 16v-5m5 5V5m5 11v-8",
  gear: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm0-12v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.2 2.2m8.4 8.4 2.2 2.2m0-12.8-2.2 2.2m-8.4 8.4-2.2 2.2",
  person: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 10c0-4 3.6-7 8-7s8 3 8 7",
  check: "M5 12.5 10 17.5 19 7",
  cross: "M6 6l12 12M18 6 6 18",
  back: "M15 6l-6 6 6 6",
  forward: "M9 6l6 6-6 6",
  team: "M12 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-6 8c0-3 2.7-5 6-5s6 2 6 5M5.5 11a2.2 2.2 0 1 1 1-4.2M2.5 17c0-2 1-3.6 2.8-4.3M18.5 11a2.2 2.2 0 1 0-1-4.2m4 10.2c0-2-1-3.6-2.8-4.3",
  layers: "M12 4 3 9l9 5 9-5-9-5ZM3 14l9 5 9-5",
  plug: "M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0V8Zm6 9v4",
  route:
    "M6 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM18 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 17h7a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h7",
  sliders:
    "M4 7h8.5m5 0H20M4 17h2.5m5 0H20M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  wrench:
    "M14.5 6.5a4.5 4.5 0 0 1 5-1l-3 3 1.5 1.5 3-3a4.5 4.5 0 0 1-6 5L8 19.5a2.1 2.1 0 0 1-3-3l7.5-7.5a4.5 4.5 0 0 1 2-2.5Z",
  key: "M8 15a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm4-4h9v3m-4-3v3",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3V4Zm0 13a3 3 0 0 1 3-3h11",
  warning: "M12 4 2.5 20h19Zm0 6v5m0 2.5v.5",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" width="20" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
