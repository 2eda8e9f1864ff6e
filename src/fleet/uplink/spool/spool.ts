import { MINUTE_MS } from "../../../contract/time.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { join } from "node:path";
import { makeFolder } from "../../../platform/folder.ts";
import { type Disk, openDisk } from "./disk.ts";
import { recordBytes, type SpoolRecord } from "./record.ts";
import { openStateFile, type SpoolState, type StateFile } from "./state-file.ts";

/** Numbers that are reserved at a time, so that a crash never uses one twice. */
const SEQS_RESERVED = 1_000_000;
/** What has waited longer is written to the disk, whatever room there is in memory: a crash then costs no more than this. */
const SPILL_AFTER_MS = 30_000;
/** Between two warnings that events were dropped. */
const TELL_EVERY_MS = MINUTE_MS;
/** After the disk took nothing, it is left alone for so long. */
const DISK_REST_MS = 30_000;

export interface SpoolBudgets {
  maxMemoryBytes: number;
  maxDiskBytes: number;
  /** Events that were observed longer ago are neither kept nor given out. */
  maxAgeMs: number;
}

export interface SpoolOptions extends SpoolBudgets {
  /** Made when it is missing. */
  folder: string;
  clock: Clock;
  log: Log;
}

/** What waits. Source: contract, section 12. */
export interface SpoolTotals {
  queued: number;
  /** Lost since the agent was enrolled. */
  dropped: number;
  bytes: number;
}

/**
 * Events that the server has not got: the newest in memory, the older ones in files. Given out in order of their seq, and kept until they are
 * acknowledged. Never throws for what the disk does.
 */
export interface Spool {
  /** A number for the next event, higher than all before it. */
  nextSeq(): number;
  /** The seq must be higher than those that were pushed before. */
  push(record: SpoolRecord): void;
  /** The next records that were not given out yet: at most so many, and so many bytes of payload, but always one when there is one. */
  read(most: { records: number; bytes: number }): SpoolRecord[];
  /** All that was given out up to this seq arrived. */
  acknowledge(seq: number): void;
  /** Begins again with the oldest that was not acknowledged. */
  rewind(): void;
  /** Does what time asks for: writes what has waited, drops what is too old. */
  settle(): void;
  /** Whether there is something that was not given out yet. */
  hasMore(): boolean;
  totals(): SpoolTotals;
  /** Writes what is in memory to the disk. Nothing may be asked of it afterwards. */
  close(): void;
}

export function openSpool({ folder, maxMemoryBytes, maxDiskBytes, maxAgeMs, clock, log }: SpoolOptions): Spool {
  const stateFile = openState(folder, log);
  const known = stateFile?.read();
  const state: SpoolState = known ?? { doneSeq: 0, reservedSeq: clock.now().getTime() * 1000, dropped: 0 };
  /** Dropped since the last warning, and when that was. */
  let untold = 0;
  let toldMs = -Infinity;
  let unreadableToldMs = -Infinity;
  let disk = maxDiskBytes > 0 ? tryDisk() : undefined;
  // Where the file of the state was lost or could not be written, the time stands in for it: no agent sees a million events a second.
  let seq = Math.max(state.reservedSeq, clock.now().getTime() * 1000, (disk?.lastSeq ?? 0) + 1);

  const memory: SpoolRecord[] = [];
  let memoryBytes = 0;
  /** When the oldest in memory came. */
  let waitingSinceMs = 0;
  let diskRestsUntilMs = -Infinity;
  /** Given out and not acknowledged, in order; those that are too old are only passed over. */
  let givenOut: { seq: number; tooOld: boolean }[] = [];
  let readSeq = state.doneSeq;

  function tryDisk(): Disk | undefined {
    try {
      const { doneSeq } = state;
      return openDisk({
        folder: join(folder, "segments"),
        clock,
        maxBytes: maxDiskBytes,
        doneSeq,
        onLost: lose,
        onUnreadable: tellUnreadable,
      });
    } catch (error) {
      log.error({ folder, reason: messageOf(error) }, "spool has no disk: what is in memory is lost when the agent ends");
      return undefined;
    }
  }

  function lose(events: number, why: string): void {
    if (events === 0) return;
    state.dropped += events;
    untold += events;
    save();
    if (clock.monotonicMs() - toldMs < TELL_EVERY_MS) return;
    log.warn({ events: untold, why, dropped: state.dropped }, "events dropped from the spool");
    untold = 0;
    toldMs = clock.monotonicMs();
  }

  /** Nothing newer is given out meanwhile: an acknowledgement of it would count for what could not be read. */
  function tellUnreadable(error: unknown): void {
    if (clock.monotonicMs() - unreadableToldMs < TELL_EVERY_MS) return;
    unreadableToldMs = clock.monotonicMs();
    log.warn({ reason: messageOf(error) }, "spool not read from disk: its events wait, and it is tried again");
  }

  function save(options?: { durable: boolean }): void {
    try {
      stateFile?.write(state, options);
    } catch (error) {
      log.debug({ reason: messageOf(error) }, "state of the spool not written");
    }
  }

  /** Moves all that is in memory to the disk; what it does not take stays. */
  function spill(): void {
    if (disk === undefined || memory.length === 0 || clock.monotonicMs() < diskRestsUntilMs) return;
    const { written, error } = disk.append(memory);
    for (const record of memory.splice(0, written)) memoryBytes -= recordBytes(record);
    waitingSinceMs = clock.monotonicMs();
    givenOutBefore(firstSeqWaiting());
    if (error === undefined) return;
    diskRestsUntilMs = clock.monotonicMs() + DISK_REST_MS;
    log.warn({ reason: messageOf(error), waiting: memory.length }, "spool not written to disk: it goes on in memory");
  }

  /** Forgets about those given out that are not there any more. */
  function givenOutBefore(firstSeq: number): void {
    if ((givenOut[0]?.seq ?? Infinity) < firstSeq) givenOut = givenOut.filter((each) => each.seq >= firstSeq);
  }

  function firstSeqWaiting(): number {
    return disk?.firstSeq ?? memory[0]?.seq ?? Infinity;
  }

  /** Drops from memory, the oldest first, while it holds. */
  function dropWhile(holds: (oldest: SpoolRecord) => boolean, why: string): void {
    let dropped = 0;
    for (let oldest = memory[0]; oldest !== undefined && holds(oldest); oldest = memory[dropped]) {
      memoryBytes -= recordBytes(oldest);
      dropped += 1;
    }
    if (dropped === 0) return;
    memory.splice(0, dropped);
    lose(dropped, why);
    givenOutBefore(firstSeqWaiting());
  }

  function after(from: number): SpoolRecord | undefined {
    const found = disk?.after(from);
    return found === "unreadable" ? undefined : (found ?? memory[indexAfter(memory, from)]);
  }

  function remove(done: number): void {
    state.doneSeq = Math.max(state.doneSeq, done);
    const [oldest] = memory;
    if (oldest !== undefined && oldest.seq <= done) {
      memory.shift();
      memoryBytes -= recordBytes(oldest);
    } else disk?.remove(done);
  }

  function removeTooOld(): void {
    for (let first = givenOut[0]; first?.tooOld === true; first = givenOut[0]) {
      givenOut.shift();
      remove(first.seq);
      lose(1, "age");
    }
  }

  return {
    nextSeq() {
      if (seq >= state.reservedSeq) {
        state.reservedSeq = seq + SEQS_RESERVED;
        save({ durable: true });
      }
      return seq++;
    },
    push(record) {
      if (memory.length === 0) waitingSinceMs = clock.monotonicMs();
      memory.push(record);
      memoryBytes += recordBytes(record);
      if (memoryBytes <= maxMemoryBytes) return;
      spill();
      dropWhile(() => memoryBytes > maxMemoryBytes, "budget");
    },
    read({ records, bytes }) {
      const oldest = clock.now().getTime() - maxAgeMs;
      const found: SpoolRecord[] = [];
      let size = 0;
      for (let record = after(readSeq); record !== undefined && found.length < records; record = after(readSeq)) {
        const tooOld = record.observedAtMs < oldest;
        if (!tooOld && found.length > 0 && size + record.payload.length > bytes) break;
        readSeq = record.seq;
        givenOut.push({ seq: record.seq, tooOld });
        if (tooOld) continue;
        found.push(record);
        size += record.payload.length;
      }
      removeTooOld();
      return found;
    },
    acknowledge(upTo) {
      for (let first = givenOut[0]; first !== undefined && first.seq <= upTo; first = givenOut[0]) {
        givenOut.shift();
        remove(first.seq);
      }
      removeTooOld();
      save();
    },
    rewind() {
      givenOut = [];
      readSeq = state.doneSeq;
    },
    settle() {
      const oldestMs = clock.now().getTime() - maxAgeMs;
      disk?.dropOlderThan(oldestMs);
      dropWhile(({ observedAtMs }) => observedAtMs < oldestMs, "age");
      if (memory.length > 0 && clock.monotonicMs() - waitingSinceMs >= SPILL_AFTER_MS) spill();
      givenOutBefore(firstSeqWaiting());
      save();
    },
    hasMore: () => after(readSeq) !== undefined,
    totals: () => ({
      queued: memory.length + (disk?.count ?? 0),
      dropped: state.dropped,
      bytes: memoryBytes + (disk?.bytes ?? 0),
    }),
    close() {
      diskRestsUntilMs = -Infinity;
      spill();
      // What no disk took goes with the process.
      dropWhile(() => true, "end");
      disk?.close();
      disk = undefined;
      save({ durable: true });
      stateFile?.close();
    },
  };
}

function openState(folder: string, log: Log): StateFile | undefined {
  try {
    makeFolder(folder);
    return openStateFile(join(folder, "state"));
  } catch (error) {
    log.error({ folder, reason: messageOf(error) }, "state of the spool cannot be kept");
    return undefined;
  }
}

/** Where the first record after a seq is, in a list that rises. */
function indexAfter(records: readonly SpoolRecord[], seq: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle]?.seq ?? Infinity) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
