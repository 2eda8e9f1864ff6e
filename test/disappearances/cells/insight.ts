import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const goesOn = {
  state: "1 found",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "-",
  timeline: "-",
  before: "dangerous_configuration",
  pageBefore: "-",
};
const ended = {
  ...goesOn,
  state: "0 found",
  before: "dangerous_configuration, resolved by observation",
  why: "It was seen to have ended two minutes ago, and what does not run exposes nothing.",
};
const unseen = { ...goesOn, state: "1 found, as last seen" };
const recreated = { ...goesOn, before: "dangerous_configuration" };

/** Of the container that is exposed. */
export const insight: Record<Scenario, Expected> = {
  crash: ended,
  oom: ended,
  stop: ended,
  pause: goesOn,
  removedLately: {
    ...recreated,
    state: "0 found",
    why: "What does not run exposes nothing, and its alert stays: another may yet take its place.",
  },
  removal: { ...goesOn, state: "gone", before: "dangerous_configuration, resolved by removal" },
  recreated,
  upgraded: recreated,
  engineDeath: unseen,
  engineDeathAndRestart: unseen,
  hostReboot: goesOn,
  cutOff: unseen,
  healed: goesOn,
  serverRestart: goesOn,
  databaseGone: goesOn,
  diskFull: goesOn,
  clockForward: goesOn,
  clockBack: goesOn,
};
