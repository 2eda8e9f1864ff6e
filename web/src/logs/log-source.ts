/**
 * A log as it is written: what is there first, then line by line. It reads, then follows; when the connection
 * is lost it does both again from where it was, so that no line comes twice and a gap is reported.
 */
import type { LogStreamEnd } from "../../../src/monitoring/containers/api.ts";
import type { ServiceLogStreamEnd } from "../../../src/monitoring/swarm/api.ts";
import type { UnseenTasks } from "../../../src/monitoring/swarm/answers.ts";
import type { LogRecord } from "./log-record.ts";
import { createOverlap, type Overlap } from "./overlap.ts";

/** The last lines, oldest first; `truncated`: there are older ones. */
export interface LogReading {
  lines: LogRecord[];
  truncated: boolean;
}

type LogEnd = LogStreamEnd | ServiceLogStreamEnd;

export type LogSourceState =
  | { phase: "loading" }
  | { phase: "live" }
  /** Tried again by itself; `message` says why it was lost, as far as is known. */
  | { phase: "reconnecting"; since: number; message: string | null }
  /** Nothing is written any more. */
  | { phase: "ended"; reason: LogEnd["reason"] }
  /** Trying again by itself would not help. */
  | { phase: "failed"; message: string };

/** How the server was asked and what it answered. */
export type LogAnswer = { ok: true; logs: LogReading } | { ok: false; message: string; isPassing: boolean };

export interface LogStreamListener {
  line(line: LogRecord): void;
  /** So many lines before the next are left out: they came faster than they can be read. */
  omitted(lines: number): void;
  /** Of a service: tasks whose log is not in it. */
  unseen(tasks: UnseenTasks): void;
  end(end: LogEnd): void;
  /** The connection was lost, or never made. */
  lost(): void;
}

export interface LogSourceDoors {
  read(since: string | null, signal: AbortSignal): Promise<LogAnswer>;
  /** Opens the stream; answers how to close it. */
  follow(since: string | null, listener: LogStreamListener): () => void;
  now(): number;
  /** Calls back once after a while; answers how to call that off. */
  after(delayMs: number, callback: () => void): () => void;
}

interface LogSourceListener {
  lines(lines: readonly LogRecord[]): void;
  /** Lines are missing: more were written than can be read afterwards. */
  gap(): void;
  omitted(lines: number): void;
  /** What comes is the log from the beginning of what can be read, and replaces what came before. */
  begin(hasOlder: boolean): void;
  unseen(tasks: UnseenTasks): void;
  state(state: LogSourceState): void;
}

export interface LogSource {
  start(): void;
  /** Tries again now, or continues after an end. */
  resume(): void;
  close(): void;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15_000;
/** A connection that held this long is tried again soon. */
const STEADY_AFTER_MS = 10_000;

export function createLogSource(doors: LogSourceDoors, listener: LogSourceListener, overlap: Overlap = createOverlap()): LogSource {
  let state: LogSourceState = { phase: "loading" };
  let attempts = 0;
  let liveSince = 0;
  let lostSince: number | null = null;
  let release = (): void => undefined;

  function turn(next: LogSourceState): void {
    state = next;
    listener.state(next);
  }

  /** Whatever runs is called off before something else begins. */
  function replace(next: () => void): void {
    release();
    release = next;
  }

  function connect(): void {
    const abort = new AbortController();
    replace(() => abort.abort());
    const isFirst = overlap.since === null;
    void doors.read(overlap.since, abort.signal).then((answer) => {
      if (abort.signal.aborted) return;
      if (!answer.ok) return answer.isPassing ? lose(answer.message) : turn({ phase: "failed", message: answer.message });
      // Lines without times cannot be distinguished, so that each reading of them is a first one.
      if (isFirst) listener.begin(answer.logs.truncated);
      const lines = passing(answer.logs.lines);
      if (!isFirst && answer.logs.truncated && lines.length === answer.logs.lines.length) listener.gap();
      // Without times the stream begins with all of these again.
      if (overlap.since !== null) listener.lines(lines);
      follow();
    });
  }

  function passing(lines: readonly LogRecord[]): LogRecord[] {
    overlap.begin();
    return lines.filter((line) => overlap.pass(line));
  }

  function follow(): void {
    overlap.begin();
    lostSince = null;
    liveSince = doors.now();
    turn({ phase: "live" });
    replace(
      doors.follow(overlap.since, {
        line(line) {
          if (overlap.pass(line)) listener.lines([line]);
        },
        omitted: listener.omitted,
        unseen: listener.unseen,
        end({ reason, message }) {
          if (reason === "runtime_lost" || reason === "slow_client") return lose(message);
          replace(() => undefined);
          turn(reason === "unreadable" ? { phase: "failed", message: message ?? "Cannot read the log." } : { phase: "ended", reason });
        },
        lost: () => lose(null),
      }),
    );
  }

  function lose(message: string | null): void {
    if (state.phase === "live" && doors.now() - liveSince > STEADY_AFTER_MS) attempts = 0;
    lostSince ??= doors.now();
    const delay = Math.min(FIRST_DELAY_MS * 2 ** attempts, LONGEST_DELAY_MS);
    attempts += 1;
    replace(doors.after(delay, connect));
    turn({ phase: "reconnecting", since: lostSince, message });
  }

  return {
    start: connect,
    resume() {
      if (state.phase === "reconnecting" || state.phase === "failed") connect();
      // An end that was reported before its cause would otherwise be asked about again at once, and again.
      if (state.phase === "ended") replace(doors.after(FIRST_DELAY_MS, connect));
    },
    close: () => replace(() => undefined),
  };
}
