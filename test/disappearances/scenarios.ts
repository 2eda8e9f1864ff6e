interface Described {
  title: string;
  what: string;
  /** Where it can happen only on that road. */
  road?: "agent";
  /** The stories of test/stories that run it on real parts. */
  stories: readonly string[];
}

/** The scenarios in which a monitored thing can disappear. */
export const SCENARIOS = {
  crash: {
    title: "Crash",
    what: "The container ends with exit code 1, nobody asked for it, and nothing restarts it.",
    stories: ["containers", "endpoints", "fleet-link"],
  },
  oom: { title: "Out of memory", what: "The kernel kills the container for its memory.", stories: ["mcp-oom"] },
  stop: { title: "Asked stop", what: "A person or a tool stops the container.", stories: ["containers", "fleet-link"] },
  pause: { title: "Pause", what: "The container is paused.", stories: ["containers", "database-gone"] },
  removedLately: {
    title: "Removal, 7 minutes ago",
    what: "The container is removed while it runs; another may yet take its name.",
    stories: ["disappearances"],
  },
  removal: {
    title: "Removal",
    what: "The same, and no other takes its name within 10 minutes.",
    stories: ["containers", "disappearances"],
  },
  recreated: {
    title: "Re-creation, same image",
    what: "The container is stopped and removed, and one of the same name and image starts, as `docker compose up --force-recreate` does.",
    stories: ["security", "disappearances"],
  },
  upgraded: {
    title: "Re-creation, new image",
    what: "The same with a newer image, as `docker compose up` does after a pull.",
    stories: ["update-commands", "disappearances"],
  },
  engineDeath: {
    title: "Engine death",
    what: "The engine dies and takes its containers with it; the host and the program that watches it keep running.",
    stories: ["disappearances"],
  },
  engineDeathAndRestart: {
    title: "Engine death and restart of the server",
    what: "The same, and the server restarts while the engine is dead.",
    stories: ["disappearances"],
  },
  hostReboot: {
    title: "Host reboot",
    what: "The host is away for 2 minutes with all that runs on it, then its engine starts the containers again.",
    stories: ["disappearances"],
  },
  cutOff: {
    title: "Agent cut off",
    road: "agent",
    what: "The link between the agent and the server is cut for 8 minutes.",
    stories: ["fleet-link"],
  },
  healed: {
    title: "Agent back",
    road: "agent",
    what: "The same, 2 minutes after the link is back and the agent has sent what it kept.",
    stories: ["fleet-link", "fleet-crash"],
  },
  serverRestart: {
    title: "Server restart",
    what: "The server is away for 8 minutes, while the host keeps running.",
    stories: ["crash", "heartbeats", "fleet-crash"],
  },
  databaseGone: { title: "Database gone", what: "The database is away for 8 minutes, then it is back.", stories: ["database-gone"] },
  diskFull: {
    title: "Disk full",
    what: "Nothing can be saved for 8 minutes, then there is room again.",
    stories: ["database-gone", "disk-faults"],
  },
  clockForward: { title: "Clock forward", what: "The clocks are set forward by an hour.", stories: ["clock-set"] },
  clockBack: { title: "Clock back", what: "The clocks are set back by an hour.", stories: ["clock-set"] },
} satisfies Record<string, Described>;

export type Scenario = keyof typeof SCENARIOS;
