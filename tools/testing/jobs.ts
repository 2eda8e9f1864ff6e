import type { Part } from "../test-parts.ts";

/** A test file, with the real parts that its imports lead to. */
export interface TestFile {
  /** From the root of the project. */
  path: string;
  text: string;
  parts: readonly Part[];
}

/** Files that one process runs one after another, and the parts that must run meanwhile. */
export interface Job {
  files: readonly string[];
  parts: readonly string[];
}

/** Small enough that the lanes end at about the same time, large enough that starting Node costs little beside the tests. */
const FILES_A_PACK = 16;
/** Parts that many files may use at once, in one process. */
const SHAREABLE = new Set(["PostgreSQL", "OpenSSL"]);
/** What concerns the whole process: its memory, its time, its warnings, its clock. Such a file has its own process. */
const PROCESS_WIDE = /\bprocess\.(memoryUsage|cpuUsage|on|once)\b|\bheldMemory\b|\bmock\.timers\b/;

/** Stories first, since they take longest; then the other files, the small ones packed. Browsers, which work all the time, are dealt among what waits. */
export function planJobs(files: readonly TestFile[]): Job[] {
  const single = files.filter((file) => !isPackable(file));
  const isStory = ({ path }: TestFile): boolean => path.startsWith("test/stories/");
  const hasBrowser = ({ parts }: TestFile): boolean => parts.some(({ name }) => name === "Chromium");
  const [stories, others] = [single.filter(isStory), single.filter((file) => !isStory(file))];
  return [
    ...deal(
      stories.filter(hasBrowser),
      stories.filter((file) => !hasBrowser(file)),
    ).map((file) => jobOf([file])),
    ...others.map((file) => jobOf([file])),
    ...packsOf(files.filter((file) => isPackable(file))).map((pack) => jobOf(pack)),
  ];
}

/** Both in their order, each spread over the whole. */
function deal<T>(some: readonly T[], others: readonly T[]): T[] {
  const spread = (items: readonly T[]) => items.map((item, index) => ({ item, place: (index + 0.5) / items.length }));
  return [...spread(some), ...spread(others)].toSorted((a, b) => a.place - b.place).map(({ item }) => item);
}

function isPackable({ path, text, parts }: TestFile): boolean {
  return !path.startsWith("test/stories/") && parts.every(({ name }) => SHAREABLE.has(name)) && !PROCESS_WIDE.test(text);
}

/** Dealt like cards: the files of one folder cost about the same, so each pack gets some of them. */
function packsOf(files: readonly TestFile[]): TestFile[][] {
  const count = Math.ceil(files.length / FILES_A_PACK);
  return Array.from({ length: count }, (_, pack) => files.filter((_file, index) => index % count === pack));
}

function jobOf(files: readonly TestFile[]): Job {
  return { files: files.map(({ path }) => path), parts: [...new Set(files.flatMap(({ parts }) => parts.map(({ name }) => name)))] };
}
