import type { ObservationSink } from "../observations.ts";
import type { Clock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createLimiter } from "../platform/queues.ts";
import type { LogLine, Runtime, RuntimeNews } from "../runtimes/runtime.ts";

const MAX_LINES = 50;
const MAX_BYTES = 10 * 1024;
const READS_AT_ONCE = 4;
const MAX_WAITING = 500;
const READ_WITHIN_MS = 5_000;

export interface LastWordsParts {
  runtime: Runtime;
  sink: ObservationSink;
  agentId: string | null;
  clock: Clock;
  log: Log;
}

/** Reads the end of a container's log after it ended, a few at a time and in the background. */
export interface LastWords {
  read(ended: RuntimeNews & { what: "container" }, signal: AbortSignal): void;
  /** Resolves once nothing is being read. */
  settle(): Promise<void>;
}

export function createLastWords({ runtime, sink, agentId, clock, log }: LastWordsParts): LastWords {
  const limit = createLimiter(READS_AT_ONCE);
  const underWay = new Set<Promise<void>>();

  async function readOne({ at, container }: RuntimeNews & { what: "container" }, signal: AbortSignal): Promise<void> {
    const patience = new AbortController();
    const timer = clock.after(READ_WITHIN_MS, () => patience.abort());
    try {
      const lines: LogLine[] = [];
      const options = { tail: MAX_LINES, follow: false, signal: AbortSignal.any([signal, patience.signal]) };
      for await (const batch of runtime.logs(container.externalId, options)) {
        // It may have started again meanwhile: what it says since is not how it ended.
        lines.push(...batch.filter(({ timestamp }) => timestamp === null || timestamp.getTime() <= at.getTime()));
      }
      const snippet = endOf(lines);
      if (snippet !== "") {
        sink.observe(agentId, { kind: "container.last_words", observedAt: at, externalId: container.externalId, endedAt: at, snippet });
      }
    } catch (error) {
      log.debug({ container: container.externalId, reason: messageOf(error) }, "last words of a container could not be read");
    } finally {
      timer.cancel();
    }
  }

  return {
    read(ended, signal) {
      if (underWay.size >= MAX_WAITING) {
        log.debug({ container: ended.container.externalId }, "too many containers end at once; last words left out");
        return;
      }
      const reading = limit(() => readOne(ended, signal)).finally(() => underWay.delete(reading));
      underWay.add(reading);
    },
    async settle() {
      await Promise.all(underWay);
    },
  };
}

/** The last lines as one text of bounded size; colours stay, the null character is unfit for storage. */
function endOf(lines: LogLine[]): string {
  const bytes = Buffer.from(
    lines
      .slice(-MAX_LINES)
      .map(({ text }) => text.replaceAll("\0", ""))
      .join("\n"),
  );
  if (bytes.length <= MAX_BYTES) return bytes.toString("utf8");
  let start = bytes.length - MAX_BYTES;
  while (isContinuation(bytes[start])) start += 1;
  return bytes.toString("utf8", start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
