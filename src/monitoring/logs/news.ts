import type { LogBatch, LogLine } from "../../runtimes/runtime.ts";
import type { ResumePoint } from "./stored/index.ts";

/** What is new in a log. */
export interface News {
  lines: LogLine[];
  /** How many lines were read, with those that are stored already. */
  read: number;
  /** How many new lines were left out: the oldest of too much text. */
  dropped: number;
}

/** All lines of one log are in memory before they are stored: whether some are missing before them shows at the end. */
const MOST_CHARACTERS = 16_000_000;

/** Reads a log to its end, and keeps the newest lines of what is not stored yet. */
export async function readNews(batches: AsyncIterable<LogBatch>, point: ResumePoint | undefined): Promise<News> {
  const news: News = { lines: [], read: 0, dropped: 0 };
  let characters = 0;
  for await (const batch of batches) {
    news.read += batch.length;
    const fresh = batch.filter((line) => point?.isStored(line) !== true);
    for (const line of fresh) news.lines.push(line);
    characters += lengthOf(fresh);
    let excess = 0;
    while (characters > MOST_CHARACTERS && excess < news.lines.length) characters -= news.lines[excess++]?.text.length ?? 0;
    if (excess > 0) news.lines = news.lines.slice(excess);
    news.dropped += excess;
  }
  return news;
}

function lengthOf(lines: readonly LogLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}
