import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "running",
  alert: "-",
  sent: "-",
  uptime: "up",
  page: "operational",
  timeline: "-",
  before: "health_unhealthy",
  pageBefore: "degraded",
};
const ended = { ...unaffected, state: "exited", alert: "down", sent: "fired", uptime: "down", page: "major_outage" };
const down = { before: "health_unhealthy; also down", pageBefore: "major_outage" };
const unseen = { ...unaffected, state: "running, as last seen", uptime: "not counted", page: "No data" };
const STOPPED = "It went from running to exited with exit code 143.";
const REMOVED = "The container was removed from its host.; It went from running to exited.";
const recreated = {
  ...unaffected,
  timeline: `${STOPPED}; It went from exited to running.`,
  before: "health_unhealthy",
  why: "A container outlives its containers: its alert lasts until health is seen of the new one.",
};

export const container: Record<Scenario, Expected> = {
  crash: { ...ended, ...down, timeline: "It went from running to exited with exit code 1." },
  oom: { ...ended, ...down, timeline: "It went from running to exited with exit code 137, killed for memory (OOM)." },
  stop: {
    ...unaffected,
    state: "exited, asked",
    uptime: "not counted",
    page: "major_outage",
    timeline: STOPPED,
    pageBefore: "major_outage",
    why: "Nobody is notified of what somebody asked for, but the service is not there.",
  },
  pause: {
    ...unaffected,
    state: "paused",
    uptime: "not counted",
    page: "major_outage",
    timeline: "It went from running to paused.",
    pageBefore: "major_outage",
  },
  removedLately: {
    ...unaffected,
    state: "exited, asked",
    uptime: "not counted",
    page: "major_outage",
    timeline: REMOVED,
    pageBefore: "major_outage",
    why: "It left the list. Its alerts stay, since another may yet take its place.",
  },
  removal: {
    ...unaffected,
    state: "gone",
    uptime: "not counted",
    page: "gone",
    timeline: REMOVED,
    before: "health_unhealthy, resolved by removal",
    pageBefore: "gone",
  },
  recreated,
  upgraded: { ...recreated, timeline: `${STOPPED}; Another image runs.; It went from exited to running.` },
  engineDeath: { ...unseen, why: "The alert of the host stands for it." },
  engineDeathAndRestart: unseen,
  hostReboot: {
    ...unaffected,
    uptime: "up, while seen",
    timeline: "It went from running to exited.; It went from exited to running.",
  },
  cutOff: { ...unseen, why: "The alert of the agent stands for it." },
  healed: { ...unaffected, why: "The agent kept what it saw meanwhile." },
  serverRestart: { ...unaffected, uptime: "up, while seen", byAgent: { uptime: "up" } },
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: { ...unaffected, uptime: "up, while seen" },
  clockBack: unaffected,
};
