import { SECTIONS } from "./sections.ts";

/** What the help tells. */
export const KEYS: readonly { keys: string[]; does: string }[] = [
  { keys: ["Ctrl", "K"], does: "Search or run an action (Cmd K on a Mac)" },
  { keys: ["/"], does: "Filter this page" },
  ...SECTIONS.map((section) => ({ keys: ["g", section.key], does: `Go to ${section.label}` })),
  { keys: ["j"], does: "Next row" },
  { keys: ["k"], does: "Previous row" },
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["f"], does: "Fold the group, or unfold it" },
  { keys: ["F"], does: "Fold all groups, or unfold them" },
  { keys: ["x"], does: "Alerts: select the row, for what is done next" },
  { keys: ["a"], does: "Alerts: acknowledge" },
  { keys: ["r"], does: "Alerts: resolve" },
  { keys: ["u"], does: "Undo the last action" },
  { keys: ["End"], does: "Logs: jump to the newest line and follow" },
  { keys: ["w"], does: "Logs: wrap long lines" },
  { keys: ["t"], does: "Logs: show timestamps" },
  { keys: ["c"], does: "Logs: copy the selected line" },
  { keys: ["Esc"], does: "Clear a field, close a window" },
  { keys: ["?"], does: "This help" },
];
