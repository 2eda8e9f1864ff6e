import { ServiceError } from "../../src/platform/errors.ts";
import type { LogLine, LogOptions } from "../../src/runtimes/runtime.ts";

/** From when the seconds of {@link createLogEngine} are counted. */
export const LOG_NOON = new Date("2026-03-01T12:00:00Z");

/** The logs of an engine: those who follow get what comes, until the log ends or is cut. */
export function createLogEngine() {
  const written = new Map<string, LogLine[]>();
  const followers = new Set<{ externalId: string; wake: () => void; isCut: boolean }>();
  const asked: { externalId: string; options: LogOptions }[] = [];
  let isAway = false;
  let hanging = "";

  async function* logs(_agentId: string | null, externalId: string, options: LogOptions): AsyncIterable<LogLine[]> {
    asked.push({ externalId, options });
    if (isAway) throw new ServiceError("runtime_unavailable", "The engine is away.");
    const { since, tail, follow, signal } = options;
    const lines = written.get(externalId);
    if (lines === undefined) throw new ServiceError("not_found", "There is no such container.");
    const first = lines.slice(-tail).filter(({ timestamp }) => since === undefined || (timestamp ?? LOG_NOON) >= since);
    let next = lines.length;
    yield first;
    if (!follow && hanging !== externalId) return;
    const follower = { externalId, wake: (): void => undefined, isCut: false };
    followers.add(follower);
    const wake = (): void => follower.wake();
    signal.addEventListener("abort", wake);
    try {
      while (!follower.isCut && !signal.aborted) {
        for (; next < lines.length; next += 1) {
          const line = lines[next];
          if (line !== undefined) yield [line];
        }
        if (follower.isCut || signal.aborted) return;
        await new Promise<void>((resolve) => (follower.wake = resolve));
      }
    } finally {
      followers.delete(follower);
      signal.removeEventListener("abort", wake);
    }
  }

  return {
    logs,
    asked,
    followed: (): string[] => [...followers].map(({ externalId }) => externalId),
    write(externalId: string, seconds: number, ...texts: string[]): void {
      const lines = written.get(externalId) ?? [];
      written.set(externalId, lines);
      for (const text of texts) lines.push({ timestamp: new Date(LOG_NOON.getTime() + seconds * 1000), stream: "stdout", text });
      for (const { wake, externalId: followed } of followers) if (followed === externalId) wake();
    },
    cut(): void {
      for (const follower of followers) {
        follower.isCut = true;
        follower.wake();
      }
    },
    setAway(away: boolean): void {
      isAway = away;
    },
    /** What is asked of this log does not end. */
    hang(externalId: string): void {
      hanging = externalId;
    },
    remove: (externalId: string): void => void written.delete(externalId),
  };
}
