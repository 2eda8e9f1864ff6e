/** What a soak judges by, as data. A straight line upward is a failure; what comes and goes is not. */
export type JudgedKind = "memory" | "handles" | "size" | "latency";
/** High percentiles are drawn and not judged: on a shared machine they are made by its neighbours. */
export type Kind = JudgedKind | "drawn only";

export interface Rule {
  /** How much of its movement a line has to explain before it counts as one. */
  leastFit: number;
  /** It has to grow by so much within a day, as a share of where it began; null when any growth counts. */
  mostADay: number | null;
  /** What it may grow by in the window, whatever the line says: a share of where it began, by the window's length, the longest last. */
  forgiven: readonly { fromMinutes: number; share: number }[];
  /** And in its own unit. */
  forgivenAmount: number;
  why: string;
}

export const RULES: Readonly<Record<JudgedKind, Rule>> = {
  memory: {
    leastFit: 0.5,
    mostADay: 1,
    forgiven: [
      { fromMinutes: 0, share: 0.25 },
      { fromMinutes: 10, share: 0.15 },
      { fromMinutes: 45, share: 0.06 },
    ],
    forgivenAmount: 4,
    why: "Memory that doubles within a day ends in an out-of-memory kill. In a short window compiled code and caches still fill up.",
  },
  handles: {
    leastFit: 0.5,
    mostADay: null,
    forgiven: [],
    forgivenAmount: 4,
    why: "Nothing keeps more files or sockets open the longer it runs; viewers and checks come and go by a few.",
  },
  size: {
    leastFit: 0.5,
    mostADay: null,
    forgiven: [],
    forgivenAmount: 8,
    why: "The load is even, so the data of the second half may not grow faster than that of the first: judged is the growth beyond it.",
  },
  latency: {
    leastFit: 0.5,
    mostADay: 1,
    forgiven: [
      { fromMinutes: 0, share: 10 },
      { fromMinutes: 30, share: 1 },
    ],
    forgivenAmount: 20,
    why: "An answer that takes longer the more was kept misses an index or a bound. Neighbours of the machine make single ones slow.",
  },
};

/** What has to stay on one level from one life of a process to the next. */
export const ONE_LEVEL: readonly Kind[] = ["memory", "handles"];

/** The first minutes of a process fill its caches: so long, but at most a third of its life. */
export const WARM_UP = { mostMs: 600_000, share: 1 / 3 };

/** The same of a process at rest: with so little to do, most of an hour passes until its code is compiled and its caches are full. */
export const WARM_UP_AT_REST_MS = 2_700_000;
