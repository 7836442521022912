// Small drawings for buttons, of our own; each stands beside words or a label.

const PATHS: Record<string, string> = {
  back: "M10 3 5 8l5 5",
  forward: "M6 3l5 5-5 5",
  play: "M5 3l8 5-8 5z",
  stop: "M4 4h8v8H4z",
  close: "M4 4l8 8M12 4l-8 8",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l4 4",
  ask: "M3 3h10v7H8l-3 3v-3H3z",
  graph: "M4 4h.01M12 5h.01M8 12h.01M4 4l8 1M4 4l4 8M12 5l-4 7",
  plane: "M3 2v11h11M6 10V7h4v3M10 7V4h3v3",
  story: "M4 3h8M4 6h8M4 9h5M4 12h6",
  memories: "M2.5 4h11M2.5 8h11M2.5 12h11",
  review: "M3 8l3 3 7-7",
  journal: "M4 2h8v12H4zM6.5 5h3M6.5 8h3",
  health: "M2 9h3l2-5 3 8 2-3h2",
  tell: "M3 13l1-3 7-7 2 2-7 7z",
  settings: "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4",
  copy: "M5 5V2h9v9h-3M2 5h9v9H2z",
  pin: "M8 9v5M5 9h6l-1-3V2H6v4z",
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name] ?? ""} fill={name === "play" || name === "stop" ? "currentColor" : "none"} stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
